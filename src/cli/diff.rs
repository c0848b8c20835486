//! `replay diff`: the first frame in which two outputs differ, both shown side by side.

#![expect(clippy::disallowed_methods, reason = "writes the picture the user asked for")]

use std::process::ExitCode;

use miette::IntoDiagnostic as _;
use serde_json::json;

use super::args::DiffArgs;
use super::{Ended, show};
use crate::encode::png;
use crate::verify::{Difference, Source, compare, side_by_side};

pub fn diff(args: &DiffArgs, json: bool) -> Ended {
    let mut a = Source::open(&args.a)?;
    let mut b = Source::open(&args.b)?;
    let frames = a.len();
    let (text, value) = match compare(&mut a, &mut b)? {
        None => {
            (format!("{frames} frames: all are equal\n"), json!({ "ok": true, "frames": frames, "difference": null }))
        }
        Some(Difference::Length { a, b }) => (
            format!("the common frames are equal, but there are {a} and {b}\n"),
            json!({ "ok": false, "difference": { "lengths": [a, b] } }),
        ),
        Some(Difference::Frame { frame, a, b }) => {
            let (sheet, pixels) = side_by_side(&a, &b);
            let bytes = png::encode(&sheet.rgba, sheet.width, sheet.height).into_diagnostic()?;
            std::fs::write(&args.output, bytes).into_diagnostic()?;
            let shown = args.output.display();
            (
                format!(
                    "frame {frame} is the first to differ, in {pixels} pixels; {shown} shows both and the difference ×8\n"
                ),
                json!({ "ok": false, "difference": { "frame": frame, "pixels": pixels, "picture": args.output } }),
            )
        }
    };
    let same = value["ok"] == json!(true);
    if json {
        show::print_json(&value)
    } else {
        show::print(&text)
    }
    Ok(ExitCode::from(u8::from(!same)))
}
