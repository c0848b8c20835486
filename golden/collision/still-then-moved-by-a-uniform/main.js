import { THREE, filmGate } from '../shared.mjs';

// A gate stands for 20 frames; then the shader moves it through the camera.
const material = new THREE.ShaderMaterial({
  uniforms: { shift: { value: 0 } },
  vertexShader: 'uniform float shift; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + vec3(0.0, 0.0, shift), 1.0); }',
  fragmentShader: 'void main() { gl_FragColor = vec4(1.0); }',
  side: THREE.DoubleSide,
});
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), material);
filmGate(gate, (n) => {
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  material.uniforms.shift.value = z;
});
