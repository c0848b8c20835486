//! `replay diff`: the first frame in which two outputs differ, both shown side by side.

#![expect(clippy::disallowed_methods, reason = "writes the picture the user asked for")]

use std::path::Path;
use std::process::ExitCode;

use miette::{IntoDiagnostic as _, WrapErr as _};
use serde_json::json;

use super::args::DiffArgs;
use super::{Ended, show};
use crate::encode::png;
use crate::evidence::Manifest;
use crate::evidence::sums::SUMS;
use crate::metrics::check_evidence;
use crate::verify::{Difference, Source, compare, side_by_side};

pub fn diff(args: &DiffArgs, quiet: bool, json: bool) -> Ended {
    let mut a = Source::open(&args.a)?;
    let mut b = Source::open(&args.b)?;
    let frames = a.len();
    // Recorded hashes are as good as what lies beside them.
    let altered: Vec<String> = [&args.a, &args.b].into_iter().flat_map(|path| altered(path)).collect();
    if !altered.is_empty() {
        (a.hashes, b.hashes) = (None, None);
    }
    let bar = show::frames_bar(quiet || json);
    let compared = compare(&mut a, &mut b, &mut |done, frames| {
        bar.set_length(frames);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let (text, mut value) = match compared? {
        None => {
            (format!("{frames} frames: all are equal\n"), json!({ "ok": true, "frames": frames, "difference": null }))
        }
        Some(Difference::Length { a, b }) => (
            format!("the common frames are equal, but there are {a} and {b}\n"),
            json!({ "ok": false, "frames": frames, "difference": { "lengths": [a, b] } }),
        ),
        Some(Difference::Frame { frame, a, b }) => {
            let (sheet, pixels) = side_by_side(&a, &b);
            if let Some(output) = &args.output {
                let bytes = png::encode(&sheet.rgba, sheet.width, sheet.height).into_diagnostic()?;
                std::fs::write(output, bytes)
                    .into_diagnostic()
                    .wrap_err_with(|| format!("--output: {} cannot be written", output.display()))?;
            }
            let sizes = [[a.width, a.height], [b.width, b.height]];
            let [[aw, ah], [bw, bh]] = sizes;
            let what = if (aw, ah) == (bw, bh) {
                format!("frame {frame} is the first to differ, in {pixels} pixels")
            } else {
                format!("the pictures of frame {frame} are of different size, {aw}x{ah} and {bw}x{bh}")
            };
            let shown = match &args.output {
                Some(output) => format!("{} shows both and the difference \u{d7}8", output.display()),
                None => "-o FILE.png shows both and the difference".to_owned(),
            };
            let difference = json!({ "frame": frame, "pixels": pixels, "sizes": sizes, "picture": args.output });
            (format!("{what}; {shown}\n"), json!({ "ok": false, "frames": frames, "difference": difference }))
        }
    };
    value["altered"] = json!(altered);
    for what in &altered {
        show::tell(&format!(
            "{what} is not what the render wrote: the pictures themselves are compared, not their hashes"
        ));
    }
    let same = value["ok"] == json!(true);
    if json {
        show::print_json(&value)
    } else if !(quiet && same) {
        show::print(&text)
    }
    Ok(ExitCode::from(u8::from(!same)))
}

/// What of an output's film, or of the lists that tell its frames' hashes, is not what the render wrote.
fn altered(output: &Path) -> Vec<String> {
    if !output.join("frames.sha256").is_file() {
        return Vec::new();
    }
    let manifest = Manifest::read(output);
    let found = check_evidence(output, manifest.as_ref().map(Option::as_ref).map_err(String::as_str));
    let of_film = |name: &String| ["video", "frames", "manifest.json", SUMS].iter().any(|film| name.starts_with(film));
    let names = found.changed.into_iter().chain(found.missing).chain(found.added).filter(of_film);
    names.map(|name| output.join(name).display().to_string()).collect()
}
