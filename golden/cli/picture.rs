//! Does the film show what the camera sees? A flight through a town with patterns, filmed as it is, and hidden behind a picture
//! that the program painted.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::Named;
use super::project::{MODULES, Project};

/// `paint`: what else happens before a frame is drawn, of time `t`.
fn flight(paint: &str) -> Project {
    let page = format!(
        "<script type=importmap>{{\"imports\":{{\"three\":\"https://unpkg.com/three/build/three.module.js\"}}}}</script>
<script type=module>import * as THREE from 'three';
const renderer = new THREE.WebGLRenderer(); renderer.setSize(192, 108); document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(60, 192 / 108, 0.1, 200);
const spots = new Uint8Array(8 * 8 * 4);
for (let i = 0; i < spots.length; i++) spots[i] = i % 4 === 3 ? 255 : 255 * Math.random();
const map = new THREE.DataTexture(spots, 8, 8); map.magFilter = THREE.LinearFilter; map.needsUpdate = true;
for (let i = 0; i < 24; i++) {{
  const house = new THREE.Mesh(new THREE.BoxGeometry(8, 12, 8), new THREE.MeshBasicMaterial({{ map }}));
  house.position.set((i % 6) * 10 - 25, 6, -Math.floor(i / 6) * 12 - 20); scene.add(house);
}}
const painted = new Uint8Array(192 * 108 * 4), texture = new THREE.DataTexture(painted, 192, 108);
const screen = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.MeshBasicMaterial({{ map: texture, depthTest: false, depthWrite: false }}));
const over = new THREE.Scene().add(screen), flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1);
const show = () => {{ texture.needsUpdate = true; renderer.autoClear = false; renderer.render(over, flat); renderer.autoClear = true; }};
let n = 0; renderer.setAnimationLoop(() => {{ const t = n++ / 30;
  camera.position.set(9 * t, 6 + t, 10); camera.lookAt(9 * t, 6, -20); renderer.render(scene, camera); {paint} }});
</script>"
    );
    Project::new(&[("index.html", &page)])
}

/// Cells that slide the other way, painted over the flight.
const SLIDE: &str = "for (let y = 0; y < 108; y++) for (let x = 0; x < 192; x++) {
  const i = (y * 192 + x) * 4, a = Math.floor((x - 90 * t) / 11), b = Math.floor((y - 30 * t) / 11), v = (Math.sin(a * 12.9898 + b * 78.233) * 43758.5453) % 1;
  painted[i] = painted[i + 1] = painted[i + 2] = 127 + 127 * v; painted[i + 3] = 255; } show();";

const SIZE: [&str; 7] = ["--size", "192x108", "--frames", "60", "--node-modules", MODULES, "--strict"];

pub fn all() -> Vec<Named> {
    vec![
        ("picture_of_the_flight", Box::new(|| looks(flight("").render(&SIZE).out, 0, "pass"))),
        (
            "picture_of_something_else",
            Box::new(|| {
                let project = flight(SLIDE);
                project.render(&SIZE).expect(1, &["what the film shows is not what the camera sees"])?;
                looks(project.render(&SIZE[..6]).out, 2, "not-measured")
            }),
        ),
    ]
}

/// So many looks, at least, must speak against the camera, of two at least, and H11 must be that.
fn looks(out: std::path::PathBuf, against: u64, h11: &str) -> Result<(), String> {
    let meta = fs::read_to_string(out.join("render_meta.json")).map_err(|e| e.to_string())?;
    let meta: Value = serde_json::from_str(&meta).map_err(|e| e.to_string())?;
    let motion = &meta["picture_motion"];
    let count = |name: &str| motion[name].as_u64().unwrap_or_default();
    if count("looks") < 2 || count("against") < against || (against == 0 && count("against") > 0) {
        return Err(format!("{motion}"));
    }
    let measured = Command::new(env!("CARGO_BIN_EXE_replay"))
        .args(["metrics", "--json", "--profile", "prague-bench"])
        .arg(&out)
        .output()
        .map_err(|e| e.to_string())?;
    let measured: Value = serde_json::from_slice(&measured.stdout).map_err(|e| e.to_string())?;
    let rules = measured.pointer("/rules").or(measured.pointer("/runs/0/rules")).and_then(Value::as_array);
    let verdict = rules.into_iter().flatten().find(|rule| rule["id"] == "H11").map(|rule| &rule["verdict"]);
    if verdict == Some(&Value::from(h11)) { Ok(()) } else { Err(format!("H11 is {verdict:?}, not {h11}")) }
}
