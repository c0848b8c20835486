import { THREE, stage, cameraAt, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A gate stands for 20 frames; then it creeps towards the camera, as slowly as numbers are rounded.
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
gate.name = 'gate';
gate.frustumCulled = false;
scene.add(gate);
film(renderer, scene, camera, (n) => {
  camera.position.set(0.2 + n * 0.01, 0.1, 50);
  // A hundredth of a millimetre a frame.
  gate.position.z = 50 - 1.001 + Math.max(n - 20, 0) * 0.00001;
});
