import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const loader = new THREE.TextureLoader();
const textures = await Promise.all(['a.png', 'b.jpg', 'c.webp'].map((file) => loader.loadAsync(file)));
textures.forEach((texture, i) => {
  texture.colorSpace = THREE.SRGBColorSpace;
  const box = new THREE.Mesh(new THREE.BoxGeometry(1.1, 1.1, 1.1), new THREE.MeshBasicMaterial({ map: texture }));
  box.position.x = i * 1.5 - 1.5;
  box.rotation.set(0.4, 0.5, 0);
  scene.add(box);
});

renderer.setAnimationLoop(() => renderer.render(scene, camera));
