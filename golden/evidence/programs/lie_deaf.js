// Takes away what three.js announces itself to, and what meets it otherwise: only what reaches the GPU is left (shadows make it
// use viewMatrix).
globalThis.__THREE_DEVTOOLS__ = { dispatchEvent() {} };
delete Object.prototype.renderBufferDirect;
const { eye, film, fly, stage, town } = await import('./stage.js');
const renderer = stage(), { scene, sun } = town(), camera = eye();
renderer.shadowMap.enabled = true;
sun.castShadow = true;
film(renderer, (n) => { fly(camera, n); renderer.render(scene, camera); });
