import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const texels = new Uint8Array(8 * 8 * 4 * 4);
for (let i = 0; i < 256; i++) {
  const layer = Math.floor(i / 64);
  texels.set([layer * 80, (i % 8) * 32, (Math.floor(i / 8) % 8) * 32, 255], i * 4);
}
const layers = new THREE.DataArrayTexture(texels, 8, 8, 4);
layers.format = THREE.RGBAFormat;
layers.needsUpdate = true;
const material = new THREE.ShaderMaterial({
  glslVersion: THREE.GLSL3,
  uniforms: { layers: { value: layers } },
  vertexShader: 'out vec2 p; void main() { p = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'precision highp sampler2DArray; uniform sampler2DArray layers; in vec2 p; out vec4 color; void main() { color = texture(layers, vec3(fract(p * 2.0), floor(p.x * 2.0) + 2.0 * floor(p.y * 2.0))); }',
});
scene.add(new THREE.Mesh(new THREE.PlaneGeometry(3.5, 3.5), material));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
