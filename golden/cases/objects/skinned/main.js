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

const geometry = new THREE.CylinderGeometry(0.4, 0.4, 3, 16, 12);
const position = geometry.attributes.position;
const indices = [];
const weights = [];
for (let i = 0; i < position.count; i++) {
  const y = position.getY(i) + 1.5;
  const bone = Math.min(Math.floor(y), 2);
  indices.push(bone, bone + 1, 0, 0);
  weights.push(1 - (y - bone), y - bone, 0, 0);
}
geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(indices, 4));
geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
const bones = [0, 1, 2, 3].map((i) => Object.assign(new THREE.Bone(), { name: `b${i}` }));
bones.forEach((bone, i) => { bone.position.y = i ? 1 : -1.5; if (i) bones[i - 1].add(bone); });
const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshStandardMaterial({ color: 0x77aa55 }));
mesh.add(bones[0]);
mesh.bind(new THREE.Skeleton(bones));
bones[1].rotation.z = 0.6;
bones[2].rotation.z = -0.9;
bones[3].rotation.z = 0.7;
scene.add(mesh);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
