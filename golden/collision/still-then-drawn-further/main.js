import { THREE, filmGate } from '../shared.mjs';

// A gate is drawn to its first half for 24 frames, then whole: the other half is near.
const plane = (z) => new THREE.PlaneGeometry(8, 8).toNonIndexed().translate(0, 0, z).attributes.position.array;
const geometry = new THREE.BufferGeometry();
geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array([...plane(10), ...plane(49.5)]), 3));
geometry.setDrawRange(0, 6);
const gate = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
filmGate(gate, (n) => {
  if (n === 24) geometry.setDrawRange(0, 12);
});
