import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const loader = new THREE.ImageBitmapLoader();
loader.setOptions({ imageOrientation: 'flipY' });
const bitmap = await loader.loadAsync('a.png');
const texture = new THREE.CanvasTexture(bitmap);
texture.flipY = false;
texture.colorSpace = THREE.SRGBColorSpace;
scene.add(new THREE.Mesh(new THREE.PlaneGeometry(3, 3), new THREE.MeshBasicMaterial({ map: texture })));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
