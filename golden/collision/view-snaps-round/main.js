import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// The view turns about, twice: where a standing camera is left behind at full speed, through a wall, and in the open.
scene.add(box('wall', [20, 20, 0.02], [0, 0, 0]), box('house', [20, 20, 2], [0, 0, -40]));
film(renderer, scene, camera, (n) => {
  camera.rotation.y = n < 12 || n >= 20 ? 0 : Math.PI;
  camera.position.set(0, 0, n < 12 ? 0.7 : 0.7 - (n - 11) * 0.9);
});
