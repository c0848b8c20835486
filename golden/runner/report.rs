//! Renders one case with the `replay` command, compares, and leaves actual and difference in `golden/.out/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::RgbaImage;

use crate::case::Case;
use crate::compare::{Difference, compare};

pub fn check(case: &Case) -> Result<(), String> {
    let outcome = compare_all(case);
    let here = case.options.known_failure_driver.as_ref().is_none_or(|name| driver(case).contains(name));
    match (case.options.known_failure.as_ref().filter(|_| here), outcome) {
        (None, outcome) => outcome,
        (Some(_), Err(_)) => Ok(()),
        (Some(reason), Ok(())) => Err(format!("passes now, though test.toml says: {reason}\ndelete `known_failure`")),
    }
}

fn folder(case: &Case) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/.out").join(&case.name)
}

/// The driver that drew the case, by its manifest.
fn driver(case: &Case) -> String {
    let manifest = fs::read(folder(case).join("manifest.json")).ok();
    let manifest: Option<serde_json::Value> = manifest.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    manifest.map_or_else(String::new, |manifest| manifest["adapter"]["driver"].to_string())
}

fn compare_all(case: &Case) -> Result<(), String> {
    let out = folder(case);
    let _ = fs::remove_dir_all(&out);
    render(case, &out)?;
    let mut failures = Vec::new();
    for &frame in &case.options.frames {
        let file = format!("frame-{frame}.expected.png");
        let expected = open(&case.folder.join(&file))
            .map_err(|error| format!("{error}\nmake it with: node tools/reference/render.mjs {}", case.name))?;
        let actual = open(&out.join(format!("frames/{frame:06}.png")))?;
        if actual.dimensions() != expected.dimensions() {
            failures.push(format!("frame {frame}: {:?} instead of {:?}", actual.dimensions(), expected.dimensions()));
            continue;
        }
        let Difference { share, picture } = compare(&actual, &expected);
        if share > case.options.max_different {
            let diff = out.join(format!("frame-{frame}.difference.png"));
            picture.save(&diff).map_err(|error| format!("{}: {error}", diff.display()))?;
            failures.push(format!(
                "frame {frame}: {:.3} % of the pixels differ, {:.3} % are allowed; see {}",
                share * 100.0,
                case.options.max_different * 100.0,
                diff.display()
            ));
        } else {
            println!("{}: frame {frame}: {:.4} % differ", case.name, share * 100.0);
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn render(case: &Case, out: &Path) -> Result<(), String> {
    let [width, height] = case.options.size;
    let frames = case.options.frames.iter().max().map_or(1, |last| last + 1);
    let output = Command::new(env!("CARGO_BIN_EXE_replay"))
        .arg("render")
        .arg(&case.entry)
        .arg("-o")
        .arg(out)
        .args(["--codec", "png", "--quiet"])
        .args(["--size", &format!("{width}x{height}"), "--frames", &frames.to_string()])
        .arg("--node-modules")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/node_modules"))
        .output()
        .map_err(|error| format!("could not start replay: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("replay ended with {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

fn open(path: &PathBuf) -> Result<RgbaImage, String> {
    image::open(path).map(image::DynamicImage::into_rgba8).map_err(|error| format!("{}: {error}", path.display()))
}
