//! Outputs that somebody edited after the render: each file of each kind of output, in every way. `metrics` and `report`
//! must name the file, and end with 1 (or 2 where nothing is left to measure).

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Named;
use super::project::{FRAMES, MODULES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("edited_files_of_a_video_are_named", Box::new(|| edited_files_are_named("h264"))),
        ("edited_files_of_a_png_sequence_are_named", Box::new(|| edited_files_are_named("png"))),
        ("png_sequences_are_verified", Box::new(png_sequences_are_verified)),
        ("other_films_beside_the_render_are_not_shown", Box::new(other_films_are_not_shown)),
        ("report_ends_as_it_should", Box::new(report_ends_as_it_should)),
    ]
}

/// Exit code, and all that was said.
fn replay(args: &[&str]) -> Result<(Option<i32>, String), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).args(args).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if text.contains("panicked") {
        Err(format!("a panic: {text}"))
    } else {
        Ok((output.status.code(), text.into_owned()))
    }
}

fn must(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

/// Every file below `folder`, by its path from there.
fn files(folder: &Path) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).map_err(|e| e.to_string())?.flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => names.extend(path.strip_prefix(folder).ok().and_then(Path::to_str).map(str::to_owned)),
            }
        }
    }
    names.sort();
    Ok(names)
}

/// One digit more or less, else one bit.
fn nudged(whole: &[u8]) -> Vec<u8> {
    let mut edited = whole.to_vec();
    let is_text = std::str::from_utf8(whole).is_ok();
    match edited.iter().rposition(u8::is_ascii_digit).filter(|_| is_text) {
        Some(at) => edited[at] = if edited[at] == b'1' { b'2' } else { b'1' },
        None if edited.is_empty() => edited.push(b'1'),
        None => {
            let middle = edited.len() / 2;
            edited[middle] ^= 1;
        }
    }
    edited
}

