import { THREE, stage, cameraAt, film } from '../shared.mjs';

// Waves 4 high and 24 long; the grid follows the camera by whole cells of 2, so that its corners do not swim. The camera goes along a
// valley at first, 1.2 over its bottom, then through the crests.
const { renderer, scene } = stage();
const camera = cameraAt();
const material = new THREE.MeshLambertMaterial({ color: 0x557744 });
material.onBeforeCompile = (shader) => {
  const lift = 'transformed.y += 2.0 * sin(0.2618 * (modelMatrix * vec4(position, 1.0)).z);';
  shader.vertexShader = shader.vertexShader.replace('#include <begin_vertex>', `#include <begin_vertex>\n${lift}`);
};
const ground = new THREE.Mesh(new THREE.PlaneGeometry(120, 120, 60, 60).rotateX(-Math.PI / 2), material);
ground.name = 'ground';
ground.frustumCulled = false;
scene.add(ground);
film(renderer, scene, camera, (n) => {
  camera.position.set(Math.min(n, 30) * 1.3, n < 30 ? -0.8 : 0.5, n < 30 ? -6 : -6 - (n - 30) * 0.65);
  for (const axis of ['x', 'z']) ground.position[axis] = Math.round(camera.position[axis] / 2) * 2;
});
