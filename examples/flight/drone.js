import * as THREE from 'three';

export function makeDrone() {
  const group = new THREE.Group();
  group.name = 'drone';
  const dark = new THREE.MeshStandardMaterial({ color: 0x2a2d33, roughness: 0.5, metalness: 0.4 });
  group.add(new THREE.Mesh(new THREE.BoxGeometry(0.5, 0.18, 0.8), dark));
  const rotors = [];
  for (const [x, z] of [[-0.6, -0.6], [0.6, -0.6], [-0.6, 0.6], [0.6, 0.6]]) {
    const arm = new THREE.Mesh(new THREE.BoxGeometry(0.06, 0.06, Math.hypot(x, z)), dark);
    arm.position.set(x / 2, 0, z / 2);
    arm.lookAt(x, 0, z);
    const rotor = new THREE.Mesh(new THREE.BoxGeometry(0.7, 0.02, 0.08), new THREE.MeshStandardMaterial({ color: 0xd8d8d8 }));
    rotor.position.set(x, 0.1, z);
    rotors.push(rotor);
    group.add(arm, rotor);
  }
  const lamp = new THREE.Mesh(new THREE.SphereGeometry(0.07, 8, 6), new THREE.MeshBasicMaterial({ color: 0xff4030 }));
  lamp.position.set(0, 0.02, 0.42);
  group.add(lamp);
  return {
    group,
    update(t) {
      rotors.forEach((rotor, i) => { rotor.rotation.y = (i % 2 ? -1 : 1) * t * 40; });
    },
  };
}
