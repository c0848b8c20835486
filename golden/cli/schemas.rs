//! What every command prints as JSON, and every file of JSON it writes, keeps the schema that `replay schema NAME` prints.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use replay::rules::schema::conforms;
use serde_json::Value;

use super::Named;
use super::project::{FRAMES, MODULES, Project};

pub fn all() -> Vec<Named> {
    vec![("json_of_every_command_keeps_its_schema", Box::new(json_of_every_command_keeps_its_schema))]
}

/// The schemas there are, and those that something was held against.
struct Schemas {
    names: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Schemas {
    fn read() -> Result<Self, String> {
        let (code, text) = run(&["schema", "--json"])?;
        must(code == Some(0), || format!("schema --json ended with {code:?}"))?;
        let names = json(&text)?.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
        Ok(Self { names, used: BTreeSet::new() })
    }

    fn holds(&mut self, name: &str, document: &Value) -> Result<(), String> {
        let (code, text) = run(&["schema", name])?;
        must(code == Some(0) && self.names.contains(name), || format!("there is no schema of {name}"))?;
        self.used.insert(name.to_owned());
        conforms(document, &json(&text)?).map_err(|why| format!("{name}: {why}"))
    }

    /// What a command prints, which must end with `code`.
    fn printed(&mut self, name: &str, code: i32, args: &[&str]) -> Result<Value, String> {
        let (ended, text) = run(&[args, &["--json"]].concat())?;
        must(ended == Some(code), || format!("{args:?} ended with {ended:?}: {text}"))?;
        let document = json(&text)?;
        self.holds(name, &document)?;
        Ok(document)
    }

    /// All files of JSON in a folder, each line of those that hold lines.
    fn files(&mut self, folder: &Path) -> Result<(), String> {
        for name in self.names.clone() {
            let file = folder.join(&name);
            let Ok(text) = fs::read_to_string(&file) else { continue };
            if name.ends_with('l') {
                text.lines().try_for_each(|line| self.holds(&name, &json(line)?))?;
            } else if name.contains('.') {
                self.holds(&name, &json(&text)?)?;
            }
        }
        for entry in fs::read_dir(folder).map_err(|e| e.to_string())?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let known = !name.contains(".json") || self.names.contains(&name);
            must(known, || format!("{name} has no schema"))?;
        }
        Ok(())
    }
}

/// Exit code and standard output.
fn run(args: &[&str]) -> Result<(Option<i32>, String), String> {
    output(Command::new(env!("CARGO_BIN_EXE_replay")).args(args))
}

fn output(command: &mut Command) -> Result<(Option<i32>, String), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    if err.contains("panicked") { Err(format!("a panic: {err}")) } else { Ok((output.status.code(), text)) }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("{e}: {text}"))
}

