import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A terrain is open below: through it and under it.
const ground = new THREE.Mesh(new THREE.PlaneGeometry(80, 80, 40, 40).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
ground.name = 'terrain';
scene.add(ground);
film(renderer, scene, camera, fly(camera, [0.3, 4.5, 0.2], [0.3, -4.5, -0.8], 10));
