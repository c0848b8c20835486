import { THREE, stage, box, film } from '../shared.mjs';

// A near plane behind the camera: it shows what lies behind it too, so its place says nothing of what it touches, nor that it touches nothing.
const { renderer, scene } = stage();
const camera = new THREE.OrthographicCamera(-6, 6, 6, -6, -100, 100);
camera.position.set(0, 1, 0);
camera.lookAt(-1, 0, -1);
scene.add(box('house', [3, 3, 3], [0, 1, 0]));
film(renderer, scene, camera, (n) => (camera.position.x = n * 0.1));
