import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

scene.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.MeshNormalMaterial()));
renderer.setAnimationLoop(() => {
  renderer.setScissorTest(true);
  [[0, 0], [128, 0], [0, 128], [128, 128]].forEach(([x, y], i) => {
    renderer.setViewport(x, y, 128, 128);
    renderer.setScissor(x + 4, y + 4, 120, 120);
    renderer.setClearColor(new THREE.Color().setHSL(i / 4, 0.5, 0.3));
    scene.background = null;
    camera.position.set(Math.sin(i * 1.5) * 6, 1, Math.cos(i * 1.5) * 6);
    camera.lookAt(0, 0, 0);
    renderer.render(scene, camera);
  });
});
