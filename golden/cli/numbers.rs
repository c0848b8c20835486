//! `replay metrics` on real outputs: what is written, what is told, how it ends.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Named;
use super::project::{CANVAS, FRAMES, MODULES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("metrics_of_a_render", Box::new(metrics_of_a_render)),
        ("metrics_judge_and_compare", Box::new(metrics_judge_and_compare)),
        ("metrics_ask", Box::new(metrics_ask)),
        ("schemas_are_printed", Box::new(schemas_are_printed)),
        ("transforms_name_the_pictures", Box::new(transforms_name_the_pictures)),
    ]
}

const GPX: &str =
    "<gpx><trk><trkseg><trkpt lat=\"50.09\" lon=\"14.4\"/><trkpt lat=\"50.091\" lon=\"14.4\"/></trkseg></trk></gpx>";

/// A program that draws without three.js, with a route to its name.
fn project() -> Project {
    let page = format!("{CANVAS}{FRAMES}</script>");
    let toml = "[route]\nfile = \"way.GPX\"\norigin = [50.09, 14.4]\nheading = 90\n";
    Project::new(&[("index.html", &page), ("replay.toml", toml), ("way.GPX", GPX)])
}

/// Exit code, standard output, standard error.
fn replay(args: &[&str]) -> Result<(Option<i32>, String, String), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).args(args).output().map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    if err.contains("panicked") { Err(format!("a panic: {err}")) } else { Ok((output.status.code(), out, err)) }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("{e}: {text}"))
}

