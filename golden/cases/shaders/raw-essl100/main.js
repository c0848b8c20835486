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
  vertexShader: 'precision highp float; uniform mat4 projectionMatrix; uniform mat4 modelViewMatrix; attribute vec3 position; attribute vec3 normal; attribute vec2 uv; varying vec3 n; varying vec2 t; void main() { n = normal; t = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
  fragmentShader: 'precision mediump float; varying vec3 n; varying vec2 t; void main() { vec2 c = mod(floor(t * vec2(32.0, 8.0)), 2.0); gl_FragColor = vec4(abs(n) * (c.x == c.y ? 1.0 : 0.5), 1.0); }',
})));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
