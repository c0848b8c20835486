import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A whole wall with a round hole of 1.5 m, as one extruded body.
const shape = new THREE.Shape([[-6, -6], [6, -6], [6, 6], [-6, 6]].map(([x, y]) => new THREE.Vector2(x, y)));
shape.holes.push(new THREE.Path().absarc(0, 0, 1.5, 0, Math.PI * 2, true));
const arch = new THREE.Mesh(new THREE.ExtrudeGeometry(shape, { depth: 2, bevelEnabled: false, curveSegments: 48 }), new THREE.MeshNormalMaterial());
arch.name = 'arch';
scene.add(arch);
film(renderer, scene, camera, fly(camera, [0, 0, 6], [0, 0, -6], 13));
