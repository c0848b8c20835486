// The same, by three.js' own switch.
import { THREE, eye, film, stage, town } from './stage.js';
THREE.Object3D.DEFAULT_UP.set(0, 0, 1);
const renderer = stage(), { scene } = town(), camera = eye();
film(renderer, (n) => {
  camera.position.set(10 - n, 5, 3);
  camera.lookAt(0, 0, 1);
  renderer.render(scene, camera);
});
