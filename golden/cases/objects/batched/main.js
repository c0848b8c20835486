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

const batch = new THREE.BatchedMesh(30, 5000, 10000, new THREE.MeshStandardMaterial({ roughness: 0.5 }));
const shapes = [new THREE.BoxGeometry(0.5, 0.5, 0.5), new THREE.SphereGeometry(0.3, 16, 12), new THREE.ConeGeometry(0.3, 0.6, 12)].map((g) => batch.addGeometry(g));
const matrix = new THREE.Matrix4();
for (let i = 0; i < 30; i++) {
  const id = batch.addInstance(shapes[i % 3]);
  batch.setMatrixAt(id, matrix.makeTranslation((i % 6) * 0.7 - 1.75, Math.floor(i / 6) * 0.7 - 1.4, 0));
  batch.setColorAt(id, new THREE.Color().setHSL(i / 30, 0.8, 0.5));
}
scene.add(batch);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
