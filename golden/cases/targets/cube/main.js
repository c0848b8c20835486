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

const target = new THREE.WebGLCubeRenderTarget(64, { generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter });
const eye = new THREE.CubeCamera(0.1, 20, target);
scene.add(eye);
for (let i = 0; i < 8; i++) {
  const ball = new THREE.Mesh(new THREE.SphereGeometry(0.4, 24, 16), new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(i / 8, 0.9, 0.5) }));
  ball.position.set(Math.cos((i * Math.PI) / 4) * 2.2, Math.sin(i) * 0.8, Math.sin((i * Math.PI) / 4) * 2.2);
  scene.add(ball);
}
const mirror = new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), new THREE.MeshStandardMaterial({ envMap: target.texture, metalness: 1, roughness: 0.05 }));
scene.add(mirror);

renderer.setAnimationLoop(() => {
  mirror.visible = false;
  eye.update(renderer, scene);
  mirror.visible = true;
  renderer.render(scene, camera);
});