fn must(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn json_of_every_command_keeps_its_schema() -> Result<(), String> {
    let mut schemas = Schemas::read()?;
    let flight = Project::flight(0.3);
    let place = |name: &str| flight.out().with_file_name(name);
    let text = |path: &Path| path.to_str().unwrap_or_default().to_owned();
    let (out, more, trace) = (text(&flight.out()), text(&place("more")), text(&place("commands.trace")));
    let program = text(&flight.folder());
    let small = ["--size", "64x64", "--node-modules", MODULES];
    let render = |out: &str, frames: &str, rest: &[&str]| -> Vec<String> {
        let args = [&["render", &program, "-o", out, "--frames", frames], &small[..], rest].concat();
        args.into_iter().map(str::to_owned).collect()
    };
    let args = |list: &[String]| -> Vec<&'static str> { list.iter().map(|s| &*s.clone().leak()).collect() };

    let told = schemas.printed("render", 0, &args(&render(&out, "4", &["--depth", "--trace", &trace])))?;
    gpu_time(&told)?;
    schemas.printed("render", 0, &args(&render(&more, "5", &[])))?;
    let repeated = text(&place("repeated"));
    let repeat = ["repeat", &program, "--runs", "2", "-o", &repeated, "--frames", "3"];
    schemas.printed("repeat.json", 0, &[&repeat[..], &small].concat())?;
    let kept = place("repeated").join("repeat.json");
    schemas.printed("metrics.json", 1, &["metrics", &out])?;
    let both = schemas.printed("metrics-compared", 0, &["metrics", &out, &more, "--profile", "none", "--no-write"])?;
    for one in both["runs"].as_array().into_iter().flatten() {
        schemas.holds("metrics.json", one)?;
    }
    schemas.printed("metrics.json", 0, &["metrics", &text(&place("repeated").join("run-1")), "--profile", "none"])?;
    must(kept.is_file(), || "no repeat.json is kept".into())?;

    schemas.printed("diff", 0, &["diff", &out, &out])?;
    schemas.printed("diff", 1, &["diff", &out, &more])?;
    let other = Project::page(FRAMES);
    other.render(&["--frames", "4", "--codec", "png"]).expect(0, &[])?;
    let pictures = text(&other.out());
    schemas.printed("diff", 1, &["diff", &out, &pictures])?;
    schemas.printed("diff", 1, &["diff", &out, &pictures, "-o", &text(&place("both.png"))])?;

    let video = text(&flight.out().join("video.mp4"));
    schemas.printed("verify", 1, &["verify", &video])?;
    schemas.printed("verify", 0, &["verify", &out, "--profile", "none"])?;
    schemas.printed("verify-pictures", 0, &["verify", &pictures])?;
    schemas.printed("sheet", 0, &["sheet", &out])?;
    let key = place("sheets.key.json");
    schemas.printed("sheet-blind", 0, &["sheet", "--blind", &video, "-o", &text(&place("sheets"))])?;
    schemas.holds("key.json", &json(&fs::read_to_string(&key).map_err(|e| e.to_string())?)?)?;
    schemas.printed("map", 0, &["map", &out])?;
    schemas.printed("report", 0, &["report", &out])?;
    schemas.printed("trace", 0, &["trace", &trace])?;
    schemas.printed("trace", 0, &["trace", &trace, "--backend", "null"])?;
    schemas.printed("doctor", 0, &["doctor"])?;
    let mut broken = Command::new(env!("CARGO_BIN_EXE_replay"));
    broken.args(["doctor", "--json"]).env("VK_DRIVER_FILES", "/nowhere.json").env("VK_ICD_FILENAMES", "/nowhere.json");
    let (code, printed) = output(&mut broken)?;
    must(code == Some(2), || format!("{code:?}: {printed}"))?;
    schemas.holds("doctor", &json(&printed)?)?;
    let cannot = [
        &["verify", "/nowhere.mp4"][..],
        &["render", "/nowhere", "-o", &more],
        &["schema", "nothing"],
        // What clap refuses.
        &["verify", &video, "--no-such-flag"],
        &["paint"],
    ];
    for failing in cannot {
        schemas.printed("failure", 2, failing)?;
    }
    schemas.printed("failure", 1, &args(&render(&text(&place("blank")), "2", &["--backend", "null"])))?;

    let folders: [PathBuf; 4] = [flight.out(), other.out(), place("repeated").join("run-1"), place("more")];
    folders.iter().try_for_each(|folder| schemas.files(folder))?;
    let unused: Vec<_> = schemas.names.difference(&schemas.used).collect();
    must(unused.is_empty(), || format!("nothing was held against {unused:?}"))
}

/// Where the adapter has timestamps, the GPU's time lies in the render's.
fn gpu_time(told: &Value) -> Result<(), String> {
    let timing = &told["result"]["timing"];
    let (usage, total) = (&timing["usage"], timing["total"].as_f64().unwrap_or(0.0));
    let Some(seconds) = usage["gpu"].as_f64() else {
        return must(usage["gpu_note"].as_str().is_some_and(|why| !why.is_empty()), || usage.to_string());
    };
    let frames: Vec<f64> = usage["gpu_frames"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    must(frames.len() == 4 && frames.iter().all(|ms| *ms > 0.0), || usage.to_string())?;
    let sum: f64 = frames.iter().sum();
    // Submissions do not overlap.
    must(sum / 1000.0 <= seconds + 1e-9 && seconds * 1000.0 <= total, || format!("{seconds} s of {total} ms, {sum} ms"))
}
