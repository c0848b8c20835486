import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// A lift whose wall is 10 cm off rises, and the camera stands still: nothing is carried along by it.
const { renderer, scene } = stage();
const camera = cameraAt();
const wall = box('lift', [6, 40, 1], [0, 0, -0.6]);
scene.add(wall);
film(renderer, scene, camera, (n) => (wall.position.y = n * 0.3));
