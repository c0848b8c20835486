import { eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), camera = eye();
film(renderer, (n) => { fly(camera, n); renderer.render(scene, camera); });
