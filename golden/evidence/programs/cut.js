import { eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), a = eye('first'), b = eye('second');
film(renderer, (n) => { fly(a, n); fly(b, n, 2); renderer.render(scene, n < 6 ? a : b); });
