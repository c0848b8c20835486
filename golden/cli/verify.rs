//! `replay verify`: exit codes and what is said, on our own renders, other encoders' files, and files that lie.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::Named;
use super::project::{FRAMES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("verify_our_own_render", Box::new(our_own_render)),
        ("verify_other_files_and_profiles", Box::new(other_files_and_profiles)),
        ("verify_what_is_no_movie", Box::new(what_is_no_movie)),
        ("verify_lies_in_little_memory", Box::new(lies_in_little_memory)),
    ]
}

fn replay(args: &[&str]) -> Result<Output, String> {
    Command::new(env!("CARGO_BIN_EXE_replay")).arg("verify").args(args).output().map_err(|e| e.to_string())
}

/// The exit code, and texts that standard output or error must hold (spaces do not count: lines are wrapped).
fn expect(output: &Output, code: i32, texts: &[&str]) -> Result<(), String> {
    let all = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if all.contains("panicked") || output.status.code() != Some(code) {
        return Err(format!("ended with {:?}, not {code}: {all}", output.status.code()));
    }
    let squeeze = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '│').collect::<String>();
    let said = squeeze(&all);
    match texts.iter().find(|text| !said.contains(&squeeze(text))) {
        None => Ok(()),
        Some(text) => Err(format!("`{text}` is not said: {all}")),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn our_own_render() -> Result<(), String> {
    let project = Project::page(FRAMES);
    project.render(&[]).expect(0, &[])?;
    let out = text(&project.out());
    // Every number of the manifest is what is measured in the file, and the file agrees with itself.
    let plain = replay(&[&out, "--profile", "none"])?;
    expect(&plain, 0, &["it is what manifest.json says", "the file agrees with itself", "constant 30 fps", "silent"])?;
    let judged = replay(&[&out, "--json"])?;
    let report: Value = serde_json::from_slice(&judged.stdout).map_err(|e| e.to_string())?;
    let verdicts: Vec<_> = report["rules"].as_array().into_iter().flatten().map(|r| r["verdict"].as_str()).collect();
    // 64x64 and a third of a second: the size and the length are not the benchmark's.
    let (pass, fail) = (Some("pass"), Some("fail"));
    if verdicts != [pass, fail, pass, fail, pass, pass] || judged.status.code() != Some(1) {
        return Err(format!("{verdicts:?}, {:?}", judged.status.code()));
    }
    // A byte that has changed.
    let video = project.out().join("video.mp4");
    let mut bytes = fs::read(&video).map_err(|e| e.to_string())?;
    if let Some(last) = bytes.last_mut() {
        *last ^= 1;
    }
    fs::write(&video, bytes).map_err(|e| e.to_string())?;
    expect(&replay(&[&out, "--profile", "none"])?, 1, &["FAIL manifest.json says sha256"])?;
    // Without its manifest, of which SHA256SUMS tells, no film is the render's.
    fs::remove_file(project.out().join("manifest.json")).map_err(|e| e.to_string())?;
    let says = ["it is gone", "failed", "manifest.json is NOT what SHA256SUMS says"];
    expect(&replay(&[&out, "--profile", "none"])?, 1, &says)
}

fn other_files_and_profiles() -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let video = dir.path().join("other.mp4");
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1"])
        .args(["-c:v", "libx264", "-pix_fmt", "yuv420p"])
        .arg(&video)
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return Err("this test needs `ffmpeg` (Debian package ffmpeg)".into());
    }
    let video = text(&video);
    let says = ["FAIL H1", "file.moov_first is no, wanted: true", "audio.codec is not there", "video none"];
    expect(&replay(&[&video])?, 1, &says[..3])?;
    expect(&replay(&[&video, "--profile", "none"])?, 0, &["h264 High", "constant 25 fps", "audio none"])?;
    // Text behind the last box, which players and ffprobe pass over.
    let junk = dir.path().join("junk.mp4");
    let mut bytes = fs::read(&video).map_err(|e| e.to_string())?;
    bytes.extend(b"Some text that is no box. ".repeat(40));
    fs::write(&junk, bytes).map_err(|e| e.to_string())?;
    let junk = text(&junk);
    expect(&replay(&[&junk, "--profile", "none"])?, 1, &["nothing stands behind the last box: not so: 1040 bytes"])?;
    expect(&replay(&[&junk])?, 1, &["note nothing stands behind the last box", "constant 25 fps"])?;
    // Two of each: which was judged, and which was not.
    let two = text(&dir.path().join("two.mp4"));
    let tone = ["-f", "lavfi", "-i", "sine=duration=1", "-map", "0", "-map", "0", "-map", "1", "-map", "1"];
    let made = Command::new("ffmpeg").args(["-v", "error", "-i", &video]).args(tone).arg(&two).status();
    if !made.is_ok_and(|status| status.success()) {
        return Err("ffmpeg could not make a film of four tracks".into());
    }
    let says = ["2 video tracks: track 1 is judged, 2 is not; 2 audio tracks: track 3 is judged, 4 is not"];
    expect(&replay(&[&two, "--profile", "none"])?, 0, &says)?;
    let mine = dir.path().join("mine.toml");
    let write = |rules: &str| fs::write(&mine, format!("name = \"mine\"\n{rules}")).map_err(|e| e.to_string());
    let rule = |check: &str| format!("[[rule]]\nid = \"R\"\ntitle = \"t\"\nchecks = [{check}]");
    let mine_text = text(&mine);
    write(&rule("{ value = \"video.frame_rate.exact\", is = 25 }"))?;
    expect(&replay(&[&video, "--profile", &mine_text])?, 0, &["1 of 1 rules of mine hold"])?;
    write(&rule("{ value = \"video.frames\", min = 26 }"))?;
    expect(&replay(&[&video, "--profile", &mine_text])?, 1, &["video.frames is 25, wanted: >= 26"])?;
    write(&rule("{ value = \"video.speed\", min = 26 }"))?;
    expect(
        &replay(&[&video, "--profile", &mine_text])?,
        2,
        &["`video.speed` is no value of the numbers that are measured"],
    )?;
    expect(&replay(&[&video, "--profile", "prag"])?, 2, &["no profile `prag`", "prague-bench, none"])?;
    expect(&replay(&[&video, "--show-profile"])?, 0, &["[[rule]]", "id = \"H6\""])
}

