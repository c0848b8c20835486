// The film is a standing picture of `still`. A second render through `said`, which flies, leaves nothing in it, in one of many ways.
const { way } = globalThis;
import { THREE, eye, film, fly, size, stage, town } from './stage.js';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
const renderer = stage({ stencil: true }), { scene } = town(), said = eye('said'), gl = renderer.getContext();
let still = eye('still');
if (way === 'ortho') still = Object.assign(new THREE.OrthographicCamera(-9, 9, 13, -13, 0.1, 99), { name: 'still' });
still.position.set(3, 20, 4);
still.lookAt(0, 0, 0);
// `said` draws more than `still`: by weight alone it would be the picture's.
scene.children.forEach((object, i) => { if (object.isMesh && i % 2 === 1) object.layers.set(1); });
said.layers.enable(1);
const materials = [];
scene.traverse((object) => { if (object.material) materials.push(object.material); });
const each = (set) => (on) => materials.forEach((material) => set(material, on));
const twice = (change, what = scene, camera = said) => () => {
  renderer.render(scene, still);
  renderer.autoClear = false;
  change(true);
  renderer.render(what, camera);
  change(false);
  renderer.autoClear = true;
};
const toggle = (capability, set) => (on) => {
  set(on);
  on ? gl.enable(capability) : gl.disable(capability);
};
const custom = (src, dst) => each((m, on) => {
  m.blending = on ? THREE.CustomBlending : THREE.NormalBlending;
  [m.blendSrc, m.blendDst, m.blendAlpha] = [src, dst, 0];
});
const target = new THREE.WebGLRenderTarget(size.width, size.height);
const quad = new FullScreenQuad(new THREE.MeshBasicMaterial({ map: target.texture, depthTest: false }));
const many = new THREE.Scene();
many.add(new THREE.InstancedMesh(new THREE.TorusKnotGeometry(), new THREE.MeshBasicMaterial(), 99));
many.children[0].count = 0;
many.children[0].frustumCulled = false;
const empty = new THREE.Scene();
for (let i = 0; i < 30; i++) empty.add(new THREE.Group());
const ways = {
  colorwrite: twice(each((m, on) => { m.colorWrite = !on; })),
  mask: twice((on) => gl.colorMask(!on, !on, !on, true)),
  never: twice(each((m, on) => { m.depthFunc = on ? THREE.NeverDepth : THREE.LessEqualDepth; })),
  stencil: twice(each((m, on) => { [m.stencilWrite, m.stencilFunc] = [on, THREE.NeverStencilFunc]; })),
  blend: twice(custom(THREE.ZeroFactor, THREE.OneFactor)),
  constant: twice(custom(THREE.ConstantColorFactor, THREE.OneFactor)),
  cull: twice((on) => {
    // three.js says which faces with each material; two-sided ones are not culled, so that all say so.
    each((m, on) => { m.side = on ? THREE.BackSide : THREE.FrontSide; })(on);
    const { cullFace } = WebGL2RenderingContext.prototype;
    gl.cullFace = on ? () => cullFace.call(gl, gl.FRONT_AND_BACK) : cullFace;
    renderer.state.reset();
    gl.enable(gl.CULL_FACE);
    gl.cullFace(on ? gl.FRONT_AND_BACK : gl.BACK);
  }),
  scissor: twice((on) => { renderer.setScissorTest(on); renderer.setScissor(0, 0, 0, 0); }),
  pixel: twice((on) => { renderer.setScissorTest(on); renderer.setScissor(0, 0, 1, 1); }),
  viewport: twice((on) => renderer.setViewport(on ? -2000 : 0, 0, size.width, size.height)),
  discard: twice(toggle(gl.RASTERIZER_DISCARD, () => {})),
  coverage: twice(toggle(gl.SAMPLE_COVERAGE, () => gl.sampleCoverage(0, false))),
  opacity: twice(each((m, on) => { [m.transparent, m.opacity] = [on, on ? 0 : 1]; })),
  instances: twice(() => {}, many),
  objects: twice(() => {}, empty),
  clear() {
    renderer.render(scene, said);
    renderer.render(scene, still);
    // Clears nothing: the picture stays.
    gl.colorMask(false, false, false, false);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.colorMask(true, true, true, true);
  },
  hidden: twice(() => {}),
  cloned: twice(() => {}, scene.clone()),
  faint: twice(each((m, on) => { [m.transparent, m.opacity] = [on, on ? 0.05 : 1]; })),
  dim: twice(each((m, on) => { [m.transparent, m.opacity] = [on, on ? 0.06 : 1]; })),
  ortho: twice(() => {}),
  pass() {
    renderer.setRenderTarget(target);
    renderer.render(scene, still);
    renderer.setRenderTarget(null);
    renderer.render(scene, said);
    renderer.autoClear = false;
    quad.render(renderer);
    renderer.autoClear = true;
  },
};
film(renderer, (n) => {
  fly(said, n);
  ways[way]();
});
