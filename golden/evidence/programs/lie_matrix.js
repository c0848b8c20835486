// The camera's matrixWorld is a fiction; its inverse, which draws, is not.
import { THREE, eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(THREE.MeshBasicMaterial), camera = eye(), fiction = eye();
film(renderer, (n) => {
  fly(camera, n);
  camera.updateMatrixWorld();
  camera.matrixWorldAutoUpdate = false;
  const inverse = camera.matrixWorldInverse.clone();
  fly(fiction, n, 2);
  fiction.updateMatrixWorld();
  camera.matrixWorld.copy(fiction.matrixWorld);
  camera.matrixWorldInverse.copy(inverse);
  renderer.render(scene, camera);
  camera.matrixWorldAutoUpdate = true;
});
