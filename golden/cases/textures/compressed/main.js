import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

// BC1 blocks: two 5:6:5 colours and a row of two-bit indices each.
const blocks = new Uint16Array(8 * 8 * 4);
for (let i = 0; i < 64; i++) blocks.set([0xf800 | (i << 5), 0x001f | ((63 - i) << 5), 0x1b1b, 0xe4e4], i * 4);
const texture = new THREE.CompressedTexture([{ data: new Uint8Array(blocks.buffer), width: 32, height: 32 }], 32, 32, THREE.RGB_S3TC_DXT1_Format);
texture.magFilter = texture.minFilter = THREE.LinearFilter;
texture.needsUpdate = true;
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: texture }));
scene.add(plane);
camera.position.y = 0;
camera.lookAt(0, 0, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
