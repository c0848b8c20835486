import { THREE, stage, cameraAt, film, fly } from '../shared.mjs';

// An avenue of 40 posts, 1.6 m to either side, put into the order of their distance in every frame, as programs do for what is
// see-through, or to draw the nearest only: nothing moves but the camera.
const { renderer, scene } = stage();
const camera = cameraAt();
const posts = new THREE.InstancedMesh(new THREE.BoxGeometry(0.6, 6, 0.6), new THREE.MeshLambertMaterial(), 40);
posts.name = 'posts';
posts.frustumCulled = false;
scene.add(posts);
const places = Array.from({ length: 40 }, (_, i) => new THREE.Vector3(i % 2 ? 1.6 : -1.6, 3, 8 - i * 1.3));
const way = fly(camera, [0, 2, 6], [0, 2, -2], 24);
const at = new THREE.Matrix4();
film(renderer, scene, camera, (n) => {
  way(n);
  places.sort((a, b) => b.distanceTo(camera.position) - a.distanceTo(camera.position));
  places.forEach((place, i) => posts.setMatrixAt(i, at.makeTranslation(place.x, place.y, place.z)));
  posts.instanceMatrix.needsUpdate = true;
});
