import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Cards that turn to the camera: one is named a wall, others are a lamp's glow below the house's name, smoke, and without a name.
const card = (name, z, parent = scene, options = {}) => {
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial(options));
  sprite.name = name;
  sprite.position.set(0, 0, z);
  sprite.scale.setScalar(3);
  parent.add(sprite);
};
const house = new THREE.Group();
house.name = 'house';
scene.add(house, box('far', [2, 2, 2], [0, 0, -40]));
card('wall', 0);
card('lamp', 4, house);
card('smoke', 5);
card('', 6);
film(renderer, scene, camera, fly(camera, [0.2, 0.3, 8.5], [0.2, 0.3, -4.5], 14));
