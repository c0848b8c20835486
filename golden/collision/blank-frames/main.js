import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// A steady flight through walls, a metre a frame. In the frame that would show the crossing nothing is drawn, an empty scene, or the
// camera is nowhere.
const { renderer, scene } = stage();
const camera = cameraAt();
const empty = new THREE.Scene();
['wall', 'fence', 'house'].forEach((name, k) => scene.add(box(name, [2, 2, 0.2], [0, 0, -10 * k])));
// Something is always in the picture.
scene.add(box('tower', [1, 60, 1], [8, 0, -80]));
let n = 0;
film(
  renderer,
  scene,
  camera,
  (frame) => {
    n = frame;
    camera.position.set(n === 26 ? NaN : 0, 0, 5.5 - n);
  },
  () => {
    if (n === 6) renderer.clear();
    else renderer.render(n === 16 ? empty : scene, camera);
  },
);
