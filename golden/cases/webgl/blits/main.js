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

// Blits: scaled, flipped, partly outside, of samples, depth and stencil; and copies out of framebuffers.
function picture(internal, samples) {
  const f = gl.createFramebuffer();
  const b = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, b);
  gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, internal, 48, 48);
  gl.bindFramebuffer(gl.FRAMEBUFFER, f);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, b);
  gl.viewport(0, 0, 48, 48);
  gl.clearColor(0.1, 0.2, 0.3, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(shape);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  return f;
}
const shape = program('out vec3 c; void main() { c = vec3(gl_VertexID == 0, gl_VertexID == 1, gl_VertexID == 2); gl_Position = vec4(vec2[3](vec2(-0.9, -0.8), vec2(0.95, -0.5), vec2(-0.3, 0.9))[gl_VertexID], 0.0, 1.0); }', `${HIGH}in vec3 c; out vec4 o; void main() { o = vec4(c, 1.0); }`);
const C = gl.COLOR_BUFFER_BIT;
requestAnimationFrame(() => {
  gl.clearColor(0.3, 0.3, 0.3, 1);
  gl.clear(C);
  const one = picture(gl.RGBA8, 0);
  const many = picture(gl.RGBA8, 4);
  const half = gl.createFramebuffer();
  const map = texture(gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 48, 48);
  gl.bindFramebuffer(gl.FRAMEBUFFER, half);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, map, 0);
  const blit = (from, ...numbers) => {
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, from);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(...numbers);
  };
  blit(one, 0, 0, 48, 48, 4, 4, 60, 60, C, gl.LINEAR);
  blit(one, 0, 0, 48, 48, 124, 4, 68, 60, C, gl.NEAREST);
  blit(one, 0, 0, 48, 48, 132, 60, 188, 4, C, gl.LINEAR);
  blit(one, 48, 48, 0, 0, 196, 4, 252, 60, C, gl.NEAREST);
  blit(one, -20, -10, 70, 30, 4, 68, 60, 124, C, gl.LINEAR);
  blit(one, 7, 9, 12, 13, 68, 68, 124, 124, C, gl.LINEAR);
  blit(one, 0, 0, 48, 48, 132, 68, 149, 85, C, gl.LINEAR);
  blit(one, 0, 0, 48, 48, 200, 100, 300, 200, C, gl.NEAREST);
  // Samples resolve before they are scaled: through an image of the same size.
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, many);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, half);
  gl.blitFramebuffer(0, 0, 48, 48, 0, 0, 48, 48, C, gl.NEAREST);
  blit(half, 0, 0, 48, 48, 4, 132, 60, 188, C, gl.NEAREST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, many);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, half);
  gl.clearColor(1, 1, 0, 1);
  gl.clear(C);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, 20, 48, 30);
  gl.blitFramebuffer(8, 8, 40, 40, 8, 8, 40, 40, C, gl.NEAREST);
  gl.disable(gl.SCISSOR_TEST);
  blit(half, 0, 0, 48, 48, 68, 132, 116, 180, C, gl.NEAREST);
  // copyTexSubImage2D and copyTexImage2D.
  gl.bindFramebuffer(gl.FRAMEBUFFER, one);
  texture(gl.TEXTURE_2D);
  gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, -8, -8, 64, 64, 0);
  gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, 30, 30, 10, 10, 20, 20);
  tile = 10;
  show(gl.getParameter(gl.TEXTURE_BINDING_2D));
  // Depth and stencil by blit: the second framebuffer is drawn where the first one's values let it.
  const both = [0, 1].map(() => {
    const f = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, f);
    const colour = texture(gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 64, 64);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, colour, 0);
    const b = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, b);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, 64, 64);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, b);
    return f;
  });
  const flat = program('uniform float z; void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, z, 1.0); }', `${HIGH}uniform vec4 tint; out vec4 o; void main() { o = tint; }`);
  gl.useProgram(flat);
  const z = gl.getUniformLocation(flat, 'z');
  const tint = gl.getUniformLocation(flat, 'tint');
  gl.bindFramebuffer(gl.FRAMEBUFFER, both[0]);
  gl.viewport(0, 0, 64, 64);
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.STENCIL_TEST);
  gl.enable(gl.SCISSOR_TEST);
  gl.clearDepth(0.8);
  gl.clearStencil(1);
  gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.scissor(10, 10, 30, 40);
  gl.clearDepth(0.3);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.scissor(20, 30, 40, 30);
  gl.clearStencil(2);
  gl.clear(gl.STENCIL_BUFFER_BIT);
  gl.disable(gl.SCISSOR_TEST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, both[0]);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, both[1]);
  gl.clearColor(0, 0, 0, 1);
  gl.clear(C);
  gl.blitFramebuffer(0, 0, 64, 64, 0, 0, 64, 64, gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT, gl.NEAREST);
  gl.stencilFunc(gl.EQUAL, 1, 255);
  gl.uniform1f(z, 0.2);
  gl.uniform4f(tint, 1, 0.4, 0, 1);
  square();
  gl.stencilFunc(gl.EQUAL, 2, 255);
  gl.uniform4f(tint, 0, 0.6, 1, 1);
  square();
  gl.disable(gl.DEPTH_TEST);
  gl.disable(gl.STENCIL_TEST);
  blit(both[1], 0, 0, 64, 64, 192, 192, 256, 256, C, gl.NEAREST);
  blit(both[1], 0, 0, 64, 64, 128, 256, 192, 192, C, gl.NEAREST);
});
