import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Up a flight of stairs, 1.6 m above the steps.
for (let i = 0; i < 20; i++) scene.add(box('step', [4, 0.2 * (i + 1), 0.4], [0, 0.1 * (i + 1), -0.4 * i]));
film(renderer, scene, camera, fly(camera, [0, 1.9, 1], [0, 5.6, -6.6], 12));
