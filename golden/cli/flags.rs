//! Flags that make no sense: each is named, with what it takes, before anything is rendered.

use std::process::Command;

use super::Named;
use super::project::{FRAMES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("flags_without_sense", Box::new(flags_without_sense)),
        ("drive_and_canvas_that_fail", Box::new(drive_and_canvas)),
        ("null_back_end_draws_nothing", Box::new(null_back_end)),
        ("sound_that_is_not_there_or_does_not_fit", Box::new(sound)),
        ("adapter_that_is_not_there", Box::new(adapter)),
        ("diff_of_different_sizes", Box::new(diff_of_sizes)),
        ("quiet_everywhere", Box::new(quiet)),
        ("repeated_lines_are_counted", Box::new(repeated_lines)),
        ("too_large_a_canvas", Box::new(too_large)),
        ("minified_line", Box::new(minified)),
        ("imports_show_their_line", Box::new(imports)),
        ("unbuilt_project", Box::new(unbuilt)),
    ]
}

fn flags_without_sense() -> Result<(), String> {
    let project = Project::page(FRAMES);
    for (flag, value, says) in [
        ("--time-limit", "0", "seconds above 0"),
        ("--time-limit", "soon", "write a number"),
        ("--threads", "0", "a whole number, 1 or more"),
        ("--max-size", "0.001", "a whole number, 1 or more"),
        ("--seed", "-5", "a whole number from 0 to 18446744073709551615"),
        ("--frames", "-1", "a whole number from 0"),
        ("--pixel-ratio", "big", "write a number"),
        ("--memory-limit", "1", "32 or more"),
    ] {
        project.render(&[flag, value]).expect(2, &[flag, says])?;
    }
    Ok(())
}

fn drive_and_canvas() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--canvas", "[["]).expect(2, &["the canvas selector `[[` is no CSS selector", "--canvas"])?;
    let ended = project.render(&["--drive", "seek:renderAt(time)"]);
    ended.expect(
        2,
        &["the seek expression `renderAt(time)` failed in frame 0: ReferenceError: renderAt is not defined", "--drive"],
    )?;
    project
        .render(&["--drive", "seek:foo("])
        .expect(2, &["the seek expression `foo(` failed", "SyntaxError", "--drive"])?;
    // What fails inside the program is told with its place.
    let inside = Project::page(&format!("{FRAMES}function go() {{\nnull.x; }}"));
    inside.render(&["--drive", "seek:go()"]).expect(2, &["Cannot read properties of null", "index.html:5:"])
}

fn null_back_end() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&["--backend", "null"]).expect(1, &["the null back end draws nothing", "--allow-blank"])?;
    project.render(&["--backend", "null", "--allow-blank"]).expect(0, &["video.mp4"])
}

fn sound() -> Result<(), String> {
    let project = Project::page(FRAMES);
    let ended = project.render(&["--audio", "nope.wav"]);
    ended.expect(2, &["nope.wav: the sound track does not exist", "--audio", "WAV"])?;
    match ended.message.matches("does not exist").count() {
        1 => {}
        _ => return Err(format!("said twice: {}", ended.message)),
    }
    let text = project.folder().join("index.html");
    let ended = project.render(&["--audio", &text.to_string_lossy()]);
    ended.expect(2, &["index.html: not a WAV file", "ffmpeg -i SOUND"])?;
    project.render(&["--audio", "a.wav", "--codec", "png"]).expect(2, &["--audio", "a PNG sequence has no sound"])?;

    // Two seconds of silence: 48 kHz, mono, 16 bits.
    let mut wav = b"RIFF".to_vec();
    wav.extend((36u32 + 192_000).to_le_bytes());
    wav.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0data");
    wav.extend(192_000u32.to_le_bytes());
    wav.resize(wav.len() + 192_000, 0);
    std::fs::write(project.folder().join("two.wav"), wav).map_err(|e| e.to_string())?;
    let path = project.folder().join("two.wav");
    let path = path.to_string_lossy();
    let cut = "the sound lasts 2.000 s, the film 1.000 s: it was cut at the film's end";
    project.render(&["--audio", &path, "--fps", "10", "--frames", "10"]).expect(0, &[cut])?;
    let silent = "the sound lasts 2.000 s, the film 3.000 s: silence follows it";
    project.render(&["--audio", &path, "--fps", "10", "--frames", "30"]).expect(0, &[silent])
}

fn adapter() -> Result<(), String> {
    let project = Project::page(FRAMES);
    let says = ["no Vulkan adapter has \"nobody's\" in its name; there are: ", "give --adapter a part of one of these"];
    project.render(&["--adapter", "nobody's"]).expect(2, &says)?;
    let (code, out, _) = replay(project.folder().as_path(), &["doctor", "--adapter", "nobody's"])?;
    match says.iter().all(|text| out.contains(text)) && code == Some(2) {
        true => Ok(()),
        false => Err(format!("{code:?}: {out}")),
    }
}

