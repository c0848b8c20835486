import { THREE, filmGate } from '../shared.mjs';

// A gate stands for 20 frames; then it creeps towards the camera, as slowly as numbers are rounded.
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
filmGate(gate, (n) => {
  // A hundredth of a millimetre a frame.
  gate.position.z = 50 - 1.001 + Math.max(n - 20, 0) * 0.00001;
});
