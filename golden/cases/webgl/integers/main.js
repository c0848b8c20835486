import { gl, program, FULL, HIGH, next, square, texture, target } from '../../../raw.mjs';

// Integer textures, attributes, varyings and targets; bit operations; gl_VertexID and gl_InstanceID.
gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const kinds = [
    [gl.R8UI, gl.RED_INTEGER, gl.UNSIGNED_BYTE, 1, Uint8Array, 'u'], [gl.RG8I, gl.RG_INTEGER, gl.BYTE, 2, Int8Array, 'i'],
    [gl.RGB8UI, gl.RGB_INTEGER, gl.UNSIGNED_BYTE, 3, Uint8Array, 'u'], [gl.RGBA16UI, gl.RGBA_INTEGER, gl.UNSIGNED_SHORT, 4, Uint16Array, 'u'],
    [gl.RGBA16I, gl.RGBA_INTEGER, gl.SHORT, 4, Int16Array, 'i'], [gl.R32I, gl.RED_INTEGER, gl.INT, 1, Int32Array, 'i'],
    [gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 4, Uint32Array, 'u'], [gl.RGB10_A2UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT_2_10_10_10_REV, 1, Uint32Array, 'u'],
  ];
  for (const [internal, format, type, count, Kind, letter] of kinds) {
    const data = new Kind(64 * count);
    for (let i = 0; i < data.length; i++) data[i] = (i * 2654435761) >>> (i % 7);
    texture(gl.TEXTURE_2D);
    gl.texImage2D(gl.TEXTURE_2D, 0, internal, 8, 8, 0, format, type, data);
    const p = program(FULL, `${HIGH}in vec2 uv; uniform ${letter}sampler2D map; out vec4 o; void main() {
      ${letter}vec4 v = texelFetch(map, ivec2(uv * 8.0), 0); ${letter}vec4 w = texture(map, uv.yx);
      o = vec4(vec3((v.rgb ^ w.bgr) & ${letter}vec3(127)) / 127.0, 1.0) * (v.a == ${letter === 'u' ? '1u' : '1'} ? 1.0 : 0.8); }`);
    next();
    gl.useProgram(p);
    square();
  }
  // Signed and unsigned attributes with divisors, flat varyings of every kind.
  const p = program(
    `in ivec3 a; in uvec2 b; flat out ivec3 i; flat out uvec2 u; flat out float f; out float s; void main() {
      i = a * ivec3(gl_VertexID, gl_InstanceID, 3); u = b >> uvec2(gl_VertexID, gl_InstanceID & 3); f = float(gl_VertexID) / 3.0; s = f;
      vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4((at + vec2(gl_InstanceID & 1, gl_InstanceID >> 1)) * 0.9 - 0.9, 0.0, 1.0); }`,
    `${HIGH}flat in ivec3 i; flat in uvec2 u; flat in float f; in float s; out vec4 o; void main() {
      o = vec4(float(i.x & 255) / 255.0, float(u.x & 255u) / 255.0, f, 1.0) * 0.5 + vec4(vec3(s), 1.0) * 0.5 + vec4(vec3(i.yz, int(u.y)) / 1000.0, 0.0); }`);
  gl.useProgram(p);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, new Int16Array([100, -20, 7, 250, -130, 66, 55, 44, 33, 22, 11, 90]), gl.STATIC_DRAW);
  const a = gl.getAttribLocation(p, 'a');
  gl.enableVertexAttribArray(a);
  gl.vertexAttribIPointer(a, 3, gl.SHORT, 0, 0);
  const b = gl.getAttribLocation(p, 'b');
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array([255, 1, 200, 2, 150, 3, 100, 4]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(b);
  gl.vertexAttribIPointer(b, 2, gl.UNSIGNED_BYTE, 0, 0);
  gl.vertexAttribDivisor(b, 1);
  next();
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 4);
  next();
  gl.disableVertexAttribArray(a);
  gl.vertexAttribI4i(a, 9, 80, -40, 1);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, 3);
  gl.disableVertexAttribArray(b);
  // Integer targets, cleared, scissored, drawn to and read back as textures.
  for (const [internal, letter] of [[gl.RGBA8UI, 'u'], [gl.RGBA32I, 'i']]) {
    const map = texture(gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, internal, 16, 16);
    target(map);
    if (letter === 'u') gl.clearBufferuiv(gl.COLOR, 0, [10, 20, 30, 40]);
    else gl.clearBufferiv(gl.COLOR, 0, [-10, 20, -30, 40]);
    const write = program(FULL, `${HIGH}in vec2 uv; out ${letter}vec4 o; void main() { o = ${letter}vec4(uv * 200.0, gl_FragCoord.xy); }`);
    gl.useProgram(write);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(3, 4, 9, 10);
    gl.viewport(0, 0, 16, 16);
    square();
    gl.disable(gl.SCISSOR_TEST);
    const read = letter === 'u' ? new Uint32Array(4) : new Int32Array(4);
    gl.readPixels(5, 6, 1, 1, gl.RGBA_INTEGER, letter === 'u' ? gl.UNSIGNED_INT : gl.INT, read);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const p = program(FULL, `${HIGH}in vec2 uv; uniform ${letter}sampler2D map; uniform ${letter}vec4 probe; out vec4 o; void main() {
      ${letter}vec4 v = texelFetch(map, ivec2(uv * vec2(textureSize(map, 0))), 0); o = vec4(abs(vec3(v.rgb) - vec3(probe.rgb)) / 200.0, 1.0); }`);
    gl.useProgram(p);
    gl[letter === 'u' ? 'uniform4uiv' : 'uniform4iv'](gl.getUniformLocation(p, 'probe'), read);
    next();
    square();
  }
  // Packing built-ins and integer arithmetic.
  for (const body of [
    'uint h = floatBitsToUint(uv.x); o = vec4(unpackHalf2x16(packHalf2x16(uv * 3.0)) / 3.0, unpackUnorm2x16(packUnorm2x16(uv.yx)).x, 1.0) + float(h >> 31);',
    'ivec2 c = ivec2(uv * 16.0) - 8; o = vec4(vec2(c / 3) / 3.0 + 0.5, float((c.x % 3 + 3) % 3) / 2.0, 1.0);',
    'uint s = uint(uv.x * 64.0) * 747796405u + uint(uv.y * 64.0) * 2891336453u; s = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u; s = (s >> 22u) ^ s; o = vec4(vec3(s & 255u, (s >> 8) & 255u, s >> 24) / 255.0, 1.0);',
    'vec2 m; vec2 f = modf(uv * 5.0 - 2.5, m); o = vec4(f * 0.5 + 0.5, (m.x * m.y + 6.0) / 12.0, 1.0); if (isnan(sqrt(-1.0 - uv.x))) o.b += 0.2; o.g += float(roundEven(uv.x * 4.0)) * 0.05;',
  ]) {
    gl.useProgram(program(FULL, `${HIGH}in vec2 uv; out vec4 o; void main() { ${body} }`));
    next();
    square();
  }
});
