// No three.js: matrices under other common names, made by hand.
const canvas = document.createElement('canvas');
[canvas.width, canvas.height] = [innerWidth, innerHeight];
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2');
const shader = (type, text) => { const s = gl.createShader(type); gl.shaderSource(s, text); gl.compileShader(s); return s; };
const program = gl.createProgram();
gl.attachShader(program, shader(gl.VERTEX_SHADER, '#version 300 es\nin vec3 at; uniform mat4 u_view, u_projection; uniform vec3 offset; void main() { gl_Position = u_projection * u_view * vec4(at + offset, 1.0); }'));
gl.attachShader(program, shader(gl.FRAGMENT_SHADER, '#version 300 es\nprecision highp float; out vec4 o; void main() { o = vec4(1.0); }'));
gl.bindAttribLocation(program, 0, 'at');
gl.linkProgram(program);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
gl.enable(gl.DEPTH_TEST);
const place = (name) => gl.getUniformLocation(program, name);
const f = 1 / Math.tan(25 * Math.PI / 180), near = 0.1, far = 500;
const projection = [f * canvas.height / canvas.width, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
const minus = (a, b) => a.map((v, i) => v - b[i]), dot = (a, b) => a.reduce((s, v, i) => s + v * b[i], 0);
const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x], unit = (v) => v.map((x) => x / Math.hypot(...v));
let n = 0;
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  const a = 0.1 * n++, p = [10 * Math.cos(a), 3 + Math.sin(2 * a), 10 * Math.sin(a)];
  const z = unit(minus(p, [0, 1, 0])), x = unit(cross([0, 1, 0], z)), y = cross(z, x);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.uniformMatrix4fv(place('u_projection'), false, projection);
  gl.uniformMatrix4fv(place('u_view'), false, [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, p), -dot(y, p), -dot(z, p), 1]);
  for (let i = 0; i < 20; i++) {
    gl.uniform3f(place('offset'), i, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 6);
  }
});
