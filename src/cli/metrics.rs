//! `replay metrics`: numbers about outputs, written beside them, shown, and compared.

#![expect(clippy::disallowed_methods, reason = "writes the files the user asked for")]

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::args::{FlightArgs, MetricsArgs};
use super::{Ended, profile, show};
use crate::metrics::{self, Input, Metrics, MetricsError, Overrides, Series, compare, measure, text};
use crate::rules::Verdict;

pub fn metrics(args: &MetricsArgs, quiet: bool, json: bool) -> Ended {
    if args.show_profile {
        return profile::show::<metrics::Settings>(&args.profile);
    }
    let profile = profile::find(&args.profile)?;
    let given = given(&args.flight);
    let mut runs = Vec::new();
    for out in &args.outputs {
        let input = Input::read(out, &given)?;
        let (metrics, series) = measure(&input, &profile)?;
        if !args.no_write {
            write_all(out, &input, &metrics, &series)?;
        }
        runs.push(metrics);
    }
    if let Some(path) = &args.csv {
        write(path, &compare::csv(&runs))?;
    }
    let open = |m: &Metrics| args.strict && m.rules.iter().any(|r| r.verdict == Verdict::NotMeasured);
    let failed = runs.iter().any(|m| !m.ok || open(m));
    match (json, runs.as_slice()) {
        (true, [one]) => show::print_json(&serde_json::to_value(one).unwrap_or_default()),
        (true, many) => show::print_json(&json!({ "format": 1, "ok": !failed, "runs": many })),
        (false, _) if quiet && !failed => {}
        (false, [one]) => show::print(&text::summary(one)),
        (false, many) => show::print(&compare::table(many)),
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// What is typed, for who measures.
pub fn given(args: &FlightArgs) -> Overrides<'_> {
    Overrides {
        route: args.route.as_deref(),
        repeat: args.repeat.as_deref(),
        origin: args.origin.clone(),
        heading: args.heading,
        scale: args.scale,
        waypoint_radius: args.waypoint_radius,
    }
}

fn write_all(out: &Path, input: &Input, metrics: &Metrics, series: &Series) -> Result<(), MetricsError> {
    let bad = |e: serde_json::Error| MetricsError::Unwritable { path: out.to_owned(), why: e.to_string() };
    write(&out.join("metrics.json"), &(serde_json::to_string_pretty(metrics).map_err(bad)? + "\n"))?;
    write(&out.join("series.json"), &(serde_json::to_string(series).map_err(bad)? + "\n"))?;
    write(&out.join("series.csv"), &series.to_csv(|frame| input.seconds(frame)))
}

fn write(path: &Path, text: &str) -> Result<(), MetricsError> {
    std::fs::write(path, text).map_err(|e| MetricsError::Unwritable { path: path.to_owned(), why: e.to_string() })
}
