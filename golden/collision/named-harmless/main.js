import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Children of something harmless are harmless; a terrain is not rain, a bridge over a river not water.
const clouds = new THREE.Group();
clouds.name = 'Clouds';
clouds.add(box('', [3, 3, 3], [0, 0, 0]));
scene.add(clouds);
const river = new THREE.Group();
river.name = 'river';
river.add(box('Bridge', [3, 3, 3], [0, 0, -10]));
scene.add(river, box('Terrain_2', [3, 3, 3], [0, 0, -20]));
film(renderer, scene, camera, (n) => camera.position.set(0.1, 0.2, -Math.floor(n / 4) * 10));
