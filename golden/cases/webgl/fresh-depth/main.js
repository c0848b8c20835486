import { gl, program, HIGH, square, texture, target, show } from '../../../raw.mjs';

// Depth and stencil that nobody cleared: what new images hold, and stencil kept in a texture.
const flat = program('uniform float z; void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 1.6 - 0.8, z, 1.0); }', `${HIGH}uniform vec4 tint; out vec4 o; void main() { o = tint; }`);
const z = gl.getUniformLocation(flat, 'z');
const tint = gl.getUniformLocation(flat, 'tint');
const UPLOAD = new Map([[gl.DEPTH_COMPONENT16, [gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT]], [gl.DEPTH_COMPONENT24, [gl.DEPTH_COMPONENT, gl.UNSIGNED_INT]],
  [gl.DEPTH_COMPONENT32F, [gl.DEPTH_COMPONENT, gl.FLOAT]], [gl.DEPTH24_STENCIL8, [gl.DEPTH_STENCIL, gl.UNSIGNED_INT_24_8]], [gl.DEPTH32F_STENCIL8, [gl.DEPTH_STENCIL, gl.FLOAT_32_UNSIGNED_INT_24_8_REV]]]);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  // Sampled as they are.
  for (const format of UPLOAD.keys()) {
    const map = texture(gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, 8, 8);
    show(map);
  }
  const mutable = texture(gl.TEXTURE_2D);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT24, 8, 8, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, null);
  show(mutable);
  // Tested against, never cleared: textures of both makes, and renderbuffers.
  const drawn = (attach) => {
    const colour = texture(gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 32, 32);
    target(colour);
    attach();
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE) throw new Error('incomplete');
    gl.viewport(0, 0, 32, 32);
    gl.useProgram(flat);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LESS);
    gl.uniform1f(z, 0.5);
    gl.uniform4f(tint, 0.2, 0.7, 0.3, 1);
    square();
    gl.enable(gl.STENCIL_TEST);
    gl.depthFunc(gl.ALWAYS);
    gl.stencilFunc(gl.EQUAL, 1, 255);
    gl.uniform4f(tint, 0.9, 0.1, 0.1, 1);
    square();
    gl.stencilFunc(gl.ALWAYS, 5, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(8, 8, 10, 12);
    gl.uniform4f(tint, 0.2, 0.3, 0.9, 1);
    square();
    gl.disable(gl.SCISSOR_TEST);
    gl.stencilFunc(gl.NOTEQUAL, 5, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    gl.uniform4f(tint, 0.8, 0.8, 0.2, 1);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(0, 0, 14, 32);
    square();
    gl.disable(gl.SCISSOR_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.DEPTH_TEST);
    show(colour);
  };
  for (const format of [gl.DEPTH_COMPONENT16, gl.DEPTH24_STENCIL8, gl.DEPTH32F_STENCIL8]) {
    const point = format === gl.DEPTH_COMPONENT16 ? gl.DEPTH_ATTACHMENT : gl.DEPTH_STENCIL_ATTACHMENT;
    drawn(() => {
      const map = texture(gl.TEXTURE_2D);
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, 32, 32);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, map, 0);
    });
    drawn(() => {
      const map = texture(gl.TEXTURE_2D);
      gl.texImage2D(gl.TEXTURE_2D, 0, format, 32, 32, 0, ...UPLOAD.get(format), null);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, map, 0);
    });
    drawn(() => {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 32, 32);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, buffer);
    });
  }
  drawn(() => {
    const map = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, map);
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.DEPTH24_STENCIL8, 32, 32, 3);
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, map, 0, 2);
  });
});
