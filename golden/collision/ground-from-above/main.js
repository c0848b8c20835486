import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Ground at 1, a block up to 4, a lake, and a lift that goes up and down: what stands still and is solid is on the map.
const ground = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.MeshLambertMaterial({ color: 0x557733 }));
ground.name = 'ground';
ground.rotation.x = -Math.PI / 2;
ground.position.y = 1;
const lake = new THREE.Mesh(new THREE.PlaneGeometry(6, 6), new THREE.MeshLambertMaterial({ color: 0x224488 }));
lake.name = 'water';
lake.rotation.x = -Math.PI / 2;
lake.position.set(-8, 1.5, -8);
const lift = box('lift', [4, 1, 4], [8, 5, -8]);
scene.add(ground, lake, lift, box('block', [4, 3, 4], [0, 2.5, -8]));
const path = fly(camera, [0, 10, 12], [0.5, 10, 11], 45, [0, -0.5, -1]);
film(renderer, scene, camera, (n) => {
  path(n);
  lift.position.y = 5 + Math.sin(n);
});
