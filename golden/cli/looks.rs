//! What is made to look at: contact sheets, the map, the report.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Named;
use super::project::{FRAMES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("sheet_of_a_render", Box::new(sheet_of_a_render)),
        ("sheet_asks", Box::new(sheet_asks)),
        ("blind_sheets", Box::new(blind_sheets)),
        ("report_of_a_render", Box::new(report_of_a_render)),
        ("map_of_a_flight", Box::new(map_of_a_flight)),
    ]
}

/// Runs `replay` with these arguments: exit code, standard output, and that with standard error behind it.
fn replay(args: &[&str]) -> Result<(Option<i32>, String, String), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).args(args).output().map_err(|e| e.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = stdout.clone() + &String::from_utf8_lossy(&output.stderr);
    if text.contains("panicked") { Err(format!("a panic: {text}")) } else { Ok((output.status.code(), stdout, text)) }
}

fn ok(args: &[&str]) -> Result<Value, String> {
    let (code, stdout, text) = replay(&[args, &["--json"]].concat())?;
    if code != Some(0) {
        return Err(format!("{args:?} ended with {code:?}: {text}"));
    }
    serde_json::from_str(&stdout).map_err(|e| format!("{args:?}: {e}: {text}"))
}

fn fails(args: &[&str], why: &[&str]) -> Result<(), String> {
    let (code, _, text) = replay(args)?;
    let squeeze = |text: &str| text.split(|c: char| c.is_whitespace() || c == '│').collect::<String>();
    let said = squeeze(&text);
    match why.iter().find(|why| !said.contains(&squeeze(why))) {
        _ if code != Some(2) => Err(format!("{args:?} ended with {code:?}: {text}")),
        Some(why) => Err(format!("{args:?}: `{why}` is not said: {text}")),
        None => Ok(()),
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap_or_default()
}

fn must(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Width and height of a PNG file, from its IHDR chunk (PNG specification, 11.2.2).
fn png_size(file: &Path) -> Result<(u32, u32), String> {
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let number = |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_be_bytes);
    must(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), || format!("{} is no PNG file", file.display()))?;
    number(16).zip(number(20)).ok_or_else(|| "a short PNG file".into())
}

fn sheet_of_a_render() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--frames", "32"]).expect(0, &[])?;
    let out = project.out();
    let told = ok(&["sheet", path(&out)])?;
    let frames: Vec<u64> =
        told["cells"].as_array().into_iter().flatten().filter_map(|cell| cell["frame"].as_u64()).collect();
    must(frames == (0..16).map(|k| k * 2).collect::<Vec<_>>(), || format!("{frames:?}"))?;
    must(told["cells"][15]["time"] == 1.0, || told.to_string())?;
    let size = png_size(&out.join("sheet.png"))?;
    must(told["width"] == size.0 && told["height"] == size.1, || format!("{size:?}, {told}"))?;
    let first = fs::read(out.join("sheet.png")).map_err(|e| e.to_string())?;
    // Again, and from the video alone: the same bytes.
    ok(&["sheet", path(&out.join("video.mp4"))])?;
    let second = fs::read(out.join("video.sheet.png")).map_err(|e| e.to_string())?;
    must(first == second, || "the sheets of a folder and of its video differ".into())?;
    let jpeg = out.join("some.jpg");
    let told = ok(&["sheet", path(&out), "--frames", "0,5,31", "--grid", "3x1", "--cell", "200", "-o", path(&jpeg)])?;
    must(told["grid"] == "3x1" && told["width"] == 3 * 200 + 2 * 8 + 24, || told.to_string())?;
    let bytes = fs::read(&jpeg).map_err(|e| e.to_string())?;
    must(bytes.starts_with(&[0xff, 0xd8]) && !bytes.windows(4).any(|w| w == b"Exif"), || "no plain JPEG".into())
}

fn sheet_asks() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&[]).expect(0, &[])?;
    let out = project.out();
    let out = path(&out);
    fails(&["sheet", out, "--frames", "3,10"], &["there is no frame 10", "the last one is 9"])?;
    fails(&["sheet", out, "--grid", "2x1", "--frames", "0,1,2"], &["3 frames do not fit a grid of 2x1"])?;
    fails(&["sheet", out, "--grid", "big"], &["`big` is no grid"])?;
    fails(&["sheet", out, "--every", "0"], &["--every 0 is no length of time"])?;
    fails(&["sheet", out, "-o", "sheet.gif"], &["sheet.gif", "end its name in .png or .jpg"])?;
    fails(&["sheet", out, out], &["more than one input"])?;
    for command in ["sheet", "map", "report", "verify"] {
        fails(&[command, "/nowhere.mp4"], &["/nowhere.mp4 does not exist", "give an MP4 file, or the folder"])?;
    }
    fails(&["sheet", out, "--seed", "3"], &["--blind"])
}

