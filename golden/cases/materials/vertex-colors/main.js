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

const geometry = new THREE.SphereGeometry(1.5, 24, 16);
const colors = [];
const position = geometry.attributes.position;
for (let i = 0; i < position.count; i++) colors.push(position.getX(i) / 3 + 0.5, position.getY(i) / 3 + 0.5, position.getZ(i) / 3 + 0.5);
geometry.setAttribute('color', new THREE.Float32BufferAttribute(colors, 3));
scene.add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true })));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
