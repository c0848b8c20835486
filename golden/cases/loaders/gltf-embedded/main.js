import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

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

const positions = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
const indices = new Uint16Array([0, 1, 2, 0, 2, 3]);
const bytes = new Uint8Array(60);
bytes.set(new Uint8Array(positions.buffer), 0);
bytes.set(new Uint8Array(indices.buffer), 48);
const gltf = await new GLTFLoader().parseAsync(JSON.stringify({
  asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, 1] }],
  nodes: [{ mesh: 0, translation: [-1, 0, 0] }, { mesh: 0, translation: [1.2, 0, -1], scale: [1, 1.4, 1] }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
  materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.2, 0.6, 0.9, 1], metallicFactor: 0.1, roughnessFactor: 0.5 }, doubleSided: true }],
  buffers: [{ byteLength: 60, uri: 'data:application/octet-stream;base64,' + btoa(String.fromCharCode(...bytes)) }],
  bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 12 }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [-1, -1, 0], max: [1, 1, 0] }, { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' }],
}), '');
scene.add(gltf.scene);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
