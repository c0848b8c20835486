import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';
import { shapes, square } from '../raw.mjs';

const { renderer, scene } = stage();
const camera = cameraAt(), other = cameraAt(0.5, 90);
// A wall of raw WebGL whose camera is not the picture's: where it is nobody knows, and no frame is called clear.
scene.add(box('house', [4, 4, 4], [20, 0, -20]), box('wall', [9, 9, 1], [0, 0, -8]));
const gl = renderer.getContext();
const wall = shapes(gl, 'uniform mat4 m; void main() { gl_Position = m * vec4(position.xy, position.x, 1.0); }', square(3));
other.position.set(0, 0, 12);
film(renderer, scene, camera, fly(camera, [0.3, 0.4, 4], [0.3, 0.4, -7], 12), () => {
  renderer.render(scene, camera);
  other.updateMatrixWorld();
  gl.enable(gl.DEPTH_TEST);
  gl.depthMask(true);
  wall.draw({ m: new THREE.Matrix4().multiplyMatrices(other.projectionMatrix, other.matrixWorldInverse).toArray() });
  renderer.resetState();
});
