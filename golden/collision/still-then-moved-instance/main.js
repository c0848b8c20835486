import { THREE, filmGate } from '../shared.mjs';

// Two instances of a gate stand for 20 frames; then the matrix of one moves it through the camera.
const gate = new THREE.InstancedMesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }), 2);
gate.setMatrixAt(0, new THREE.Matrix4().makeTranslation(0, 0, 10));
filmGate(gate, (n) => {
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  if (n === 0 || n >= 20) {
    gate.setMatrixAt(1, new THREE.Matrix4().makeTranslation(0, 0, z));
    gate.instanceMatrix.needsUpdate = true;
  }
});
