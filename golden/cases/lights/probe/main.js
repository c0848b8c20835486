import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

scene.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.MeshStandardMaterial({ color: 0xffffff, roughness: 0.5 })));
const probe = new THREE.LightProbe();
probe.sh.coefficients.forEach((c, i) => c.set(0.6 - i * 0.05, 0.5 * Math.cos(i), 0.4 * Math.sin(i + 1)));
scene.add(probe);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
