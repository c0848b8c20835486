import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// A shadow map, a mirror camera in a render target, and two views; the large one is the picture's.
const { renderer, scene } = stage();
renderer.shadowMap.enabled = true;
const camera = cameraAt(), other = cameraAt();
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.castShadow = true;
sun.position.set(3, 6, 4);
scene.add(sun);
const crate = box('crate', [4, 4, 4], [20, 0, 0]);
crate.castShadow = true;
const wall = box('wall', [10, 10, 1], [0, 0, -0.65]);
wall.receiveShadow = true;
scene.add(crate, wall);
other.position.set(20, 0, 0);
const target = new THREE.WebGLRenderTarget(32, 32);
film(renderer, scene, camera, (n) => camera.position.set(n * 0.1, 0, 0), () => {
  renderer.setRenderTarget(target);
  renderer.render(scene, other);
  renderer.setRenderTarget(null);
  renderer.render(scene, camera);
});
