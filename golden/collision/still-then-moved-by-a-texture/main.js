import { THREE, filmGate } from '../shared.mjs';

// A gate stands for 20 frames; then a texture that the vertex shader reads moves it through the camera.
const data = new Float32Array(4);
const where = new THREE.DataTexture(data, 1, 1, THREE.RGBAFormat, THREE.FloatType);
const material = new THREE.ShaderMaterial({
  uniforms: { where: { value: where } },
  vertexShader: 'uniform sampler2D where; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + texture2D(where, vec2(0.5)).xyz, 1.0); }',
  fragmentShader: 'void main() { gl_FragColor = vec4(1.0); }',
  side: THREE.DoubleSide,
});
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), material);
filmGate(gate, (n) => {
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  if (data[2] !== z) {
    data[2] = z;
    where.needsUpdate = true;
  }
});
