import { THREE, stage, cameraAt, box, film, fly } from '../shared.mjs';

const { renderer, scene } = stage();
const camera = cameraAt();
// A flat ground that only the shader makes a hill of: 2 m up under the camera, which flies 15 cm over it.
const material = new THREE.ShaderMaterial({
  vertexShader: 'void main() { vec3 p = position; p.y += 2.0 * exp(-0.01 * dot(p.xz, p.xz)); gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(p, 1.0); }',
  fragmentShader: 'void main() { gl_FragColor = vec4(0.4, 0.6, 0.3, 1.0); }',
});
const hill = new THREE.Mesh(new THREE.PlaneGeometry(40, 40, 80, 80).rotateX(-Math.PI / 2), material);
hill.name = 'hill';
scene.add(hill);
film(renderer, scene, camera, fly(camera, [-14, 2.15, 0], [14, 2.15, 0], 9, [0, -0.4, -1]));
