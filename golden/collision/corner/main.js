import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A path that ends before the wall, at 30 cm, and turns away.
scene.add(box('wall', [10, 10, 1], [0, 0, -5]));
film(renderer, scene, camera, (n) => camera.position.set(n < 6 ? 0 : (n - 5) * 0.7, 0, n < 6 ? -n * 0.84 : -4.2));
