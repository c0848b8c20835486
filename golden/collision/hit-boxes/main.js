import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

// What nobody can see is there to be clicked or to hide things behind, not to be touched: boxes without opacity (one of them
// fades away while it is out of the picture's middle), and one that writes depth alone. Dim glass and what writes colour are.
const { renderer, scene } = stage();
const camera = cameraAt();
const faint = box('hitbox', [4, 4, 0.2], [0, 0, 8], { transparent: true, opacity: 0.05 });
const none = box('target', [4, 4, 0.2], [0, 0, 6], { transparent: true, opacity: 0, depthWrite: false });
const mask = box('mask', [4, 4, 0.2], [0, 0, 4], { colorWrite: false });
const fading = box('ghost', [4, 4, 0.2], [0, 0, 2], { transparent: true });
// Says that it is transparent no more: three.js draws it whole, whatever its opacity.
const whole = box('whole', [4, 4, 0.2], [0, 0, -2], { opacity: 0 });
const pane = box('pane', [4, 4, 0.02], [0, 0, -5], { transparent: true, opacity: 0.3 });
scene.add(faint, none, mask, fading, whole, pane);
const step = fly(camera, [0.1, 0.2, 9.5], [0.1, 0.2, -6.5], 17);
film(renderer, scene, camera, (n) => {
  step(n);
  if (n === 4) fading.material.opacity = 0;
});
