//! What is seen of three.js' objects: the numbers come from closed forms in the programs.

use std::cell::RefCell;
use std::sync::Mutex;

use super::*;
use crate::backend::null::{NullBackend, NullRecord};
use crate::gl::command::Command;
use crate::project::EvidenceSettings;
use crate::scene::{FrameScene, Subject};

type Records = Rc<RefCell<Vec<Arc<Mutex<NullRecord>>>>>;

/// Runs a program that imports three.js for `frames` frames at 10 fps; `None` where three.js is not installed.
fn watch(source: &str, frames: u64) -> Option<(Vec<FrameScene>, Records, Vec<String>)> {
    let packages = packages()?;
    let project = Project::from_roots(Arc::new(MemoryRoot::new([("main.js", source)])), vec![packages], None);
    let options = RuntimeOptions {
        fps: "10".parse().expect("rate"),
        width: 64,
        height: 48,
        evidence: Some(EvidenceSettings::default()),
        ..Default::default()
    };
    let records = Records::default();
    let made = records.clone();
    let factory: GlFactory = Rc::new(move |_| {
        let (backend, record) = NullBackend::recording();
        made.borrow_mut().push(record);
        Ok(Box::new(backend))
    });
    let mut rt = Runtime::new(Arc::new(project.expect("project")), options, factory).expect("runtime");
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    let mut scenes = Vec::new();
    for n in 0..frames {
        let outcome = rt.run_frame(n).unwrap_or_else(|e| panic!("{e:?}"));
        scenes.push(outcome.scene.expect("evidence is wanted"));
    }
    let said = rt.report().console.into_iter().map(|line| line.text).collect();
    Some((scenes, records, said))
}

const CITY: &str = "
import * as THREE from 'three';
const renderer = new THREE.WebGLRenderer();
renderer.shadowMap.enabled = true;
renderer.setSize(64, 48);
document.body.appendChild(renderer.domElement);
console.log(renderer.render.name, renderer.render.length, renderer.renderBufferDirect.length, Object.keys(renderer).includes('render'));
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(60, 4 / 3, 0.5, 100);
camera.name = 'eye';
const light = new THREE.DirectionalLight();
light.castShadow = true;
light.position.set(0, 10, 0);
scene.add(light, new THREE.AmbientLight());
const box = (x, name = '') => {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(1, 2, 3), new THREE.MeshStandardMaterial());
  mesh.castShadow = true;
  mesh.position.x = x;
  mesh.name = name;
  return mesh;
};
const house = box(0, 'house');
const drone = new THREE.Group();
drone.name = 'Camera Drone';
drone.add(box(-1), box(1, 'drone body'));
drone.position.set(0, 0, -5);
scene.add(house, drone);
const crowd = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 7);
crowd.name = 'pedestrians';
for (let i = 0; i < 7; i++) crowd.setMatrixAt(i, new THREE.Matrix4().makeTranslation(i, 0, 2));
scene.add(crowd);
const people = new THREE.Group();
people.name = 'Chodci';
for (let i = 0; i < 3; i++) {
  const person = new THREE.Group();
  person.add(box(0), box(1));
  person.position.x = i * 20;
  people.add(person);
}
scene.add(people);
let n = 0;
renderer.setAnimationLoop(() => {
  camera.position.set(Math.cos(n), 2, Math.sin(n) * 3);
  if (n === 1) drone.visible = false;
  renderer.render(scene, camera);
  n++;
});
";

