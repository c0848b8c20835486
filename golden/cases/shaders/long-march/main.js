const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2', { antialias: false });

function program(vertex, fragment, varyings) {
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
const FULL = "out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0); }";
const HIGH = "precision highp float; precision highp int; precision highp isampler2D; precision highp usampler2D; precision highp sampler2DArray; precision highp sampler3D; precision highp sampler2DShadow;\n";
// 16 tiles of 64 pixels, from the lower left.
let tile = 0;
function next() {
  gl.viewport((tile % 4) * 64, Math.floor(tile / 4) * 64, 64, 64);
  tile++;
}
const square = () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
function texture(target, filter = gl.NEAREST) {
  const t = gl.createTexture();
  gl.bindTexture(target, t);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(target, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(target, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return t;
}
function target(...textures) {
  const f = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, f);
  textures.forEach((t, i) => gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, t, 0));
  return f;
}
const plain = program(FULL, `${HIGH}in vec2 uv; uniform sampler2D map; out vec4 o; void main() { o = vec4(texture(map, uv).rgb, 1.0); }`);
function show(t) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  next();
  gl.useProgram(plain);
  gl.bindTexture(gl.TEXTURE_2D, t);
  square();
}

// Loops that only uniforms bound: a march of 4,000 short steps, and a count of escapes with nested loops.
const march = program(FULL, `${HIGH}in vec2 uv; uniform int steps; uniform float stride; out vec4 o;
float field(vec3 p) { float d = length(p) - 0.7; for (int i = 0; i < 3; i++) d = min(d, length(p - vec3(0.6 * float(i) - 0.6, 0.5, 0.2)) - 0.25); return d; }
void main() {
  vec3 p = vec3(uv * 2.0 - 1.0, -2.0); float rounds = 0.0;
  for (int i = 0; i < steps; i++) { if (field(p) < 0.0) break; p.z += stride; rounds += 1.0; }
  o = vec4(rounds / float(steps), p.z * 0.5 + 0.5, float(rounds < float(steps)), 1.0);
}`);
const escape = program(FULL, `${HIGH}in vec2 uv; uniform int most; uniform float edge; out vec4 o;
void main() {
  vec2 c = uv * vec2(2.6, 2.4) - vec2(1.9, 1.2); float shade = 0.0; int k = 0;
  do {
    vec2 z = vec2(0.0); int i = 0;
    while (dot(z, z) < edge) { z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c * (1.0 + float(k) * 0.2); if (++i >= most) break; }
    shade += float(i) / float(most);
  } while (++k < 3);
  o = vec4(shade / 3.0, fract(shade * 5.0), 1.0 - shade / 3.0, 1.0);
}`);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(march);
  gl.uniform1i(gl.getUniformLocation(march, 'steps'), 4000);
  gl.uniform1f(gl.getUniformLocation(march, 'stride'), 1 / 1024);
  gl.viewport(0, 0, 128, 256);
  square();
  gl.useProgram(escape);
  gl.uniform1i(gl.getUniformLocation(escape, 'most'), 3000);
  gl.uniform1f(gl.getUniformLocation(escape, 'edge'), 4);
  gl.viewport(128, 0, 128, 256);
  square();
});
