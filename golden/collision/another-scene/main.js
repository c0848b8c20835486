import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// From frame 6 on another scene is shown by the same camera, which stands 8 m further on: what stood between was in the first.
const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('wall', [20, 20, 0.1], [0, 0, 0]));
const second = new THREE.Scene();
second.add(new THREE.HemisphereLight(0xffffff, 0x554433, 2), box('house', [4, 4, 4], [0, 0, -20]));
film(
  renderer,
  scene,
  camera,
  (n) => camera.position.set(0, 0, n < 6 ? 4 : -4),
  () => renderer.render(camera.position.z > 0 ? scene : second, camera),
);
