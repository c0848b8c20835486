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
c.fillStyle = '#f4ead2';
c.fillRect(0, 0, 256, 256);
c.save();
c.beginPath();
c.roundRect(16, 16, 100, 100, [30, 10]);
c.clip();
for (let i = 0; i < 12; i++) {
  c.fillStyle = `hsl(${i * 30} 70% 50%)`;
  c.fillRect(i * 10 + 10, 0, 6, 256);
}
c.restore();
const radial = c.createRadialGradient(190, 60, 5, 180, 70, 55);
radial.addColorStop(0, 'white');
radial.addColorStop(1, 'navy');
c.fillStyle = radial;
c.beginPath();
c.ellipse(186, 66, 60, 40, 0.4, 0, Math.PI * 2);
c.fill();
c.lineWidth = 10;
c.lineJoin = 'round';
c.lineCap = 'round';
c.strokeStyle = 'rgba(20, 120, 60, 0.7)';
c.beginPath();
c.moveTo(20, 150);
c.bezierCurveTo(60, 250, 90, 100, 120, 230);
c.quadraticCurveTo(150, 240, 150, 150);
c.stroke();
c.setLineDash([12, 8]);
c.lineWidth = 4;
c.strokeStyle = '#a02020';
c.strokeRect(170, 140, 70, 40);
c.setLineDash([]);
c.globalCompositeOperation = 'multiply';
c.fillStyle = '#80c0ff';
c.translate(205, 215);
c.rotate(0.5);
c.fillRect(-30, -20, 60, 40);
const texture = new THREE.CanvasTexture(canvas);
texture.colorSpace = THREE.SRGBColorSpace;
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: texture }));
scene.add(plane);
camera.position.y = 0;
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
