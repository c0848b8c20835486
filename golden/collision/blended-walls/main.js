import { THREE, stage, cameraAt, box, film } from '../shared.mjs';

// What blends in a way that shows whatever its opacity, or that is named a wall, is there; what shows nothing is not. A metre a frame.
const { renderer, scene } = stage();
const camera = cameraAt();
const unseen = { transparent: true, opacity: 0 };
const { AdditiveBlending, NoBlending, CustomBlending, OneFactor, ZeroFactor } = THREE;
const things = [
  ['wall', { blending: AdditiveBlending }],
  ['house', { depthTest: false }],
  ['plate', { ...unseen, blending: NoBlending }],
  ['panel', { ...unseen, blending: CustomBlending, blendSrc: OneFactor, blendDst: ZeroFactor }],
  ['part', {}],
  ['beam', { blending: AdditiveBlending, depthWrite: false }],
  ['target', { ...unseen, blending: CustomBlending }],
  ['trigger', { opacity: 0.3, alphaTest: 0.5 }],
  ['zone', { opacity: 0, alphaHash: true }],
];
const made = things.map(([name, options], k) => box(name, [4, 4, 0.2], [0, 0, 18 - 2 * k], options));
// One side of it shows.
made[4].material = [0, 1, 2, 3, 4, 5].map((side) => new THREE.MeshBasicMaterial(side === 4 ? {} : unseen));
scene.add(...made);
film(renderer, scene, camera, (n) => camera.position.set(0.1, 0.2, 19.5 - n));
