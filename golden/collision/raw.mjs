// Triangles drawn by raw WebGL: a program of its own, and a buffer of positions.
export function shapes(gl, vertex, positions) {
  const program = gl.createProgram();
  const shader = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  shader(gl.VERTEX_SHADER, `in vec3 position;\n${vertex}`);
  shader(gl.FRAGMENT_SHADER, 'out vec4 color; void main() { color = vec4(0.8, 0.5, 0.2, 1.0); }');
  gl.bindAttribLocation(program, 0, 'position');
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(positions), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
  gl.bindVertexArray(null);
  return {
    /** Draws once for each of `places`: matrices by the uniforms' names. */
    draw(...places) {
      gl.useProgram(program);
      gl.bindVertexArray(array);
      for (const matrices of places) {
        for (const [name, matrix] of Object.entries(matrices)) {
          gl.uniformMatrix4fv(gl.getUniformLocation(program, name), false, matrix);
        }
        gl.drawArrays(gl.TRIANGLES, 0, positions.length / 3);
      }
      gl.bindVertexArray(null);
    },
  };
}

/** Two triangles in the plane z = 0, `size` to each side. */
export const square = (size) => [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0].map((v) => v * size);
