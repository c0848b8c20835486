import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A steady flight through a wall, and the view turns by 40 degrees in the very frame that crosses it.
scene.add(box('wall', [20, 20, 0.02], [0, 0, 0]), box('house', [20, 20, 2], [0, 0, -40]));
film(renderer, scene, camera, (n) => {
  camera.rotation.y = n < 12 ? 0 : -Math.PI / 4.5;
  camera.position.set(0, 0, 11.5 - n);
});
