// No three.js: nothing tells where the camera is, and nothing is claimed.
const canvas = document.createElement('canvas');
canvas.width = canvas.height = 64;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2');
let n = 0;
function frame() {
  gl.clearColor(n++ / 20, 0.3, 0.2, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
