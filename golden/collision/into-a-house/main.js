import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A house without a floor on the ground: the camera flies in through the front wall.
const shape = new THREE.BoxGeometry(6, 4, 6);
const index = [...shape.index.array];
index.splice(18, 6);
shape.setIndex(index);
const house = new THREE.Mesh(shape, new THREE.MeshLambertMaterial({ color: 0xaa7744 }));
house.name = 'house';
house.position.y = 2;
scene.add(house);
const ground = new THREE.Mesh(new THREE.PlaneGeometry(60, 60).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial());
ground.name = 'ground';
scene.add(ground);
film(renderer, scene, camera, fly(camera, [0, 2, 9.2], [0, 2, -0.6], 15));
