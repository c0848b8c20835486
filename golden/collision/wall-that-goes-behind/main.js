import { stage, cameraAt, box, film } from '../shared.mjs';

// The camera stands still. A wall of 2 m comes through it by 4 m a frame; another jumps from 3.5 m before it to 3.5 m behind it, and
// one is put from 6 m before it to 6 m behind it. Behind it they are out of the picture, and three.js does not draw them.
const { renderer, scene } = stage();
const camera = cameraAt();
const walls = ['wall', 'shutter', 'door'].map((name) => box(name, [2, 3, 0.2], [0, 0, 0]));
scene.add(...walls);
const [wall, shutter, door] = walls;
film(renderer, scene, camera, (n) => {
  wall.position.z = -22 + n * 4;
  shutter.position.z = n < 10 ? -3.5 : 3.5;
  door.position.z = n < 13 ? -6 : 6;
});
