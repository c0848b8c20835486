import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const lod = new THREE.LOD();
const part = (name, detail) => {
  const mesh = new THREE.Mesh(new THREE.IcosahedronGeometry(2, detail), new THREE.MeshLambertMaterial());
  mesh.name = name;
  return mesh;
};
lod.addLevel(part('fine', 3), 0).addLevel(part('middle', 2), 6).addLevel(part('rough', 1), 12);
scene.add(lod);
// Past it at 1.5 m from its surface: levels change on the way.
film(renderer, scene, camera, fly(camera, [3.5, 0, 16], [3.5, 0, -2], 13));
