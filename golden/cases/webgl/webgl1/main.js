const canvas = document.createElement('canvas');
canvas.width = canvas.height = 256;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl');

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

gl.getExtension('OES_standard_derivatives');
const p = program(
  'attribute vec2 at; attribute vec4 tint; varying vec4 v; void main() { v = tint; gl_Position = vec4(at, 0.0, 1.0); }',
  '#extension GL_OES_standard_derivatives : enable\nprecision mediump float; varying vec4 v; uniform sampler2D map; void main() { float e = length(vec2(dFdx(v.x), dFdy(v.x))) * 40.0; gl_FragColor = mix(v, texture2D(map, v.xy * 4.0), 0.5) + e * 0.1; }',
);
gl.useProgram(p);
const corners = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, corners);
gl.bufferData(gl.ARRAY_BUFFER, new Int8Array([-100, -100, 100, -90, 90, 100, -110, 80]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(gl.getAttribLocation(p, 'at'));
gl.vertexAttribPointer(gl.getAttribLocation(p, 'at'), 2, gl.BYTE, true, 2, 0);
const tints = gl.createBuffer();
gl.bindBuffer(gl.ARRAY_BUFFER, tints);
gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array([255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 200, 0]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(gl.getAttribLocation(p, 'tint'));
gl.vertexAttribPointer(gl.getAttribLocation(p, 'tint'), 3, gl.UNSIGNED_BYTE, true, 3, 0);
gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
gl.texImage2D(gl.TEXTURE_2D, 0, gl.LUMINANCE, 3, 3, 0, gl.LUMINANCE, gl.UNSIGNED_BYTE, new Uint8Array([0, 255, 80, 200, 20, 255, 120, 60, 180]));
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  gl.clearColor(0.2, 0.2, 0.2, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArrays(gl.TRIANGLE_FAN, 0, 4);
});
