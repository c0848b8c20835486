import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const group = new THREE.UniformsGroup();
group.setName('Tint');
group.add(new THREE.Uniform(new THREE.Color(0.9, 0.6, 0.1)));
group.add(new THREE.Uniform(0.4));
group.add(new THREE.Uniform(new THREE.Vector4(0.1, 0.2, 0.6, 1)));
scene.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.RawShaderMaterial({
  glslVersion: THREE.GLSL3,
  uniformsGroups: [group],
  vertexShader: 'uniform mat4 projectionMatrix; uniform mat4 modelViewMatrix; in vec3 position; in vec3 normal; out vec3 n; void main() { n = normal; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'precision highp float; layout(std140) uniform Tint { vec3 warm; float share; vec4 cool; }; in vec3 n; out vec4 color; void main() { color = mix(vec4(warm, 1.0), cool, share * abs(n.x)); }',
})));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
