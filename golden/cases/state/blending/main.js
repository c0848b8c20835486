import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const kinds = ['NoBlending', 'NormalBlending', 'AdditiveBlending', 'SubtractiveBlending', 'MultiplyBlending'];
scene.background = new THREE.Color(0x667788);
kinds.forEach((kind, i) => {
  for (let k = 0; k < 2; k++) {
    const disc = new THREE.Mesh(new THREE.CircleGeometry(0.5, 32), new THREE.MeshBasicMaterial({ color: k ? 0x4499cc : 0xcc7733, transparent: true, opacity: 0.6, blending: THREE[kind], premultipliedAlpha: kind === 'MultiplyBlending' || kind === 'SubtractiveBlending' }));
    disc.position.set((i % 3) * 1.3 - 1.3 + k * 0.3, Math.floor(i / 3) * -1.4 + 0.7 + k * 0.2, k * 0.1);
    scene.add(disc);
  }
});
const custom = new THREE.Mesh(new THREE.CircleGeometry(0.5, 32), new THREE.MeshBasicMaterial({ color: 0xffaa55, transparent: true, blending: THREE.CustomBlending, blendEquation: THREE.MaxEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor }));
custom.position.set(1.3, -0.7, 0);
scene.add(custom);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
