// Records every shader a three.js build sends to `shaderSource`, by rendering scenes that cover its materials, lights,
// shadows, maps and object kinds on a GL context that does nothing.
//
//   node capture.mjs PATH/three.module.js OUT_FOLDER [webgl1]
//
// Files are numbered in the order of first use: NNN_Material_hash.{vert,frag}.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [build, folder, flavour] = process.argv.slice(2);
const webgl1 = flavour === 'webgl1';
fs.mkdirSync(folder, { recursive: true });

// ---- a browser and a GL context, as little of them as three.js asks for
const canvas = () => ({
  width: 64, height: 64, style: {}, addEventListener() {}, removeEventListener() {}, getContext: () => null,
  ownerDocument: globalThis.document,
});
globalThis.self = globalThis.window = globalThis;
globalThis.document = { createElementNS: canvas, createElement: canvas };
globalThis.requestAnimationFrame = () => 0;
globalThis.cancelAnimationFrame = () => {};
globalThis.WebGL2RenderingContext = class WebGL2RenderingContext {};

const seen = new Set();
let label = null; // names the add-on being rendered
function record(source, vertex) {
  const hash = crypto.createHash('sha256').update(source).digest('hex').slice(0, 10);
  if (seen.has(hash)) return;
  const name = label ?? /#define SHADER_NAME (\w+)/.exec(source)?.[1] ?? 'Raw';
  const number = String(seen.size).padStart(3, '0');
  seen.add(hash);
  fs.writeFileSync(path.join(folder, `${number}_${name}_${hash}.${vertex ? 'vert' : 'frag'}`), source);
}

const VERTEX_SHADER = 0x8b31;
const known = { VERTEX_SHADER, FRAGMENT_SHADER: 0x8b30, VERSION: 0x1f02, SCISSOR_BOX: 0x0c10, VIEWPORT: 0x0ba2 };
const numbers = new Map();
const number = (name) => {
  if (!numbers.has(name)) numbers.set(name, known[name] ?? 0x9000 + numbers.size);
  return numbers.get(name);
};
const parameter = (name) => {
  if (name === known.VERSION) return webgl1 ? 'WebGL 1.0' : 'WebGL 2.0';
  if (name === known.SCISSOR_BOX || name === known.VIEWPORT) return new Int32Array([0, 0, 64, 64]);
  return name === number('MAX_TEXTURE_IMAGE_UNITS') ? 32 : 4096;
};
const extension = new Proxy({}, { get: (_, key) => (/^[A-Z0-9_]+$/.test(String(key)) ? 0x9999 : () => undefined) });
const calls = {
  getParameter: parameter,
  getExtension: (name) => (/multisampled_render_to_texture|multiview/.test(name) ? null : extension),
  getSupportedExtensions: () => [],
  getContextAttributes: () => ({ alpha: true, depth: true, stencil: false, antialias: false }),
  getShaderPrecisionFormat: () => ({ precision: 23, rangeMin: 127, rangeMax: 127 }),
  createShader: (type) => ({ type }),
  shaderSource: (shader, source) => { shader.source = source; },
  compileShader: (shader) => record(shader.source, shader.type === VERTEX_SHADER),
  getProgramParameter: (_, name) => (name === number('LINK_STATUS') ? true : 0),
  getShaderParameter: () => true,
  getShaderInfoLog: () => '',
  getProgramInfoLog: () => '',
  getError: () => 0,
  checkFramebufferStatus: () => number('FRAMEBUFFER_COMPLETE'),
  isContextLost: () => false,
  getAttribLocation: () => -1,
  getUniformLocation: () => null,
};
const gl = new Proxy(webgl1 ? {} : Object.create(WebGL2RenderingContext.prototype), {
  get(target, key) {
    if (typeof key === 'symbol' || key in target) return target[key];
    if (/^[A-Z0-9_]+$/.test(key)) return number(key);
    return calls[key] ?? (/^(create|fence)/.test(key) ? () => ({}) : () => undefined);
  },
});

// Materials are given properties that not every revision knows.
console.warn = () => {};

// ---- scenes
const T = await import(pathToFileURL(build));
const problems = [];
const texture = () => Object.assign(new T.DataTexture(new Uint8Array(64), 4, 4), { needsUpdate: true });
const cube = () => new T.CubeTexture(Array.from({ length: 6 }, () => ({ data: new Uint8Array(64), width: 4, height: 4 })));
const geometry = () => {
  const box = new T.BoxGeometry();
  try { box.computeTangents(); } catch { /* older revisions need an index of another kind */ }
  return box;
};
const camera = new T.PerspectiveCamera();
const renderer = (options = {}) => new T.WebGLRenderer({ canvas: canvas(), context: gl, ...options });
const mesh = (material) => Object.assign(new T.Mesh(geometry(), material), { castShadow: true, receiveShadow: true });

