import { THREE, filmGate } from '../shared.mjs';

// One gate of a batch stands for 24 frames; then a second one, near, is drawn by the same call.
const gate = new THREE.BatchedMesh(2, 8, 12, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
const plane = gate.addGeometry(new THREE.PlaneGeometry(8, 8));
const instances = [10, 49.5].map((z) => {
  const instance = gate.addInstance(plane);
  gate.setMatrixAt(instance, new THREE.Matrix4().makeTranslation(0, 0, z));
  return instance;
});
gate.setVisibleAt(instances[1], false);
gate.perObjectFrustumCulled = false;
gate.sortObjects = false;
filmGate(gate, (n) => {
  if (n === 24) gate.setVisibleAt(instances[1], true);
});
