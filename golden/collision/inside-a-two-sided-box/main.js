import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('crate', [4, 4, 4], [0, 0, 0], { side: THREE.DoubleSide }));
film(renderer, scene, camera, fly(camera, [-0.5, 0.2, 0.3], [0.5, 0.2, 0.3], 8));
