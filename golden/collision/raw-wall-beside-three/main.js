import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';
import { shapes, square } from '../raw.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// two walls of raw WebGL in the way, one shape drawn twice, in turn the one and the other first; its one matrix has a name of its own.
scene.add(box('house', [4, 4, 4], [3, 0, -20]));
const gl = renderer.getContext();
const walls = shapes(gl, 'uniform mat4 wall; void main() { gl_Position = wall * vec4(position, 1.0); }', square(3));
const at = (x, z) => new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse)
  .multiply(new THREE.Matrix4().makeTranslation(x, 0, z)).toArray();
let frame = 0;
const step = fly(camera, [0.3, 0.4, 8.9], [0.3, 0.4, -8.1], 18);
film(renderer, scene, camera, (n) => step(frame = n), () => {
  renderer.render(scene, camera);
  gl.enable(gl.DEPTH_TEST);
  gl.depthMask(true);
  gl.disable(gl.CULL_FACE);
  const places = [{ wall: at(0, 0) }, { wall: at(0.5, 4) }];
  walls.draw(...(frame % 2 ? places.reverse() : places));
  renderer.resetState();
});
