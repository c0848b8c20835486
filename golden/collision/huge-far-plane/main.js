import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// 1 mm to a million metres: the depth buffer tells hardly anything.
const { renderer, scene } = stage();
const camera = cameraAt(0.001, 1e6);
scene.add(box('wall', [10, 10, 1], [0, 0, -0.6]), box('mountain', [4e4, 4e4, 4e4], [0, 0, -5e4]));
film(renderer, scene, camera, fly(camera, [-1, 0, 0], [1, 0, 0], 8));
