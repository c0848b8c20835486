import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// The scene of `ground-from-above`, with z up, and a fence of 5 cm.
THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
const { renderer, scene } = stage();
const camera = cameraAt();
const ground = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.MeshLambertMaterial({ color: 0x557733 }));
ground.name = 'ground';
ground.position.z = 1;
scene.add(ground, box('block', [4, 4, 3], [0, 8, 2.5]), box('fence', [10, 0.05, 2], [0, -6, 2]));
film(renderer, scene, camera, fly(camera, [0, -12, 10], [0.5, -11, 10], 45, [0, 1, -0.5]));
