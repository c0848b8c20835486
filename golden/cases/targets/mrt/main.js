import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const target = new THREE.WebGLRenderTarget(128, 128, { count: 2, samples: 4 });
const inner = new THREE.Scene();
inner.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.RawShaderMaterial({
  glslVersion: THREE.GLSL3,
  vertexShader: 'uniform mat4 projectionMatrix, modelViewMatrix; in vec3 position, normal; in vec2 uv; out vec3 n; out vec2 t; void main() { n = normal; t = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'precision highp float; in vec3 n; in vec2 t; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; void main() { a = vec4(n * 0.5 + 0.5, 1.0); b = vec4(fract(t * 8.0), 0.0, 1.0); }',
})));
const eye = new THREE.PerspectiveCamera(40, 1, 0.1, 20);
eye.position.z = 5;
[0, 1].forEach((i) => {
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.MeshBasicMaterial({ map: target.textures[i] }));
  plane.position.x = i * 2.1 - 1.05;
  scene.add(plane);
});

renderer.setAnimationLoop(() => {
  renderer.setRenderTarget(target);
  renderer.render(inner, eye);
  renderer.setRenderTarget(null);
  renderer.render(scene, camera);
});