fn blind_sheets() -> Result<(), String> {
    let project = Project::page(FRAMES);
    let mut films = Vec::new();
    for (name, frames) in [("secret-one", "16"), ("secret-two", "20"), ("secret-three", "33")] {
        let out = project.out().with_file_name(name);
        let output = project.command(&out, &["--frames", frames]).output().map_err(|e| e.to_string())?;
        project.ended(&output, out.clone()).expect(0, &[])?;
        films.push(out.join("video.mp4"));
    }
    let sheets = project.out().with_file_name("sheets");
    let key_path = project.out().with_file_name("sheets.key.json");
    let blind = |order: [usize; 3], more: &[&str]| {
        let inputs: Vec<&str> = order.iter().filter_map(|&i| films.get(i)).map(|film| path(film)).collect();
        ok(&[&["sheet", "--blind", "-o", path(&sheets)], &inputs[..], more].concat())
    };
    blind([0, 1, 2], &["--seed", "7"])?;
    let mut names: Vec<_> =
        fs::read_dir(&sheets).map_err(|e| e.to_string())?.flatten().map(|e| e.file_name()).collect();
    names.sort();
    must(names == ["A.png", "B.png", "C.png"], || format!("{names:?}"))?;
    let sizes: Vec<_> = ["A.png", "B.png", "C.png"].iter().map(|name| png_size(&sheets.join(name))).collect();
    must(sizes.iter().all(|size| *size == sizes[0] && size.is_ok()), || format!("{sizes:?}"))?;
    for name in ["A.png", "B.png", "C.png"] {
        let bytes = fs::read(sheets.join(name)).map_err(|e| e.to_string())?;
        // Only the chunks a picture needs: no text, no times (PNG specification, 11.3).
        let mut at = 8;
        while let Some(chunk) = bytes.get(at..at + 8) {
            let length = u32::from_be_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]) as usize;
            must(matches!(&chunk[4..], b"IHDR" | b"IDAT" | b"IEND"), || {
                format!("a chunk {:?} in {name}", &chunk[4..])
            })?;
            at += length + 12;
        }
    }
    let key = fs::read_to_string(&key_path).map_err(|e| e.to_string())?;
    let value: Value = serde_json::from_str(&key).map_err(|e| e.to_string())?;
    for film in value["films"].as_array().into_iter().flatten() {
        let path = film["path"].as_str().unwrap_or_default();
        let sum = Command::new("sha256sum").arg(path).output().map_err(|e| e.to_string())?;
        let sum = String::from_utf8_lossy(&sum.stdout).into_owned();
        must(film["sha256"].as_str().is_some_and(|hash| sum.starts_with(hash)), || format!("{film}: {sum}"))?;
    }
    must(value["films"].as_array().is_some_and(|films| films.len() == 3), || key.clone())?;
    // The key is not overwritten, nor a set mixed with another.
    let again = ["sheet", "--blind", path(&films[0]), "-o", path(&sheets)];
    fails(&again, &["sheets is not empty"])?;
    let other = project.out().with_file_name("other");
    let inside = other.join("key.json");
    fails(
        &["sheet", "--blind", path(&films[0]), "-o", path(&other), "--key", path(&inside)],
        &["would lie among the sheets"],
    )?;
    fails(&["sheet", "--blind", path(&films[0]), "-o", path(&other), "--key", path(&key_path)], &["is already there"])?;
    // A set that lacks a film leaves nothing behind.
    fails(
        &["sheet", "--blind", path(&films[0]), "/nowhere.mp4", "-o", path(&other)],
        &["/nowhere.mp4 does not exist"],
    )?;
    must(!other.exists(), || "a failed set left its folder".into())?;
    // Another order of the films, the same letters and bytes.
    let kept: Vec<_> = ["A.png", "B.png", "C.png"].iter().map(|name| fs::read(sheets.join(name)).ok()).collect();
    fs::remove_dir_all(&sheets).and_then(|()| fs::remove_file(&key_path)).map_err(|e| e.to_string())?;
    blind([2, 0, 1], &["--seed", "7"])?;
    let anew: Vec<_> = ["A.png", "B.png", "C.png"].iter().map(|name| fs::read(sheets.join(name)).ok()).collect();
    must(kept == anew, || "the order of the films changes the sheets".into())?;
    must(fs::read_to_string(&key_path).ok() == Some(key), || "the key changed".into())
}

