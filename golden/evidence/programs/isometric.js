// An orthographic world with a mirror in it and a display over it.
import { THREE, film, fly, size, stage, town } from './stage.js';
import { Reflector } from 'three/addons/objects/Reflector.js';
const renderer = stage(), { scene } = town(), half = 12;
const camera = new THREE.OrthographicCamera(-half * size.width / size.height, half * size.width / size.height, half, -half, 0.1, 100);
camera.name = 'eye';
const mirror = new Reflector(new THREE.PlaneGeometry(8, 8), { textureWidth: 512, textureHeight: 512 });
mirror.rotation.x = -Math.PI / 2;
mirror.position.y = 0.01;
scene.add(mirror);
const display = new THREE.Scene(), flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -1, 1);
display.add(new THREE.Sprite());
film(renderer, (n) => {
  fly(camera, n);
  renderer.autoClear = true;
  renderer.render(scene, camera);
  renderer.autoClear = false;
  renderer.render(display, flat);
});