function lights(scene) {
  const directional = Object.assign(new T.DirectionalLight(), { castShadow: true });
  const point = Object.assign(new T.PointLight(), { castShadow: true });
  const spot = Object.assign(new T.SpotLight(), { castShadow: true, map: texture() });
  scene.add(new T.AmbientLight(), new T.HemisphereLight(), directional, point, spot, new T.RectAreaLight());
}

function render(target, objects, prepare = () => {}) {
  const scene = new T.Scene();
  prepare(scene);
  scene.add(...objects);
  try { target.render(scene, camera); } catch (error) { problems.push(error.message); }
}

function shadowedMaterials() {
  const types = [T.BasicShadowMap, T.PCFShadowMap, T.PCFSoftShadowMap, T.VSMShadowMap];
  const tones = [T.ACESFilmicToneMapping, T.ReinhardToneMapping, T.AgXToneMapping ?? 0, T.NeutralToneMapping ?? 0];
  for (const [index, type] of types.entries()) {
    const target = renderer();
    target.shadowMap.enabled = true;
    target.shadowMap.type = type;
    target.toneMapping = tones[index];
    const maps = ['map', 'normalMap', 'roughnessMap', 'metalnessMap', 'aoMap', 'emissiveMap', 'alphaMap', 'bumpMap',
      'displacementMap', 'lightMap'];
    const mapped = Object.fromEntries(maps.map((name) => [name, texture()]));
    const physical = {
      clearcoat: 1, clearcoatMap: texture(), clearcoatNormalMap: texture(), sheen: 1, iridescence: 1, thickness: 1,
      anisotropy: 0.5, specularColorMap: texture(), dispersion: 1,
      // WebGL 1 has never compiled three.js' transmission (it calls textureLod).
      transmission: index === 0 && !webgl1 ? 1 : 0,
    };
    const materials = [
      new T.MeshStandardMaterial(mapped),
      new T.MeshPhongMaterial({ map: texture(), specularMap: texture() }),
      new T.MeshLambertMaterial(),
      new T.MeshToonMaterial({ gradientMap: texture() }),
      new T.MeshPhysicalMaterial(physical),
    ];
    render(target, materials.map(mesh), (scene) => {
      lights(scene);
      scene.fog = new T.FogExp2(0xffffff, 0.1);
    });
  }
}

function simpleMaterials() {
  const objects = [
    mesh(new T.MeshBasicMaterial({ map: texture(), envMap: cube(), alphaTest: 0.5 })),
    mesh(new T.MeshNormalMaterial({ flatShading: true })),
    mesh(new T.MeshMatcapMaterial({ matcap: texture() })),
    mesh(new T.MeshDepthMaterial()),
    mesh(new T.ShadowMaterial()),
    new T.Points(geometry(), new T.PointsMaterial({ map: texture(), size: 5 })),
    new T.LineSegments(geometry(), new T.LineDashedMaterial()),
    new T.Sprite(new T.SpriteMaterial({ map: texture() })),
  ];
  render(renderer({ logarithmicDepthBuffer: true }), objects, (scene) => {
    scene.background = cube();
    lights(scene);
    scene.fog = new T.Fog(0xff, 1, 10);
  });
}

function skinned() {
  const body = new T.BoxGeometry();
  body.setAttribute('skinIndex', new T.Uint16BufferAttribute(new Uint16Array(24 * 4), 4));
  body.setAttribute('skinWeight', new T.Float32BufferAttribute(new Float32Array(24 * 4), 4));
  body.morphAttributes.position = [body.attributes.position.clone()];
  body.morphAttributes.normal = [body.attributes.normal.clone()];
  const skin = new T.SkinnedMesh(body, new T.MeshStandardMaterial());
  const bone = new T.Bone();
  skin.add(bone);
  skin.bind(new T.Skeleton([bone]));
  skin.morphTargetInfluences = [0.5];
  return skin;
}

function batched() {
  if (!T.BatchedMesh) return [];
  try {
    const batch = new T.BatchedMesh(4, 100, 200, new T.MeshStandardMaterial());
    const id = batch.addGeometry(geometry());
    batch.addInstance?.(id);
    batch.setColorAt?.(0, new T.Color());
    return [batch];
  } catch (error) {
    problems.push(error.message);
    return [];
  }
}

function objectKinds() {
  const target = renderer();
  const instanced = new T.InstancedMesh(geometry(), new T.MeshStandardMaterial(), 3);
  instanced.setColorAt(0, new T.Color());
  render(target, [instanced, skinned(), ...batched()], lights);
  const planes = [new T.Plane(), new T.Plane()];
  target.localClippingEnabled = true;
  render(target, [mesh(new T.MeshStandardMaterial({ clippingPlanes: planes, alphaHash: true, vertexColors: true }))], lights);
  const panorama = Object.assign(texture(), { mapping: T.EquirectangularReflectionMapping });
  render(target, [mesh(new T.MeshStandardMaterial({ envMap: panorama }))], (scene) => { scene.background = panorama; });
}

