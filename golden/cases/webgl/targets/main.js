import { gl, program, FULL, HIGH, next, square, texture, target, show } from '../../../raw.mjs';

// Formats that can be drawn to: packed, sRGB, float; blending in each; and mip levels and layers as targets.
gl.getExtension('EXT_color_buffer_float');
gl.getExtension('EXT_float_blend');
gl.getExtension('OES_texture_float_linear');
const ramp = program(FULL, `${HIGH}in vec2 uv; uniform float scale; out vec4 o; void main() { o = vec4(uv, 1.0 - uv.x, 0.5 + 0.5 * uv.y) * vec4(vec3(scale), 1.0); }`);
const divide = program(FULL, `${HIGH}in vec2 uv; uniform sampler2D map; uniform float scale; out vec4 o; void main() { vec4 v = texture(map, uv); o = vec4(v.rgb / scale * mix(1.0, v.a, 0.3), 1.0); }`);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  for (const [format, scale] of [
    [gl.R11F_G11F_B10F, 3], [gl.SRGB8_ALPHA8, 1], [gl.RGB10_A2, 1], [gl.RGBA16F, 20], [gl.RGBA32F, 900], [gl.RGB565, 1],
    [gl.RGBA4, 1], [gl.RG16F, 4], [gl.R8, 1], [gl.RG8, 1], [gl.R16F, 5], [gl.RGB8, 1],
  ]) {
    const map = texture(gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, 16, 16);
    target(map);
    gl.viewport(0, 0, 16, 16);
    gl.clearBufferfv(gl.COLOR, 0, [0.25 * scale, 0.5 * scale, 0.1 * scale, 0.5]);
    gl.useProgram(ramp);
    gl.uniform1f(gl.getUniformLocation(ramp, 'scale'), scale);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(2, 2, 12, 9);
    square();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.DST_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.scissor(4, 6, 11, 9);
    square();
    gl.disable(gl.BLEND);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    next();
    gl.useProgram(divide);
    gl.uniform1f(gl.getUniformLocation(divide, 'scale'), scale);
    square();
  }
  // Levels of one texture drawn one from another, then all shown.
  const chain = texture(gl.TEXTURE_2D);
  gl.texStorage2D(gl.TEXTURE_2D, 4, gl.RGBA8, 32, 32);
  const f = gl.createFramebuffer();
  for (let i = 0; i < 4; i++) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, f);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, chain, i);
    gl.viewport(0, 0, 32 >> i, 32 >> i);
    gl.useProgram(ramp);
    gl.uniform1f(gl.getUniformLocation(ramp, 'scale'), 1 - 0.25 * i);
    square();
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.useProgram(program(FULL, `${HIGH}in vec2 uv; uniform sampler2D map; out vec4 o; void main() { o = textureLod(map, uv, floor(uv.x * 4.0)); }`));
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
  next();
  square();
  // Layers of an array.
  const layers = texture(gl.TEXTURE_2D_ARRAY);
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.RGBA8, 8, 8, 4);
  for (let i = 0; i < 4; i++) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, f);
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, layers, 0, i);
    gl.clearBufferfv(gl.COLOR, 0, [i / 3, 1 - i / 3, 0.5, 1]);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.useProgram(program(FULL, `${HIGH}in vec2 uv; uniform sampler2DArray map; out vec4 o; void main() { o = texture(map, vec3(uv, floor(uv.y * 4.0))); }`));
  next();
  square();
  // Outputs without attachment and attachments without output, and DRAW buffers out of order.
  const [a, b] = [0, 1].map(() => {
    const t = texture(gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 8, 8);
    return t;
  });
  target(a, b);
  gl.drawBuffers([gl.NONE, gl.COLOR_ATTACHMENT1]);
  gl.clearColor(0.9, 0.6, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.viewport(0, 0, 8, 8);
  gl.useProgram(program(FULL, `${HIGH}in vec2 uv; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = vec4(1.0); b = vec4(uv, 0.0, 1.0); if (uv.x > 0.5) discard; }`));
  square();
  show(a);
  show(b);
});
