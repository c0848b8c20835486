import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const wall = new THREE.Mesh(new THREE.PlaneGeometry(10, 10), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
wall.name = 'banner';
wall.position.z = 1.5;
scene.add(wall);
film(renderer, scene, camera, fly(camera, [0, 0, 12], [0, 0, -9], 8));
