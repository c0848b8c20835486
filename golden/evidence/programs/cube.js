import { THREE, eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), camera = eye();
const target = new THREE.WebGLCubeRenderTarget(256, { generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter });
const probe = new THREE.CubeCamera(0.1, 100, target);
probe.position.y = 3;
const ball = new THREE.Mesh(new THREE.SphereGeometry(1), new THREE.MeshStandardMaterial({ envMap: target.texture, metalness: 1, roughness: 0.1 }));
ball.position.y = 3;
scene.add(probe, ball);
film(renderer, (n) => {
  ball.visible = false;
  probe.update(renderer, scene);
  ball.visible = true;
  fly(camera, n);
  renderer.render(scene, camera);
});