fn edited_files_are_named(codec: &str) -> Result<(), String> {
    let (project, other) = (Project::flight(0.1), Project::flight(0.2));
    for project in [&project, &other] {
        project.render(&["--frames", "6", "--codec", codec, "--node-modules", MODULES]).expect(0, &[])?;
    }
    let out = project.out();
    let report = out.with_file_name("report.html");
    let names = files(&out)?;
    must(names.len() >= 12 && names.iter().any(|n| n == "SHA256SUMS"), || format!("{names:?}"))?;
    // `sha256sum` itself agrees with the list, and the list has every other file.
    let sums = Command::new("sha256sum").args(["-c", "--quiet", "SHA256SUMS"]).current_dir(&out).output();
    let sums = sums.map_err(|e| e.to_string())?;
    must(sums.status.success(), || String::from_utf8_lossy(&sums.stdout).into_owned())?;
    let listed = fs::read_to_string(out.join("SHA256SUMS")).map_err(|e| e.to_string())?.lines().count();
    must(listed + 1 == names.len(), || format!("{listed} of {names:?}"))?;
    let metrics = || replay(&["metrics", text(&out), "--profile", "none", "--no-write"]);
    let page = || replay(&["report", text(&out), "-o", text(&report)]);
    must(metrics()?.0 == Some(0) && page()?.0 == Some(0), || {
        format!("the render itself: {:?} {:?}", metrics(), page())
    })?;
    // The PNG files are all alike: the first and the last will do.
    let middle = |name: &&String| (1..5).any(|n| **name == format!("frames/00000{n}.png"));
    let noise: Vec<u8> = (0..3000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for name in names.iter().filter(|name| !middle(name)) {
        let path = out.join(name);
        let whole = fs::read(&path).map_err(|e| e.to_string())?;
        let others = fs::read(other.out().join(name)).ok();
        let edits = [
            ("deleted", None),
            ("empty", Some(Vec::new())),
            ("cut in half", Some(whole.get(..whole.len() / 2).unwrap_or_default().to_vec())),
            ("another run's", others),
            ("noise", Some(noise.clone())),
            ("one digit", Some(nudged(&whole))),
        ];
        for (how, edited) in edits {
            match &edited {
                Some(bytes) if *bytes == whole => continue,
                Some(bytes) => fs::write(&path, bytes),
                None if how != "deleted" => continue,
                None => fs::remove_file(&path),
            }
            .map_err(|e| e.to_string())?;
            for (of, (code, said)) in [("metrics", metrics()?), ("report", page()?)] {
                let named = said.lines().any(|line| line.contains("!!") && line.contains(name.as_str()));
                must(code == Some(1) && named, || format!("{name}, {how}: {of} ended with {code:?}: {said}"))?;
            }
            let shown = fs::read_to_string(&report).map_err(|e| e.to_string())?;
            let alarm =
                shown.find("role=\"alert\"").and_then(|at| shown.get(at..)?.split("</ul>").next()).unwrap_or_default();
            must(alarm.contains(name.as_str()), || format!("{name}, {how}: not in the page's alarm"))?;
            must(alarm.matches(" frames)").count() < 2, || format!("{name}, {how}: said twice: {alarm}"))?;
            fs::write(&path, &whole).map_err(|e| e.to_string())?;
        }
    }
    // What was measured is bound to nothing, so the page measures again, and says where the file has other numbers.
    must(replay(&["metrics", text(&out), "--profile", "none"])?.0 == Some(0), || "metrics".to_owned())?;
    let judged = ["report", text(&out), "-o", text(&report), "--flight-profile", "none"];
    must(replay(&judged)?.0 == Some(0), || format!("its own numbers: {:?}", replay(&judged)))?;
    let path = out.join("metrics.json");
    let whole = fs::read_to_string(&path).map_err(|e| e.to_string())?;
    fs::write(&path, whole.replacen("\"colliding\": ", "\"colliding\": 1", 1)).map_err(|e| e.to_string())?;
    let (code, said) = replay(&judged)?;
    must(code == Some(1) && said.contains("metrics.json: NOT WHAT MEASURING GIVES (collision.colliding"), || said)?;
    fs::write(&path, whole.replacen("\"ok\": true", "\"ok\": false", 2)).map_err(|e| e.to_string())?;
    let (code, said) = replay(&judged)?;
    must(code == Some(1) && said.contains("metrics.json: NOT WHAT MEASURING GIVES (ok"), || said)?;
    // Rules that others were asked for are no forgery.
    fs::write(&path, &whole).map_err(|e| e.to_string())?;
    let (code, said) = replay(&["report", text(&out), "-o", text(&report)])?;
    let shown = fs::read_to_string(&report).map_err(|e| e.to_string())?;
    must(code == Some(0) && shown.contains("metrics.json was made with other settings"), || said)
}

fn png_sequences_are_verified() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--frames", "5", "--codec", "png"]).expect(0, &[])?;
    let out = project.out();
    let verify = |texts: &[&str], code: i32| {
        let (found, said) = replay(&["verify", text(&out)])?;
        let lacks = texts.iter().find(|t| !said.contains(**t));
        must(found == Some(code) && lacks.is_none(), || format!("{found:?}, `{lacks:?}` is not said: {said}"))
    };
    verify(
        &["5 PNG files, 0 to 4, 64x64", "n/a   H1", "n/a   H6", "ok: no rule applies", "it is what manifest.json says"],
        0,
    )?;
    let (_, json) = replay(&["verify", text(&out), "--json"])?;
    let json: Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
    must(json["pictures"]["files"] == 5 && json["pictures"]["width"] == 64, || json.to_string())?;
    must(
        json["rules"].as_array().is_some_and(|r| r.len() == 6 && r.iter().all(|r| r["verdict"] == "not-applicable")),
        || json.to_string(),
    )?;
    let (page, said) = replay(&["report", text(&out)])?;
    let html = fs::read_to_string(out.join("report.html")).map_err(|e| e.to_string())?;
    must(page == Some(0) && html.contains("64 × 64"), || format!("no size at the page's head: {said}"))?;

    let third = out.join("frames/000002.png");
    let whole = fs::read(&third).map_err(|e| e.to_string())?;
    let first = fs::read(out.join("frames/000000.png")).map_err(|e| e.to_string())?;
    fs::write(&third, &first).map_err(|e| e.to_string())?;
    verify(&["FAIL", "1 others: 000002.png", "it is NOT what manifest.json says"], 1)?;
    fs::write(&third, &whole[..whole.len() - 20]).map_err(|e| e.to_string())?;
    verify(&["every picture is a whole PNG file: not so: 000002.png", "000002.png"], 1)?;
    fs::remove_file(&third).map_err(|e| e.to_string())?;
    verify(
        &[
            "without a gap: not so: 000003.png stands where picture 2 should",
            "000002.png (gone)",
            "frames 5, the pictures are 4",
        ],
        1,
    )?;
    fs::write(&third, &whole).map_err(|e| e.to_string())?;
    fs::write(out.join("frames/000005.png"), &whole).map_err(|e| e.to_string())?;
    verify(&["frames 5, the pictures are 6"], 1)?;
    fs::remove_file(out.join("frames/000005.png")).map_err(|e| e.to_string())?;
    // A manifest of an older version has the hashes of the pixels alone: they tell the same.
    let path = out.join("manifest.json");
    let mut manifest: Value =
        serde_json::from_slice(&fs::read(&path).map_err(|e| e.to_string())?).map_err(|e| e.to_string())?;
    manifest["pictures"] = Value::Null;
    fs::write(&path, manifest.to_string()).map_err(|e| e.to_string())?;
    verify(&["FAIL  SHA256SUMS says manifest.json", "manifest.json is NOT what SHA256SUMS says"], 1)?;
    fs::remove_file(&path).map_err(|e| e.to_string())?;
    verify(&["it is gone", "manifest.json is NOT what SHA256SUMS says"], 1)?;
    fs::write(&path, manifest.to_string()).map_err(|e| e.to_string())?;
    fs::remove_file(out.join("SHA256SUMS")).map_err(|e| e.to_string())?;
    verify(&["it is what manifest.json says"], 0)?;
    fs::write(&third, &first).map_err(|e| e.to_string())?;
    verify(&["sha256 of the pixels of 5 pictures", "1 others: 000002.png"], 1)?;
    // Pictures of anybody's: a sequence, or not.
    for name in ["manifest.json", "frames.sha256"] {
        fs::remove_file(out.join(name)).map_err(|e| e.to_string())?;
    }
    verify(&["ok: no rule applies", "the sequence is whole"], 0)
}

