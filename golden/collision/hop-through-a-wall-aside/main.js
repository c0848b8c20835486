import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Along a corridor, and from one frame to the next along the one beside it.
scene.add(box('wall', [0.5, 20, 60], [0, 0, 0]));
film(renderer, scene, camera, (n) => {
  // A frame comes late: the flight is the same.
  camera.position.set(n < 12 ? -2 : 2, 0, 5 - (n === 13 ? 12 : n) * 0.2);
});
