import { THREE, filmGate } from '../shared.mjs';

// A gate stands for 20 frames; then a uniform block moves it through the camera.
const group = new THREE.UniformsGroup();
const shift = new THREE.Uniform(new THREE.Vector4());
group.setName('Shift');
group.add(shift);
const material = new THREE.ShaderMaterial({
  glslVersion: THREE.GLSL3,
  uniformsGroups: [group],
  vertexShader: 'layout(std140) uniform Shift { vec4 shift; }; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + shift.xyz, 1.0); }',
  fragmentShader: 'layout(location = 0) out vec4 o; void main() { o = vec4(1.0); }',
  side: THREE.DoubleSide,
});
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), material);
filmGate(gate, (n) => {
  const z = n < 20 ? 10 : 45.5 + (n - 20);
  shift.value.set(0, 0, z, 0);
});
