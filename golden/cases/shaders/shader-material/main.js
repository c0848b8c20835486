import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

scene.add(new THREE.Mesh(new THREE.PlaneGeometry(4, 4, 32, 32), new THREE.ShaderMaterial({
  uniforms: { time: { value: 0.7 }, tint: { value: new THREE.Color(0.9, 0.5, 0.2) }, weights: { value: [0.1, 0.5, 0.4] } },
  vertexShader: 'uniform float time; varying vec2 p; void main() { p = uv; vec3 q = position; q.z += sin(q.x * 3.0 + time) * 0.3; gl_Position = projectionMatrix * modelViewMatrix * vec4(q, 1.0); }',
  fragmentShader: 'uniform vec3 tint; uniform float weights[3]; varying vec2 p; float noise(vec2 q) { return fract(sin(dot(q, vec2(12.9898, 4.1414))) * 43758.5453); } void main() { float n = 0.0; for (int i = 0; i < 3; i++) { n += weights[i] * sin(p.x * float(i + 1) * 10.0) * cos(p.y * float(i + 1) * 8.0); } gl_FragColor = vec4(tint * (0.5 + n), 1.0); }',
})));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
