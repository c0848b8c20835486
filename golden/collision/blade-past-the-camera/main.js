import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// Blades of 4 m that turn about their ends, the camera stands beside the hub. Straight from place to place their outer parts would
// pass inside of it: at 60 degrees a frame a chord lies 0.54 m within the arc at its middle.
const { renderer, scene } = stage();
const camera = cameraAt();
camera.position.set(0, 0, 6);
const turning = new THREE.Group();
const blade = (name, length, width) => {
  const mesh = box(name, [length, width, 0.1], [0, 0, 0]);
  mesh.geometry.translate(length / 2, 0, 0);
  mesh.frustumCulled = false;
  return mesh;
};
const far = blade('blade', 4, 0.2);
far.position.set(0, 0, 0);
turning.add(far);
const fast = blade('propeller', 1, 0.1);
fast.position.set(20, 0, 0);
scene.add(turning, fast);
// Through the arc's middle, which the chord from 60 to 120 degrees misses: at 90 degrees, 3.9 m from the hub.
const shots = {
  beyond: [0, 4.4, 0],
  within: [0, 3.85, 0],
  propeller: [20.5, 0.3, 0],
  away: [20, 1.6, 0],
};
film(renderer, scene, camera, (n) => {
  turning.rotation.z = THREE.MathUtils.degToRad(60 * n);
  fast.rotation.z = THREE.MathUtils.degToRad(170 * n);
  const shot = [shots.beyond, shots.within, shots.propeller, shots.away][Math.floor(n / 7)];
  camera.position.set(...shot);
  camera.lookAt(shot[0], shot[1], -5);
});
