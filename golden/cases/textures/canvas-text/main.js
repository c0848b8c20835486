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
canvas.width = canvas.height = 256;
const c = canvas.getContext('2d');
c.fillStyle = '#204060';
c.fillRect(0, 0, 256, 256);
c.fillStyle = 'white';
c.font = '40px "DejaVu Sans"';
c.textAlign = 'center';
c.textBaseline = 'middle';
c.fillText('Replay', 128, 50);
c.font = 'bold 28px "DejaVu Sans"';
c.fillStyle = '#ffcc44';
c.fillText('Karlův most', 128, 110);
c.textAlign = 'left';
c.textBaseline = 'alphabetic';
c.font = '20px "DejaVu Sans Mono"';
c.fillStyle = '#88ff88';
c.fillText('0123 AbgW', 20, 170);
c.strokeStyle = 'white';
c.lineWidth = 1.5;
c.font = '48px "DejaVu Serif"';
c.strokeText('Outline', 20, 230);
const texture = new THREE.CanvasTexture(canvas);
texture.colorSpace = THREE.SRGBColorSpace;
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: texture }));
scene.add(plane);
camera.position.y = 0;
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
