import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// The camera stands still; a wall comes and goes through it.
const wall = box('wall', [8, 8, 0.4], [0, 0, 0]);
scene.add(wall);
camera.position.set(0.1, 0.2, 0);
film(renderer, scene, camera, (n) => (wall.position.z = -9 + n * 2));
