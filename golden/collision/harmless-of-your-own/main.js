import * as THREE from 'three';

// `harmless` of replay.toml goes before the built-in `solid`: this bank is one of fog.
const renderer = new THREE.WebGLRenderer({ antialias: false });
renderer.setSize(64, 64);
document.body.appendChild(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x8899aa);
scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 2));
const camera = new THREE.PerspectiveCamera(60, 1, 0.02, 200);
for (const [name, z] of [['bank', 2], ['wall', -2]]) {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(10, 10, 0.2), new THREE.MeshLambertMaterial({ color: 0xaa7744 }));
  mesh.name = name;
  mesh.position.z = z;
  scene.add(mesh);
}
let n = 0;
renderer.setAnimationLoop(() => {
  camera.position.z = 4.5 - n++;
  renderer.render(scene, camera);
});
