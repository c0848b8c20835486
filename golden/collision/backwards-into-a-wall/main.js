import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// The wall was seen, then it is behind the camera, which three.js does not draw: it is still there.
const wall = box('wall', [10, 10, 1], [0, 0, 0]);
scene.add(wall, box('far away', [2, 2, 2], [0, 0, 40]));
film(renderer, scene, camera, (n) => {
  camera.position.set(0, 0, n < 4 ? 8 : 8 - (n - 3) * 1.5);
  camera.lookAt(0, 0, n < 4 ? -10 : 40);
});
