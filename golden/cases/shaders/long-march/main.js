import { gl, program, FULL, HIGH, square } from '../../../raw.mjs';

// Loops that only uniforms bound: a march of 4,000 short steps, and a count of escapes with nested loops.
const march = program(FULL, `${HIGH}in vec2 uv; uniform int steps; uniform float stride; out vec4 o;
float field(vec3 p) { float d = length(p) - 0.7; for (int i = 0; i < 3; i++) d = min(d, length(p - vec3(0.6 * float(i) - 0.6, 0.5, 0.2)) - 0.25); return d; }
void main() {
  vec3 p = vec3(uv * 2.0 - 1.0, -2.0); float rounds = 0.0;
  for (int i = 0; i < steps; i++) { if (field(p) < 0.0) break; p.z += stride; rounds += 1.0; }
  o = vec4(rounds / float(steps), p.z * 0.5 + 0.5, float(rounds < float(steps)), 1.0);
}`);
const escape = program(FULL, `${HIGH}in vec2 uv; uniform int most; uniform float edge; out vec4 o;
void main() {
  vec2 c = uv * vec2(2.6, 2.4) - vec2(1.9, 1.2); float shade = 0.0; int k = 0;
  do {
    vec2 z = vec2(0.0); int i = 0;
    while (dot(z, z) < edge) { z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c * (1.0 + float(k) * 0.2); if (++i >= most) break; }
    shade += float(i) / float(most);
  } while (++k < 3);
  o = vec4(shade / 3.0, fract(shade * 5.0), 1.0 - shade / 3.0, 1.0);
}`);
requestAnimationFrame(() => {
  gl.clearColor(0.1, 0.1, 0.1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.useProgram(march);
  gl.uniform1i(gl.getUniformLocation(march, 'steps'), 4000);
  gl.uniform1f(gl.getUniformLocation(march, 'stride'), 1 / 1024);
  gl.viewport(0, 0, 128, 256);
  square();
  gl.useProgram(escape);
  gl.uniform1i(gl.getUniformLocation(escape, 'most'), 3000);
  gl.uniform1f(gl.getUniformLocation(escape, 'edge'), 4);
  gl.viewport(128, 0, 128, 256);
  square();
});
