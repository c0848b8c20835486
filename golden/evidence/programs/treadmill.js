// The camera stands still in the world's middle, and the world flies past it.
import { THREE, eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene, sun } = town(), camera = eye(), flown = eye();
const world = new THREE.Group(), dome = new THREE.Mesh(new THREE.SphereGeometry(200), new THREE.MeshBasicMaterial({ side: THREE.BackSide }));
world.add(...scene.children.filter((child) => child !== sun));
world.matrixAutoUpdate = false;
scene.add(world, dome);
film(renderer, (n) => {
  fly(flown, n);
  flown.updateMatrixWorld();
  world.matrix.copy(flown.matrixWorld).invert();
  world.matrixWorldNeedsUpdate = true;
  renderer.render(scene, camera);
});
