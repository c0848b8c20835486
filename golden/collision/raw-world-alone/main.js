import { THREE } from '../shared.mjs';
import { shapes } from '../raw.mjs';

// A program without three.js (its matrices apart): a block stands in the way, others beside. The names are those of the literature.
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 64;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2');
const cube = new THREE.BoxGeometry(2, 2, 2).toNonIndexed().getAttribute('position').array;
const blocks = shapes(gl, `uniform mat4 u_projection, u_view, u_model;
void main() { gl_Position = u_projection * u_view * u_model * vec4(position, 1.0); }`, [...cube]);
const camera = new THREE.PerspectiveCamera(60, 1, 0.05, 200);
gl.enable(gl.DEPTH_TEST);
gl.enable(gl.CULL_FACE);
let n = 0;
function frame() {
  camera.position.set(0.2, 0.3, 8.5 - n++);
  camera.updateMatrixWorld();
  gl.clearColor(0.3, 0.4, 0.5, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const u_projection = camera.projectionMatrix.toArray(), u_view = camera.matrixWorldInverse.toArray();
  const at = (...p) => ({ u_projection, u_view, u_model: new THREE.Matrix4().makeTranslation(...p).toArray() });
  blocks.draw(at(6, 0, -4), at(0, 0, 0), at(-6, 0, -9), at(0, -5, -20));
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
