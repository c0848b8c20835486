import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// An endless corridor of three walls: the one that the camera has gone through is put 30 m, or 8 m, further on in the same frame.
const { renderer, scene } = stage();
const camera = cameraAt();
const walls = [0, -4, -8].map((z, i) => box(`wall${i}`, [20, 20, 0.1], [0, 0, z]));
scene.add(...walls);
const way = fly(camera, [0, 0, 6.4], [0, 0, -7.6], 15);
film(renderer, scene, camera, (n) => {
  way(n);
  for (const [i, wall] of walls.entries()) {
    if (wall.position.z > camera.position.z) wall.position.z -= i === 0 ? 30 : 8;
  }
});
