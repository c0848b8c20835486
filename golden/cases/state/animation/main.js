import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(256, 256);
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0x334455);
const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 1, 6);
camera.lookAt(0, 0, 0);

const mesh = new THREE.Mesh(new THREE.BoxGeometry(1.5, 1.5, 1.5), new THREE.MeshNormalMaterial());
scene.add(mesh);
const track = new THREE.VectorKeyframeTrack('.position', [0, 0.5, 1], [-1, 0, 0, 1, 1, 0, 0, -1, 0]);
const turn = new THREE.QuaternionKeyframeTrack('.quaternion', [0, 1], [0, 0, 0, 1, 0, 0.7071, 0, 0.7071]);
const mixer = new THREE.AnimationMixer(mesh);
mixer.clipAction(new THREE.AnimationClip('move', 1, [track, turn])).play();

renderer.setAnimationLoop(() => {
  mixer.setTime(performance.now() / 1000);
  renderer.render(scene, camera);
});
