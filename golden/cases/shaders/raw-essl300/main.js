import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

scene.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.RawShaderMaterial({
  glslVersion: THREE.GLSL3,
  vertexShader: 'uniform mat4 projectionMatrix; uniform mat4 modelViewMatrix; in vec3 position; in vec3 normal; out vec3 n; flat out int id; void main() { n = normal; id = gl_VertexID / 17; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'precision highp float; precision highp int; in vec3 n; flat in int id; out vec4 color; void main() { switch (id % 3) { case 0: color = vec4(1.0, 0.5, 0.2, 1.0); break; case 1: color = vec4(0.2, 0.8, 0.4, 1.0); break; default: color = vec4(0.3, 0.4, 1.0, 1.0); } color.rgb *= 0.5 + 0.5 * n.z; }',
})));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
