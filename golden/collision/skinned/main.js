import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// An arm of two bones swings through the camera; its rest pose is far from it.
const shape = new THREE.BoxGeometry(0.4, 8, 0.4, 1, 8, 1).translate(0, 4, 0);
const weights = [], bones = [];
for (let i = 0; i < shape.attributes.position.count; i++) {
  weights.push(1, 0, 0, 0);
  bones.push(shape.attributes.position.getY(i) > 0.1 ? 1 : 0, 0, 0, 0);
}
shape.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(bones, 4));
shape.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
const arm = new THREE.SkinnedMesh(shape, new THREE.MeshLambertMaterial());
arm.name = 'arm';
const root = new THREE.Bone(), joint = new THREE.Bone();
root.add(joint);
arm.add(root);
arm.bind(new THREE.Skeleton([root, joint]));
arm.frustumCulled = false;
scene.add(arm);
camera.position.set(6, 0.02, 0.03);
camera.lookAt(0, 0.02, 0);
film(renderer, scene, camera, (n) => (joint.rotation.z = -Math.PI / 2 + (n - 3.5) * 0.12));
