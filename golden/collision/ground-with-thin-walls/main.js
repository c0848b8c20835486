import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A wall of 5 cm along an axis, another aslant, a sheet without thickness that stands upright, and a pole.
const ground = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.MeshLambertMaterial({ color: 0x557733 }));
ground.name = 'ground';
ground.rotation.x = -Math.PI / 2;
const aslant = box('aslant', [10, 2, 0.05], [6, 1, -4]);
aslant.rotation.y = 0.5;
const sheet = new THREE.Mesh(new THREE.PlaneGeometry(8, 3), new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }));
sheet.name = 'sheet';
sheet.position.set(-8, 1.5, -4.1);
scene.add(ground, box('wall', [10, 4, 0.05], [-2.3, 2, -8.2]), aslant, sheet, box('pole', [0.05, 5, 0.05], [1.3, 2.5, 1.2]));
film(renderer, scene, camera, fly(camera, [0, 10, 12], [0.5, 10, 11], 45, [0, -0.5, -1]));
