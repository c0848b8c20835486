import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// 1,000 instances on a grid of 3 m, drawn at once; the way is in the middle between rows.
const statues = new THREE.InstancedMesh(new THREE.BoxGeometry(0.6, 2, 0.6), new THREE.MeshLambertMaterial(), 1000);
statues.name = 'statues';
const at = new THREE.Matrix4();
for (let i = 0; i < 1000; i++) statues.setMatrixAt(i, at.makeTranslation((i % 20) * 3 - 30, 1, -Math.floor(i / 20) * 3 + 6));
scene.add(statues);
film(renderer, scene, camera, fly(camera, [1.5, 1, 10], [1.5, 1, -10], 16));
