import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// Twelve posts that are put, in every frame, where the twelve trees of an avenue are that come next.
const { renderer, scene } = stage();
const camera = cameraAt();
const pool = Array.from({ length: 12 }, () => box('post', [0.6, 6, 0.6], [0, 0, 0]));
pool.forEach((post) => scene.add(post));
const places = Array.from({ length: 40 }, (_, i) => new THREE.Vector3(i % 2 ? 1.6 : -1.6, 3, 8 - i * 1.3));
const way = fly(camera, [0, 2, 6], [0, 2, -10], 24);
film(renderer, scene, camera, (n) => {
  way(n);
  const next = places.filter((place) => place.z < camera.position.z + 1);
  pool.forEach((post, i) => post.position.copy(next[i]));
});
