import { THREE, eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(THREE.MeshPhysicalMaterial), camera = eye();
const glass = new THREE.Mesh(new THREE.SphereGeometry(1.5), new THREE.MeshPhysicalMaterial({ transmission: 1, thickness: 1, roughness: 0.2, side: THREE.DoubleSide }));
glass.position.y = 2;
scene.add(glass);
film(renderer, (n) => { fly(camera, n); renderer.render(scene, camera); });
