import { THREE, stage, cameraAt, film, fly, instances } from '../shared.mjs';

// An avenue of 40 posts, 1.6 m to either side, put into the order of their distance in every frame, as programs do for what is
// see-through, or to draw the nearest only: nothing moves but the camera.
const { renderer, scene } = stage();
const camera = cameraAt();
const put = instances(scene, 'posts', [0.6, 6, 0.6], 40);
const places = Array.from({ length: 40 }, (_, i) => new THREE.Vector3(i % 2 ? 1.6 : -1.6, 3, 8 - i * 1.3));
const way = fly(camera, [0, 2, 6], [0, 2, -2], 24);
film(renderer, scene, camera, (n) => {
  way(n);
  places.sort((a, b) => b.distanceTo(camera.position) - a.distanceTo(camera.position));
  put(places);
});
