import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

// Thin lines under four samples: near ones, far ones, steep ones, and exactly along pixel edges.
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(3, 2.5, 5);
camera.lookAt(0, 0, 0);
scene.add(new THREE.GridHelper(10, 10, 0xff4444, 0x888888), new THREE.PolarGridHelper(3, 8, 4, 48, 0x44ff44, 0x4444ff), new THREE.AxesHelper(3));
const wall = new THREE.GridHelper(6, 12);
wall.rotation.x = Math.PI / 2;
wall.position.z = -3;
scene.add(wall);
const box = new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1));
scene.add(new THREE.BoxHelper(box, 0xffff00), new THREE.Box3Helper(new THREE.Box3(new THREE.Vector3(-2, 0, -2), new THREE.Vector3(-1, 2, -1)), 0x00ffff));
scene.add(new THREE.ArrowHelper(new THREE.Vector3(1, 1, 0).normalize(), new THREE.Vector3(0, 0, 1), 2, 0xff00ff));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
