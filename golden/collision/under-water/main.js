import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A water surface may be passed, and seen from below.
const water = new THREE.Mesh(new THREE.PlaneGeometry(60, 60).rotateX(-Math.PI / 2), new THREE.MeshStandardMaterial({ color: 0x225588, transparent: true, opacity: 0.6 }));
water.name = 'Water';
scene.add(water);
const bed = new THREE.Mesh(new THREE.PlaneGeometry(60, 60).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
bed.position.y = -8;
scene.add(bed);
film(renderer, scene, camera, fly(camera, [0, 2, 0], [0, -4, -4], 8));
