import * as THREE from 'three';
import { FontLoader } from 'three/addons/loaders/FontLoader.js';
import { TextGeometry } from 'three/addons/geometries/TextGeometry.js';
import fontData from './font.json' with { type: 'json' };

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

const loader = new FontLoader();
const font = loader.parse(fontData);
const text = new THREE.Mesh(new TextGeometry('LOOP', { font, size: 1, depth: 0.3, curveSegments: 6, bevelEnabled: true, bevelSize: 0.03, bevelThickness: 0.05, bevelSegments: 2 }), new THREE.MeshStandardMaterial({ color: 0xddaa44, roughness: 0.4 }));
text.geometry.center();
text.rotation.y = -0.4;
scene.add(text);

renderer.setAnimationLoop(() => renderer.render(scene, camera));
