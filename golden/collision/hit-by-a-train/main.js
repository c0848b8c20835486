import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const train = box('train', [3, 3, 40], [0, 0, 0]);
scene.add(train);
camera.position.set(0.7, 0.3, 0);
camera.lookAt(0, 0, 10);
film(renderer, scene, camera, (n) => (train.position.z = -27.3 + n * 2.5));
