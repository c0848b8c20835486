import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A steady flight in which 3.6 m are left out, with a wall in them.
scene.add(box('wall', [20, 20, 0.5], [0, 0, 0]), box('house', [20, 20, 2], [0, 0, -25]));
film(renderer, scene, camera, (n) => camera.position.set(0, 0, (n < 10 ? 3 : -0.5) - n * 0.1));
