import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Walkers pass a camera that stands still; one goes right through it.
const walkers = new THREE.InstancedMesh(new THREE.BoxGeometry(0.5, 1.8, 0.3), new THREE.MeshLambertMaterial(), 3);
walkers.name = 'walkers';
scene.add(walkers);
const at = new THREE.Matrix4();
camera.position.set(0, 1.5, 0);
film(renderer, scene, camera, (n) => {
  for (let i = 0; i < 3; i++) walkers.setMatrixAt(i, at.makeTranslation(i === 1 ? 0 : (i - 1) * 8, 0.9, n * 1.0 - 6.5));
  walkers.instanceMatrix.needsUpdate = true;
});