function ownShaders() {
  const position = 'gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);';
  const raw = new T.RawShaderMaterial({
    vertexShader: `precision mediump float; uniform mat4 projectionMatrix, modelViewMatrix; attribute vec3 position;
      varying vec3 vP; void main() { vP = position; ${position} }`,
    fragmentShader: `precision mediump float; uniform float time; varying vec3 vP;
      void main() { vec4 sample = vec4(vP, 1.0); sample.r += sin(time); gl_FragColor = sample; }`,
  });
  const objects = [mesh(raw)];
  if (!webgl1) {
    objects.push(mesh(new T.ShaderMaterial({
      glslVersion: T.GLSL3,
      uniforms: { t: { value: texture() }, v: { value: new T.Vector3() } },
      vertexShader: `out vec2 vUv; void main() { vUv = uv; ${position} }`,
      fragmentShader: `layout(location = 0) out vec4 a; layout(location = 1) out vec4 b; in vec2 vUv;
        uniform sampler2D t; uniform vec3 v; void main() { a = texture(t, vUv); b = vec4(v, 1.0); }`,
    })));
  }
  render(renderer(), objects);
}

// ---- the shaders of three.js' own add-ons (examples/jsm)
function materialsIn(value, depth = 0) {
  if (value === null || !['object', 'function'].includes(typeof value) || depth > 2) return [];
  if (value.isShaderMaterial) return value.fragmentShader.includes('main') ? [value] : [];
  if (typeof value.vertexShader === 'string' && typeof value.fragmentShader === 'string') {
    const { vertexShader, fragmentShader, uniforms = {}, defines = {}, glslVersion = null } = value;
    const lit = Object.hasOwn(uniforms, 'directionalLights');
    const fog = Object.hasOwn(uniforms, 'fogColor');
    const Material = /uniform\s+mat4\s+projectionMatrix/.test(vertexShader) ? T.RawShaderMaterial : T.ShaderMaterial;
    return [new Material({ vertexShader, fragmentShader, uniforms, defines, glslVersion, lights: lit, fog })];
  }
  if (value.isTexture || value.isObject3D && depth > 1 || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap((part) => materialsIn(part, depth + 1));
}

// Classes hide their materials in instances; most take some of these.
function instances(Class) {
  const scene = new T.Scene();
  const size = new T.Vector2(64, 64);
  const guesses = [[], [scene, camera], [size, scene, camera, []], [size, 1, 1, 1], [scene, camera, 64, 64],
    [scene, camera, {}], [geometry(), {}], [1, scene, camera], [renderer(), scene, camera]];
  return guesses.flatMap((guess) => {
    try { return [new Class(...guess)]; } catch { return []; }
  });
}

// Not captured: they need what only their users set, or do not compile in browsers either.
const left = [
  'AdaptiveToneMappingPass.js', // NaN in a #define, from arguments we do not give
  'BokehShader2.js', // #defines of its example
  'FreiChenShader.js', // a variable named `sample`, reserved in GLSL ES 3.00
  'Lensflare.js', // raw shaders without what tells them apart
  'TriangleBlurShader.js', // a uniform named `texture` hides the function
];

async function addOns() {
  const root = path.join(path.dirname(build), '../examples/jsm');
  for (const kind of ['shaders', 'objects', 'postprocessing', 'lines', 'effects', 'materials', 'misc', 'csm']) {
    const directory = path.join(root, kind);
    const files = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
    for (const file of files.sort().filter((name) => name.endsWith('.js') && !/node|gpu/i.test(name) && !left.includes(name))) {
      let exported;
      try { exported = await import(pathToFileURL(path.join(directory, file))); } catch { continue; }
      for (const value of Object.values(exported)) {
        const isClass = typeof value === 'function' && /^class/.test(String(value));
        const found = [value, ...(isClass ? instances(value) : [])].flatMap((part) => materialsIn(part));
        label = file.replace(/\W/g, '_');
        for (const material of found) render(renderer(), [mesh(material)], lights);
        label = null;
      }
    }
  }
}

shadowedMaterials();
simpleMaterials();
objectKinds();
ownShaders();
if (!webgl1) await addOns();
console.log(`three.js r${T.REVISION}${webgl1 ? ' (WebGL 1)' : ''}: ${seen.size} shaders in ${folder}`);
for (const problem of new Set(problems)) console.log(`  not rendered: ${problem}`);
process.exit(seen.size === 0 ? 1 : 0);
