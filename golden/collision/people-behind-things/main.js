import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// Twelve people side by side, 10 ahead, behind glass, and a wall before six of them; it is gone from frame 30 on, and from
// frame 60 on hides all.
const { renderer, scene } = stage();
const camera = cameraAt();
camera.position.set(0, 1, 0);
const crowd = new THREE.InstancedMesh(new THREE.BoxGeometry(0.4, 1.8, 0.4), new THREE.MeshLambertMaterial(), 12);
crowd.name = 'people';
const at = new THREE.Matrix4();
for (let i = 0; i < 12; i++) crowd.setMatrixAt(i, at.makeTranslation(i * 0.8 - 4.4, 0.9, -10));
const ground = new THREE.Mesh(new THREE.PlaneGeometry(60, 60), new THREE.MeshLambertMaterial());
ground.name = 'ground';
ground.rotation.x = -Math.PI / 2;
const glass = box('pane', [20, 4, 0.1], [0, 2, -4], { transparent: true, opacity: 0.3, depthWrite: false });
// What is left of x = 0 at distance 5 hides what is left of it at distance 10.
const wall = box('wall', [4, 4, 0.2], [-2, 2, -5]);
scene.add(ground, crowd, glass, wall);
film(renderer, scene, camera, (n) => {
  wall.visible = n < 30 || n >= 60;
  if (n === 60) wall.scale.x = 3;
});
