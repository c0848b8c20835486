import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const pane = new THREE.Mesh(new THREE.BoxGeometry(10, 10, 0.02), new THREE.MeshPhysicalMaterial({ transparent: true, opacity: 0.15, depthWrite: false, roughness: 0 }));
pane.name = 'window';
pane.position.z = 1.5;
scene.add(pane);
film(renderer, scene, camera, fly(camera, [0, 0, 12], [0, 0, -9], 8));
