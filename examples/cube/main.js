// The smallest thing worth filming: a module, a bare specifier, no HTML.
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(window.innerWidth, window.innerHeight);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x202830);
const camera = new THREE.PerspectiveCamera(45, window.innerWidth / window.innerHeight, 0.1, 10);
camera.position.set(1.6, 1.4, 2.4);
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 1.5));
const light = new THREE.DirectionalLight(0xffffff, 2);
light.position.set(2, 3, 1);
scene.add(light);
const cube = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial({ color: 0xff7733, roughness: 0.4 }));
scene.add(cube);

function frame(time) {
  requestAnimationFrame(frame);
  cube.rotation.set(time * 0.0007, time * 0.001, 0);
  renderer.render(scene, camera);
}
requestAnimationFrame(frame);
