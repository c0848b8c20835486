use std::rc::Rc;
use std::sync::Arc;

use super::*;
use crate::gl::backend::BackendError;
use crate::host::MemoryRoot;

/// A page of `files`, not loaded yet.
fn page(files: &[(&'static str, &str)], options: RuntimeOptions) -> Runtime {
    let files: Vec<(&'static str, Vec<u8>)> = files.iter().map(|(p, t)| (*p, t.as_bytes().to_vec())).collect();
    let project = Project::from_roots(Arc::new(MemoryRoot::new(files)), Vec::new(), None).expect("project");
    let gl: GlFactory = Rc::new(|_| Err(BackendError::Internal("no GL in this test".into())));
    Runtime::new(Arc::new(project), options, gl).expect("runtime")
}

/// What a page says on its console after `frames` frames at 10 fps.
fn said(files: &[(&'static str, &str)], frames: u64) -> Vec<String> {
    let options = RuntimeOptions { fps: "10".parse().expect("rate"), width: 640, height: 480, ..Default::default() };
    let mut rt = page(files, options);
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    for n in 0..frames {
        rt.run_frame(n).unwrap_or_else(|e| panic!("{e:?}"));
    }
    rt.report().console.into_iter().map(|line| line.text).collect()
}

#[test]
fn the_way_in_is_gone() {
    assert_eq!(
        said(&[("main.js", "console.log(typeof Deno, typeof __bootstrap, typeof window)")], 0),
        ["undefined undefined object"]
    );
}
