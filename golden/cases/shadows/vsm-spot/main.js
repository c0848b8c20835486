import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.VSMShadowMap;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 1));
const light = new THREE.SpotLight(0xffffff, 120, 20, 0.5, 0.4);
light.position.set(2, 5, 3);
scene.add(light);

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
light.castShadow = true;
light.shadow.mapSize.set(512, 512);
light.shadow.camera.near = 1;
light.shadow.camera.far = 15;
light.shadow.radius = 6;
light.shadow.blurSamples = 12;

renderer.setAnimationLoop(() => renderer.render(scene, camera));
