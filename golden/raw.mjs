// What the raw WebGL2 cases share: a canvas of 16 tiles, programs, textures, targets.
export const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
export const gl = canvas.getContext('webgl2', { antialias: false });

export function program(vertex, fragment, varyings) {
  const p = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, `#version 300 es\n${source}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(p, shader);
  }
  if (varyings) gl.transformFeedbackVaryings(p, varyings, gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(p));
  return p;
}
export const FULL = "out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0); }";
export const HIGH = "precision highp float; precision highp int; precision highp isampler2D; precision highp usampler2D; precision highp sampler2DArray; precision highp sampler3D; precision highp sampler2DShadow;\n";
// 16 tiles of 64 pixels, from the lower left.
let tile = 0;
export function next() {
  gl.viewport((tile % 4) * 64, Math.floor(tile / 4) * 64, 64, 64);
  tile++;
}
export function skipTo(number) {
  tile = number;
}
export const square = () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
export function texture(target, filter = gl.NEAREST) {
  const t = gl.createTexture();
  gl.bindTexture(target, t);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(target, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(target, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return t;
}
export function target(...textures) {
  const f = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, f);
  textures.forEach((t, i) => gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, t, 0));
  return f;
}
export const plain = program(FULL, `${HIGH}in vec2 uv; uniform sampler2D map; out vec4 o; void main() { o = vec4(texture(map, uv).rgb, 1.0); }`);
export function show(t) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  next();
  gl.useProgram(plain);
  gl.bindTexture(gl.TEXTURE_2D, t);
  square();
}
