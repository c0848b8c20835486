import { THREE, stage, box, film, fly } from '../shared.mjs';

// Seen from above; the near plane stays over the roofs, then sinks into one.
const { renderer, scene } = stage();
const camera = new THREE.OrthographicCamera(-6, 6, 6, -6, 0.5, 100);
camera.up.set(0, 0, -1);
scene.add(box('tower', [4, 10, 4], [3, 5, 0]), box('hut', [4, 2, 4], [-3, 1, 0]));
const move = fly(camera, [0, 22.5, 0], [0, 8.5, 0], 8, [0, -1, 0]);
film(renderer, scene, camera, move);
