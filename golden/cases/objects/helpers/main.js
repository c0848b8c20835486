import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

scene.add(new THREE.AxesHelper(2), new THREE.BoxHelper(new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2)), 0xffff00), new THREE.PolarGridHelper(2, 8, 4, 32), new THREE.ArrowHelper(new THREE.Vector3(1, 1, 0).normalize(), new THREE.Vector3(), 2, 0xff00ff));
camera.position.set(2, 3, 5);
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
