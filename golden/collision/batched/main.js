import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const batch = new THREE.BatchedMesh(200, 5000, 10000, new THREE.MeshLambertMaterial());
batch.name = 'batch';
const cube = batch.addGeometry(new THREE.BoxGeometry(1, 1, 1)), ball = batch.addGeometry(new THREE.SphereGeometry(0.5, 12, 8));
const at = new THREE.Matrix4();
for (let i = 0; i < 200; i++) batch.setMatrixAt(batch.addInstance(i % 2 ? cube : ball), at.makeTranslation((i % 10) * 4 - 18, 0, -Math.floor(i / 10) * 4));
scene.add(batch);
// Between the rows, then sideways into a cube at x = 2.
film(renderer, scene, camera, (n) => {
  camera.position.set(n < 5 ? 0.01 : (n - 4) * 0.6, 0.03, n < 5 ? 4 - n : 0.02);
});
