import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Skies that follow the camera: one says so by its name and is not told of, one does not.
const dome = (name, radius) => {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), new THREE.MeshBasicMaterial({ side: THREE.BackSide }));
  mesh.name = name;
  scene.add(mesh);
  return mesh;
};
const skies = [dome('sky', 50), dome('shell', 60)];
scene.add(box('house', [4, 4, 4], [20, 0, -20]));
film(renderer, scene, camera, (n) => {
  camera.position.set(0, 0.3, -n * 0.5);
  skies.forEach((sky) => sky.position.copy(camera.position));
});
