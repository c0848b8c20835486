import { Water } from 'three/addons/objects/Water.js';
import { THREE, stage, cameraAt, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Nobody names it: the add-on says by itself that it is water. The bed below is ground.
const normals = new THREE.DataTexture(new Uint8Array([128, 128, 255, 255]), 1, 1);
normals.needsUpdate = true;
const water = new Water(new THREE.PlaneGeometry(60, 60), { textureWidth: 64, textureHeight: 64, waterNormals: normals });
water.rotation.x = -Math.PI / 2;
scene.add(water);
const bed = new THREE.Mesh(new THREE.PlaneGeometry(60, 60).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
bed.position.y = -8;
scene.add(bed);
film(renderer, scene, camera, fly(camera, [0, 2, 0], [0, -4, -4], 8));
