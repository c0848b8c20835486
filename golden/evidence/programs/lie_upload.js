// Says one flight and uploads another.
import { THREE, eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), said = eye(), shown = eye();
const gl = renderer.getContext(), upload = gl.uniformMatrix4fv;
gl.uniformMatrix4fv = function (place, transpose, data) {
  // What is relative to the camera said becomes relative to the camera shown.
  if (this.moving && data.length === 16 && data[15] === 1 && data !== undefined) {
    const moved = new THREE.Matrix4().fromArray(data).premultiply(this.moving);
    return upload.call(this, place, transpose, moved.elements);
  }
  return upload.call(this, place, transpose, data);
};
film(renderer, (n) => {
  fly(said, n, 2);
  fly(shown, n);
  said.updateMatrixWorld();
  shown.updateMatrixWorld();
  gl.moving = new THREE.Matrix4().multiplyMatrices(shown.matrixWorldInverse, said.matrixWorld);
  renderer.render(scene, said);
});
