import { gl, program, FULL, HIGH, next, square, texture } from '../../../raw.mjs';

// Arrays of uniform blocks, ranges, std140 layouts, row-major matrices, and arrays of samplers.
const p = program(FULL, `${HIGH}in vec2 uv; out vec4 o; uniform int which;
  struct Light { vec3 color; float power; mat2 turn; };
  layout(std140) uniform Scene { Light lights[2]; vec2 list[3]; layout(row_major) mat3x2 wide; bvec2 flags; float last; } scene;
  layout(std140) uniform Tint { vec4 color; float scale; } tints[3];
  uniform sampler2D maps[3]; uniform mat3x4 m; uniform vec2 offsets[4];
  void main() {
    vec2 at = scene.lights[1].turn * (uv - 0.5) + 0.5;
    vec3 c = which == 0 ? scene.lights[0].color * scene.lights[0].power : scene.lights[1].color * at.x;
    if (which == 2) c = vec3(scene.wide * vec3(uv, 1.0), scene.last);
    if (which == 3) c = vec3(scene.list[int(uv.x * 3.0)], scene.flags.x ? 1.0 : 0.0);
    if (which == 4) c = tints[0].color.rgb * tints[1].color.gbr + tints[2].color.rgb * uv.x * tints[2].scale;
    if (which == 5) c = uv.x < 0.33 ? texture(maps[0], uv).rgb : uv.x < 0.66 ? texture(maps[1], uv).rgb : texture(maps[2], uv * 2.0).rgb;
    if (which == 6) c = (m * vec3(uv, 1.0)).rgb;
    if (which == 7) c = vec3(offsets[int(uv.y * 4.0)], float(scene.flags.y));
    o = vec4(c, 1.0);
  }`);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(p);
  const scene = gl.getUniformBlockIndex(p, 'Scene');
  const names = ['Scene.lights[0].color', 'Scene.lights[0].power', 'Scene.lights[0].turn', 'Scene.lights[1].color', 'Scene.lights[1].power', 'Scene.lights[1].turn', 'Scene.list', 'Scene.wide', 'Scene.flags', 'Scene.last'];
  const at = gl.getActiveUniforms(p, gl.getUniformIndices(p, names), gl.UNIFORM_OFFSET);
  const size = gl.getActiveUniformBlockParameter(p, scene, gl.UNIFORM_BLOCK_DATA_SIZE);
  const data = new DataView(new ArrayBuffer(size));
  const put = (name, values) => values.forEach((v, i) => data.setFloat32(at[names.indexOf(name)] + i * 4, v, true));
  put('Scene.lights[0].color', [0.9, 0.3, 0.1]);
  put('Scene.lights[0].power', [0.8]);
  put('Scene.lights[1].color', [0.2, 0.9, 0.7]);
  put('Scene.lights[1].turn', [0.8, 0.6, 0, 0, -0.6, 0.8]);
  put('Scene.list', [0.9, 0.1, 0, 0, 0.2, 0.8, 0, 0, 0.5, 0.6]);
  put('Scene.wide', [1, 0, 0.1, 0, -0.5, 0.9, 0.3]);
  data.setUint32(at[8], 1, true);
  put('Scene.last', [0.6]);
  const align = gl.getParameter(gl.UNIFORM_BUFFER_OFFSET_ALIGNMENT);
  const step = Math.ceil(32 / align) * align;
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.UNIFORM_BUFFER, buffer);
  gl.bufferData(gl.UNIFORM_BUFFER, data, gl.STATIC_DRAW);
  gl.uniformBlockBinding(p, scene, 5);
  gl.bindBufferBase(gl.UNIFORM_BUFFER, 5, buffer);
  const tints = gl.createBuffer();
  gl.bindBuffer(gl.UNIFORM_BUFFER, tints);
  gl.bufferData(gl.UNIFORM_BUFFER, step * 3, gl.DYNAMIC_DRAW);
  [[0.9, 0.5, 0.3, 1, 0.5], [0.4, 0.8, 0.9, 1, 1], [0.1, 0.3, 0.9, 1, 0.7]].forEach((values, i) => {
    gl.bufferSubData(gl.UNIFORM_BUFFER, step * i, new Float32Array(values));
    gl.uniformBlockBinding(p, gl.getUniformBlockIndex(p, `Tint[${i}]`), i);
    gl.bindBufferRange(gl.UNIFORM_BUFFER, i, tints, step * i, 32);
  });
  for (let i = 0; i < 3; i++) {
    gl.activeTexture(gl.TEXTURE0 + i + 2);
    texture(gl.TEXTURE_2D);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 0, 80 * i, 255, 0, 255, 0, 255, 0, 80 * i, 255, 255, 255, 255, 0, 255]));
  }
  gl.uniform1iv(gl.getUniformLocation(p, 'maps'), [4, 2, 3]);
  gl.uniformMatrix3x4fv(gl.getUniformLocation(p, 'm'), true, [1, 0, 0.1, 0, 1, 0.2, 0.5, 0.5, 0, 0, 0, 1]);
  gl.uniform2fv(gl.getUniformLocation(p, 'offsets[1]'), [0.9, 0.2, 0.3, 0.7]);
  for (let i = 0; i < 8; i++) {
    gl.uniform1i(gl.getUniformLocation(p, 'which'), i);
    next();
    square();
  }
  // The same block twice, another range each draw.
  for (let i = 0; i < 4; i++) {
    gl.bindBufferRange(gl.UNIFORM_BUFFER, 2, tints, step * (i % 3), 32);
    gl.uniform1i(gl.getUniformLocation(p, 'which'), 4);
    next();
    square();
  }
});
