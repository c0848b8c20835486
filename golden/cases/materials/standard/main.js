import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 20);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 1));
const light = new THREE.DirectionalLight(0xffffff, 2.5);
light.position.set(3, 4, 5);
scene.add(light);
for (let i = 0; i < 9; i++) {
  const ball = new THREE.Mesh(
    new THREE.SphereGeometry(0.5, 32, 24),
    new THREE.MeshStandardMaterial({ color: 0xcc6633, metalness: (i % 3) / 2, roughness: 0.15 + Math.floor(i / 3) * 0.4 }),
  );
  ball.position.set((i % 3) * 1.25 - 1.25, Math.floor(i / 3) * 1.25 - 1.25, 0);
  scene.add(ball);
}
renderer.setAnimationLoop(() => renderer.render(scene, camera));
