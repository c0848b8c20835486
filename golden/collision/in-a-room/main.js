import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A room is a box drawn from within: nothing is wrong with being in it.
scene.add(box('room', [8, 8, 8], [0, 0, 0], { side: THREE.BackSide }));
film(renderer, scene, camera, fly(camera, [-1, 0.2, 0.3], [1, 0.2, 0.3], 8));
