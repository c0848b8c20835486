import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const wall = box('wall', [1, 1, 1], [0, 0, -5.1]);
wall.scale.set(100, 100, 10);
scene.add(wall);
film(renderer, scene, camera, fly(camera, [-1, 0, 0], [1, 0, 0], 8));
