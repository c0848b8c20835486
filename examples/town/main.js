// A street of 640 houses with roofs in a low evening sun, 1,600 walkers, one 2048² shadow map: the scene the benchmark renders.
import * as THREE from 'three';
import { walkers } from './walkers.js';
import { houses } from './houses.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setPixelRatio(window.devicePixelRatio);
renderer.setSize(window.innerWidth, window.innerHeight);
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFShadowMap;
renderer.toneMapping = THREE.ACESFilmicToneMapping;
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xe8b98a);
scene.fog = new THREE.Fog(0xe8b98a, 60, 320);

const camera = new THREE.PerspectiveCamera(55, window.innerWidth / window.innerHeight, 0.1, 600);

scene.add(new THREE.HemisphereLight(0xffe2c0, 0x6a5b4c, 0.9));
const sun = new THREE.DirectionalLight(0xffd09a, 3);
sun.position.set(80, 60, 40);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
Object.assign(sun.shadow.camera, { left: -120, right: 120, top: 120, bottom: -120, near: 1, far: 300 });
sun.shadow.bias = -0.0005;
scene.add(sun, sun.target);

const ground = new THREE.Mesh(
  new THREE.PlaneGeometry(800, 800),
  new THREE.MeshStandardMaterial({ color: 0x8d8378, roughness: 0.95 }),
);
ground.rotation.x = -Math.PI / 2;
ground.receiveShadow = true;
scene.add(ground);

scene.add(houses(640));
const crowd = walkers(1600);
scene.add(crowd.mesh);

const drone = new THREE.Mesh(
  new THREE.BoxGeometry(0.6, 0.15, 0.6),
  new THREE.MeshStandardMaterial({ color: 0x222222, metalness: 0.6, roughness: 0.4 }),
);
drone.name = 'drone';
drone.castShadow = true;
scene.add(drone);

window.addEventListener('resize', () => {
  camera.aspect = window.innerWidth / window.innerHeight;
  camera.updateProjectionMatrix();
  renderer.setSize(window.innerWidth, window.innerHeight);
});

renderer.setAnimationLoop((time) => {
  const t = time / 1000;
  const z = 120 - t * 4;
  drone.position.set(Math.sin(t * 0.5) * 3, 6 + Math.sin(t) * 0.6, z - 8);
  drone.rotation.y = t;
  camera.position.set(Math.sin(t * 0.4) * 4, 8 + Math.sin(t * 0.7), z);
  camera.lookAt(drone.position.x * 0.6, 5, z - 30);
  crowd.update(t);
  renderer.render(scene, camera);
});
