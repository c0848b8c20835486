// A camera drone takes off in a courtyard, follows a route of 115 points down a hill, through a gate and over a bridge.
// Everything is made here; the route alone is read. `replay metrics` and `replay report` are shown on it.
import * as THREE from 'three';
import { readRoute, flightPath } from './path.js';
import { town } from './town.js';
import { crowd } from './crowd.js';
import { makeDrone } from './drone.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(window.innerWidth, window.innerHeight);
renderer.toneMapping = THREE.ACESFilmicToneMapping;
document.body.appendChild(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xf0c9a0);
scene.fog = new THREE.Fog(0xf0c9a0, 80, 520);
scene.add(new THREE.HemisphereLight(0xffe6c8, 0x6f6252, 1.4));
const sun = new THREE.DirectionalLight(0xffc98a, 2.6);
sun.position.set(-120, 70, -60);
scene.add(sun);

const camera = new THREE.PerspectiveCamera(60, window.innerWidth / window.innerHeight, 0.1, 900);

const route = readRoute(await (await fetch('route.gpx')).text());
const path = flightPath(route);
scene.add(town(path));
const people = crowd(1600, path);
scene.add(people.mesh);
const drone = makeDrone();
scene.add(drone.group);

const TAKE_OFF = 0.13; // share of the film
const LANDING = 0.9; // from here on the drone hovers and the camera looks back
const HOVER = 6; // metres above the ground
const BEHIND = 9;

const smooth = (from, to, x) => {
  const t = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return t * t * t * (t * (t * 6 - 15) + 10);
};

// Where the drone is at the share `t` of the film, and where its camera.
function flight(t) {
  const s = path.lengthAt(Math.min(1, Math.max(0, (t - TAKE_OFF * 0.6) / (LANDING - TAKE_OFF * 0.6))));
  const at = path.at(s);
  const rise = 0.15 + (HOVER - 0.15) * smooth(0.02, TAKE_OFF, t);
  const position = at.clone().setY(path.heightAt(s) + rise);
  const back = path.at(s - BEHIND);
  const away = smooth(LANDING - 0.06, 1, t);
  const eye = back.setY(path.heightAt(s - BEHIND) + rise + 2.4 + 16 * away);
  return { s, position, eye };
}

function draw(t, seconds) {
  const now = flight(t);
  drone.group.position.copy(now.position);
  const ahead = path.at(now.s + 4);
  drone.group.rotation.y = Math.atan2(now.position.x - ahead.x, now.position.z - ahead.z);
  drone.update(seconds);
  people.update(seconds);
  camera.position.copy(now.eye);
  // A little past the drone, so that the way ahead is in the picture.
  camera.lookAt(path.at(now.s + 6).setY(now.position.y + 0.4));
  renderer.render(scene, camera);
}

let driven = false;
window.renderAt = (t) => {
  driven = true;
  draw(t, t * 30);
};
// In a browser it plays by itself.
renderer.setAnimationLoop((ms) => {
  if (!driven) draw((ms / 30000) % 1, ms / 1000);
});
