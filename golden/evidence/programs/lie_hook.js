// Moves the camera while objects are drawn.
import { eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), said = eye(), shown = eye();
scene.traverse((object) => {
  object.onBeforeRender = (r, s, camera) => {
    camera.matrixWorldInverse.copy(shown.matrixWorldInverse);
  };
});
scene.onBeforeRender = () => {};
film(renderer, (n) => {
  fly(said, n, 2);
  fly(shown, n);
  shown.updateMatrixWorld();
  renderer.render(scene, said);
});
