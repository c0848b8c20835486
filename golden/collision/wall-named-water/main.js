import { stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Its name waives the collision; that it was touched and gone through is told.
scene.add(box('water', [20, 20, 0.2], [0, 0, 0]), box('tower', [2, 20, 2], [9, 0, 0]));
film(renderer, scene, camera, fly(camera, [0, 0, 3], [0, 0, -3], 16));
