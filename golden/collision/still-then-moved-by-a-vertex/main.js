import { THREE, filmGate } from '../shared.mjs';

// A gate stands for 20 frames; then one of its vertices is written anew, and it turns through the camera.
const geometry = new THREE.BufferGeometry();
const corner = new Float32Array([-8, -8, 10, 8, -8, 10, 0, 8, 10]);
const attribute = new THREE.BufferAttribute(corner, 3).setUsage(THREE.DynamicDrawUsage);
geometry.setAttribute('position', attribute);
const gate = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
filmGate(gate, (n) => {
  // The triangle's plane through (x, 0.1, z) by its top alone: z = 10 + (top - 10) * (y + 8) / 16.
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  const top = 10 + (z - 10) * 16 / 8.1;
  if (corner[8] !== Math.fround(top)) {
    corner[8] = top;
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(6, 3);
    attribute.needsUpdate = true;
  }
});
