import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);
renderer.clippingPlanes = [new THREE.Plane(new THREE.Vector3(0.6, -0.8, 0), 0.2)];
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);
scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 1));
const light = new THREE.DirectionalLight(0xffffff, 2.5);
light.position.set(3, 4, 5);
scene.add(light);

scene.add(new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.35, 96, 16), new THREE.MeshPhongMaterial({ color: 0x55aaff, side: THREE.DoubleSide })));

renderer.setAnimationLoop(() => renderer.render(scene, camera));
