import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('wall', [10, 10, 1], [0, 0, -0.55]));
film(renderer, scene, camera, fly(camera, [-1, 0, 0], [1, 0, 0], 8));
