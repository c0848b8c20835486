import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// 2 cm thick, passed between two frames: no frame is near it.
scene.add(box('thin wall', [10, 10, 0.02], [0, 0, 1.5]));
film(renderer, scene, camera, fly(camera, [0, 0, 12], [0, 0, -9], 8));
