import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const canvas = document.createElement('canvas');
canvas.width = canvas.height = 128;
const context = canvas.getContext('2d');
const gradient = context.createLinearGradient(0, 0, 128, 128);
gradient.addColorStop(0, '#204080');
gradient.addColorStop(1, '#f0a040');
context.fillStyle = gradient;
context.fillRect(0, 0, 128, 128);
context.strokeStyle = 'white';
context.lineWidth = 6;
context.strokeRect(16, 16, 96, 96);
context.fillStyle = 'rgba(255, 0, 80, 0.6)';
context.beginPath();
context.arc(64, 64, 30, 0, Math.PI * 2);
context.fill();
const texture = new THREE.CanvasTexture(canvas);
texture.colorSpace = THREE.SRGBColorSpace;
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: texture }));
scene.add(plane);
camera.position.y = 0;
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
