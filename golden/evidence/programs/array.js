import { THREE, eye, film, fly, size, stage, town } from './stage.js';
const renderer = stage(), { scene } = town();
const parts = [[0, 0.25, 3], [0.25, 0.75, 0]].map(([x, w]) => {
  const camera = eye(`part ${x}`, (w * size.width) / size.height);
  camera.viewport = new THREE.Vector4(x * size.width, 0, w * size.width, size.height);
  camera.matrixAutoUpdate = true;
  return camera;
});
const all = new THREE.ArrayCamera(parts);
film(renderer, (n) => {
  fly(parts[0], n, 3);
  fly(parts[1], n);
  for (const part of parts) part.updateMatrixWorld();
  renderer.render(scene, all);
});
