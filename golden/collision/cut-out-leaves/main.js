import { THREE, stage, cameraAt, film } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A card of leaves whose alpha test leaves holes, then one without holes: both count whole, the first says what it is.
const data = new Uint8Array(16).fill(255);
data[3] = data[15] = 0;
const map = new THREE.DataTexture(data, 2, 2);
map.needsUpdate = true;
const card = (name, z, options) => {
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, ...options }));
  mesh.name = name;
  mesh.position.z = z;
  scene.add(mesh);
};
card('leaves', 10, { map, alphaTest: 0.5 });
card('board', -10, {});
film(renderer, scene, camera, (n) => camera.position.set(0.1, 0.1, n < 3 ? 10.5 : -9.5));
