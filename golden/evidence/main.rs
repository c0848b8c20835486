//! Evidence on programs whose every pose is known: each program in `programs/` flies a camera along a closed form, and
//! `poses.jsonl` must tell that flight, whatever else the program draws, and however it lies.
//!
//! The null back end draws: what is read comes from the scene and the command stream, not from pixels.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a test: it looks at the engine from outside, and may panic"
)]

mod cases;
mod truth;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

const FRAMES: u64 = 12;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/node_modules");
    let installed = modules.join("three/package.json").is_file();
    let resumed = {
        let modules = modules.clone();
        Trial::test("resumed", move || resumed(&modules).map_err(Into::into)).with_ignored_flag(!installed)
    };
    let trials = cases::all().into_iter().map(|(name, check)| {
        let modules = modules.clone();
        let test = move || render(name, &modules).and_then(|out| check(&out)).map_err(Into::into);
        Trial::test(name, test).with_ignored_flag(!installed)
    });
    libtest_mimic::run(&arguments, trials.chain([resumed]).collect()).exit_code()
}

/// A render that is ended on its way and resumed leaves the evidence of one that was not, byte for byte. Mesa draws, so
/// that `clearance.jsonl` is among it.
fn resumed(modules: &Path) -> Result<(), String> {
    const LONG: &str = "400";
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/evidence/programs");
    let dir = tempfile::tempdir().expect("a temporary folder");
    let project = dir.path().join("project");
    fs::create_dir(&project).expect("a folder");
    for (from, to) in [("stage.js", "stage.js"), ("plain.js", "plain.js"), ("basic.js", "main.js")] {
        fs::copy(programs.join(from), project.join(to)).expect("a copy");
    }
    let render = |out: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_replay"));
        command.arg("render").arg(project.join("main.js")).arg("-o").arg(out).arg("--node-modules").arg(modules);
        command
            .args(["--size", "64x64", "--allow-blank", "--frames", LONG])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    };
    let (ended, whole) = (dir.path().join("ended"), dir.path().join("whole"));
    let mut first = render(&ended).spawn().expect("replay runs");
    // 65 bytes a frame.
    let journal = ended.join(".replay-partial/frames.sha256");
    let begin = Instant::now();
    while fs::metadata(&journal).map_or(0, |m| m.len()) < 65 * 20 {
        if begin.elapsed() > Duration::from_secs(120) || first.try_wait().expect("a child").is_some() {
            let _ = first.kill();
            return Err("the render does not go on".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().and_then(|()| first.wait()).expect("it ends");
    if ended.join("video.mp4").exists() {
        return Err("the render was done before it could be ended".into());
    }
    let resumed = Command::new(env!("CARGO_BIN_EXE_replay")).arg("resume").arg(&ended).output().expect("replay runs");
    if !resumed.status.success() {
        return Err(String::from_utf8_lossy(&resumed.stderr).into_owned());
    }
    if !render(&whole).status().expect("replay runs").success() {
        return Err("the whole render failed".into());
    }
    let names = ["poses.jsonl", "poses.csv", "transforms.json", "scene.jsonl", "render_meta.json", "clearance.jsonl"];
    let names = names.into_iter().chain(["topdown.png", "topdown.json", "video.mp4"]);
    let differs = |name: &&str| {
        let [ended, whole] = [&ended, &whole].map(|folder| fs::read(folder.join(name)).ok());
        ended.is_none() || ended != whole
    };
    let wrong: Vec<&str> = names.filter(differs).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("missing or different: {wrong:?}")) }
}

/// What a render left.
pub struct Out {
    pub poses: Vec<Value>,
    pub scene: Vec<Value>,
    pub meta: Value,
    pub transforms: Value,
    pub csv: String,
}

/// Renders `programs/NAME.js` and reads its evidence.
fn render(name: &str, modules: &Path) -> Result<Out, String> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/evidence/programs");
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (project, out) = (dir.path().join("project"), dir.path().join("out"));
    fs::create_dir(&project).expect("a folder");
    for file in ["stage.js", "plain.js"] {
        fs::copy(programs.join(file), project.join(file)).expect("a copy");
    }
    let way = cases::UNSEEN.iter().chain(&cases::MAYBE).find(|(trial, _)| *trial == name).map(|(_, way)| way);
    let file = if way.is_some() { "unseen" } else { name };
    let program = fs::read_to_string(programs.join(format!("{file}.js"))).expect("a program");
    let program = way.map_or(program.clone(), |way| format!("globalThis.way = '{way}';\n{program}"));
    fs::write(project.join("main.js"), program).expect("a copy");
    let output = Command::new(env!("CARGO_BIN_EXE_replay"))
        .arg("render")
        .arg(project.join("main.js"))
        .arg("-o")
        .arg(&out)
        .arg("--node-modules")
        .arg(modules)
        .args(["--size", "64x96", "--backend", "null", "--allow-blank", "--codec", "png"])
        .args(["--frames", &FRAMES.to_string()])
        .output()
        .expect("replay runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = |file: &str| fs::read_to_string(out.join(file)).map_err(|e| format!("{file}: {e}"));
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| format!("{e} in {text}"));
    let lines = |file: &str| text(file)?.lines().map(json).collect::<Result<Vec<_>, _>>();
    let log = fs::read_to_string(PathBuf::from(&out).join("console.log")).unwrap_or_default();
    if let Some(error) = log.lines().find(|line| line.starts_with("error")) {
        return Err(format!("the program complains: {error}"));
    }
    let out = Out {
        poses: lines("poses.jsonl")?,
        scene: lines("scene.jsonl")?,
        meta: json(&text("render_meta.json")?)?,
        transforms: json(&text("transforms.json")?)?,
        csv: text("poses.csv")?,
    };
    match (out.poses.len() as u64, out.scene.len() as u64) {
        (FRAMES, FRAMES) => Ok(out),
        other => Err(format!("{other:?} lines for {FRAMES} frames")),
    }
}
