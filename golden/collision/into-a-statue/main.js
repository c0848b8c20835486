import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
const statues = new THREE.InstancedMesh(new THREE.BoxGeometry(0.6, 2, 0.6), new THREE.MeshLambertMaterial(), 1000);
statues.name = 'statues';
const at = new THREE.Matrix4();
for (let i = 0; i < 1000; i++) statues.setMatrixAt(i, at.makeTranslation((i % 20) * 3 - 30, 1, -Math.floor(i / 20) * 3 - 6));
scene.add(statues);
film(renderer, scene, camera, fly(camera, [0, 1, 0.1], [0, 1, -6.9], 8));
