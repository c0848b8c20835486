import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// Walls of which clipping planes leave half. By one plane: x > 0. By two of which either keeps it: x > 0 or y > 2. By one of
// the renderer: nothing below y = -1 is there.
const { renderer, scene } = stage();
renderer.localClippingEnabled = true;
renderer.clippingPlanes = [new THREE.Plane(new THREE.Vector3(0, 1, 0), 1)];
const camera = cameraAt();
const right = new THREE.Plane(new THREE.Vector3(1, 0, 0), 0), high = new THREE.Plane(new THREE.Vector3(0, 1, 0), -2);
const side = THREE.DoubleSide;
scene.add(box('half', [10, 10, 0.2], [0, 0, 0], { clippingPlanes: [right], side }));
scene.add(box('three quarters', [10, 10, 0.2], [0, 0, -10], { clippingPlanes: [right, high], clipIntersection: true, side }));
scene.add(box('upper', [10, 10, 0.2], [0, 0, -20], { side }));
// From 1 m in front to 1 m behind: x, y, wall.
const passes = [
  [-2, 0.5, 0], [2, 0.5, 0], [-0.1, 0.5, 0],
  [-2, 0.5, -10], [-2, 3, -10], [2, 0.5, -10],
  [-2, -2, -20], [2, 0.5, -20], [1.5, -2, -20],
];
film(renderer, scene, camera, (n) => {
  const [x, y, z] = passes[Math.floor(n / 6)];
  camera.position.set(x, y, z + 1 - (n % 6) * 0.4);
});
