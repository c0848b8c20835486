//! `replay map`: the route and the flown path from above.

#![expect(clippy::disallowed_methods, reason = "writes the picture the user asked for")]

use std::process::ExitCode;

use miette::{IntoDiagnostic as _, WrapErr as _, miette};
use serde_json::json;

use super::args::MapArgs;
use super::{Ended, show};
use crate::report::map::HERE;
use crate::report::{Format, Options, ReportError, load};

pub fn map(args: &MapArgs, quiet: bool, json: bool) -> Ended {
    let output = args.output.clone().unwrap_or_else(|| args.input.join("map.png"));
    let options = Options {
        no_pictures: true,
        film_colors: args.film_colors,
        given: super::metrics::given(&args.flight),
        ..Options::default()
    };
    let sources = load(&args.input, &options)?;
    let (figure, places) = sources.figure().map_err(ReportError::NoMap)?;
    let bytes = match output.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("png") => Format::Png.encode(&figure.picture()?)?,
        Some("svg") => figure.svg("The flown path from above", HERE).finish().into_bytes(),
        _ => {
            let shown = output.display();
            return Err(miette!(
                help = "end its name in .png or .svg",
                "{shown} has no ending that names a picture format"
            ));
        }
    };
    std::fs::write(&output, bytes)
        .into_diagnostic()
        .wrap_err_with(|| format!("{} cannot be written", output.display()))?;
    let alarms = sources.evidence.complaints();
    for alarm in &alarms {
        show::tell(&format!("!! {alarm}"));
    }
    let known = places.iter().flatten().count();
    let (width, height) = (figure.width, figure.height);
    if json {
        show::print_json(&json!({
            "ok": alarms.is_empty(), "map": output, "width": width, "height": height, "frames": places.len(), "known": known,
            "alarms": alarms,
        }));
    } else if !quiet {
        show::print(&format!("{}: {known} of {} frames, {width}x{height} pixels\n", output.display(), places.len()));
    }
    Ok(ExitCode::from(u8::from(!alarms.is_empty())))
}
