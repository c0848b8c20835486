import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('crate', [4, 4, 4], [0, 0, 0]));
film(renderer, scene, camera, fly(camera, [0.1, 0.2, 0], [0.1, 0.2, 7.7], 12));
