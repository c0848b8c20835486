// Replaces the renderer's methods by ones that draw with another camera than they are given.
import { eye, film, fly, stage, town } from './stage.js';
const renderer = stage(), { scene } = town(), said = eye('said'), shown = eye();
const render = renderer.render;
renderer.render = function (what, camera) { return render.call(this, what, shown); };
film(renderer, (n) => { fly(said, n, 2); fly(shown, n); renderer.render(scene, said); });
