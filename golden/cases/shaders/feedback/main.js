import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

// A ping-pong: each frame reads the target the last one wrote.
const targets = [0, 1].map(() => new THREE.WebGLRenderTarget(64, 64, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter }));
const step = new THREE.ShaderMaterial({
  uniforms: { last: { value: null } },
  vertexShader: 'varying vec2 p; void main() { p = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
  fragmentShader: 'uniform sampler2D last; varying vec2 p; void main() { vec4 v = texture2D(last, p); vec4 l = texture2D(last, fract(p + vec2(1.0 / 64.0, 0.0))); gl_FragColor = vec4(fract(v.r * 0.5 + l.r * 0.4 + p.x * p.y + 0.05), p, 1.0); }',
});
const quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), step);
const flat = new THREE.Camera();
const plane = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial());
scene.add(plane);
let turn = 0;

renderer.setAnimationLoop(() => {
  step.uniforms.last.value = targets[turn].texture;
  turn = 1 - turn;
  renderer.setRenderTarget(targets[turn]);
  renderer.render(quad, flat);
  renderer.setRenderTarget(null);
  plane.material.map = targets[turn].texture;
  renderer.render(scene, camera);
});
