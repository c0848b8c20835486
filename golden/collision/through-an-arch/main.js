import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Pillars 3 m apart and a lintel: flown through in the middle.
scene.add(box('pillar', [1, 6, 1], [-2, 0, 0]), box('pillar', [1, 6, 1], [2, 0, 0]), box('lintel', [5, 1, 1], [0, 3.5, 0]));
film(renderer, scene, camera, fly(camera, [0, 0, 6], [0, 0, -6], 13));
