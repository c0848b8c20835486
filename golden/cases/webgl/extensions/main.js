import { gl, program, FULL, HIGH, next, skipTo, square, texture, target, show } from '../../../raw.mjs';

// What extensions add. A tile stays dark where the browser lacks one, so that having more than the reference shows.
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const clip = gl.getExtension('WEBGL_clip_cull_distance');
  next();
  if (clip) {
    const p = program(
      `#extension GL_ANGLE_clip_cull_distance : require\nout highp float gl_ClipDistance[2]; out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
        gl_ClipDistance[0] = uv.x + uv.y - 0.5; gl_ClipDistance[1] = 0.8 - uv.x; }`,
      `${HIGH}in vec2 uv; out vec4 o; void main() { o = vec4(uv, 0.5, 1.0); }`);
    gl.useProgram(p);
    gl.enable(clip.CLIP_DISTANCE0_WEBGL);
    square();
    next();
    gl.enable(clip.CLIP_DISTANCE1_WEBGL);
    square();
    gl.disable(clip.CLIP_DISTANCE0_WEBGL);
    next();
    square();
    gl.disable(clip.CLIP_DISTANCE1_WEBGL);
  }
  skipTo(3);
  const indexed = gl.getExtension('OES_draw_buffers_indexed');
  if (indexed) {
    const maps = [0, 1, 2].map(() => {
      const t = texture(gl.TEXTURE_2D);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 32, 32);
      return t;
    });
    target(...maps);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1, gl.COLOR_ATTACHMENT2]);
    gl.clearBufferfv(gl.COLOR, 0, [0.5, 0, 0, 1]);
    gl.clearBufferfv(gl.COLOR, 1, [0, 0.5, 0, 1]);
    gl.clearBufferfv(gl.COLOR, 2, [0, 0, 0.5, 1]);
    const p = program(FULL, `${HIGH}in vec2 uv; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; layout(location = 2) out vec4 c; void main() { a = b = c = vec4(uv, 1.0 - uv.x, 0.6); }`);
    gl.useProgram(p);
    gl.viewport(0, 0, 32, 32);
    indexed.enableiOES(gl.BLEND, 0);
    indexed.enableiOES(gl.BLEND, 2);
    indexed.blendFunciOES(0, gl.SRC_ALPHA, gl.ONE);
    indexed.blendEquationSeparateiOES(2, gl.FUNC_REVERSE_SUBTRACT, gl.MAX);
    indexed.blendFuncSeparateiOES(2, gl.ONE, gl.ONE, gl.ONE, gl.ZERO);
    indexed.colorMaskiOES(1, true, false, true, true);
    square();
    gl.disable(gl.BLEND);
    gl.colorMask(true, true, true, true);
    gl.blendEquation(gl.FUNC_ADD);
    for (const map of maps) show(map);
  }
  skipTo(6);
  const multi = gl.getExtension('WEBGL_multi_draw');
  if (multi) {
    const p = program(
      '#extension GL_ANGLE_multi_draw : require\nflat out vec3 c; void main() { c = vec3(gl_DrawID & 1, gl_DrawID >> 1, gl_InstanceID); vec2 uv = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1); gl_Position = vec4(uv * 0.4 - 0.9 + vec2(gl_VertexID >> 2, gl_InstanceID) * 0.45 + float(gl_DrawID) * 0.1, 0.0, 1.0); }',
      `${HIGH}flat in vec3 c; out vec4 o; void main() { o = vec4(c * 0.7 + 0.2, 1.0); }`);
    gl.useProgram(p);
    next();
    multi.multiDrawArraysWEBGL(gl.TRIANGLE_STRIP, [0, 4, 8, 12], 0, [4, 4, 4, 3], 0, 4);
    next();
    multi.multiDrawArraysInstancedWEBGL(gl.TRIANGLE_STRIP, [0, 4, 8], 0, [4, 4, 4], 0, [1, 2, 3], 0, 3);
    next();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), gl.STATIC_DRAW);
    multi.multiDrawElementsWEBGL(gl.TRIANGLE_STRIP, [4, 3, 4], 0, gl.UNSIGNED_SHORT, [0, 8, 16], 0, 3);
  }
  skipTo(10);
  const flat = program(FULL.replace('out vec2 uv; void main() {', 'flat out vec2 uv; void main() {'), `${HIGH}flat in vec2 uv; out vec4 o; void main() { o = vec4(uv, 0.4, 1.0); }`);
  gl.useProgram(flat);
  next();
  square();
  const control = gl.getExtension('EXT_clip_control');
  const slope = program('out vec2 uv; void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(uv * 2.0 - 1.0, uv.x * 3.0 - 1.5, 1.0); }', `${HIGH}in vec2 uv; out vec4 o; void main() { o = vec4(uv, gl_FragCoord.z, 1.0); }`);
  gl.useProgram(slope);
  next();
  square();
  next();
  if (control) {
    control.clipControlEXT(control.UPPER_LEFT_EXT, control.ZERO_TO_ONE_EXT);
    square();
    control.clipControlEXT(control.LOWER_LEFT_EXT, control.NEGATIVE_ONE_TO_ONE_EXT);
  }
  const clamp = gl.getExtension('EXT_depth_clamp');
  next();
  if (clamp) {
    gl.enable(clamp.DEPTH_CLAMP_EXT);
    square();
    gl.disable(clamp.DEPTH_CLAMP_EXT);
  }
  const lines = gl.getExtension('WEBGL_polygon_mode');
  next();
  if (lines) {
    lines.polygonModeWEBGL(gl.FRONT_AND_BACK, lines.LINE_WEBGL);
    square();
    lines.polygonModeWEBGL(gl.FRONT_AND_BACK, lines.FILL_WEBGL);
  }
});
