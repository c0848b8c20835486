mod canvas2d;
mod dom;
mod elements;
mod errors;
mod evidence;
mod files;
mod left_out;
mod markup;
mod media;
mod requests;
mod scopes;
mod styles;
mod time;
mod transitions;
mod workers;

use std::rc::Rc;
use std::sync::Arc;

use super::*;
use crate::gl::backend::BackendError;
use crate::host::MemoryRoot;

/// A page of `files`, not loaded yet.
fn page(files: &[(&'static str, &str)], options: RuntimeOptions) -> Runtime {
    let files: Vec<(&'static str, Vec<u8>)> = files.iter().map(|(p, t)| (*p, t.as_bytes().to_vec())).collect();
    let project = Project::from_roots(Arc::new(MemoryRoot::new(files)), Vec::new(), None).expect("project");
    Runtime::new(Arc::new(project), options, no_gl()).expect("runtime")
}

/// What a page says on its console after `frames` frames at 10 fps.
fn said(files: &[(&'static str, &str)], frames: u64) -> Vec<String> {
    let options = RuntimeOptions { fps: "10".parse().expect("rate"), width: 640, height: 480, ..Default::default() };
    let mut rt = page(files, options);
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    for n in 0..frames {
        rt.run_frame(n).unwrap_or_else(|e| panic!("{e:?}"));
    }
    let lines = rt.report().console.into_iter().map(|line| line.text);
    // What the engine says of missing files has a test of its own.
    lines.filter(|line| !line.starts_with("Failed to load resource: ")).collect()
}

#[test]
fn the_way_in_is_gone() {
    assert_eq!(
        said(&[("main.js", "console.log(typeof Deno, typeof __bootstrap, typeof window)")], 0),
        ["undefined undefined object"]
    );
}

/// What a module logs when it is the whole program.
fn logs(source: &str) -> Vec<String> {
    said(&[("main.js", source)], 0)
}

/// Asserts that each `[expression, expected]` line of a table holds in one page: expressions are JavaScript, the
/// expected values are their `String(…)`, or `!Name` for a thrown error of that name.
fn expect(setup: &str, table: &[(&str, &str)]) {
    let mut source = format!(
        "{setup}\nconst out = (f) => {{ try {{ return String(f()); }} catch (e) {{ return '!' + e.name; }} }};\n"
    );
    for (expression, _) in table {
        source.push_str(&format!("console.log(out(() => ({expression})));\n"));
    }
    let got = logs(&source);
    assert_eq!(got.len(), table.len(), "{got:?}");
    let wrong: Vec<String> = table
        .iter()
        .zip(&got)
        .filter(|((_, want), got)| want != got)
        .map(|((expression, want), got)| format!("{expression}\n    is   {got}\n    want {want}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn three_loads_from_an_import_map() {
    let Some(packages) = packages() else { return };
    let html = r#"<!DOCTYPE html><html><head><style>body{margin:0}</style>
<script type="importmap">{"imports":{"three":"https://unpkg.com/three@0.186.0/build/three.module.js","three/addons/":"https://unpkg.com/three@0.186.0/examples/jsm/"}}</script>
</head><body><div id="app"></div><script type="module">
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
console.log(THREE.REVISION, typeof OrbitControls, document.querySelector('#app').clientWidth);
const clock = new THREE.Clock();
function loop(t) { requestAnimationFrame(loop); if (t !== undefined) console.log(t, clock.getElapsedTime()); }
loop();
</script></body></html>"#;
    let root = MemoryRoot::new([("index.html", html)]);
    let project = Project::from_roots(Arc::new(root), vec![packages], None).expect("project");
    let mut rt = Runtime::new(Arc::new(project), RuntimeOptions::default(), no_gl()).expect("runtime");
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    for n in 0..3 {
        rt.run_frame(n).unwrap_or_else(|e| panic!("{e:?}"));
    }
    let report = rt.report();
    assert_eq!(report.three_revision.as_deref(), Some("186"));
    let text: Vec<&str> =
        report.console.iter().map(|l| l.text.as_str()).filter(|t| !t.starts_with("THREE.Clock:")).collect();
    assert_eq!(
        text,
        ["186 function 1920", "0 0", "33.333333333333336 0.03333333333333333", "66.66666666666667 0.06666666666666667"]
    );
    assert!(report.files.iter().any(|f| f.path == "node_modules/three/build/three.core.js"));
}

/// The npm packages of the workplace, where they are installed.
fn packages() -> Option<crate::host::SharedRoot> {
    let dirs = ["node_modules", "examples/node_modules", "/work/npm/node_modules"];
    let dir = dirs.iter().map(std::path::Path::new).find(|d| d.join("three/package.json").is_file())?;
    Some(Arc::new(crate::host::DiskRoot::open(dir).ok()?))
}

fn no_gl() -> GlFactory {
    Rc::new(|_| Err(BackendError::Internal("no GL in this test".into())))
}
