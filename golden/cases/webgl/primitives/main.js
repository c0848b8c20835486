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

const p = program(
  '#version 300 es\nin vec2 at; in vec3 tint; flat out vec3 f; out vec3 s; uniform vec2 move; void main() { f = tint; s = tint; gl_PointSize = 9.0; gl_Position = vec4(at * 0.22 + move, 0.0, 1.0); }',
  '#version 300 es\nprecision highp float; flat in vec3 f; in vec3 s; out vec4 color; uniform float flatness; void main() { color = vec4(mix(s, f, flatness), 1.0); }',
);
gl.useProgram(p);
const points = [];
for (let i = 0; i < 7; i++) {
  const a = (i / 7) * 2 * Math.PI;
  points.push(Math.cos(a), Math.sin(a), i / 6, 1 - i / 6, (i % 2) * 0.8);
}
const buffer = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.STATIC_DRAW);
const at = gl.getAttribLocation(p, 'at');
const tint = gl.getAttribLocation(p, 'tint');
gl.enableVertexAttribArray(at);
gl.enableVertexAttribArray(tint);
gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 20, 0);
gl.vertexAttribPointer(tint, 3, gl.FLOAT, false, 20, 8);
const indices = gl.createBuffer();
gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint8Array([0, 2, 4, 255, 1, 3, 5, 6]), gl.STATIC_DRAW);
const move = gl.getUniformLocation(p, 'move');
const flatness = gl.getUniformLocation(p, 'flatness');
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  gl.clearColor(0.1, 0.15, 0.2, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const modes = [gl.POINTS, gl.LINES, gl.LINE_STRIP, gl.LINE_LOOP, gl.TRIANGLES, gl.TRIANGLE_STRIP, gl.TRIANGLE_FAN];
  modes.forEach((mode, i) => {
    gl.uniform2f(move, (i % 4) * 0.48 - 0.72, 0.7 - Math.floor(i / 4) * 0.48);
    gl.uniform1f(flatness, 0);
    gl.drawArrays(mode, 0, 7);
    gl.uniform2f(move, (i % 4) * 0.48 - 0.72, -0.26 - Math.floor(i / 4) * 0.48);
    gl.uniform1f(flatness, 1);
    gl.drawElements(mode, 8, gl.UNSIGNED_BYTE, 0);
  });
});
