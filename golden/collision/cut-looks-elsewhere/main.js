import { stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Cuts that turn: far away, and four steps on behind the next wall, where another flight goes as fast.
scene.add(box('wall', [20, 20, 0.02], [0, 0, 0]), box('fence', [20, 20, 0.02], [0, 0, -40]));
film(renderer, scene, camera, (n) => {
  camera.rotation.y = n < 10 ? 0 : n < 20 ? Math.PI / 2 : Math.PI;
  if (n < 10) camera.position.set(0, 0, 11 - n);
  else if (n < 20) camera.position.set(10 - n, 0, -38);
  else camera.position.set(-9.5, 0, -41.8 - (n - 20) * 0.5);
});
