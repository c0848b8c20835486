import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// A cockpit: parts of it are the camera's children, others ride on the same rig.
const { renderer, scene } = stage();
const camera = cameraAt();
const rig = new THREE.Group();
const panel = box('panel', [0.5, 0.05, 0.2], [0, -0.1, -0.3]), frame = box('frame', [0.5, 0.02, 0.02], [0, 0.15, -0.3]);
camera.add(panel);
rig.add(camera, frame);
scene.add(rig, box('house', [4, 4, 4], [0, 0, -20]));
film(renderer, scene, camera, (n) => {
  rig.position.set(0, 0.3, -n * 0.5);
  rig.rotation.y = n * 0.05;
});
