import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// Three walls that fill the picture. Each is hidden, taken away or faded out as soon as it is behind the camera: in the very frame
// in which the camera has gone through it.
const { renderer, scene } = stage();
const camera = cameraAt();
const walls = [0, -4, -8].map((z, i) => box(`wall${i}`, [20, 20, 0.1], [0, 0, z], { transparent: i === 2 }));
scene.add(...walls, box('end', [20, 20, 0.1], [0, 0, -60]));
const way = fly(camera, [0, 0, 6.4], [0, 0, -9.6], 17);
film(renderer, scene, camera, (n) => {
  way(n);
  const behind = (wall) => wall.position.z > camera.position.z;
  walls[0].visible = !behind(walls[0]);
  if (behind(walls[1])) scene.remove(walls[1]);
  walls[2].material.opacity = behind(walls[2]) ? 0 : 1;
});
