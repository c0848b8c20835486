import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const size = 16;
const texels = new Uint8Array(size ** 3);
for (let i = 0; i < texels.length; i++) texels[i] = 128 + 127 * Math.sin((i % size) * 0.8) * Math.cos((Math.floor(i / size) % size) * 0.7) * Math.sin(Math.floor(i / size / size) * 0.9);
const volume = new THREE.Data3DTexture(texels, size, size, size);
volume.format = THREE.RedFormat;
volume.minFilter = volume.magFilter = THREE.LinearFilter;
volume.unpackAlignment = 1;
volume.needsUpdate = true;
const material = new THREE.ShaderMaterial({
  glslVersion: THREE.GLSL3,
  uniforms: { volume: { value: volume } },
  vertexShader: 'out vec3 p; void main() { p = position * 0.5 + 0.5; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'precision highp sampler3D; uniform sampler3D volume; in vec3 p; out vec4 color; void main() { float v = texture(volume, p).r; color = vec4(v, v * v, 1.0 - v, 1.0); }',
});
const box = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), material);
box.rotation.set(0.5, 0.6, 0);
scene.add(box);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
