import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
for (let i = 0; i < 6; i++) {
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(20, 20), new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.1, depthWrite: false }));
  plane.name = 'fogPlane' + i;
  plane.position.z = -i * 2;
  scene.add(plane);
}
film(renderer, scene, camera, fly(camera, [0, 0, 3], [0, 0, -13], 9));
