import { gl, program, HIGH } from '../../../raw.mjs';

// Transform feedback of instanced draws, into separate buffers and at an offset, drawn again with divisors.
const grow = program(
  'in vec2 at; in float seed; out vec4 place; flat out int number; void main() { place = vec4(at * (0.3 + seed), float(gl_InstanceID) * 0.2, 1.0); number = gl_VertexID * 10 + gl_InstanceID; gl_Position = vec4(0.0); }',
  `${HIGH}out vec4 o; void main() { o = vec4(0.0); }`, ['place', 'number']);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(grow);
  const fill = (data) => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  };
  const attribute = (p, name, size, type, stride, offset, divisor) => {
    const at = gl.getAttribLocation(p, name);
    if (at < 0) return;
    gl.enableVertexAttribArray(at);
    if (type === gl.INT) gl.vertexAttribIPointer(at, size, type, stride, offset);
    else gl.vertexAttribPointer(at, size, type, false, stride, offset);
    gl.vertexAttribDivisor(at, divisor);
  };
  fill(new Float32Array([-0.5, -0.5, 0.5, -0.5, 0, 0.6]));
  attribute(grow, 'at', 2, gl.FLOAT, 0, 0, 0);
  fill(new Float32Array([0.1, 0.5, 0.9, 1.3]));
  attribute(grow, 'seed', 1, gl.FLOAT, 0, 0, 1);
  const out = gl.createBuffer();
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, out);
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 20 * 3 * 6 + 64, gl.DYNAMIC_COPY);
  const feedback = gl.createTransformFeedback();
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  gl.bindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out, 64, 20 * 3 * 5);
  const query = gl.createQuery();
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
  gl.beginTransformFeedback(gl.TRIANGLES);
  gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 3);
  gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 2);
  gl.endTransformFeedback();
  gl.endQuery(gl.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
  gl.disable(gl.RASTERIZER_DISCARD);
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  gl.disableVertexAttribArray(gl.getAttribLocation(grow, 'seed'));
  gl.vertexAttribDivisor(gl.getAttribLocation(grow, 'seed'), 0);
  const draw = program(
    'in vec4 place; in int number; flat out int n; void main() { n = number; gl_PointSize = 5.0; gl_Position = vec4(place.xy * 0.9, place.z, 1.0); }',
    `${HIGH}flat in int n; out vec4 o; void main() { o = vec4(float(n / 10) / 2.0, float(n % 10) / 3.0, 0.6, 1.0); }`);
  gl.useProgram(draw);
  gl.bindBuffer(gl.ARRAY_BUFFER, out);
  attribute(draw, 'place', 4, gl.FLOAT, 20, 64, 0);
  attribute(draw, 'number', 1, gl.INT, 20, 80, 0);
  gl.viewport(0, 0, 128, 128);
  gl.drawArrays(gl.TRIANGLES, 0, 15);
  gl.viewport(128, 0, 128, 128);
  gl.drawArrays(gl.POINTS, 0, 15);
  gl.viewport(0, 128, 128, 128);
  gl.drawArrays(gl.LINES, 0, 15);
  // Captured values as per-instance ones.
  const quads = program(
    'in vec4 place; in int number; flat out int n; void main() { n = number; gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 0.15 + place.xy * 0.8, place.z, 1.0); }',
    `${HIGH}flat in int n; out vec4 o; void main() { o = vec4(float(n / 10) / 2.0, float(n % 10) / 3.0, 0.6, 1.0); }`);
  gl.useProgram(quads);
  attribute(quads, 'place', 4, gl.FLOAT, 20, 64, 1);
  attribute(quads, 'number', 1, gl.INT, 40, 80, 2);
  gl.viewport(128, 128, 128, 128);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 12);
});
