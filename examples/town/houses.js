import * as THREE from 'three';
import { random } from './random.js';

const FACADES = [0xe9d8a6, 0xd9b38c, 0xc98b6b, 0xb5c2b7, 0xe0c3a0, 0xcfa98a, 0xddd5c4, 0xc7b198];

// Two rows on each side of a street 14 m wide; every house is a body and a roof, so two draws and two in the shadow map.
export function houses(count) {
  const rnd = random(7);
  const group = new THREE.Group();
  const body = new THREE.BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const roof = new THREE.ConeGeometry(0.78, 1, 4).rotateY(Math.PI / 4).translate(0, 0.5, 0);
  const plaster = FACADES.map((color) => new THREE.MeshStandardMaterial({ color, roughness: 0.9 }));
  const tiles = [0xa24b2f, 0x8f3f2a, 0xb65a38].map((color) => new THREE.MeshStandardMaterial({ color, roughness: 0.8 }));
  for (let i = 0; i < count; i++) {
    const side = i % 2 ? 1 : -1;
    const row = (i >> 1) % 2;
    const along = (i >> 2) / (count >> 2);
    const width = 5 + rnd() * 3;
    const height = 7 + rnd() * 8;
    const depth = 6 + rnd() * 3;
    const x = side * (12 + row * 12 + rnd() * 1.5);
    const z = 130 - along * 320;
    const walls = new THREE.Mesh(body, plaster[Math.floor(rnd() * plaster.length)]);
    walls.position.set(x, 0, z);
    walls.scale.set(depth, height, width);
    const top = new THREE.Mesh(roof, tiles[Math.floor(rnd() * tiles.length)]);
    top.position.set(x, height, z);
    top.scale.set(depth, 2 + rnd() * 3, width);
    for (const mesh of [walls, top]) {
      mesh.castShadow = mesh.receiveShadow = true;
      group.add(mesh);
    }
  }
  return group;
}
