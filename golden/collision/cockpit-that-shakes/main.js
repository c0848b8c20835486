import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// A cockpit that shakes: its parts ride on the rig, 12 cm and 30 cm from the camera, and bob by a centimetre and half a degree.
const { renderer, scene } = stage();
const camera = cameraAt();
const rig = new THREE.Group(), parts = new THREE.Group();
const floor = new THREE.Mesh(new THREE.PlaneGeometry(2, 3).rotateX(-Math.PI / 2), new THREE.MeshLambertMaterial({ color: 0x333333 }));
floor.name = 'floor';
floor.position.y = -0.25;
parts.add(box('panel', [0.5, 0.05, 0.2], [0, -0.1, -0.3]), box('frame', [0.5, 0.02, 0.02], [0, 0.12, -0.1]), floor);
rig.add(camera, parts);
scene.add(rig, box('house', [4, 4, 4], [0, 0, -40]));
film(renderer, scene, camera, (n) => {
  rig.position.set(0, 0.3, -n * 0.5);
  rig.rotation.y = n * 0.02;
  parts.position.set(0.004 * Math.sin(n * 2.1), 0.01 * Math.sin(n * 1.3), 0.003 * Math.cos(n * 1.7));
  parts.rotation.set(0.008 * Math.sin(n * 1.1), 0, 0.008 * Math.cos(n * 0.9));
});
