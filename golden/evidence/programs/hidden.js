// A bundle that took the announcement away: its renderer is met all the same.
globalThis.__THREE_DEVTOOLS__ = undefined;
const { THREE, eye, film, fly, stage, town } = await import('./stage.js');
const renderer = stage(), { scene } = town(THREE.MeshBasicMaterial), camera = eye();
// And the program does not see how.
for (const key in {}) console.error(key);
if (!Object.keys(renderer).includes('renderBufferDirect') || renderer.renderBufferDirect.length !== 6) console.error('it shows');
film(renderer, (n) => { fly(camera, n); renderer.render(scene, camera); });
