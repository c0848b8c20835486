import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const texels = new Uint8Array(64 * 64 * 4);
for (let y = 0; y < 64; y++) {
  for (let x = 0; x < 64; x++) {
    const on = ((x >> 3) + (y >> 3)) & 1;
    texels.set([on ? 230 : 40, x * 4, y * 4, 255], (y * 64 + x) * 4);
  }
}
const texture = new THREE.DataTexture(texels, 64, 64);
texture.colorSpace = THREE.SRGBColorSpace;
texture.magFilter = THREE.LinearFilter;
texture.minFilter = THREE.LinearMipmapLinearFilter;
texture.generateMipmaps = true;
texture.needsUpdate = true;
texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
texture.repeat.set(20, 20);
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: texture }));
scene.add(plane);
camera.position.y = 0;
camera.lookAt(0, 0, 0);
plane.rotation.x = -1.3;

renderer.setAnimationLoop(() => renderer.render(scene, camera));
