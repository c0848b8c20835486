// three/webgpu on its WebGL 2 back end: matrices in uniform blocks.
import * as THREE from 'three/webgpu';
const renderer = new THREE.WebGPURenderer({ antialias: true, forceWebGL: true });
renderer.setSize(innerWidth, innerHeight);
document.body.appendChild(renderer.domElement);
const scene = new THREE.Scene(), sun = new THREE.DirectionalLight();
for (let i = 0; i < 20; i++) {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial());
  mesh.position.set((i % 5) - 2, 0, Math.floor(i / 5));
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
}
sun.position.set(2, 5, 3);
sun.castShadow = renderer.shadowMap.enabled = true;
scene.add(sun);
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 500);
camera.name = 'eye';
await renderer.init();
let n = 0;
renderer.setAnimationLoop(() => {
  const a = 0.1 * n++;
  camera.position.set(10 * Math.cos(a), 3 + Math.sin(2 * a), 10 * Math.sin(a));
  camera.lookAt(0, 1, 0);
  renderer.render(scene, camera);
});
