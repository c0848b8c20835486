// Basic materials have no viewMatrix and no modelMatrix: the view is in the products with what each object says of itself.
import { THREE, eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(THREE.MeshBasicMaterial), camera = eye();
film(renderer, (n) => { fly(camera, n); renderer.render(scene, camera); });
