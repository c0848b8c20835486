// Sky with a camera of its own, the world, a weapon over it, a display of many sprites, and a minimap in it.
import { THREE, eye, film, fly, size, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), camera = eye();
renderer.autoClear = false;
const sky = new THREE.Scene(), skyCamera = eye('sky');
sky.add(new THREE.Mesh(new THREE.SphereGeometry(50, 32, 16), new THREE.MeshBasicMaterial({ side: THREE.BackSide })));
const weapon = new THREE.Scene(), weaponCamera = eye('weapon');
weapon.add(new THREE.Mesh(new THREE.TorusKnotGeometry(0.2, 0.05, 16, 8), new THREE.MeshNormalMaterial()));
weapon.children[0].position.set(0.3, -0.3, -2);
const map = new THREE.WebGLRenderTarget(64, 64), above = new THREE.PerspectiveCamera(60, 1, 1, 100);
above.position.set(0, 30, 0.01);
above.lookAt(0, 0, 0);
const display = new THREE.Scene(), flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -1, 1);
for (let i = 0; i < 150; i++) {
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ depthTest: false }));
  sprite.scale.setScalar(0.02);
  sprite.position.set(-0.9 + 0.01 * i, -0.9, 0);
  display.add(sprite);
}
const shown = new THREE.Mesh(new THREE.PlaneGeometry(0.4, 0.4), new THREE.MeshBasicMaterial({ map: map.texture }));
shown.position.set(0.7, 0.7, 0);
display.add(shown);
film(renderer, (n) => {
  renderer.setRenderTarget(map);
  renderer.clear();
  renderer.render(scene, above);
  renderer.setRenderTarget(null);
  renderer.clear();
  skyCamera.rotation.y = n;
  renderer.render(sky, skyCamera);
  renderer.clearDepth();
  fly(camera, n);
  renderer.render(scene, camera);
  renderer.clearDepth();
  renderer.render(weapon, weaponCamera);
  renderer.clearDepth();
  renderer.render(display, flat);
});
