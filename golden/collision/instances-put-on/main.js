import { THREE, stage, cameraAt, film, fly } from '../shared.mjs';

// Walls of one InstancedMesh, of which the nearest three ahead are drawn. The first of them leaves its place in the frame in which
// the camera has gone through it.
const { renderer, scene } = stage();
const camera = cameraAt();
const walls = new THREE.InstancedMesh(new THREE.BoxGeometry(20, 20, 0.1), new THREE.MeshLambertMaterial(), 3);
walls.name = 'walls';
walls.frustumCulled = false;
scene.add(walls);
const way = fly(camera, [0, 0, 6.4], [0, 0, -7.6], 15);
const at = new THREE.Matrix4();
film(renderer, scene, camera, (n) => {
  way(n);
  let z = 0;
  while (z > camera.position.z) z -= 4;
  for (let i = 0; i < 3; i++) walls.setMatrixAt(i, at.makeTranslation(0, 0, z - 4 * i));
  walls.instanceMatrix.needsUpdate = true;
});
