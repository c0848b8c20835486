import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// The geometry is a plane at the origin; the shader puts it before the camera, and later through it.
const material = new THREE.ShaderMaterial({
  uniforms: { shift: { value: 0 } },
  vertexShader: 'uniform float shift; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + vec3(0.0, 0.0, shift), 1.0); }',
  fragmentShader: 'void main() { gl_FragColor = vec4(1.0); }',
  side: THREE.DoubleSide,
});
const gate = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), material);
gate.name = 'gate';
gate.frustumCulled = false;
scene.add(gate);
camera.position.set(0.2, 0.1, 50);
film(renderer, scene, camera, (n) => {
  material.uniforms.shift.value = 45.5 + n * 1.0;
});