fn what_is_no_movie() -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = dir.path().join("x.mp4");
    let shown = text(&path);
    expect(&replay(&[&shown])?, 2, &["x.mp4 does not exist"])?;
    expect(&replay(&[&text(dir.path())])?, 2, &["no video.mp4 in it"])?;
    for (bytes, says) in [
        (&b""[..], "it is empty"),
        (b"\x1aE\xdf\xa3 a Matroska file", "no MP4 file"),
        (b"\0\0\0\x10ftypisom\0\0\0\0", "no `moov` box"),
        (b"\0\0\0\x10ftypisom\0\0\0\0\0\0\x10\0moov", "the file is cut off: the `moov` box at byte 16 says 4096 bytes"),
    ] {
        fs::write(&path, bytes).map_err(|e| e.to_string())?;
        expect(&replay(&[&shown])?, 2, &[says])?;
    }
    Ok(())
}

/// A box.
fn atom(kind: &str, body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len() + 8).unwrap_or(u32::MAX);
    [&size.to_be_bytes()[..], kind.as_bytes(), body].concat()
}

/// A full box whose body is 32-bit words.
fn words(kind: &str, body: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = [0].iter().chain(body).flat_map(|w| w.to_be_bytes()).collect();
    atom(kind, &bytes)
}

/// A movie of one H.264 track that claims `count` samples of `size` bytes in 64 KiB of data.
fn claims(count: u32, size: u32) -> Vec<u8> {
    let avcc = atom("avcC", &[1, 66, 0, 30, 0xff, 0xe0, 0]);
    let entry = atom("avc1", &[&[0; 24][..], &[0, 64, 0, 48], &[0; 50], &avcc].concat());
    let stsd = atom("stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1][..], &entry].concat());
    let tables = [
        stsd,
        words("stts", &[1, count, 1]),
        words("stsz", &[size, count]),
        words("stsc", &[1, 1, count, 1]),
        words("stco", &[1, 400]),
    ];
    let hdlr = atom("hdlr", b"\0\0\0\0\0\0\0\0vide\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let media = [words("mdhd", &[0, 0, 1000, count, 0]), hdlr, atom("minf", &atom("stbl", &tables.concat()))];
    let tkhd = words("tkhd", &[&[0, 0, 1, 0, 0][..], &[0; 15]].concat());
    let trak = atom("trak", &[tkhd, atom("mdia", &media.concat())].concat());
    let mvhd = words("mvhd", &[&[0, 0, 1000, count][..], &[0; 20]].concat());
    let moov = atom("moov", &[mvhd, trak].concat());
    [atom("ftyp", b"isom\0\0\0\x01isom"), moov, atom("mdat", &[0; 65_536])].concat()
}

/// Files that claim the most they may, and more, in 1 GiB of address space.
fn lies_in_little_memory() -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = dir.path().join("lie.mp4");
    let boxes = [atom("ftyp", b"isom\0\0\0\x01isom"), atom("free", &[]).repeat(1_100_000)].concat();
    for (name, bytes, code, says) in [
        ("samples that fill the file", claims(65_000, 1), 1, "FAIL"),
        ("more samples than bytes", claims(4_999_999, 1), 2, "larger than the file"),
        ("too many samples", claims(u32::MAX, 1), 2, "more than 5000000 samples"),
        ("samples outside the data", claims(60, 1000), 1, "every sample lies inside an `mdat`: not so"),
        ("large samples", claims(60, u32::MAX), 2, "larger than the file"),
        ("boxes without end", boxes, 2, "more than 1048576 boxes"),
    ] {
        fs::write(&path, bytes).map_err(|e| e.to_string())?;
        let command = format!("ulimit -v 1500000; exec {} verify {}", env!("CARGO_BIN_EXE_replay"), path.display());
        let output =
            Command::new("timeout").args(["60", "bash", "-c", &command]).output().map_err(|e| e.to_string())?;
        expect(&output, code, &[says]).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}
