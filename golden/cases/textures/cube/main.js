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

const faces = [0, 1, 2, 3, 4, 5].map((face) => {
  const texels = new Uint8Array(16 * 16 * 4);
  for (let i = 0; i < 256; i++) texels.set([(face % 3) * 120, (i % 16) * 16, face > 2 ? 220 : 60, 255], i * 4);
  const image = new THREE.DataTexture(texels, 16, 16);
  image.needsUpdate = true;
  return image;
});
const cube = new THREE.CubeTexture(faces);
cube.colorSpace = THREE.SRGBColorSpace;
cube.needsUpdate = true;
scene.background = cube;
scene.add(new THREE.Mesh(new THREE.SphereGeometry(1.3, 48, 32), new THREE.MeshStandardMaterial({ envMap: cube, metalness: 1, roughness: 0.1 })));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
