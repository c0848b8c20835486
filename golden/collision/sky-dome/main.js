import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Near, flat against it, whatever its name: drawn from within and leaving no depth.
const dome = new THREE.Mesh(new THREE.SphereGeometry(5, 24, 16), new THREE.MeshBasicMaterial({ side: THREE.BackSide, depthWrite: false }));
scene.add(dome);
film(renderer, scene, camera, fly(camera, [0, 0, 4.9], [0, 0, -4.9], 8));
