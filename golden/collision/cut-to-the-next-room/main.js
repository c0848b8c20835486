import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Two cuts to the other side of a wall, 4 m away: one looks elsewhere, one flies back the way it came, faster.
scene.add(box('wall', [20, 20, 0.5], [0, 0, 0]));
film(renderer, scene, camera, (n) => {
  camera.rotation.y = n < 10 ? 0 : n < 20 ? Math.PI / 2 : Math.PI / 2 + 0.3;
  camera.position.set(0, 0, n < 10 ? 3 - n * 0.02 : n < 20 ? -2 - (n - 10) * 0.02 : 2 + (n - 20) * 0.1);
});
