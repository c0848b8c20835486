import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// Smoke of small planes without a name, one mesh each and instanced: particles. A pane of glass that leaves no depth either is none,
// nor is a small thing that hides what is behind it.
const { renderer, scene } = stage();
const camera = cameraAt();
const puff = new THREE.PlaneGeometry(0.4, 0.4);
const smoke = () => new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false });
for (let i = -5; i <= 5; i++) {
  const one = new THREE.Mesh(puff, smoke());
  one.position.set(i * 0.2, 0, 8);
  scene.add(one);
}
const many = new THREE.InstancedMesh(puff, smoke(), 121);
const at = new THREE.Matrix4();
for (let i = 0; i < 121; i++) many.setMatrixAt(i, at.makeTranslation((i % 11) * 0.2 - 1, Math.floor(i / 11) * 0.2 - 1, 5));
const pane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), smoke());
pane.position.z = 2;
const chip = new THREE.Mesh(new THREE.PlaneGeometry(0.4, 0.4), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
chip.position.z = -1;
scene.add(many, pane, chip);
film(renderer, scene, camera, fly(camera, [0.03, 0.05, 9.5], [0.03, 0.05, -2.5], 13));