fn replay(folder: &std::path::Path, args: &[&str]) -> Result<(Option<i32>, String, String), String> {
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).args(args).current_dir(folder).output();
    let output = output.map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
}

fn diff_of_sizes() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&[]).expect(0, &[])?;
    let other = project.out().with_file_name("other");
    let output = project.command(&other, &["--size", "64x48"]).output().map_err(|e| e.to_string())?;
    project.ended(&output, other.clone()).expect(0, &[])?;
    let folder = project.folder();
    let (a, b) = (project.out(), other);
    let (a, b) = (a.to_string_lossy(), b.to_string_lossy());
    let (code, said, errors) = replay(&folder, &["diff", &a, &b])?;
    let sizes = said.contains("64x64") && said.contains("64x48") && said.contains("-o FILE.png");
    if code != Some(1) || !sizes || folder.join("diff.png").exists() {
        return Err(format!("{code:?}: {said}{errors}"));
    }
    let (code, said, errors) = replay(&folder, &["diff", &a, &b, "-o", "both.png"])?;
    if code != Some(1) || !said.contains("both.png shows both") || !folder.join("both.png").exists() {
        return Err(format!("{code:?}: {said}{errors}"));
    }
    Ok(())
}

/// Nothing is said where all is well; what failed is.
fn quiet() -> Result<(), String> {
    let project = Project::page(&format!("{FRAMES}console.warn('hm');"));
    let output = project.command(&project.out(), &["-q"]).output().map_err(|e| e.to_string())?;
    if !output.status.success() || !output.stdout.is_empty() || !output.stderr.is_empty() {
        return Err(format!("{output:?}"));
    }
    let out = project.out();
    let out = out.to_string_lossy();
    let video = format!("{out}/video.mp4");
    for args in [
        &["diff", &out, &out][..],
        &["verify", &video, "--profile", "none"],
        &["sheet", &out],
        &["map", &out],
        &["report", &out, "--profile", "none"],
        &["metrics", &out, "--profile", "none"],
        &["doctor"],
    ] {
        let (code, said, errors) = replay(&project.folder(), &[args, &["-q"]].concat())?;
        // A film without a camera has no map: that is said.
        if args[0] == "map" && code == Some(2) && said.is_empty() && !errors.is_empty() {
            continue;
        }
        if code != Some(0) || !said.is_empty() || !errors.is_empty() {
            return Err(format!("{args:?}: {code:?}: {said}{errors}"));
        }
    }
    let (code, said, _) = replay(&project.folder(), &["verify", &video, "-q"])?;
    if code == Some(1) && said.contains("FAIL") { Ok(()) } else { Err(format!("{code:?}: {said}")) }
}

fn repeated_lines() -> Result<(), String> {
    let ended =
        Project::page(&format!("{FRAMES}setInterval(() => console.warn('useProgram: not linked'), 30);")).render(&[]);
    ended.expect(0, &["console.warn: useProgram: not linked", "(\u{d7}10 in all)"])?;
    let lines = ended.message.matches("console.warn: useProgram").count();
    // Once as it came, once with how often.
    if lines == 2 { Ok(()) } else { Err(format!("{lines} lines: {}", ended.message)) }
}

fn too_large() -> Result<(), String> {
    let ended =
        Project::page(&format!("{FRAMES}c.width = 100000; setTimeout(() => {{ c.width = 64; }}, 1);")).render(&[]);
    ended.expect(0, &["the canvas asks for 100000x64 pixels", "its drawing buffer is"])
}

fn minified() -> Result<(), String> {
    let long = format!("const a = '{}'; null.x; const b = '{}';", "x".repeat(3000), "y".repeat(3000));
    let ended = Project::page(&long).render(&[]);
    ended.expect(2, &["index.html:2:3020", "null.x"])?;
    if ended.message.len() < 1500 { Ok(()) } else { Err(format!("{} characters", ended.message.len())) }
}

fn imports() -> Result<(), String> {
    let page = "<script type=module src=main.js></script>";
    let of = |import: &str, more: &[(&str, &str)]| {
        let files = [&[("index.html", page), ("main.js", import)][..], more].concat();
        Project::new(&files).render(&[])
    };
    of("\nimport { x } from './gone.js';", &[])
        .expect(2, &["`gone.js` does not exist", "main.js:2:19", "import { x } from"])?;
    let scene = [("scene.ts", "export const x: number = 1;")];
    of("import { x } from './scene.ts';", &scene).expect(
        2,
        &["`scene.ts` is TypeScript", "main.js:1:19", "import { x } from './scene.ts'", "npm run build", "dist/"],
    )
}

fn unbuilt() -> Result<(), String> {
    let page = "<script type=module>\nconst all = import.meta.glob('./x/*.js');\n</script>";
    Project::new(&[("index.html", page)]).render(&[]).expect(2, &["index.html:2:", "Vite", "npm run build", "dist/"])
}
