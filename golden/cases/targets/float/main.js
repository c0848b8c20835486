import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const target = new THREE.WebGLRenderTarget(128, 128, { type: THREE.FloatType });
const inner = new THREE.Scene();
inner.background = new THREE.Color(0x882244);
inner.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.MeshNormalMaterial()));
const eye = new THREE.PerspectiveCamera(40, 1, 0.1, 20);
eye.position.z = 6;
const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial({ map: target.texture }));
box.rotation.set(0.4, 0.6, 0);
scene.add(box);

renderer.setAnimationLoop(() => {
  renderer.setRenderTarget(target);
  renderer.render(inner, eye);
  renderer.setRenderTarget(null);
  renderer.render(scene, camera);
});
