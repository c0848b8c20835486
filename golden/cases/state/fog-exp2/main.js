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

scene.fog = new THREE.FogExp2(0x334455, 0.2);
for (let i = 0; i < 5; i++) {
  const b = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshLambertMaterial({ color: 0xff8833 }));
  b.position.set(i - 2, 0, -i);
  scene.add(b);
}

renderer.setAnimationLoop(() => renderer.render(scene, camera));
