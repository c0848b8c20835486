import * as THREE from 'three';
import { Sky } from 'three/addons/objects/Sky.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);
renderer.toneMapping = THREE.ACESFilmicToneMapping;
renderer.toneMappingExposure = 0.5;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const sky = new Sky();
sky.scale.setScalar(1000);
sky.material.uniforms.turbidity.value = 8;
sky.material.uniforms.rayleigh.value = 2;
sky.material.uniforms.sunPosition.value.setFromSphericalCoords(1, 1.5, 0.2);
scene.add(sky);
camera.far = 2000;
camera.updateProjectionMatrix();
camera.lookAt(0, 3, 0);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
