import { gl, program, FULL, HIGH, next, square, texture } from '../../../raw.mjs';

// Sampler objects, immutable 3D and array storage, and every way to look a texel up.
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const level = (size, k, depth = 1) => {
    const data = new Uint8Array(size * size * depth * 4);
    for (let i = 0; i < size * size * depth; i++) data.set([(i * 37 * k) & 255, (i * 91 + k * 60) & 255, (i * 13) & 255, 255], i * 4);
    return data;
  };
  const flat = texture(gl.TEXTURE_2D, gl.NEAREST);
  gl.texStorage2D(gl.TEXTURE_2D, 4, gl.RGBA8, 8, 8);
  for (let i = 0; i < 4; i++) gl.texSubImage2D(gl.TEXTURE_2D, i, 0, 0, 8 >> i, 8 >> i, gl.RGBA, gl.UNSIGNED_BYTE, level(8 >> i, i + 1));
  const draw = (declaration, body) => {
    gl.useProgram(program(FULL, `${HIGH}in vec2 uv; uniform ${declaration} map; out vec4 o; void main() { ${body} o.a = 1.0; }`));
    next();
    square();
  };
  const sampler = (...pairs) => {
    const s = gl.createSampler();
    for (const [name, value] of pairs) gl[Number.isInteger(value) ? 'samplerParameteri' : 'samplerParameterf'](s, name, value);
    gl.bindSampler(0, s);
  };
  sampler([gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.MIRRORED_REPEAT], [gl.TEXTURE_WRAP_T, gl.REPEAT]);
  draw('sampler2D', 'o = textureLod(map, uv * 3.0 - 1.0, uv.x * 3.5);');
  draw('sampler2D', 'o = textureGrad(map, uv, vec2(uv.x * 0.5, 0.0), vec2(0.0, uv.y * 0.2));');
  sampler([gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST], [gl.TEXTURE_MIN_LOD, 1.0], [gl.TEXTURE_MAX_LOD, 2.0]);
  draw('sampler2D', 'o = textureLod(map, uv, uv.x * 4.0 - 0.5);');
  gl.bindSampler(0, null);
  draw('sampler2D', 'o = textureOffset(map, uv, ivec2(2, -1));');
  draw('sampler2D', 'o = texelFetch(map, ivec2(uv * 4.0), 1) * 0.5 + texelFetchOffset(map, ivec2(uv * 8.0), 0, ivec2(0, 0)) * 0.5;');
  draw('sampler2D', 'o = textureProj(map, vec3(uv, 1.5)) * 0.5 + textureProj(map, vec4(uv, 9.0, 0.7)) * 0.5; o.r += float(textureSize(map, 2).x) * 0.1;');
  draw('sampler2D', 'o = texture(map, uv * 2.0, 1.0);');
  const array = texture(gl.TEXTURE_2D_ARRAY, gl.LINEAR);
  gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 2, gl.RGBA8, 4, 4, 5);
  gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 5, gl.RGBA, gl.UNSIGNED_BYTE, level(4, 3, 5));
  gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 1, 1, 2, 2, 2, 2, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(32).fill(255));
  gl.generateMipmap(gl.TEXTURE_2D_ARRAY);
  draw('sampler2DArray', 'o = texture(map, vec3(uv * 1.2, floor(uv.x * 5.0)));');
  draw('sampler2DArray', 'o = textureLod(map, vec3(uv, uv.y * 4.6), 1.0);');
  draw('sampler2DArray', 'o = texelFetch(map, ivec3(uv * 4.0, 3), 0); o.b = float(textureSize(map, 0).z) / 8.0;');
  texture(gl.TEXTURE_3D, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_WRAP_R, gl.MIRRORED_REPEAT);
  gl.texStorage3D(gl.TEXTURE_3D, 1, gl.RGBA8, 4, 4, 4);
  gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, 4, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, level(4, 5, 4));
  draw('sampler3D', 'o = texture(map, vec3(uv, uv.x * 2.0 - 0.5));');
  draw('sampler3D', 'o = texelFetch(map, ivec3(uv * 4.0, int(uv.x * 4.0)), 0);');
  // Comparison: of a texture's own state, and of a sampler's.
  texture(gl.TEXTURE_2D, gl.LINEAR);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT16, 4, 4, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, new Uint16Array(16).map((_, i) => (i * 24593) & 65535));
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_FUNC, gl.LESS);
  draw('sampler2DShadow', 'o = vec4(texture(map, vec3(uv, uv.x)));');
  sampler([gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.GEQUAL], [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST]);
  draw('sampler2DShadow', 'o = vec4(textureProj(map, vec4(uv, uv.y * 1.2, 1.2)), textureLod(map, vec3(uv, 0.5), 0.0), textureOffset(map, vec3(uv, 0.4), ivec2(1, 0)), 1.0);');
  sampler([gl.TEXTURE_COMPARE_MODE, gl.NONE], [gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST]);
  draw('sampler2D', 'o = texture(map, uv);');
  gl.bindSampler(0, null);
  // A level range that leaves the base out.
  gl.bindTexture(gl.TEXTURE_2D, flat);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, 1);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 2);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST_MIPMAP_NEAREST);
  draw('sampler2D', 'o = textureLod(map, uv, uv.x * 3.0); o.g *= float(textureSize(map, 0).x) / 8.0 + 0.5;');
});
