import { THREE, filmGate } from '../shared.mjs';

// A gate in a batch stands for 20 frames; then its matrix, in a texture, moves it through the camera.
const gate = new THREE.BatchedMesh(1, 4, 6, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
const instance = gate.addInstance(gate.addGeometry(new THREE.PlaneGeometry(8, 8)));
gate.perObjectFrustumCulled = false;
gate.sortObjects = false;
filmGate(gate, (n) => {
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  if (n === 0 || n >= 20) gate.setMatrixAt(instance, new THREE.Matrix4().makeTranslation(0, 0, z));
});
