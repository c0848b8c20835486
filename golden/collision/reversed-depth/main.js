import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage({ reversedDepthBuffer: true });
const camera = cameraAt(0.01, 1000);
scene.add(box('wall', [10, 10, 1], [0, 0, -0.6]));
film(renderer, scene, camera, fly(camera, [-1, 0, 0], [1, 0, 0], 8));
