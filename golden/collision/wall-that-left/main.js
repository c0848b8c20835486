import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Out of the picture, the wall goes away: the camera flies backwards through where it was.
const wall = box('wall', [10, 10, 1], [0, 0, 0]);
scene.add(wall, box('far away', [2, 2, 2], [0, 0, 40]));
film(renderer, scene, camera, (n) => {
  if (n === 5) scene.remove(wall);
  camera.position.set(0, 0, n < 4 ? 8 : 8 - (n - 3) * 1.5);
  camera.lookAt(0, 0, n < 4 ? -10 : 40);
});
