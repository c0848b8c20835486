//! Whole renders in this process, on the null back end: what is written, and what failures leave.

use std::fs;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use super::*;
use crate::frame::FrameRate;
use crate::pipeline::{BackendKind, Silent, output};
use crate::project::EvidenceSettings;

/// Clears a WebGL canvas in every frame; `$` runs before the clear with the frame's number in `n`.
const PROGRAM: &str = "
const canvas = document.createElement('canvas');
canvas.width = 64; canvas.height = 48;
document.body.appendChild(canvas);
const gl = canvas.getContext('webgl2');
let n = 0;
requestAnimationFrame(function frame() {
  requestAnimationFrame(frame);
  $
  gl.clearColor(n / 10, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  n += 1;
});";

struct Stage {
    dir: TempDir,
    plan: RenderPlan,
}

fn stage(program: &str) -> Stage {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("main.js");
    fs::write(&project, program).unwrap();
    let plan = RenderPlan {
        project,
        node_modules: Vec::new(),
        out: dir.path().join("out"),
        width: 64,
        height: 48,
        fps: FrameRate::new(30, 1).unwrap(),
        frames: 6,
        warm_up: 0,
        seed: 0,
        pixel_ratio: 1.0,
        canvas: None,
        drive: "raf".to_owned(),
        start_time: None,
        codec: Codec::H264,
        audio: None,
        background: [0; 3],
        max_bits_per_second: 20_000_000,
        max_bytes: 200_000_000,
        strict: false,
        // The null back end draws black.
        allow_blank: true,
        trace: None,
        backend: BackendKind::Null,
        adapter: None,
        threads: 1,
        time_limit: None,
        memory_limit: None,
        evidence: Some(EvidenceSettings::default()),
        route: None,
        route_file: None,
        depth: false,
    };
    Stage { dir, plan }
}

fn program(step: &str) -> String {
    PROGRAM.replace('$', step)
}

fn run(plan: &RenderPlan) -> Result<Summary, RenderError> {
    render(plan, Vec::new(), &AtomicBool::new(false), &mut Silent)
}

fn manifest(stage: &Stage) -> Manifest {
    serde_json::from_str(&fs::read_to_string(stage.plan.out.join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn a_render_leaves_the_video_and_its_evidence() {
    let stage = stage(&program("console.log('frame ' + n);"));
    let summary = run(&stage.plan).unwrap();
    assert_eq!((summary.frames, summary.output.clone()), (6, stage.plan.out.join(VIDEO)));
    let manifest = manifest(&stage);
    assert!(manifest.complete && manifest.error.is_none());
    assert_eq!((manifest.frames.len(), manifest.files[0].path.as_str()), (6, "main.js"));
    let video = manifest.video.unwrap();
    assert_eq!((video.frames, video.duration.as_str()), (6, "1/5"));
    assert_eq!(video.sha256, Hash::of(&fs::read(summary.output).unwrap()));
    let console = fs::read_to_string(stage.plan.out.join("console.log")).unwrap();
    assert!(console.starts_with("log: frame 0\nlog: frame 1\n"), "{console}");
    let names: Vec<String> =
        fs::read_dir(&stage.plan.out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|n| n.starts_with(".replay") || n.contains("incomplete")), "{names:?}");
}

#[test]
fn an_exception_in_a_late_frame_keeps_what_was_rendered_and_says_where() {
    let stage = stage(&program("if (n === 4) throw new Error('boom at four');"));
    let error = run(&stage.plan).unwrap_err();
    assert!(error.to_string().contains("boom at four"), "{error}");
    assert_eq!(error.exit_code(), 2);
    let manifest = manifest(&stage);
    assert!(!manifest.complete && manifest.error.unwrap().contains("boom at four"));
    assert_eq!((manifest.frames.len(), manifest.video.unwrap().file), (4, INCOMPLETE_VIDEO.to_owned()));
    assert!(stage.plan.out.join(INCOMPLETE_VIDEO).exists() && !stage.plan.out.join(VIDEO).exists());
}

#[test]
fn a_page_without_a_canvas_and_a_blank_video_are_errors_unless_allowed() {
    let mut stage = stage("document.title = 'nothing to see';");
    stage.plan.allow_blank = false;
    assert!(matches!(run(&stage.plan), Err(RenderError::NoCanvas { selector: None })));
    fs::write(&stage.plan.project, program("")).unwrap();
    let error = run(&stage.plan).unwrap_err();
    assert!(matches!(&error, RenderError::Blank { frames: 6, color } if color == "000000ff"), "{error}");
    assert_eq!(error.exit_code(), 1);
    stage.plan.allow_blank = true;
    assert!(run(&stage.plan).is_ok());
}

#[test]
fn an_interrupted_render_resumes_to_the_same_bytes() {
    let whole = stage(&program(""));
    run(&whole.plan).unwrap();

    /// Asks for the end after three frames.
    struct Stop<'a>(&'a AtomicBool);
    impl Observer for Stop<'_> {
        fn progress(&mut self, drawn: u64, _: u64) {
            self.0.store(drawn >= 3, Ordering::Relaxed);
        }
    }
    let cut = stage(&program(""));
    let cancel = AtomicBool::new(false);
    let error = render(&cut.plan, Vec::new(), &cancel, &mut Stop(&cancel)).unwrap_err();
    assert!(matches!(error, RenderError::Interrupted { frames: 3 }), "{error}");
    let (plan, hashes) = output::partial(&cut.plan.out).unwrap();
    assert_eq!((&plan, hashes.len()), (&cut.plan, 3));
    render(&plan, hashes, &AtomicBool::new(false), &mut Silent).unwrap();
    let bytes = |stage: &Stage| fs::read(stage.plan.out.join(VIDEO)).unwrap();
    assert!(bytes(&whole) == bytes(&cut));
    assert!(output::partial(&cut.plan.out).is_err());
}

#[test]
fn what_the_program_says_wrong_is_found_before_anything_is_written() {
    let stage = stage("let = ;");
    let error = run(&stage.plan).unwrap_err();
    assert!(error.to_string().contains("main.js"), "{error}");
    let gone = RenderPlan { project: stage.dir.path().join("none"), ..stage.plan.clone() };
    assert!(matches!(run(&gone), Err(RenderError::Project(_))));
}
