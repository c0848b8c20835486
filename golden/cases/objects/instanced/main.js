import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 1));
const light = new THREE.DirectionalLight(0xffffff, 2.5);
light.position.set(3, 4, 5);
scene.add(light);

const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(0.3, 0.3, 0.3), new THREE.MeshStandardMaterial(), 125);
const matrix = new THREE.Matrix4();
for (let i = 0; i < 125; i++) {
  matrix.makeRotationY(i).setPosition((i % 5) * 0.6 - 1.2, (Math.floor(i / 5) % 5) * 0.6 - 1.2, Math.floor(i / 25) * 0.6 - 1.2);
  mesh.setMatrixAt(i, matrix);
  mesh.setColorAt(i, new THREE.Color().setHSL(i / 125, 0.7, 0.5));
}
scene.add(mesh);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
