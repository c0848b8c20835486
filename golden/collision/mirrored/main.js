import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Negative scales turn the windings; a hollow and a solid stay what they are.
const crate = box('crate', [4, 4, 4], [0, 0, 0]);
crate.scale.set(-1, 1, 1);
const room = box('room', [3, 3, 3], [0, 40, 0], { side: THREE.BackSide });
room.scale.set(-1, 2, 1);
scene.add(crate, room);
film(renderer, scene, camera, (n) => camera.position.set(0.2, n < 4 ? 0.1 : 40.1, 0.3));
