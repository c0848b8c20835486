import * as THREE from 'three';
import { random } from './random.js';

// People as one InstancedMesh; every one walks up or down the street and bobs with its step.
export function walkers(count) {
  const rnd = random(11);
  const mesh = new THREE.InstancedMesh(
    new THREE.CapsuleGeometry(0.28, 1.1, 4, 10).translate(0, 0.85, 0),
    new THREE.MeshStandardMaterial({ roughness: 0.7 }),
    count,
  );
  mesh.name = 'pedestrians';
  mesh.castShadow = mesh.receiveShadow = true;
  const people = [];
  const color = new THREE.Color();
  for (let i = 0; i < count; i++) {
    people.push({ x: (rnd() - 0.5) * 12, z: rnd() * 300, speed: (rnd() < 0.5 ? -1 : 1) * (0.8 + rnd() * 0.8), phase: rnd() * 6 });
    mesh.setColorAt(i, color.setHSL(rnd(), 0.35, 0.3 + rnd() * 0.35));
  }
  const place = new THREE.Object3D();
  return {
    mesh,
    update(t) {
      people.forEach((p, i) => {
        const z = (((p.z + p.speed * t) % 300) + 300) % 300;
        place.position.set(p.x, Math.abs(Math.sin(t * 6 + p.phase)) * 0.06, 130 - z);
        place.rotation.set(0, p.speed > 0 ? Math.PI : 0, Math.sin(t * 6 + p.phase) * 0.05);
        place.updateMatrix();
        mesh.setMatrixAt(i, place.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.computeBoundingSphere();
    },
  };
}
