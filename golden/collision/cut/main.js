import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A cut to the other side of a wall is no flight through it.
scene.add(box('wall', [20, 20, 0.5], [0, 0, 0]));
film(renderer, scene, camera, (n) => camera.position.set(n * 0.1, 0, n < 8 ? 6 : -30));
