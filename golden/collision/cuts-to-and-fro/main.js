import { stage, cameraAt, box, film } from '../shared.mjs';

// Cuts between the two sides of a wall: every third frame, and the view turns with them; then every second, and it does not.
const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('wall', [20, 20, 0.5], [0, 0, 0]));
film(renderer, scene, camera, (n) => {
  const late = n >= 24, side = Math.floor(n / (late ? 2 : 3)) % 2 === 0 ? 1 : -1;
  camera.position.set(n * 0.02, 0, side * (late ? 2 : 4));
  camera.lookAt(camera.position.x, 0, late ? -9 : -9 * side);
});
