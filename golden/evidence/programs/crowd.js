// People of many kinds before the camera: of these, those seen are known.
import { THREE, film, size, stage } from './stage.js';
const renderer = stage(), scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(90, size.width / size.height, 0.1, 100);
const body = new THREE.BoxGeometry(0.3, 0.6, 0.3), at = new THREE.Matrix4();
let row = 0;
/** `count` people side by side, in a row of its own; `size` of one by its number. */
const crowd = (name, count, material = {}, size = () => 1) => {
  const mesh = new THREE.InstancedMesh(body, new THREE.MeshBasicMaterial(material), count);
  mesh.name = `pedestrians ${name}`;
  for (let i = 0; i < count; i++) mesh.setMatrixAt(i, at.makeScale(size(i), size(i), size(i)).setPosition(i * 0.4 - 2, 0, -8 - 3 * row));
  mesh.frustumCulled = false;
  row++;
  scene.add(mesh);
  return mesh;
};
// Seen: 10 + 4 + 3 + 2 + 6 = 25.
crowd('plain', 10);
crowd('count', 11).count = 4;
crowd('half of no size', 6, {}, (i) => i % 2);
const two = crowd('on both layers', 2);
two.layers.enable(3);
crowd('half transparent', 6, { transparent: true, opacity: 0.5 });
// Not seen.
crowd('see-through', 5, { transparent: true, opacity: 0.01 });
crowd('without colour', 5, { colorWrite: false });
crowd('material not visible', 5, { visible: false });
crowd('never drawn', 5, { depthFunc: THREE.NeverDepth });
crowd('tiny', 5, {}, () => 0.002);
crowd('hidden', 3).visible = false;
crowd('on another layer', 3).layers.set(1);
crowd('none of them', 7).count = 0;
const group = new THREE.Group();
group.visible = false;
group.add(crowd('below what is hidden', 3));
scene.add(group);
const nothing = crowd('no vertices', 5);
nothing.geometry = body.clone();
nothing.geometry.setDrawRange(0, 0);
// Figures of two parts: one whole, one half hidden, one hidden.
const people = new THREE.Group();
people.name = 'people';
for (let i = 0; i < 3; i++) {
  const one = new THREE.Group();
  for (let k = 0; k < 2; k++) {
    const part = new THREE.Mesh(body, new THREE.MeshBasicMaterial());
    part.position.y = k * 0.6;
    part.visible = i + k < 2;
    one.add(part);
  }
  one.position.set(i * 4 - 4, 0, -7);
  people.add(one);
}
scene.add(people);
film(renderer, (n) => {
  // Another layer from frame 2 on.
  if (n === 2) camera.layers.enable(1);
  renderer.render(scene, camera);
});