fn must(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// Every file of JSON that a render and a measuring leave has a schema, which has a meaning for each of its members.
fn schemas_are_printed() -> Result<(), String> {
    let project = project();
    project.render(&["--frames", "3"]).expect(0, &[])?;
    let out = project.out();
    replay(&["metrics", path(&out), "-q"])?;
    let (code, names, _) = replay(&["schema", "--json"])?;
    must(code == Some(0), || format!("{code:?}"))?;
    let names = json(&names)?;
    for entry in fs::read_dir(&out).map_err(|e| e.to_string())? {
        let file = entry.map_err(|e| e.to_string())?.file_name().to_string_lossy().into_owned();
        if !file.contains(".json") {
            continue;
        }
        must(names[&file].is_string(), || format!("no schema of {file}"))?;
        let (code, schema, _) = replay(&["schema", &file])?;
        must(code == Some(0), || format!("{code:?}"))?;
        let schema = json(&schema)?;
        let text = fs::read_to_string(out.join(&file)).map_err(|e| e.to_string())?;
        let first = if file.ends_with("l") { text.lines().next().unwrap_or_default() } else { &text };
        let document = json(first)?;
        let unknown =
            document.as_object().and_then(|d| d.keys().find(|key| schema["properties"][*key].is_null()).cloned());
        must(unknown.is_none(), || format!("{file}: the schema does not know {unknown:?}"))?;
    }
    let (code, _, err) = replay(&["schema", "nothing"])?;
    must(code == Some(2) && err.contains("poses.jsonl"), || format!("{code:?}: {err}"))
}

fn metrics_of_a_render() -> Result<(), String> {
    let project = project();
    let ended = project.render(&["--frames", "6"]);
    ended.expect(0, &[])?;
    let out = project.out();
    // The route lies in the output, so that this can be measured anywhere.
    must(fs::read_to_string(out.join("route.gpx")).is_ok_and(|text| text == GPX), || "no route.gpx".into())?;
    must(ended.manifest()?["settings"]["route"]["file"] == "route.gpx", || "the manifest names another route".into())?;

    // The benchmark's rules are asked for unless others are, as by `verify`: nobody walks here.
    let (code, printed, _) = replay(&["metrics", path(&out), "--no-write"])?;
    must(code == Some(1) && printed.contains("H12 fail"), || format!("{code:?}: {printed}"))?;
    let (code, printed, _) = replay(&["metrics", path(&out), "--json", "--profile", "none"])?;
    must(code == Some(0), || format!("{code:?}"))?;
    let told = json(&printed)?;
    must(told["evidence"]["ok"] == true && told["evidence"]["hashed"] == true, || told["evidence"].to_string())?;
    let written = json(&fs::read_to_string(out.join("metrics.json")).map_err(|e| e.to_string())?)?;
    must(told == written, || "what is printed is not what is written".into())?;
    must(told["run"]["frames"] == 6 && told["run"]["fps"] == "30", || told["run"].to_string())?;
    // There is no camera of three.js: nothing is made up.
    for section in ["/smoothness/camera", "/route", "/take_off", "/collision"] {
        must(told.pointer(section).is_some_and(|s| s["not_measured"].is_string()), || {
            format!("{section} is measured")
        })?;
    }
    must(told["procedural"]["procedural"] == true, || told["procedural"].to_string())?;
    let cost = &told["cost"];
    must(cost["cpu"]["total"].as_f64().is_some_and(|s| s > 0.0), || cost.to_string())?;
    must(cost["peak_memory"]["bytes"].as_u64().is_some_and(|b| b > 1 << 24), || cost.to_string())?;
    must(cost["energy"]["joules"].is_number() || cost["energy"]["not_measured"].is_string(), || cost.to_string())?;
    let series = json(&fs::read_to_string(out.join("series.json")).map_err(|e| e.to_string())?)?;
    must(series["frames"] == 6, || series.to_string())?;
    let csv = fs::read_to_string(out.join("series.csv")).map_err(|e| e.to_string())?;
    must(csv.lines().count() == 7, || csv)?;

    // Edited evidence is found, and cut evidence is none; the map and the page say so too.
    let poses = out.join("poses.jsonl");
    let whole = fs::read_to_string(&poses).map_err(|e| e.to_string())?;
    let judged = |text: &str| {
        fs::write(&poses, text).map_err(|e| e.to_string())?;
        replay(&["metrics", path(&out), "--profile", "none", "--no-write"])
    };
    let (code, printed, _) = judged(&whole.replacen("\"flags\"", " \"flags\"", 1))?;
    must(code == Some(1) && printed.contains("!! poses.jsonl") && printed.contains(": TAMPERED EVIDENCE"), || {
        format!("{code:?}: {printed}")
    })?;
    let (code, page, err) = replay(&["report", path(&out), "--json"])?;
    must(code == Some(1) && err.contains("TAMPERED EVIDENCE") && json(&page)?["alarms"][0].is_string(), || {
        format!("{code:?}: {page} {err}")
    })?;
    let half: String = whole.lines().take(3).map(|line| format!("{line}\n")).collect();
    let (code, printed, _) = judged(&half)?;
    must(code == Some(1) && printed.contains("poses.jsonl has lines for 3 of 6 frames"), || {
        format!("{code:?}: {printed}")
    })?;

    // A new render leaves no numbers of the old one.
    project.render(&["--frames", "6"]).expect(0, &[])?;
    must(!out.join("metrics.json").exists(), || "stale metrics.json".into())
}

/// nerfstudio takes a picture a frame: those of a film are made by the command that the file tells.
fn transforms_name_the_pictures() -> Result<(), String> {
    let project = Project::flight(0.1);
    let out = project.out();
    for codec in ["h264", "png"] {
        project.render(&["--frames", "7", "--codec", codec, "--node-modules", MODULES]).expect(0, &[])?;
        let told = json(&fs::read_to_string(out.join("transforms.json")).map_err(|e| e.to_string())?)?;
        if codec == "h264" {
            let note = told["note"].as_str().unwrap_or_default();
            let command = note.split("made from the film by: ").nth(1).unwrap_or_default();
            let made =
                Command::new("sh").arg("-c").arg(command).current_dir(&out).output().map_err(|e| e.to_string())?;
            must(made.status.success(), || format!("{note}: {}", String::from_utf8_lossy(&made.stderr)))?;
            let pictures = fs::read_dir(out.join("images")).map_err(|e| e.to_string())?.count();
            must(pictures == 7, || format!("{pictures} pictures"))?;
        } else {
            must(told["note"].is_null(), || told["note"].to_string())?;
        }
        let frames = told["frames"].as_array().cloned().unwrap_or_default();
        let there = |frame: &Value| frame["file_path"].as_str().is_some_and(|name| out.join(name).is_file());
        must(frames.len() == 7 && frames.iter().all(there), || format!("{frames:?}"))?;
    }
    Ok(())
}

fn metrics_judge_and_compare() -> Result<(), String> {
    let project = project();
    let kept = project.out();
    let folder = project.folder();
    let args = ["repeat", path(&folder), "--runs", "2", "-o", path(&kept), "--size", "64x64", "--frames", "4"];
    let (code, _, err) = replay(&args)?;
    must(code == Some(0), || format!("{code:?}: {err}"))?;
    let runs = ["run-1", "run-2"].map(|name| kept.join(name));
    let (_, printed, _) = replay(&["metrics", path(&runs[0]), "--json"])?;
    let told = json(&printed)?;
    must(told["determinism"]["deterministic"] == true && told["determinism"]["runs"] == 2, || printed)?;

    // Without a camera there is no way flown to measure: no failure unless that is asked for.
    let rules = folder.join("rules.toml");
    let rule = |check: &str| {
        let head = "name = \"mine\"\n[[rule]]\nid = \"R1\"\ntitle = \"long\"\n";
        fs::write(&rules, format!("{head}checks = [{{ {check} }}]\n")).map_err(|e| e.to_string())
    };
    rule("value = \"route.length\", min = 100")?;
    let judged = |more: &[&str]| replay(&[&["metrics", path(&runs[0]), "--profile", path(&rules)], more].concat());
    must(judged(&[])?.0 == Some(0), || "what is not measured failed".into())?;
    must(judged(&["--strict"])?.0 == Some(1), || "--strict let it pass".into())?;
    rule("value = \"run.frames\", min = 100")?;
    let (code, printed, _) = replay(&["metrics", path(&runs[0]), "--profile", path(&rules)])?;
    must(code == Some(1) && printed.contains("R1  fail") && printed.contains("run.frames 4 (>= 100, fails)"), || {
        printed
    })?;

    let table = kept.join("table.csv");
    let both = ["metrics", path(&runs[0]), path(&runs[1]), "--csv", path(&table), "--no-write", "--profile", "none"];
    let (code, printed, _) = replay(&both)?;
    must(code == Some(0) && printed.contains("run-1") && printed.contains("run-2"), || printed)?;
    must(!runs[1].join("metrics.json").exists(), || "--no-write wrote".into())?;
    let table = fs::read_to_string(table).map_err(|e| e.to_string())?;
    must(table.lines().count() == 3 && table.starts_with("run,run.frames,"), || table)
}

fn metrics_ask() -> Result<(), String> {
    let project = project();
    project.render(&["--frames", "3"]).expect(0, &[])?;
    let out = project.out();
    let asked = |args: &[&str], why: &str| {
        let (code, _, err) = replay(&[&["metrics"], args].concat())?;
        let squeeze = |text: &str| text.split(|c: char| c.is_whitespace() || c == '│').collect::<String>();
        must(code == Some(2) && squeeze(&err).contains(&squeeze(why)), || format!("{args:?}: {code:?}: {err}"))
    };
    asked(&[path(&project.folder())], "is no output of replay: no manifest.json")?;
    asked(&[path(&out), "--route", "/none.gpx"], "no none.gpx")?;
    asked(&[path(&out), "--route", "/none.gpx"], "name a GPX, GeoJSON, KML or CSV file with --route")?;
    fs::write(out.join("repeat.json"), "{\"ok\": tr").map_err(|e| e.to_string())?;
    asked(&[path(&out)], "repeat.json can't be read")?;
    asked(&[path(&out)], "`replay repeat PROJECT -o DIR` writes a new one")?;
    fs::remove_file(out.join("repeat.json")).map_err(|e| e.to_string())?;
    asked(&[path(&out), "--repeat", "/none.json"], "`replay repeat PROJECT -o DIR` writes a new one")?;
    asked(&[path(&out), "--profile", "none.toml"], "there are prague-bench, none, or a TOML file")?;
    asked(&["/nowhere"], "it does not exist")?;
    fs::write(out.join("poses.jsonl"), "{\"frame\": 0}\n").map_err(|e| e.to_string())?;
    // Not what the render wrote: named, and whatever else there is is measured.
    let (code, printed, _) = replay(&["metrics", path(&out), "--no-write"])?;
    must(
        code == Some(1)
            && printed.contains("!! poses.jsonl")
            && printed.contains(": TAMPERED")
            && printed.contains("line 1"),
        || printed,
    )?;
    // A route that is not there stops the render before it begins.
    let lost = Project::new(&[("index.html", ""), ("replay.toml", "[route]\nfile = \"none.gpx\"\n")]);
    lost.render(&[]).expect(2, &["route.file", "none.gpx is no file"])
}
