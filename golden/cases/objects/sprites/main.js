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
for (let i = 0; i < 6; i++) {
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, rotation: i * 0.3, color: new THREE.Color().setHSL(i / 6, 0.6, 0.7), transparent: true, opacity: 0.8 }));
  sprite.position.set(Math.cos(i) * 1.5, Math.sin(i) * 1.5, i * 0.3 - 1);
  scene.add(sprite);
}

renderer.setAnimationLoop(() => renderer.render(scene, camera));
