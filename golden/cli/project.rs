//! A project in a temporary folder, and one run of `replay render` on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use serde_json::Value;

/// The head of a page with a canvas of 64x64 and its context `gl`; one line.
pub const CANVAS: &str = "<canvas id=c width=64 height=64></canvas><script>const gl = document.getElementById('c').getContext('webgl2'); let n = 0;\n";
/// Clears to another colour each frame.
pub const FRAMES: &str = "function frame() { n++; gl.clearColor(n / 60, 0.5, 0.2, 1); gl.clear(gl.COLOR_BUFFER_BIT); requestAnimationFrame(frame); }\nrequestAnimationFrame(frame);\n";

/// Where three.js is.
pub const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/node_modules");

#[derive(Clone)]
pub struct Project {
    dir: Arc<tempfile::TempDir>,
}

/// How a run ended.
pub struct Ended {
    pub code: Option<i32>,
    /// Standard error with line breaks and the frame around messages taken out.
    pub message: String,
    pub out: PathBuf,
    /// The folder lives as long as somebody looks at it.
    _project: Project,
}

impl Project {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let project = Self { dir: Arc::new(dir) };
        for (name, text) in files {
            let path = project.folder().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        project
    }

    /// A page whose script is `js` after [`CANVAS`]: its first line is the page's second.
    pub fn page(js: &str) -> Self {
        Self::new(&[("index.html", &format!("{CANVAS}{js}</script>"))])
    }

    /// A three.js program: a drone over a floor, seen by a camera that moves by `step` a frame, and a route for it.
    pub fn flight(step: f64) -> Self {
        let page = format!(
            "<script type=importmap>{{\"imports\":{{\"three\":\"https://unpkg.com/three/build/three.module.js\"}}}}</script>
<script type=module>import * as THREE from 'three';
const renderer = new THREE.WebGLRenderer(); renderer.setSize(64, 64); document.body.append(renderer.domElement);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
const box = (w, h, at, color) => {{ const m = new THREE.Mesh(new THREE.BoxGeometry(w, h, w), new THREE.MeshBasicMaterial({{ color }}));
  m.position.set(0, at, 0); scene.add(m); return m; }};
box(30, 0.1, 0, 0x336633).name = 'floor'; box(1, 1, 1, 0xff8800).name = 'drone';
let n = 0; renderer.setAnimationLoop(() => {{ camera.position.set(n++ * {step}, 2, 9); camera.lookAt(0, 1, 0); renderer.render(scene, camera); }});
</script>"
        );
        let toml = "[route]\nfile = \"way.csv\"\n";
        Self::new(&[("index.html", &page), ("replay.toml", toml), ("way.csv", "x,y,z\n0,0,9\n9,0,9\n")])
    }

    pub fn folder(&self) -> PathBuf {
        self.dir.path().join("project")
    }

    pub fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    /// Ten frames of 64x64 and a few seconds at most, unless `arguments` say otherwise.
    pub fn command(&self, out: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_replay"));
        command.arg("render").arg(self.folder()).arg("-o").arg(out);
        for (flag, value) in [("--size", "64x64"), ("--frames", "10"), ("--time-limit", "20")] {
            if !arguments.contains(&flag) {
                command.args([flag, value]);
            }
        }
        command.args(arguments);
        command
    }

    pub fn render(&self, arguments: &[&str]) -> Ended {
        let out = self.out();
        self.ended(&self.command(&out, arguments).output().expect("replay runs"), out)
    }

    /// How a run into `out` ended.
    pub fn ended(&self, output: &Output, out: PathBuf) -> Ended {
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        let lines = text.lines().map(|line| line.trim().trim_start_matches(['│', '×']).trim_start());
        // Long words are broken at hyphens and slashes; one form for all comparisons.
        let message = lines.collect::<Vec<_>>().join(" ");
        Ended { code: output.status.code(), message, out, _project: self.clone() }
    }
}

impl Ended {
    /// The exit code, and texts that the message must hold (spaces do not count: lines are wrapped).
    pub fn expect(&self, code: i32, texts: &[&str]) -> Result<(), String> {
        if self.message.contains("panicked") {
            return Err(format!("a panic: {}", self.message));
        }
        if self.code != Some(code) {
            return Err(format!("ended with {:?}, not {code}: {}", self.code, self.message));
        }
        let squeeze = |text: &str| text.split_whitespace().collect::<String>();
        let message = squeeze(&self.message);
        match texts.iter().find(|text| !message.contains(&squeeze(text))) {
            None => Ok(()),
            Some(text) => Err(format!("`{text}` is not said: {}", self.message)),
        }
    }

    pub fn manifest(&self) -> Result<Value, String> {
        let text = fs::read(self.out.join("manifest.json")).map_err(|e| format!("no manifest: {e}"))?;
        serde_json::from_slice(&text).map_err(|e| e.to_string())
    }

    /// An incomplete video of `frames` frames, and a manifest that says so.
    pub fn expect_kept(&self, frames: u64) -> Result<(), String> {
        let manifest = self.manifest()?;
        let told = manifest["frames"].as_array().map_or(0, Vec::len) as u64;
        if manifest["complete"] != Value::Bool(false) || manifest["error"].as_str().is_none_or(str::is_empty) {
            return Err(format!("not marked incomplete: {manifest}"));
        }
        let path = self.out.join("video.incomplete.mp4");
        let held = frames_of(&path)?;
        match (told, held) {
            _ if self.out.join("video.mp4").exists() => {
                Err("an incomplete video has the name of a complete one".into())
            }
            (told, held) if told == frames && held == frames => Ok(()),
            (told, held) => Err(format!("{told} frames in the manifest and {held} in the file, not {frames}")),
        }
    }
}

/// Samples of the first track, from its `stsz` box (ISO/IEC 14496-12, 8.7.3): version and flags, one size, count.
pub fn frames_of(path: &Path) -> Result<u64, String> {
    let file = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let at = file.windows(4).position(|w| w == b"stsz").ok_or("no stsz box: the file does not play")?;
    let count = file.get(at + 12..at + 16).and_then(|b| b.try_into().ok()).ok_or("a short stsz box")?;
    Ok(u64::from(u32::from_be_bytes(count)))
}
