// What the programs share: a renderer, a small town, and a flight whose every pose is a closed form (`truth.rs` has it too).
import * as THREE from 'three';

export { THREE };
export const size = { width: innerWidth, height: innerHeight };

export function stage(parameters = {}) {
  const renderer = new THREE.WebGLRenderer({ antialias: true, ...parameters });
  renderer.setSize(size.width, size.height);
  document.body.appendChild(renderer.domElement);
  return renderer;
}

/** Boxes around the origin; materials that differ in which matrices they use. */
export function town(Material = THREE.MeshStandardMaterial) {
  const scene = new THREE.Scene();
  const box = new THREE.BoxGeometry();
  for (let i = 0; i < 24; i++) {
    const mesh = new THREE.Mesh(box, new Material({ color: i * 9999 }));
    mesh.position.set((i % 5) * 3 - 6, 0.5, Math.floor(i / 5) * 3 - 6);
    mesh.rotation.y = i;
    mesh.scale.set(1, 1 + (i % 3), 1);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
  }
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(100, 100, 4, 4), new Material());
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(5, 9, 3);
  scene.add(ground, sun, new THREE.AmbientLight());
  return { scene, sun, ground };
}

export function eye(name = 'eye', aspect = size.width / size.height) {
  const camera = new THREE.PerspectiveCamera(50, aspect, 0.1, 500);
  camera.name = name;
  return camera;
}

/** Frame `n` of the flight: a circle of radius 10 that rises and falls, looking at (0, 1, 0). */
export function fly(camera, n, phase = 0) {
  const a = 0.1 * n + phase;
  camera.position.set(10 * Math.cos(a), 3 + Math.sin(2 * a), 10 * Math.sin(a));
  camera.lookAt(0, 1, 0);
}

export function film(renderer, draw) {
  let n = 0;
  renderer.setAnimationLoop(() => draw(n++));
}
