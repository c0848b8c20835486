// Shadows of three kinds of light, a mirror, and a screen in the scene that shows another camera's picture.
import { THREE, eye, film, fly, stage, town } from './stage.js';
import { Reflector } from 'three/addons/objects/Reflector.js';
const renderer = stage(), { scene, sun } = town(), camera = eye(), other = eye('surveillance', 1);
renderer.shadowMap.enabled = true;
sun.castShadow = true;
const lamp = new THREE.PointLight(0xffffff, 20), spot = new THREE.SpotLight(0xffffff, 20);
lamp.position.set(0, 6, 0);
spot.position.set(6, 8, 0);
lamp.castShadow = spot.castShadow = true;
const mirror = new Reflector(new THREE.PlaneGeometry(20, 20), { textureWidth: 512, textureHeight: 512 });
mirror.position.set(0, 5, -12);
const target = new THREE.WebGLRenderTarget(1024, 1024);
const screen = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ map: target.texture }));
screen.position.y = 4;
scene.add(lamp, spot, mirror, screen);
film(renderer, (n) => {
  fly(other, n, 1);
  screen.visible = false;
  renderer.setRenderTarget(target);
  renderer.render(scene, other);
  renderer.setRenderTarget(null);
  screen.visible = true;
  fly(camera, n);
  renderer.render(scene, camera);
});
