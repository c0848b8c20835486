import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 1));
const light = new THREE.DirectionalLight(0xffffff, 2.5);
light.position.set(3, 4, 5);
scene.add(light);

const material = new THREE.MeshStandardMaterial({ color: 0xffffff });
material.onBeforeCompile = (shader) => {
  shader.vertexShader = shader.vertexShader.replace('#include <common>', '#include <common>\nvarying vec3 local;').replace('#include <begin_vertex>', '#include <begin_vertex>\nlocal = position;');
  shader.fragmentShader = shader.fragmentShader.replace('#include <common>', '#include <common>\nvarying vec3 local;').replace('#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.rgb *= step(0.5, fract(local * 4.0));');
};
scene.add(new THREE.Mesh(new THREE.SphereGeometry(1.5, 48, 32), material));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
