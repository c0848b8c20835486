import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);
renderer.shadowMap.enabled = true;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const floor = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshStandardMaterial({ color: 0x999999 }));
floor.rotation.x = -Math.PI / 2;
floor.position.y = -1.2;
floor.receiveShadow = true;
scene.add(floor);
const box = new THREE.Mesh(new THREE.BoxGeometry(1.2, 1.2, 1.2), new THREE.MeshStandardMaterial({ color: 0xcc6633 }));
box.rotation.set(0.4, 0.6, 0);
box.castShadow = box.receiveShadow = true;
scene.add(box);
camera.position.set(0, 3, 6);
camera.lookAt(0, 0, 0);
const lamp = new THREE.PointLight(0xffeecc, 40);
lamp.position.set(1, 2.5, 1);
lamp.castShadow = true;
scene.add(lamp);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
