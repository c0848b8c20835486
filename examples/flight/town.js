import * as THREE from 'three';
import { random } from './random.js';

const RIVER = [305, 415]; // x of its banks
const HILL = [20, 260];

const step = (from, to, x) => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

// Height of the land; the bed of the river lies below it.
export function ground(x) {
  const bed = step(RIVER[0] - 3, RIVER[0] + 9, x) * (1 - step(RIVER[1] - 9, RIVER[1] + 3, x));
  return -36 * step(HILL[0], HILL[1], x) - 11 * bed;
}

const stone = new THREE.MeshStandardMaterial({ color: 0xb59f84, roughness: 0.9 });
const dark = new THREE.MeshStandardMaterial({ color: 0x6a5a4c, roughness: 0.9 });
const roof = new THREE.MeshStandardMaterial({ color: 0x9a4a32, roughness: 0.8 });
const slate = new THREE.MeshStandardMaterial({ color: 0x46505a, roughness: 0.7 });

const box = (w, h, d, material, x, y, z) => {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(w, h, d), material);
  mesh.position.set(x, y + h / 2, z);
  return mesh;
};

export function town(path) {
  const all = new THREE.Group();
  all.add(land(), river(), cathedral(), church());
  const line = [];
  for (let s = 0; s <= path.length; s += 3) line.push(path.at(s));
  all.add(...houses(line), ...bridge(path));
  return all;
}

function land() {
  const geometry = new THREE.PlaneGeometry(720, 520, 360, 4).rotateX(-Math.PI / 2).translate(210, 0, 10);
  const at = geometry.attributes.position;
  for (let i = 0; i < at.count; i++) at.setY(i, ground(at.getX(i)));
  geometry.computeVertexNormals();
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0x8c8a6a, roughness: 1 }));
  mesh.name = 'land';
  return mesh;
}

function river() {
  const mesh = new THREE.Mesh(
    new THREE.PlaneGeometry(RIVER[1] - RIVER[0] + 8, 520).rotateX(-Math.PI / 2),
    new THREE.MeshStandardMaterial({ color: 0x4d6f78, roughness: 0.15, metalness: 0.1 }),
  );
  mesh.name = 'river';
  mesh.position.set((RIVER[0] + RIVER[1]) / 2, -42, 10);
  return mesh;
}

// Houses of boxes and pyramids, none within 15 m of the route.
function houses(line) {
  const rnd = random(3);
  const places = [];
  for (let tries = 0; places.length < 260 && tries < 6000; tries++) {
    const p = { x: -110 + rnd() * 620, z: -170 + rnd() * 330, w: 9 + rnd() * 6, d: 9 + rnd() * 6, h: 7 + rnd() * 8, turn: rnd() * 0.5 };
    const wet = p.x > RIVER[0] - 16 && p.x < RIVER[1] + 16;
    const court = Math.hypot(p.x, p.z) < 45 || Math.hypot(p.x + 20, p.z + 50) < 45 || Math.hypot(p.x - 205, p.z - 35) < 30;
    const near = line.some((q) => Math.hypot(q.x - p.x, q.z - p.z) < 15 + Math.hypot(p.w, p.d) / 2);
    const close = places.some((q) => Math.hypot(q.x - p.x, q.z - p.z) < 14);
    if (!wet && !court && !near && !close) places.push(p);
  }
  const walls = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 1, 1).translate(0, 0.5, 0), new THREE.MeshStandardMaterial({ roughness: 0.9 }), places.length);
  const roofs = new THREE.InstancedMesh(new THREE.ConeGeometry(0.78, 1, 4).rotateY(Math.PI / 4).translate(0, 0.5, 0), roof, places.length);
  walls.name = 'houses';
  roofs.name = 'roofs';
  const place = new THREE.Object3D();
  const color = new THREE.Color();
  places.forEach((p, i) => {
    place.rotation.y = p.turn;
    // Down to the lower edge of the slope.
    place.position.set(p.x, ground(p.x + p.w) - 1, p.z);
    place.scale.set(p.w, p.h + 2, p.d);
    place.updateMatrix();
    walls.setMatrixAt(i, place.matrix);
    walls.setColorAt(i, color.setHSL(0.06 + rnd() * 0.08, 0.35, 0.55 + rnd() * 0.25));
    place.position.y += p.h + 2;
    place.scale.y = 4.5;
    place.updateMatrix();
    roofs.setMatrixAt(i, place.matrix);
  });
  return [walls, roofs];
}

