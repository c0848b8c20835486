import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const flat = [];
const colors = [];
for (let i = 0; i <= 100; i++) {
  flat.push(Math.sin(i * 0.2) * 1.5, i * 0.03 - 1.5, Math.cos(i * 0.2) * 1.5);
  colors.push(i / 100, 1 - i / 100, 0.5);
}
const line = new Line2(new LineGeometry().setPositions(flat).setColors(colors), new LineMaterial({ linewidth: 6, vertexColors: true }));
scene.add(line);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
