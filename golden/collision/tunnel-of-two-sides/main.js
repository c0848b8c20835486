import { THREE, stage, cameraAt, film } from '../shared.mjs';

// A bent tunnel, open at both ends, whose walls show both their sides; nothing else is in sight. A tank of the same shape, with
// ends, is a body.
const { renderer, scene } = stage();
const camera = cameraAt();
const path = new THREE.CatmullRomCurve3(
  [[0, 2, 30], [0, 2, 0], [0, 2, -10], [20, 2, -30]].map((point) => new THREE.Vector3(...point)),
);
const both = () => new THREE.MeshLambertMaterial({ side: THREE.DoubleSide });
const tunnel = new THREE.Mesh(new THREE.TubeGeometry(path, 60, 1.5, 12), both());
tunnel.name = 'tunnel';
const tank = new THREE.Mesh(new THREE.CylinderGeometry(1.5, 1.5, 30, 12), both());
tank.name = 'tank';
tank.rotation.x = Math.PI / 2;
tank.position.set(100, 2, 0);
scene.add(tunnel, tank);
film(renderer, scene, camera, (n) => {
  const x = n < 12 ? 0 : 100;
  camera.position.set(x, 2, 10 - 0.2 * n);
  camera.lookAt(x, 2, -100);
});
