// Nothing tells of three.js, and basic materials carry neither view nor model matrix.
globalThis.__THREE_DEVTOOLS__ = undefined;
delete Object.prototype.renderBufferDirect;
const { THREE, eye, film, fly, stage, town } = await import('./stage.js');
const renderer = stage(), { scene } = town(THREE.MeshBasicMaterial), camera = eye();
film(renderer, (n) => { fly(camera, n); renderer.render(scene, camera); });
