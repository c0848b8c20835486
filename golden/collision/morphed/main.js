import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A morph target moves a wall from 5 m away to 10 cm before the camera.
const shape = new THREE.BoxGeometry(8, 8, 1);
const target = shape.attributes.position.clone();
for (let i = 0; i < target.count; i++) target.setZ(i, target.getZ(i) + 4.9);
shape.morphAttributes.position = [target];
const wall = new THREE.Mesh(shape, new THREE.MeshLambertMaterial());
wall.name = 'wall';
wall.position.z = -5.5;
scene.add(wall);
film(renderer, scene, camera, (n) => (wall.morphTargetInfluences[0] = n / 7));
