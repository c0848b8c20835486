import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const texels = new Uint8Array(64 * 64 * 4);
for (let y = 0; y < 64; y++) {
  for (let x = 0; x < 64; x++) {
    const on = ((x >> 3) + (y >> 3)) & 1;
    texels.set([on ? 230 : 40, x * 4, y * 4, 255], (y * 64 + x) * 4);
  }
}
const texture = new THREE.DataTexture(texels, 64, 64);
texture.colorSpace = THREE.SRGBColorSpace;
texture.magFilter = THREE.LinearFilter;
texture.minFilter = THREE.LinearMipmapLinearFilter;
texture.generateMipmaps = true;
texture.needsUpdate = true;
const positions = [];
const colors = [];
for (let i = 0; i < 300; i++) {
  const a = i * 2.39996;
  const r = Math.sqrt(i / 300) * 2;
  positions.push(Math.cos(a) * r, Math.sin(i) * 0.5, Math.sin(a) * r);
  colors.push(i / 300, 0.6, 1 - i / 300);
}
const geometry = new THREE.BufferGeometry();
geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
scene.add(new THREE.Points(geometry, new THREE.PointsMaterial({ size: 0.25, vertexColors: true, map: texture })));
camera.position.y = 3;
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
