import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Two cuts, both past a wall: the first goes on in the direction of flight, the second back and looking elsewhere.
scene.add(box('wall', [20, 20, 0.5], [0, 0, 0]), box('house', [20, 20, 2], [0, 0, -25]));
film(renderer, scene, camera, (n) => {
  camera.rotation.y = n < 20 ? 0 : Math.PI;
  camera.position.set(0, 0, n < 10 ? 6 - n * 0.1 : n < 20 ? -12 - n * 0.1 : 30 + n * 0.1);
});
