import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// three.js leaves the scale of a camera's parents out of the view: 0.15 from the wall is 0.15, whatever carries the camera.
const { renderer, scene } = stage();
const camera = cameraAt();
const rig = new THREE.Group();
rig.scale.setScalar(4);
rig.add(camera);
scene.add(rig, box('wall', [1, 10, 40], [0, 0, 0]));
film(renderer, scene, camera, (frame) => camera.position.set(0.65 / 4, 0, (4 - frame) / 4));
