const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2');

function program(vertex, fragment, varyings) {
  const p = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(p, shader);
  }
  if (varyings) gl.transformFeedbackVaryings(p, varyings, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p));
  return p;
}

// Transform feedback moves points; the second program draws them.
const move = program(
  '#version 300 es\nin vec2 at; out vec2 next; void main() { float a = 0.3; next = mat2(cos(a), sin(a), -sin(a), cos(a)) * at * 0.97; }',
  '#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(0.0); }',
  ['next'],
);
const show = program(
  '#version 300 es\nin vec2 at; out vec2 p; void main() { p = at; gl_PointSize = 6.0; gl_Position = vec4(at, 0.0, 1.0); }',
  '#version 300 es\nprecision highp float; in vec2 p; out vec4 color; void main() { color = vec4(p * 0.5 + 0.5, 0.4, 1.0); }',
);
const start = new Float32Array(128);
for (let i = 0; i < 64; i++) start.set([Math.cos(i) * (i / 70), Math.sin(i) * (i / 70)], i * 2);
const buffers = [0, 1].map(() => {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, start, gl.DYNAMIC_COPY);
  return buffer;
});
let turn = 0;
function bind(p, buffer) {
  gl.useProgram(p);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  const at = gl.getAttribLocation(p, 'at');
  gl.enableVertexAttribArray(at);
  gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 0, 0);
}
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  bind(move, buffers[turn]);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1 - turn]);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, 64);
  gl.endTransformFeedback();
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  gl.disable(gl.RASTERIZER_DISCARD);
  turn = 1 - turn;
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  bind(show, buffers[turn]);
  gl.drawArrays(gl.POINTS, 0, 64);
});
