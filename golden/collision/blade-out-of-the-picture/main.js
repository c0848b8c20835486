import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// Blades of 2.4 m whose outer parts go through the camera, 2 m beside the hub: before it and after it they are out of the picture, and
// three.js does not draw them.
const { renderer, scene } = stage();
const camera = cameraAt();
const blade = (name, x) => {
  const mesh = box(name, [2.4, 0.06, 0.3], [0, 0, 0]);
  mesh.geometry.translate(1.2, 0, 0);
  mesh.position.x = x;
  scene.add(mesh);
  return mesh;
};
const slow = blade('blade', 0);
const fast = blade('propeller', 20);
film(renderer, scene, camera, (n) => {
  slow.rotation.z = THREE.MathUtils.degToRad(90 * n - 9);
  fast.rotation.z = THREE.MathUtils.degToRad(165 * n);
  const x = n < 8 ? 2 : 22;
  camera.position.set(x, 0, 0);
  camera.lookAt(x, 0, -5);
});
