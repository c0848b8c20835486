import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';
import { shapes, square } from '../raw.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Raw WebGL that is no thing among things: a sky on the far plane, one that only turns, a frame over the picture, smoke.
for (let i = 0; i < 12; i++) scene.add(box('house', [4, 4, 4], [i * 5 - 30, 0, -40]));
const gl = renderer.getContext();
const cube = new THREE.BoxGeometry(2, 2, 2).toNonIndexed().getAttribute('position').array;
const far = shapes(gl, 'uniform mat4 m; void main() { gl_Position = (m * vec4(position, 1.0)).xyww; }', [...cube]);
const turning = shapes(gl, 'uniform mat4 projectionMatrix, viewMatrix; void main() { gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }', [...cube]);
const overlay = shapes(gl, 'void main() { gl_Position = vec4(position.xy * 0.1 - 0.8, -0.5, 1.0); }', square(1));
const smoke = shapes(gl, 'uniform mat4 m; void main() { gl_Position = m * vec4(position, 1.0); }', square(3));
film(renderer, scene, camera, fly(camera, [0.3, 0.4, 4], [0.3, 0.4, -4], 9), () => {
  renderer.render(scene, camera);
  gl.enable(gl.DEPTH_TEST);
  gl.disable(gl.CULL_FACE);
  gl.depthFunc(gl.LEQUAL);
  gl.depthMask(true);
  const all = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const view = camera.matrixWorldInverse.clone().setPosition(0, 0, 0);
  far.draw({ m: all.toArray() });
  turning.draw({ projectionMatrix: camera.projectionMatrix.toArray(), viewMatrix: view.toArray() });
  overlay.draw({});
  gl.depthMask(false);
  smoke.draw({ m: all.toArray() });
  gl.depthMask(true);
  renderer.resetState();
});
