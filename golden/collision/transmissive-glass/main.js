import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('back wall', [20, 20, 1], [0, 0, -20]));
const pane = new THREE.Mesh(new THREE.BoxGeometry(10, 10, 0.05), new THREE.MeshPhysicalMaterial({ transmission: 1, roughness: 0.1, thickness: 0.1 }));
pane.name = 'window';
pane.position.z = 1.5;
scene.add(pane);
film(renderer, scene, camera, fly(camera, [0, 0, 12], [0, 0, -9], 8));
