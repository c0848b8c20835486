import { gl, program, HIGH, next, skipTo, square, texture, show } from '../../../raw.mjs';

// Pixel buffers both ways, copies between buffers, sync objects and occlusion queries.
const queries = [];
let n = 0;
const band = program('uniform vec2 at; void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 0.5 + at, at.y, 1.0); }', `${HIGH}uniform vec4 tint; out vec4 o; void main() { o = tint; }`);
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  skipTo(0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.disable(gl.DEPTH_TEST);
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  // Rows of 20 texels, of which 8 by 8 from (5, 3) are wanted, at 16 bytes into the buffer.
  const bytes = new Uint8Array(16 + 20 * 16 * 4);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7) & 255;
  const unpack = gl.createBuffer();
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, unpack);
  gl.bufferData(gl.PIXEL_UNPACK_BUFFER, bytes, gl.STREAM_DRAW);
  const map = texture(gl.TEXTURE_2D);
  gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 20);
  gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, 5);
  gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 3);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, 16);
  for (const name of [gl.UNPACK_ROW_LENGTH, gl.UNPACK_SKIP_PIXELS, gl.UNPACK_SKIP_ROWS]) gl.pixelStorei(name, 0);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  show(map);
  // Read into a buffer with another row length, copy part of it over, upload it again.
  const pack = gl.createBuffer();
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, pack);
  gl.bufferData(gl.PIXEL_PACK_BUFFER, 16 * 16 * 4, gl.STREAM_READ);
  gl.pixelStorei(gl.PACK_ROW_LENGTH, 16);
  gl.readPixels(8, 8, 12, 16, gl.RGBA, gl.UNSIGNED_BYTE, 0);
  gl.pixelStorei(gl.PACK_ROW_LENGTH, 0);
  gl.bindBuffer(gl.COPY_WRITE_BUFFER, unpack);
  gl.copyBufferSubData(gl.PIXEL_PACK_BUFFER, gl.COPY_WRITE_BUFFER, 64, 0, 15 * 16 * 4);
  gl.copyBufferSubData(gl.COPY_WRITE_BUFFER, gl.COPY_WRITE_BUFFER, 0, 640, 256);
  const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, unpack);
  texture(gl.TEXTURE_2D);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 16, 14, 0, gl.RGBA, gl.UNSIGNED_BYTE, 0);
  gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
  show(gl.getParameter(gl.TEXTURE_BINDING_2D));
  gl.deleteSync(sync);
  const back = new Uint8Array(64);
  gl.getBufferSubData(gl.COPY_WRITE_BUFFER, 256, back, 0, 64);
  texture(gl.TEXTURE_2D);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, back);
  show(gl.getParameter(gl.TEXTURE_BINDING_2D));
  // The wall hides the second; the third is clipped; results show two frames later.
  gl.useProgram(band);
  gl.enable(gl.DEPTH_TEST);
  next();
  const draw = (x, y, ...tint) => {
    gl.uniform2f(gl.getUniformLocation(band, 'at'), x, y);
    gl.uniform4f(gl.getUniformLocation(band, 'tint'), ...tint);
    square();
  };
  draw(-0.9, -0.5, 0.6, 0.6, 0.6, 1);
  const now = [[0.1, 0.2], [-0.9, -0.4], [1.2, 0], [-0.7, -0.6]].map(([x, y], i) => {
    const query = gl.createQuery();
    const kind = i === 3 ? gl.ANY_SAMPLES_PASSED_CONSERVATIVE : gl.ANY_SAMPLES_PASSED;
    gl.beginQuery(kind, query);
    draw(x, y, 0.2 * i, 1 - 0.2 * i, 0.5, 1);
    gl.endQuery(kind);
    return query;
  });
  queries.push(now);
  gl.disable(gl.DEPTH_TEST);
  if (n >= 4) {
    for (const query of queries[n - 4]) {
      next();
      const passed = gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE) && gl.getQueryParameter(query, gl.QUERY_RESULT);
      draw(-0.5, 0, passed ? 0 : 1, passed ? 1 : 0, 0, 1);
    }
  }
  n++;
});
