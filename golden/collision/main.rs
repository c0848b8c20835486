//! Truth scenes for the collision evidence: each folder is a program whose camera's way is known, and what every
//! frame's record in `clearance.jsonl` must say. `golden/README.md` tells the form of the expectations.

#![expect(clippy::disallowed_methods, reason = "a test: it looks at the engine from outside")]

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    frames: u64,
    /// `FRAMES VERDICT[|VERDICT] [OBJECT] [distance MIN MAX] [depth MIN MAX] [crossings N] [seen MIN MAX] [above MIN MAX] [people MIN MAX] [by WHAT]
    /// [through OBJECT] [waived OBJECT] [hop MIN MAX] [untested KIND MIN MAX] [cut-out]`; `by`, `through`, `waived` and `hop` may be `none`.
    expect: Vec<String>,
    /// `X Z HEIGHT` of the ground seen from above, or `X Z nothing`.
    #[serde(default)]
    ground: Vec<String>,
}

#[derive(Debug, Default)]
struct Expectation {
    verdicts: Vec<String>,
    object: String,
    distance: Option<RangeInclusive<f64>>,
    depth: Option<RangeInclusive<f64>>,
    crossings: Option<u64>,
    seen: Option<RangeInclusive<f64>>,
    above: Option<RangeInclusive<f64>>,
    people: Option<RangeInclusive<f64>>,
    by: Option<String>,
    through: Option<String>,
    waived: Option<String>,
    /// Not finite where there is none.
    hop: Option<RangeInclusive<f64>>,
    untested: Vec<(String, RangeInclusive<f64>)>,
    /// Told where an object is.
    cut_out: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/collision");
    let mut folders: Vec<PathBuf> = match fs::read_dir(&root) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect(),
        Err(error) => {
            eprintln!("{}: {error}", root.display());
            return ExitCode::from(2);
        }
    };
    folders.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let trials = folders.into_iter().map(|folder| Trial::test(name(&folder), move || Ok(check(&folder)?))).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(folder: &Path) -> Result<(), String> {
    let text = fs::read_to_string(folder.join("test.toml")).map_err(|e| e.to_string())?;
    let options: Options = toml::from_str(&text).map_err(|e| e.to_string())?;
    let out = tempfile::tempdir().map_err(|e| e.to_string())?;
    let output = Command::new(env!("CARGO_BIN_EXE_replay"))
        .arg("render")
        .arg(folder.join("main.js"))
        .arg("-o")
        .arg(out.path().join("out"))
        .args(["--size", "64x64", "--fps", "30", "--codec", "png", "--allow-blank", "--frames"])
        .arg(options.frames.to_string())
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("{}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let text = fs::read_to_string(out.path().join("out/clearance.jsonl")).map_err(|e| e.to_string())?;
    let records: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let records = records.map_err(|e| format!("{e}: {text}"))?;
    if records.len() as u64 != options.frames {
        return Err(format!("{} records, not {}", records.len(), options.frames));
    }
    let mut wrong = Vec::new();
    for line in &options.expect {
        let (frames, expected) = parse(line).ok_or_else(|| format!("test.toml: `{line}`"))?;
        for frame in frames {
            let record = records.iter().find(|record| record["frame"] == frame).unwrap_or(&Value::Null);
            if let Err(said) = meets(record, &expected) {
                wrong.push(format!("`{line}`: {said}: {record}"));
            }
        }
    }
    if !options.ground.is_empty() {
        wrong.extend(wrong_ground(&out.path().join("out"), &options.ground)?);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// What `topdown.png` and `topdown.json` tell otherwise than `lines`; heights are right within a hundredth.
fn wrong_ground(out: &Path, lines: &[String]) -> Result<Vec<String>, String> {
    let about = fs::read_to_string(out.join("topdown.json")).map_err(|e| e.to_string())?;
    let about: Value = serde_json::from_str(&about).map_err(|e| e.to_string())?;
    let picture = image::open(out.join("topdown.png")).map_err(|e| e.to_string())?.into_luma16();
    let number = |path: &str| about.pointer(path).and_then(Value::as_f64).ok_or_else(|| format!("no {path}: {about}"));
    let (left, top, cell) = (number("/bounds/0")?, number("/bounds/1")?, number("/cell")?);
    let (low, high) = (number("/heights/0")?, number("/heights/1")?);
    let mut wrong = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [x, z, expected] = words[..] else { return Err(format!("test.toml: `{line}`")) };
        let at =
            |text: &str, from: f64| text.parse::<f64>().map(|v| ((v - from) / cell) as u32).map_err(|e| e.to_string());
        let value = picture.get_pixel_checked(at(x, left)?, at(z, top)?).map_or(0, |pixel| pixel.0[0]);
        let height = low + (f64::from(value) - 1.0) / 65_534.0 * (high - low);
        let right = match expected.parse::<f64>() {
            Ok(expected) => value > 0 && (height - expected).abs() < 0.01,
            Err(_) => value == 0,
        };
        if !right {
            wrong.push(format!("ground `{line}`: {value}, {height}"));
        }
    }
    Ok(wrong)
}

fn parse(line: &str) -> Option<(RangeInclusive<u64>, Expectation)> {
    let mut words = line.split_whitespace().peekable();
    let frames = words.next()?;
    let (first, last) = frames.split_once('-').unwrap_or((frames, frames));
    let frames = first.parse().ok()?..=last.parse().ok()?;
    let mut expected =
        Expectation { verdicts: words.next()?.split('|').map(str::to_owned).collect(), ..Expectation::default() };
    while let Some(word) = words.next() {
        match word {
            "by" => expected.by = Some(words.next()?.to_owned()),
            "through" => expected.through = Some(words.next()?.to_owned()),
            "waived" => expected.waived = Some(words.next()?.to_owned()),
            "hop" if words.next_if_eq(&"none").is_some() => {
                expected.hop = Some(f64::INFINITY..=f64::INFINITY);
                continue;
            }
            _ => {}
        }
        let kind = if word == "untested" { words.next()? } else { "" };
        let mut number = || words.next()?.parse::<f64>().ok();
        match word {
            "by" | "through" | "waived" => {}
            "untested" => expected.untested.push((kind.to_owned(), number()?..=number()?)),
            "hop" => expected.hop = Some(number()?..=number()?),
            "seen" => expected.seen = Some(number()?..=number()?),
            "people" => expected.people = Some(number()?..=number()?),
            "above" => expected.above = Some(number()?..=number()?),
            "distance" => expected.distance = Some(number()?..=number()?),
            "depth" => expected.depth = Some(number()?..=number()?),
            "cut-out" => expected.cut_out = true,
            "crossings" => expected.crossings = Some(number()? as u64),
            word if expected.object.is_empty() => word.clone_into(&mut expected.object),
            word => expected.object = format!("{} {word}", expected.object),
        }
    }
    Some((frames, expected))
}

fn meets(record: &Value, expected: &Expectation) -> Result<(), String> {
    let verdict = record["verdict"].as_str().unwrap_or("none");
    if !expected.verdicts.iter().any(|one| one == verdict) {
        return Err(verdict.to_owned());
    }
    if !expected.object.is_empty() && verdict != "clear" && record["object"] != expected.object.as_str() {
        return Err(format!("of {}", record["object"]));
    }
    if !expected.object.is_empty() && (record["cut_out"] == true) != expected.cut_out {
        return Err(format!("cut_out {}", record["cut_out"]));
    }
    let ranges = [
        ("distance", &expected.distance),
        ("depth_nearest", &expected.depth),
        ("drone_visible", &expected.seen),
        ("ground", &expected.above),
        ("pedestrians_unhidden", &expected.people),
    ];
    for (key, range) in ranges {
        let value = record[key].as_f64().unwrap_or(f64::NAN);
        if range.as_ref().is_some_and(|range| !range.contains(&value)) {
            return Err(format!("{key} {value}"));
        }
    }
    let hop = record["hop"].as_f64().unwrap_or(f64::INFINITY);
    if expected.hop.as_ref().is_some_and(|range| !range.contains(&hop)) {
        return Err(format!("hop {hop}"));
    }
    for (kind, range) in &expected.untested {
        let draws = record["untested"][kind].as_f64().unwrap_or(0.0);
        if !range.contains(&draws) {
            return Err(format!("untested {kind} {draws}"));
        }
    }
    let waived: Vec<_> =
        record["waived"].as_array().into_iter().flatten().filter_map(|w| w["object"].as_str()).collect();
    for (key, wanted, found) in [
        ("inside_by", &expected.by, record["inside_by"].as_str()),
        ("cut_through", &expected.through, record["cut_through"].as_str()),
        ("waived", &expected.waived, waived.first().copied()),
    ] {
        if wanted.as_ref().is_some_and(|wanted| wanted != found.unwrap_or("none")) {
            return Err(format!("{key} {found:?}"));
        }
    }
    match expected.crossings {
        Some(count) if record["crossings"] != count => Err(format!("{} crossings", record["crossings"])),
        _ => Ok(()),
    }
}
