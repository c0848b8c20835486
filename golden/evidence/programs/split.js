import { eye, film, fly, size, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), a = eye('small', 0.4), b = eye('large', 0.6);
renderer.setScissorTest(true);
const half = (x, w, camera) => {
  renderer.setViewport(x, 0, w, size.height);
  renderer.setScissor(x, 0, w, size.height);
  renderer.render(scene, camera);
};
film(renderer, (n) => {
  fly(a, n, 2);
  fly(b, n);
  half(0, size.width * 0.375, a);
  half(size.width * 0.375, size.width * 0.625, b);
});
