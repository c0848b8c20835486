import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// World coordinates as maps have them.
const group = new THREE.Group();
group.position.set(458000, 0, 5547000);
group.add(box('wall', [10, 10, 1], [0, 0, -0.75]), camera);
scene.add(group);
film(renderer, scene, camera, fly(camera, [-1, 0, 0], [1, 0, 0], 8));
