// What the collision cases share: a renderer of 64x64, a lit scene, and a camera on a path of one position a frame.
import * as THREE from 'three';

export { THREE };

export function stage({ background = 0x8899aa, ...options } = {}) {
  const renderer = new THREE.WebGLRenderer({ antialias: false, ...options });
  renderer.setSize(64, 64);
  document.body.appendChild(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(background);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x554433, 2));
  return { renderer, scene };
}

export function cameraAt(near = 0.02, far = 200) {
  return new THREE.PerspectiveCamera(60, 1, near, far);
}

export function box(name, size, position, options = {}) {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), new THREE.MeshLambertMaterial({ color: 0xaa7744, ...options }));
  mesh.name = name;
  mesh.position.set(...position);
  return mesh;
}

/** Boxes of one InstancedMesh in the scene; what comes back puts them to `places`, in that order. */
export function instances(scene, name, size, count) {
  const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(...size), new THREE.MeshLambertMaterial(), count);
  mesh.name = name;
  mesh.frustumCulled = false;
  scene.add(mesh);
  const at = new THREE.Matrix4();
  return (places) => {
    places.forEach((place, i) => mesh.setMatrixAt(i, at.makeTranslation(...place)));
    mesh.instanceMatrix.needsUpdate = true;
  };
}

/** Calls `step(n)` before frame n is drawn. */
export function film(renderer, scene, camera, step, draw = () => renderer.render(scene, camera)) {
  let n = 0;
  renderer.setAnimationLoop(() => {
    step(n++);
    draw();
  });
}

/** A gate that stands still at first: the camera passes it by, a centimetre a frame, and `change(n)` may move it before frame n. */
export function filmGate(gate, change) {
  const { renderer, scene } = stage();
  const camera = cameraAt();
  gate.name = 'gate';
  gate.frustumCulled = false;
  scene.add(gate);
  film(renderer, scene, camera, (n) => {
    camera.position.set(0.2 + n * 0.01, 0.1, 50);
    change(n);
  });
}

/** Flies from a to b in `frames` frames, looking along `ahead`. */
export function fly(camera, from, to, frames, ahead = [0, 0, -1]) {
  return (n) => {
    const t = Math.min(n / (frames - 1), 1);
    camera.position.set(...from.map((v, i) => v + (to[i] - v) * t));
    camera.lookAt(...camera.position.toArray().map((v, i) => v + ahead[i]));
  };
}

/**
 * A flight along -z over an endless ground whose grid of a metre gets its heights in the vertex shader: a hill is 6 high and 1.5
 * wide, 30 ahead; no corner of the grid but those near it moves against the camera.
 */
export function flyOverGlide(height) {
  const lift = 'vec2 far = ((modelMatrix * vec4(position, 1.0)).xz - vec2(0.0, -30.0)) / 1.5; transformed.y += 6.0 * exp(-dot(far, far));';
  flyOverEndless(lift, () => height, [38, 38]);
}

/**
 * A flight along -z, a metre a frame, over an endless ground that glides along with the camera. `lift` is GLSL that raises
 * `transformed` in the vertex shader, `place` the height of the camera in frame n, `grid` how wide the ground is and its cells.
 */
export function flyOverEndless(lift, place, [side, cells] = [120, 60]) {
  const { renderer, scene } = stage();
  const camera = cameraAt();
  const material = new THREE.MeshLambertMaterial({ color: 0x557744 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('#include <begin_vertex>', `#include <begin_vertex>\n${lift}`);
  };
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(side, side, cells, cells).rotateX(-Math.PI / 2), material);
  ground.name = 'ground';
  ground.frustumCulled = false;
  scene.add(ground);
  film(renderer, scene, camera, (n) => {
    camera.position.set(0, place(n), -n);
    ground.position.z = -n;
  });
}
