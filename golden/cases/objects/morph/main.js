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

const geometry = new THREE.BoxGeometry(1.6, 1.6, 1.6, 16, 16, 16);
const position = geometry.attributes.position;
const sphere = [];
const twist = [];
for (let i = 0; i < position.count; i++) {
  const p = new THREE.Vector3().fromBufferAttribute(position, i);
  const q = p.clone().normalize().multiplyScalar(1.2).sub(p);
  sphere.push(q.x, q.y, q.z);
  const a = p.y * 1.2;
  twist.push(p.x * Math.cos(a) - p.z * Math.sin(a) - p.x, 0, p.x * Math.sin(a) + p.z * Math.cos(a) - p.z);
}
geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(sphere, 3), new THREE.Float32BufferAttribute(twist, 3)];
geometry.morphTargetsRelative = true;
const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0xcc8844, flatShading: true }));
mesh.morphTargetInfluences[0] = 0.5;
mesh.morphTargetInfluences[1] = 0.7;
scene.add(mesh);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
