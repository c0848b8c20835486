// The world is drawn in every second frame only, mixed into what was shown before, and shown by a pass.
import { THREE, eye, film, fly, size, stage, town } from './stage.js';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
const renderer = stage({ antialias: false }), { scene } = town(), camera = eye();
const make = () => new THREE.WebGLRenderTarget(size.width, size.height, { type: THREE.HalfFloatType });
const now = make();
let [old, next] = [make(), make()];
const mix = new THREE.ShaderMaterial({
  uniforms: { a: { value: null }, b: { value: null } },
  vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position, 1.0); }',
  fragmentShader: 'varying vec2 at; uniform sampler2D a, b; void main() { gl_FragColor = mix(texture2D(a, at), texture2D(b, at), 0.5); }',
});
const show = new THREE.MeshBasicMaterial();
const mixer = new FullScreenQuad(mix), shower = new FullScreenQuad(show);
film(renderer, (n) => {
  fly(camera, n);
  if (n % 2 === 0) {
    renderer.setRenderTarget(now);
    renderer.render(scene, camera);
  }
  mix.uniforms.a.value = old.texture;
  mix.uniforms.b.value = now.texture;
  renderer.setRenderTarget(next);
  mixer.render(renderer);
  show.map = next.texture;
  renderer.setRenderTarget(null);
  shower.render(renderer);
  [old, next] = [next, old];
});