fn report_of_a_render() -> Result<(), String> {
    let bad = "console.warn('<' + '/script><script>alert(1)<' + '/script>');";
    let project = Project::page(&format!("{bad}{FRAMES}"));
    project.render(&["--frames", "12"]).expect(0, &[])?;
    let out = project.out();
    let told = ok(&["report", path(&out), "--title", "<b>mine</b>"])?;
    let read = |file: &Path| fs::read_to_string(file).map_err(|e| e.to_string());
    let page = read(&out.join("report.html"))?;
    must(told["bytes"] == page.len(), || told.to_string())?;
    for text in [
        "<title>&lt;b&gt;mine&lt;/b&gt;",
        "src=\"video.mp4\"",
        "console: warn: &lt;/script&gt;&lt;script&gt;alert(1)",
        "default-src &#39;none&#39;",
        "data:image/jpeg;base64,",
        "frame 11",
        "the camera&#39;s place is not known in any frame",
    ] {
        must(page.contains(text), || format!("`{text}` is not in the page"))?;
    }
    must(!page.contains("alert(1)</script>"), || "a script of the program is in the page".into())?;
    ok(&["report", path(&out), "--title", "<b>mine</b>"])?;
    must(read(&out.join("report.html"))? == page, || "the page does not repeat".into())?;
    // Elsewhere the video is still found; embedded, none is needed.
    let other = project.out().with_file_name("a b");
    fs::create_dir(&other).map_err(|e| e.to_string())?;
    let there = other.join("r.html");
    ok(&["report", path(&out), "-o", path(&there)])?;
    must(read(&there)?.contains("src=\"../out/video.mp4\""), || "the video's address is wrong".into())?;
    ok(&["report", path(&out), "-o", path(&there), "--embed"])?;
    must(read(&there)?.contains("src=\"data:video/mp4;base64,AAAA"), || "the video is not embedded".into())?;
    fails(&["report", path(&other)], &["no PNG files and no video.mp4"])?;
    // Of what can't be decoded here there is all but the pictures; of a PNG sequence all but the film.
    for (codec, said) in [("av1", "only H.264 can be decoded here"), ("png", "this run is a sequence of pictures")] {
        project.render(&["--frames", "4", "--codec", codec]).expect(0, &[])?;
        ok(&["report", path(&out)])?;
        let page = read(&out.join("report.html"))?;
        must(page.contains(said) && page.contains("4 frames"), || format!("`{said}` is not in the page of {codec}"))?;
        must(page.contains("src=\"video.mp4\"") == (codec == "av1"), || format!("the film of {codec}"))?;
        must(page.contains("data:image/jpeg") == (codec == "png"), || format!("the sheet of {codec}"))?;
    }
    fails(&["map", path(&out)], &["there is no map", "the camera's place is not known in any frame"])
}

fn map_of_a_flight() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--frames", "3"]).expect(0, &[])?;
    let out = project.out();
    let pose = |frame: u64, x: f64, z: f64| {
        serde_json::json!({
            "frame": frame, "time": frame as f64 / 30.0, "gpu": null, "disagreement": null, "drone": null, "flags": [],
            "camera": {
                "number": 1, "name": "", "type": "PerspectiveCamera", "position": [x, 2.0, z],
                "quaternion": [0.0, 0.0, 0.0, 1.0], "view": vec![0.0; 16], "projection": vec![0.0; 16], "fov": 50.0,
                "near": 0.1, "far": 100.0,
            },
        })
    };
    let lines = [pose(0, 0.0, 0.0), pose(1, 50.0, -20.0), pose(2, 100.0, 10.0)].map(|line| format!("{line}\n"));
    fs::write(out.join("poses.jsonl"), lines.concat()).map_err(|e| e.to_string())?;
    let drawn = |args: &[&str]| {
        let (code, stdout, text) = replay(&[&["map", path(&out), "--json"], args].concat())?;
        must(code == Some(1), || format!("ended with {code:?}: {text}"))?;
        serde_json::from_str::<Value>(&stdout).map_err(|e| format!("{e}: {text}"))
    };
    let told = drawn(&[])?;
    must(told["frames"] == 3 && told["known"] == 3, || told.to_string())?;
    // The poses are not those of the render, and that is said.
    must(told["alarms"].to_string().contains(": TAMPERED"), || told.to_string())?;
    let size = png_size(&out.join("map.png"))?;
    must(told["width"] == size.0 && told["height"] == size.1, || format!("{size:?}, {told}"))?;
    let svg = out.join("map.svg");
    drawn(&["-o", path(&svg)])?;
    let text = fs::read_to_string(&svg).map_err(|e| e.to_string())?;
    must(text.starts_with("<svg xmlns=") && text.contains(">start</text>"), || "no SVG".into())?;
    fails(&["map", path(&out), "-o", "map.gif"], &["end its name in .png or .svg"])?;
    fs::write(out.join("poses.jsonl"), "{").map_err(|e| e.to_string())?;
    fails(&["map", path(&out)], &["poses.jsonl, line 1"])
}
