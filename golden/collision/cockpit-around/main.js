import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A closed cabin on the rig that the camera flies with, and a closed bubble that hangs on the camera itself.
const rig = new THREE.Group();
const shell = (name, radius) => {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), new THREE.MeshBasicMaterial({ side: THREE.BackSide }));
  mesh.name = name;
  return mesh;
};
rig.add(camera, shell('cabin', 3));
camera.add(shell('bubble', 1.5));
scene.add(rig, box('house', [4, 4, 4], [20, 0, -20]));
film(renderer, scene, camera, (n) => rig.position.set(0, 0.3, -n * 0.5));
