const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2', { antialias: false });

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

// Masked and scissored clears, blits with a flip, and a multisampled renderbuffer.
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  gl.clearColor(0.2, 0.4, 0.6, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(20, 30, 100, 60);
  gl.colorMask(true, false, true, true);
  gl.clearColor(1, 1, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.colorMask(true, true, true, true);
  gl.disable(gl.SCISSOR_TEST);
  const [read, draw] = [gl.createFramebuffer(), gl.createFramebuffer()];
  const buffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 64, 64);
  gl.bindFramebuffer(gl.FRAMEBUFFER, read);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, buffer);
  gl.clearBufferfv(gl.COLOR, 0, [0.9, 0.5, 0.1, 1]);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, 0, 20, 64);
  gl.clearBufferfv(gl.COLOR, 0, [0.1, 0.9, 0.5, 1]);
  gl.disable(gl.SCISSOR_TEST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, read);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
  gl.blitFramebuffer(0, 0, 64, 64, 140, 140, 240, 240, gl.COLOR_BUFFER_BIT, gl.LINEAR);
  gl.blitFramebuffer(0, 0, 64, 64, 110, 140, 10, 240, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  const small = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, small);
  gl.renderbufferStorageMultisample(gl.RENDERBUFFER, 4, gl.RGBA8, 50, 50);
  gl.bindFramebuffer(gl.FRAMEBUFFER, draw);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, small);
  gl.clearColor(0.8, 0.2, 0.8, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const plain = gl.createRenderbuffer();
  const target = gl.createFramebuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, plain);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 50, 50);
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, plain);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, draw);
  gl.blitFramebuffer(0, 0, 50, 50, 0, 0, 50, 50, gl.COLOR_BUFFER_BIT, gl.NEAREST);
  gl.bindFramebuffer(gl.READ_FRAMEBUFFER, target);
  gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
  gl.blitFramebuffer(0, 0, 50, 50, 170, 40, 220, 90, gl.COLOR_BUFFER_BIT, gl.NEAREST);
});
