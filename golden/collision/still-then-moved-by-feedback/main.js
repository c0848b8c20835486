import { THREE, stage, cameraAt, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A gate stands for 20 frames; then transform feedback writes its vertices anew, through the camera.
const gl = renderer.getContext();
const compile = (type, source) => {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
};
const program = gl.createProgram();
gl.attachShader(program, compile(gl.VERTEX_SHADER, `#version 300 es
uniform float z;
out vec3 where;
void main() { where = vec3(gl_VertexID == 1 ? 16.0 : -8.0, gl_VertexID == 2 ? 16.0 : -8.0, z); }`));
gl.attachShader(program, compile(gl.FRAGMENT_SHADER, `#version 300 es
precision highp float; out vec4 o; void main() { o = vec4(0.0); }`));
gl.transformFeedbackVaryings(program, ['where'], gl.INTERLEAVED_ATTRIBS);
gl.linkProgram(program);
const location = gl.getUniformLocation(program, 'z');
const buffer = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
gl.bufferData(gl.ARRAY_BUFFER, 36, gl.DYNAMIC_COPY);
const feedback = gl.createTransformFeedback();
const geometry = new THREE.BufferGeometry();
geometry.setAttribute('position', new THREE.GLBufferAttribute(buffer, gl.FLOAT, 3, 4, 3));
const gate = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
gate.name = 'gate';
gate.frustumCulled = false;
scene.add(gate);
film(renderer, scene, camera, (n) => {
  camera.position.set(0.2 + n * 0.01, 0.1, 50);
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  if (n > 0 && n < 20) return;
  gl.bindVertexArray(null);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  gl.useProgram(program);
  gl.uniform1f(location, z);
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
  gl.enable(gl.RASTERIZER_DISCARD);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawArrays(gl.POINTS, 0, 3);
  gl.endTransformFeedback();
  gl.disable(gl.RASTERIZER_DISCARD);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
  gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
  renderer.resetState();
});
