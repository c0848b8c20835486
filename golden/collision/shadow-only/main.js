import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// What only casts a shadow, what is invisible and what has no colour is not there.
renderer.shadowMap.enabled = true;
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.castShadow = true;
sun.position.set(0, 6, 4);
const caster = box('caster', [3, 3, 3], [0, 0, 0], { colorWrite: false, depthWrite: false });
caster.castShadow = true;
const hidden = box('hidden', [3, 3, 3], [0, 0, 0]);
hidden.visible = false;
const blank = box('blank', [3, 3, 3], [0, 0, 0]);
blank.material.visible = false;
const floor = box('floor', [30, 1, 30], [0, -6, 0]);
floor.receiveShadow = true;
scene.add(sun, caster, hidden, blank, floor);
film(renderer, scene, camera, fly(camera, [0, 0, 4], [0, 0, -4], 9));
