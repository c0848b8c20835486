import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('wall', [1, 10, 40], [0, 0, 0]));
film(renderer, scene, camera, fly(camera, [0.65, 0, 8], [0.65, 0, -8], 8));
