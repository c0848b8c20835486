// A program whose z is up: its camera says so, its scene does not.
import { THREE, eye, film, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), camera = eye();
camera.up.set(0, 0, 1);
film(renderer, (n) => {
  camera.position.set(10 - n, 5, 3);
  camera.lookAt(0, 0, 1);
  renderer.render(scene, camera);
});
