// A drone, and a crowd of 12 people in three meshes that walks to the right; 3 more stand apart.
import { THREE, film, size, stage } from './stage.js';
const renderer = stage(), scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(90, size.width / size.height, 0.1, 100);
const drone = new THREE.Group();
drone.name = 'Drone';
drone.add(new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshNormalMaterial()));
drone.position.set(0, 0, -5);
scene.add(drone);
const crowd = ['body', 'head', 'legs'].map((part, i) => {
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(0.3, 0.3, 0.3), new THREE.MeshNormalMaterial(), 12);
  mesh.name = `pedestrian ${part}`;
  mesh.userData.y = i * 0.5;
  mesh.frustumCulled = false;
  scene.add(mesh);
  return mesh;
});
const people = new THREE.Group();
people.name = 'people';
for (let i = 0; i < 3; i++) {
  const one = new THREE.Group();
  for (let k = 0; k < 2; k++) one.add(new THREE.Mesh(new THREE.BoxGeometry(0.3, 0.9, 0.3), new THREE.MeshNormalMaterial())).children[k].position.y = k;
  one.position.set(i * 10, 0, 20);
  people.add(one);
}
scene.add(people);
const at = new THREE.Matrix4();
film(renderer, (n) => {
  // Behind the camera from frame 6 on.
  for (const mesh of crowd) {
    for (let i = 0; i < 12; i++) mesh.setMatrixAt(i, at.makeTranslation(i * 0.1 + n * 0.01, mesh.userData.y, n < 6 ? -10 : 10));
    mesh.instanceMatrix.needsUpdate = true;
  }
  drone.visible = n !== 3;
  renderer.render(scene, camera);
});
