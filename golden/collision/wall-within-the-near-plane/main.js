import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Nearer than the near plane: the picture shows the wall from within.
scene.add(box('wall', [10, 10, 1], [0, 0, -0.55]));
camera.near = 0.1;
camera.updateProjectionMatrix();
film(renderer, scene, camera, fly(camera, [-1, 0, 0], [1, 0, 0], 8));
