import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// 30 m/s, 1.2 m beside the camera: it touches nothing.
scene.add(box('platform', [4, 0.5, 60], [2.2, -2, 0]));
const train = box('train', [3, 3, 40], [0, 0, 0]);
scene.add(train);
camera.position.set(2.7, 0, 0);
film(renderer, scene, camera, (n) => (train.position.z = -35 + n * 5));
