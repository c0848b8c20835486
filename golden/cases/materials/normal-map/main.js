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

const texels = new Uint8Array(32 * 32 * 4);
for (let y = 0; y < 32; y++) {
  for (let x = 0; x < 32; x++) {
    const nx = Math.sin((x / 32) * 2 * Math.PI) * 0.6;
    const ny = Math.sin((y / 32) * 2 * Math.PI) * 0.6;
    texels.set([127.5 + 127.5 * nx, 127.5 + 127.5 * ny, 230, 255], (y * 32 + x) * 4);
  }
}
const normals = new THREE.DataTexture(texels, 32, 32);
normals.wrapS = normals.wrapT = THREE.RepeatWrapping;
normals.repeat.set(6, 4);
normals.magFilter = normals.minFilter = THREE.LinearFilter;
normals.needsUpdate = true;
scene.add(new THREE.Mesh(new THREE.SphereGeometry(1.5, 48, 32), new THREE.MeshStandardMaterial({ color: 0xaaaaaa, roughness: 0.4, normalMap: normals })));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
