import { stage, cameraAt, film, fly, instances } from '../shared.mjs';

// Walls of one InstancedMesh, of which the nearest three ahead are drawn. The first of them leaves its place in the frame in which
// the camera has gone through it.
const { renderer, scene } = stage();
const camera = cameraAt();
const put = instances(scene, 'walls', [20, 20, 0.1], 3);
const way = fly(camera, [0, 0, 6.4], [0, 0, -7.6], 15);
film(renderer, scene, camera, (n) => {
  way(n);
  let z = 0;
  while (z > camera.position.z) z -= 4;
  put([0, 1, 2].map((i) => [0, 0, z - 4 * i]));
});
