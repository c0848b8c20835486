import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const points = [];
for (let i = 0; i <= 200; i++) points.push(new THREE.Vector3(Math.sin(i * 0.2) * 1.5, i * 0.015 - 1.5, Math.cos(i * 0.2) * 1.5));
const geometry = new THREE.BufferGeometry().setFromPoints(points);
scene.add(new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xffff66 })));
const dashed = new THREE.Line(geometry.clone().scale(0.6, 1, 0.6), new THREE.LineDashedMaterial({ color: 0x66ffff, dashSize: 0.1, gapSize: 0.06 }));
dashed.computeLineDistances();
const loop = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints([[-2, -1.8], [2, -1.8], [2, 1.8], [-2, 1.8]].map(([x, y]) => new THREE.Vector3(x, y, 0))), new THREE.LineBasicMaterial({ color: 0xff6666 }));
scene.add(dashed, loop, new THREE.GridHelper(4, 8));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
