import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import { UnrealBloomPass } from 'three/addons/postprocessing/UnrealBloomPass.js';
import { OutputPass } from 'three/addons/postprocessing/OutputPass.js';

const { renderer, scene } = stage();
const camera = cameraAt();
scene.add(box('wall', [10, 10, 0.2], [0, 0, -4]));
const composer = new EffectComposer(renderer);
composer.addPass(new RenderPass(scene, camera));
composer.addPass(new UnrealBloomPass(new THREE.Vector2(64, 64), 0.4, 0.4, 0.8));
composer.addPass(new OutputPass());
film(renderer, scene, camera, fly(camera, [0, 0, 1.95], [0, 0, -7.85], 15), () => composer.render());
