import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const texels = new Float32Array(32 * 32 * 1);
for (let i = 0; i < 32 * 32; i++) {
  const x = (i % 32) / 31;
  const y = Math.floor(i / 32) / 31;
  texels.set([x * y], i * 1);
}
const texture = new THREE.DataTexture(texels, 32, 32, THREE.RedFormat, THREE.FloatType);
texture.magFilter = texture.minFilter = THREE.LinearFilter;
texture.needsUpdate = true;
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: texture }));
scene.add(plane);
camera.position.y = 0;
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
