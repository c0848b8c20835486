import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// The camera hangs at the drone it films: that is no collision.
const drone = new THREE.Group();
drone.name = 'drone';
drone.add(box('hull', [0.4, 0.1, 0.4], [0, 0, 0]));
scene.add(drone);
film(renderer, scene, camera, (n) => {
  drone.position.set(0, 2, -n);
  camera.position.set(0, 2.1, -n + 0.3);
});
