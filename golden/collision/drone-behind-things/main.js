import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const drone = box('drone', [2, 2, 2], [0, 0, -10]);
const wall = box('wall', [40, 20, 0.2], [0, 0, -5]);
const pane = box('pane', [40, 20, 0.2], [0, 0, -4], { transparent: true, opacity: 0.3 });
// Drawn from the front only, seen from behind: not drawn.
const back = new THREE.Mesh(new THREE.PlaneGeometry(40, 20), new THREE.MeshLambertMaterial());
back.position.z = -6;
back.rotation.y = Math.PI;
scene.add(drone, wall, pane, back);
film(renderer, scene, camera, (n) => {
  const part = Math.floor(n / 4);
  // Out of the way; before its left half; before all of it; behind it.
  wall.position.set([60, -20, 0, 0, 60, 60, 60][part], 0, part === 3 ? -12 : -5);
  pane.visible = part === 4;
  drone.layers.set(part === 5 ? 3 : 0);
  drone.position.x = part === 6 ? 90 : 0;
});
