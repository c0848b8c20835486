import * as THREE from 'three';
import { random } from './random.js';

// People who walk along the route, to either side of it, up and down; none where the drone takes off.
export function crowd(count, path) {
  const rnd = random(7);
  const mesh = new THREE.InstancedMesh(
    new THREE.CapsuleGeometry(0.25, 1.1, 3, 8).translate(0, 0.8, 0),
    new THREE.MeshStandardMaterial({ roughness: 0.8 }),
    count,
  );
  mesh.name = 'pedestrians';
  const color = new THREE.Color();
  const from = 35;
  const span = path.length - from;
  const people = [];
  for (let i = 0; i < count; i++) {
    people.push({
      start: rnd() * span,
      side: (rnd() < 0.5 ? -1 : 1) * (0.6 + rnd() * 4.2),
      speed: (rnd() < 0.5 ? -1 : 1) * (0.7 + rnd() * 0.9),
      phase: rnd() * 6.3,
    });
    mesh.setColorAt(i, color.setHSL(rnd(), 0.4, 0.3 + rnd() * 0.35));
  }
  const place = new THREE.Object3D();
  return {
    mesh,
    update(t) {
      people.forEach((p, i) => {
        const s = from + (((p.start + p.speed * t) % span) + span) % span;
        const here = path.at(s);
        const next = path.at(s + 0.5).sub(here);
        const step = Math.sin(t * 7 + p.phase);
        const length = Math.hypot(next.x, next.z);
        place.position.set(here.x - (next.z / length) * p.side, here.y + Math.abs(step) * 0.06, here.z + (next.x / length) * p.side);
        place.rotation.set(0, Math.atan2(next.x, next.z) + (p.speed < 0 ? Math.PI : 0), step * 0.06);
        place.updateMatrix();
        mesh.setMatrixAt(i, place.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.computeBoundingSphere();
    },
  };
}
