// A WebGL canvas off the page, drawn onto the 2D canvas that is filmed; from frame 6 on a second one is drawn onto it too.
import { THREE, eye, film, fly, size, town } from './stage.js';
const shown = document.createElement('canvas');
[shown.width, shown.height] = [size.width, size.height];
document.body.appendChild(shown);
const context = shown.getContext('2d');
const [renderer, other] = [0, 1].map(() => new THREE.WebGLRenderer());
for (const each of [renderer, other]) each.setSize(size.width, size.height);
const { scene } = town(), camera = eye();
film(renderer, (n) => {
  fly(camera, n);
  renderer.render(scene, camera);
  context.drawImage(renderer.domElement, 0, 0);
  if (n < 6) return;
  other.render(scene, camera);
  context.drawImage(other.domElement, 0, 0, 10, 10);
});