function spire(x, z, height, width) {
  const top = new THREE.Mesh(new THREE.ConeGeometry(width * 0.72, height * 0.45, 4).rotateY(Math.PI / 4), slate);
  top.position.set(x, height * 1.22, z);
  return [box(width, height, width, dark, x, 0, z), top];
}

function cathedral() {
  const group = new THREE.Group();
  group.name = 'cathedral';
  const nave = box(18, 26, 44, stone, -20, 0, -58);
  const ridge = new THREE.Mesh(new THREE.CylinderGeometry(10.5, 10.5, 44, 3).rotateX(Math.PI / 2).rotateZ(Math.PI / 2 + Math.PI), slate);
  ridge.position.set(-20, 30, -58);
  group.add(nave, ridge, ...spire(-27, -34, 42, 7), ...spire(-13, -34, 42, 7), ...spire(-20, -70, 56, 8));
  return group;
}

function church() {
  const group = new THREE.Group();
  group.name = 'church';
  const y = ground(205) - 1;
  const dome = new THREE.Mesh(new THREE.SphereGeometry(9, 24, 12, 0, Math.PI * 2, 0, Math.PI / 2), new THREE.MeshStandardMaterial({ color: 0x5d9480, roughness: 0.6 }));
  dome.position.set(205, y + 22, 35);
  group.add(box(20, 22, 20, stone, 205, y, 35), dome, box(5, 38, 5, stone, 218, y, 30));
  return group;
}

// Straight along the end of the route: deck, statues to either side, and a tower with an arch at each end.
function bridge(path) {
  const group = new THREE.Group();
  const end = path.at(path.length);
  const along = end.clone().sub(path.at(path.length - 60)).setY(0).normalize();
  const at = (x) => end.clone().addScaledVector(along, (x - end.x) / along.x).setY(-36);
  const [from, to] = [at(RIVER[0] - 8), at(RIVER[1] + 8)];
  group.position.copy(from);
  group.rotation.y = Math.atan2(-along.z, along.x);
  group.name = 'bridge';
  const length = from.distanceTo(to);
  group.add(box(length, 1.6, 15, stone, length / 2, -1.62, 0));
  for (const side of [-7.2, 7.2]) group.add(box(length, 1.1, 0.5, stone, length / 2, 0, side));
  for (let x = 14; x < length; x += 22) group.add(box(4, 14, 17, stone, x, -15.7, 0));
  const count = 2 * Math.floor(length / 11);
  const statues = new THREE.InstancedMesh(new THREE.ConeGeometry(0.7, 3.4, 7).translate(0, 2.6, 0), dark, count);
  statues.name = 'statues';
  const place = new THREE.Object3D();
  for (let i = 0; i < count; i++) {
    place.position.set(5 + Math.floor(i / 2) * 11, 0, i % 2 ? 7.2 : -7.2);
    place.updateMatrix();
    statues.setMatrixAt(i, place.matrix);
  }
  group.add(statues);
  group.add(tower('west tower', -14), tower('east tower', length + 1));
  return [group];
}

// Legs 13 m apart, the passage 14 m high.
function tower(name, x) {
  const group = new THREE.Group();
  group.name = name;
  for (const side of [-9, 9]) group.add(box(9, 14, 5, dark, x, -1, side));
  group.add(box(9, 15, 23, dark, x, 13, 0));
  const top = new THREE.Mesh(new THREE.ConeGeometry(13, 16, 4).rotateY(Math.PI / 4), slate);
  top.position.set(x, 36, 0);
  group.add(top);
  return group;
}