#[test]
fn render_calls_cameras_objects_and_what_is_tracked_are_seen() {
    let Some((scenes, records, said)) = watch(CITY, 2) else { return };
    // `this.render = function (scene, camera)`: no name, two parameters, an own enumerable property.
    assert_eq!(said.first().map(String::as_str), Some(" 2 6 true"));
    for (n, scene) in scenes.iter().enumerate() {
        let [call] = &scene.renders[..] else { panic!("{:?}", scene.renders) };
        assert_eq!((call.number, call.parent, call.to_target, call.lights), (n as u32 + 1, 0, false, 2));
        let [camera] = &call.cameras[..] else { panic!("the shadow's camera is none of the call's: {call:?}") };
        assert_eq!((camera.name.as_str(), camera.kind.as_str()), ("eye", "PerspectiveCamera"));
        assert_eq!((camera.fov, camera.near, camera.far), (Some(60.0), 0.5, 100.0));
        let place = [(n as f64).cos(), 2.0, (n as f64).sin() * 3.0];
        assert_eq!(camera.matrix_world[12..15], place);
        // 1 / tan(30°) = √3.
        assert!((camera.projection[5] - 3f64.sqrt()).abs() < 1e-12);
        let [drone] = &scene.drones[..] else { panic!("{:?}", scene.drones) };
        assert_eq!((drone.name.as_str(), drone.shown), ("Camera Drone", n == 0));
        assert_eq!(drone.bounds, Some(([-1.5, -1.0, -1.5], [1.5, 1.0, 1.5])));
        assert_eq!(drone.matrix_world[12..15], [0.0, 0.0, -5.0]);
        let instances: Vec<u32> = scene.pedestrians.iter().map(|p| p.instances).collect();
        assert_eq!(instances, [7, 1, 1, 1]);
        assert_eq!(scene.pedestrians[0].places[6], [6.0, 0.0, 2.0, 1.0]);
        assert_eq!(scene.pedestrians[3].matrix_world[12..15], [40.0, 0.0, 0.0]);
    }
    let house = scenes[0].objects.iter().find(|o| o.name == "house").expect("the house was drawn");
    assert_eq!((house.kind.as_str(), house.material.kind.as_str()), ("Mesh", "MeshStandardMaterial"));
    assert!(house.material.depth_write && house.material.depth_test && !house.material.transparent);
    let body = scenes[0].objects.iter().find(|o| o.name == "drone body").expect("the body was drawn");
    assert_eq!(body.ancestors, ["Camera Drone"]);
    assert!(scenes[1].objects.iter().all(|o| o.name != "house"), "told once");
    // Each draw has its subject before it: the shadow's with the light's camera, the picture's with the eye.
    let records = records.borrow();
    let record = records[0].lock().expect("no panic held it");
    let mut subject = Subject::default();
    let mut drawn = Vec::new();
    for command in record.streams.iter().flat_map(|stream| &stream.commands) {
        match command {
            Command::Subject(s) => subject = *s,
            Command::Draw(_) | Command::DrawIndexed(_) => drawn.push(subject),
            _ => {}
        }
    }
    let eye = scenes[0].renders[0].cameras[0].number;
    let of_house: Vec<&Subject> = drawn.iter().filter(|s| s.object == house.number && s.render == 1).collect();
    assert_eq!(of_house.len(), 2, "{of_house:?}");
    assert!(of_house[0].camera != eye && of_house[1].camera == eye, "the shadow map comes first: {of_house:?}");
    assert!(drawn.iter().all(|s| s.render > 0 && s.camera > 0 && s.object > 0), "{drawn:?}");
}

#[test]
fn a_program_that_breaks_built_ins_is_seen_all_the_same() {
    // What three.js does not need itself.
    let broken = "
        Array.prototype.includes = () => true; Reflect.apply = () => { throw new Error('no'); };
        Number.isFinite = () => false; WeakSet.prototype.has = () => true;
        Float64Array.prototype.set = () => { throw new Error('no'); };";
    let Some((scenes, ..)) = watch(&format!("{broken}\n{CITY}"), 2) else { return };
    assert_eq!(scenes[1].renders[0].cameras[0].matrix_world[12], 1f64.cos());
    assert_eq!(scenes[1].drones.len(), 1);
}

#[test]
fn exceptions_and_results_pass_through_and_leave_no_call_open() {
    let source = CITY.replace(
        "  renderer.render(scene, camera);\n",
        "  house.onBeforeRender = n === 0 ? () => { throw new Error('mine'); } : () => {};
           try { renderer.render(scene, camera); } catch (e) { console.log(e.message); }
           if (n === 1) console.log(renderer.render(scene, camera));\n",
    );
    let Some((scenes, _, said)) = watch(&source, 2) else { return };
    assert!(said.iter().any(|line| line == "mine") && said.iter().any(|line| line == "undefined"), "{said:?}");
    let parents: Vec<u32> = scenes.iter().flat_map(|s| &s.renders).map(|call| call.parent).collect();
    assert_eq!(parents, [0, 0, 0]);
}
