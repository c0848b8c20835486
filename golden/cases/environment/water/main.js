import * as THREE from 'three';
import { Water } from 'three/addons/objects/Water.js';

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
const water = new Water(new THREE.PlaneGeometry(40, 40), { textureWidth: 256, textureHeight: 256, waterNormals: texture, sunDirection: new THREE.Vector3(0.5, 0.7, -0.5), sunColor: 0xffffff, waterColor: 0x001e2f, distortionScale: 1 });
water.rotation.x = -Math.PI / 2;
water.position.y = -1;
scene.add(water, new THREE.Mesh(new THREE.SphereGeometry(1, 32, 24), new THREE.MeshStandardMaterial({ color: 0xff5533 })));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