/// What somebody puts beside a render is neither played nor put on a sheet in its place.
fn other_films_are_not_shown() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--frames", "5"]).expect(0, &[])?;
    let out = project.out();
    let sheet = |name: &str| {
        let path = out.with_file_name(name);
        let (code, said) = replay(&["sheet", text(&out), "-o", text(&path), "--frames", "0,4"])?;
        must(code == Some(0), || said)?;
        fs::read(path).map_err(|e| e.to_string())
    };
    let own = sheet("own.png")?;
    fs::create_dir(out.join("frames")).map_err(|e| e.to_string())?;
    for n in 0..5 {
        fs::copy(out.with_file_name("own.png"), out.join(format!("frames/00000{n}.png"))).map_err(|e| e.to_string())?;
    }
    must(sheet("again.png")? == own, || "the sheet shows pictures that are not the render's".into())?;
    let (code, said) = replay(&["metrics", text(&out), "--profile", "none"])?;
    must(code == Some(1) && said.contains("frames/000000.png"), || said)
}

fn report_ends_as_it_should() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--frames", "5"]).expect(0, &[])?;
    let out = project.out();
    let report = |of: &Path, code: i32, what: &str| {
        let page = out.with_file_name("page.html");
        let _ = fs::remove_file(&page);
        let (found, said) = replay(&["report", text(of), "-o", text(&page)])?;
        must(found == Some(code) && said.contains(what) && page.exists() == (code < 2), || {
            format!("{}: {found:?}: {said}", of.display())
        })
    };
    // Rules that do not hold stand in the page; the page is done.
    report(&out, 0, "failed")?;
    report(&out.join("video.mp4"), 0, "failed")?;
    report(&out.join("manifest.json"), 2, "manifest.json")?;
    let film = fs::read(out.join("video.mp4")).map_err(|e| e.to_string())?;
    let cut = out.with_file_name("cut.mp4");
    fs::write(&cut, &film[..200]).map_err(|e| e.to_string())?;
    report(&cut, 2, "cut.mp4")?;
    fs::write(out.join("manifest.json"), "{}").map_err(|e| e.to_string())?;
    report(&out, 1, "!! manifest.json")?;
    let (_, help) = replay(&["report", "--help"])?;
    must(help.contains("Exit code: 0 the page is written"), || help)
}
