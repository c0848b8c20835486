import { THREE, stage, cameraAt, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A gate stands for 20 frames; then its parent carries it through the camera.
const rig = new THREE.Group();
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
gate.name = 'gate';
gate.frustumCulled = false;
gate.position.z = 10;
rig.add(gate);
scene.add(rig);
film(renderer, scene, camera, (n) => {
  camera.position.set(0.2 + n * 0.01, 0.1, 50);
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  rig.position.z = z - 10;
});
