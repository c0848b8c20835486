import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true, stencil: true });
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

const mask = new THREE.Mesh(new THREE.CircleGeometry(1.3, 48), new THREE.MeshBasicMaterial({ colorWrite: false, depthWrite: false, stencilWrite: true, stencilRef: 1, stencilFunc: THREE.AlwaysStencilFunc, stencilZPass: THREE.ReplaceStencilOp }));
mask.renderOrder = -1;
scene.add(mask);
scene.add(new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshStandardMaterial({ color: 0xee5544, stencilWrite: true, stencilRef: 1, stencilFunc: THREE.EqualStencilFunc })));
const outside = new THREE.Mesh(new THREE.BoxGeometry(2.2, 2.2, 0.2), new THREE.MeshStandardMaterial({ color: 0x4466ee, stencilWrite: true, stencilRef: 1, stencilFunc: THREE.NotEqualStencilFunc }));
outside.rotation.z = 0.5;
scene.add(outside);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
