// 14 people of one BatchedMesh, of whom two were deleted and one is invisible: nine of the rest walk, two stand. One is drawn alone.
import { THREE, film, size, stage } from './stage.js';
const renderer = stage(), scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(90, size.width / size.height, 0.1, 100);
const crowd = new THREE.BatchedMesh(14, 64, 128, new THREE.MeshNormalMaterial());
const body = crowd.addGeometry(new THREE.BoxGeometry(0.3, 1.7, 0.3));
const people = Array.from({ length: 14 }, () => crowd.addInstance(body));
crowd.deleteInstance(people[3]);
crowd.deleteInstance(people[13]);
crowd.setVisibleAt(people[5], false);
crowd.name = 'pedestrians';
crowd.frustumCulled = false;
scene.add(crowd);
const alone = new THREE.InstancedMesh(new THREE.BoxGeometry(0.3, 1.7, 0.3), new THREE.MeshNormalMaterial(), 1);
alone.setMatrixAt(0, new THREE.Matrix4().makeTranslation(-3, 0, -9));
alone.name = 'pedestrian';
scene.add(alone);
const at = new THREE.Matrix4();
film(renderer, (n) => {
  // Behind the camera from frame 6 on.
  people.forEach((id, i) => {
    if (i === 3 || i === 13) return;
    crowd.setMatrixAt(id, at.makeTranslation(i * 0.4 - 2 + (i < 11 ? n * 0.02 : 0), 0, n < 6 ? -10 : 10));
  });
  renderer.render(scene, camera);
});
