import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// Points, sprites, lines and a named cloud of them in the camera's face.
const dots = new THREE.BufferGeometry();
const where = [];
for (let i = 0; i < 600; i++) where.push(Math.sin(i * 12.9) * 2, Math.sin(i * 78.2) * 2, Math.sin(i * 37.7) * 2);
dots.setAttribute('position', new THREE.Float32BufferAttribute(where, 3));
scene.add(new THREE.Points(dots, new THREE.PointsMaterial({ size: 0.1 })), new THREE.LineSegments(dots, new THREE.LineBasicMaterial()));
for (let i = 0; i < 40; i++) {
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial());
  sprite.position.set(where[i * 3], where[i * 3 + 1], where[i * 3 + 2]);
  scene.add(sprite);
}
const bird = new THREE.Mesh(new THREE.BoxGeometry(0.4, 0.1, 0.4), new THREE.MeshLambertMaterial());
bird.name = 'bird_03';
scene.add(bird);
const beam = new THREE.Mesh(new THREE.PlaneGeometry(4, 4), new THREE.MeshBasicMaterial({ blending: THREE.AdditiveBlending, transparent: true, depthWrite: false, side: THREE.DoubleSide }));
scene.add(beam);
film(renderer, scene, camera, fly(camera, [0.01, 0.02, 2], [0.01, 0.02, -2], 9));
