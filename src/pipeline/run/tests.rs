//! Whole renders in this process, on the null back end: what is written, and what failures leave.

use std::fs;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use miette::Diagnostic as _;

use super::console::gist;
use super::*;
use crate::evidence::Manifest;
use crate::frame::FrameRate;
use crate::pipeline::plan::VIDEO;
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
        query: String::new(),
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
        background: Some([0; 3]),
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
        gpu_memory_limit: None,
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
    assert!(matches!(run(&stage.plan), Err(RenderError::NoCanvas { selector: None, .. })));
    // Clues to what keeps it from drawing.
    let js = "document.body.append(Object.assign(document.createElement('button'), { textContent: 'Start' })); await new Promise(() => {});";
    fs::write(&stage.plan.project, js).unwrap();
    let help = run(&stage.plan).unwrap_err().help().unwrap().to_string();
    assert!(help.contains("main.js still waits in a top-level await"), "{help}");
    assert!(help.contains("the page shows <button> \"Start\""), "{help}");
    fs::write(&stage.plan.project, program("")).unwrap();
    let error = run(&stage.plan).unwrap_err();
    assert!(matches!(&error, RenderError::Blank { frames: 6, color, .. } if color == "000000ff"), "{error}");
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

#[test]
fn a_program_that_does_not_even_load_leaves_the_earlier_video_alone() {
    let stage = stage(&program(""));
    run(&stage.plan).unwrap();
    let video = fs::read(stage.plan.out.join(VIDEO)).unwrap();
    for broken in ["let x = ;", "throw new Error('no');", "document.title = 'no canvas';"] {
        fs::write(&stage.plan.project, broken).unwrap();
        let plan = RenderPlan { allow_blank: false, ..stage.plan.clone() };
        let error = run(&plan).unwrap_err().to_string();
        assert!(fs::read(stage.plan.out.join(VIDEO)).unwrap() == video, "{broken}");
        assert!(manifest(&stage).complete, "{broken}");
        let told = fs::read_to_string(stage.plan.out.join("unfinished/manifest.json")).unwrap();
        let told: Manifest = serde_json::from_str(&told).unwrap();
        assert_eq!((told.complete, told.error), (false, Some(error)));
    }
    // With pictures as well; they are kept beside it.
    fs::write(&stage.plan.project, program("if (n === 2) throw new Error('late');")).unwrap();
    run(&stage.plan).unwrap_err();
    assert!(fs::read(stage.plan.out.join(VIDEO)).unwrap() == video && manifest(&stage).complete);
    assert!(stage.plan.out.join("unfinished").join(INCOMPLETE_VIDEO).exists());
    // One that ends well takes its place.
    fs::write(&stage.plan.project, program("")).unwrap();
    run(&RenderPlan { frames: 5, ..stage.plan.clone() }).unwrap();
    assert!(fs::read(stage.plan.out.join(VIDEO)).unwrap() != video && !stage.plan.out.join("unfinished").exists());
    assert_eq!(manifest(&stage).frames.len(), 5);
}

#[test]
fn a_script_that_does_not_end_is_stopped_when_asked() {
    let mut stage = stage(&program("if (n === 3) while (true) {}"));
    stage.plan.time_limit = Some(300.0);
    let cancel = AtomicBool::new(false);
    let begin = Instant::now();
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(4));
            cancel.store(true, Ordering::Relaxed);
        });
        render(&stage.plan, Vec::new(), &cancel, &mut Silent).unwrap_err()
    });
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert!(matches!(error, RenderError::Interrupted { frames: 0..=3 }), "{error}");
    let manifest = manifest(&stage);
    assert_eq!((manifest.complete, manifest.frames.len() <= 3), (false, true));
    assert_eq!(output::partial(&stage.plan.out).unwrap().1.len(), manifest.frames.len());
}

#[test]
fn a_2d_canvas_is_filmed_where_the_page_shows_no_webgl_one() {
    let flat = "
const flat = document.createElement('canvas'); flat.id = 'flat'; flat.width = 64; flat.height = 48; document.body.append(flat);
const c = flat.getContext('2d'); let m = 0;
requestAnimationFrame(function draw() { requestAnimationFrame(draw); c.fillStyle = `rgb(${m * 40}, 7, 9)`; c.fillRect(0, 0, 64, 24); m += 1; });";
    let picture = |stage: &Stage, frame: usize| {
        let file = stage.plan.out.join(format!("{FRAMES}/{frame:06}.png"));
        let (rgba, width, _) = crate::encode::png::read(&file).unwrap();
        (rgba[..4].to_vec(), rgba[30 * width as usize * 4..][..4].to_vec())
    };
    // Alone; beside a WebGL canvas that is not in the page or not shown; and chosen.
    let hidden = program("")
        .replace("document.body.appendChild(canvas);", "document.body.appendChild(canvas).style.display = 'none';");
    let apart = program("").replace("document.body.appendChild(canvas);", "");
    for (source, selector) in [(String::new(), None), (hidden, None), (apart, None), (program(""), Some("#flat"))] {
        let mut stage = stage(&format!("{{{source}}}\n{flat}"));
        stage.plan.codec = Codec::Png;
        stage.plan.canvas = selector.map(str::to_owned);
        run(&stage.plan).unwrap();
        assert_eq!(picture(&stage, 2), (vec![80, 7, 9, 255], vec![0; 4]), "{source}");
    }
    // A shown WebGL canvas comes first, and a gauge is no film.
    let mut stage = stage(&format!("{{{}}}\n{flat}", program("")));
    stage.plan.codec = Codec::Png;
    run(&stage.plan).unwrap();
    assert_ne!(picture(&stage, 2).0, [80, 7, 9, 255]);
    fs::write(&stage.plan.project, flat.replace("width = 64", "width = 8").replace("height = 48", "height = 4"))
        .unwrap();
    let plan = RenderPlan { allow_blank: false, ..stage.plan.clone() };
    assert!(matches!(run(&plan), Err(RenderError::NoCanvas { selector: None, .. })));
}

#[test]
fn a_film_without_pictures_names_the_shader_that_failed() {
    // As three.js r160 logs it, its handleSource with the line marked.
    let log = "THREE.WebGLProgram: Shader Error 0 - VALIDATE_STATUS false\n\nMaterial Name: Sea\nMaterial Type: ShaderMaterial\n\nProgram Info Log: the fragment shader did not compile\n\nFRAGMENT\n\nERROR: 0:61: 'wave' : undeclared identifier\n\n  60: void main() {\n> 61:   float h = wave(uv);\n  62: }";
    let said = "THREE.WebGLProgram: Shader Error 0 - VALIDATE_STATUS false | ERROR: 0:61: 'wave' : undeclared identifier | > 61:   float h = wave(uv);";
    assert_eq!(gist(log), said);
    assert_eq!(gist("\n  plain\nmore"), "plain");
    let mut stage = stage(&program(&format!("if (n === 0) console.error({log:?});")));
    stage.plan.allow_blank = false;
    let error = run(&stage.plan).unwrap_err();
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    assert!(help.contains(said), "{help}");
}
