//! three.js, unmodified, on the null back end: it must find what it asks for and make no GL error.

use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use crate::backend::null::{NullBackend, NullRecord};
use crate::gl::backend::GlBackend;
use crate::gl::command::Command;
use crate::host::{DiskRoot, MemoryRoot};
use crate::project::Project;
use crate::runtime::{GlFactory, Level, Runtime, RuntimeOptions};

/// Runs `frames` frames of `module` with three.js at hand; the record of its last context and its console.
fn run(module: &'static str, frames: u64) -> (Arc<Mutex<NullRecord>>, Vec<String>) {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/node_modules");
    let packages = DiskRoot::open(&packages).expect("examples/node_modules (npm ci in examples/)");
    let root = MemoryRoot::new(vec![("main.js", module)]);
    let project = Project::from_roots(Arc::new(root), vec![Arc::new(packages)], None).expect("project");
    let seen: Rc<std::cell::RefCell<Arc<Mutex<NullRecord>>>> = Rc::default();
    let keep = seen.clone();
    let factory: GlFactory = Rc::new(move |_| {
        let (backend, record) = NullBackend::recording();
        *keep.borrow_mut() = record;
        Ok(Box::new(backend) as Box<dyn GlBackend>)
    });
    let options = RuntimeOptions { width: 320, height: 200, ..Default::default() };
    let mut page = Runtime::new(Arc::new(project), options, factory).expect("runtime");
    page.load().unwrap_or_else(|error| panic!("{error:?}"));
    for frame in 0..frames {
        page.run_frame(frame).unwrap_or_else(|error| panic!("{error:?}"));
    }
    let report = page.report();
    let said = report.console.into_iter().filter(|line| line.level != Level::Debug).map(|line| line.text);
    let said = said.chain(report.unsupported.into_iter().map(|used| format!("unsupported: {used:?}"))).collect();
    let record = seen.borrow().clone();
    (record, said)
}

fn draws(record: &Mutex<NullRecord>) -> usize {
    let record = record.lock().expect("record");
    record.all_commands().filter(|command| matches!(command, Command::Draw(_) | Command::DrawIndexed(_))).count()
}

#[test]
fn a_lit_cube_draws_once_a_frame() {
    let (record, said) = run(
        "import * as THREE from 'three';
        const renderer = new THREE.WebGLRenderer({ antialias: true });
        renderer.setSize(320, 200);
        document.body.appendChild(renderer.domElement);
        const scene = new THREE.Scene();
        const camera = new THREE.PerspectiveCamera(45, 1.6, 0.1, 10);
        camera.position.set(1.6, 1.4, 2.4);
        camera.lookAt(0, 0, 0);
        scene.add(new THREE.HemisphereLight(0xffffff, 0x445566, 1.5), new THREE.DirectionalLight(0xffffff, 2));
        const cube = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial({ color: 0xff7733 }));
        scene.add(cube);
        renderer.setAnimationLoop((time) => {
            cube.rotation.y = time / 1000;
            renderer.render(scene, camera);
            const error = renderer.getContext().getError();
            if (error) console.error('GL error', error);
        });",
        3,
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(draws(&record), 3);
}
