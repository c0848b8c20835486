//! `replay metrics`: numbers about outputs, written beside them, shown, and compared.

#![expect(clippy::disallowed_methods, reason = "reads the profile and writes the files the user asked for")]

use std::path::Path;
use std::process::ExitCode;

use serde_json::json;

use super::args::MetricsArgs;
use super::{Ended, show};
use crate::metrics::rules::{BUILT_IN, Verdict};
use crate::metrics::{Input, Metrics, MetricsError, Overrides, Profile, Series, compare, measure, text};

/// Rules that are shown if none are asked for; they then fail nothing.
const SHOWN: &str = "prague-bench";

pub fn metrics(args: &MetricsArgs, quiet: bool, json: bool) -> Ended {
    let profile = profile(args.profile.as_deref().unwrap_or(SHOWN))?;
    let given = Overrides {
        route: args.route.as_deref(),
        repeat: args.repeat.as_deref(),
        origin: args.origin.clone(),
        heading: args.heading,
        scale: args.scale,
        waypoint_radius: args.waypoint_radius,
    };
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
    let counts = |m: &Metrics| {
        args.profile.is_some()
            && m.rules.iter().any(|r| r.verdict == Verdict::Fail || args.strict && r.verdict == Verdict::NotMeasured)
    };
    let failed = runs.iter().any(counts);
    match (json, runs.as_slice()) {
        (true, [one]) => show::print_json(&serde_json::to_value(one).unwrap_or_default()),
        (true, many) => show::print_json(&json!({ "format": 1, "ok": !failed, "runs": many })),
        (false, _) if quiet => {}
        (false, [one]) => show::print(&text::summary(one)),
        (false, many) => show::print(&compare::table(many)),
    }
    Ok(ExitCode::from(u8::from(failed)))
}

fn profile(name: &str) -> Result<Profile, MetricsError> {
    if let Some(profile) = Profile::built_in(name) {
        return Ok(profile);
    }
    if name == "none" {
        return Ok(Profile::none());
    }
    let known: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
    let text = std::fs::read_to_string(name).map_err(|e| MetricsError::Unreadable {
        path: name.into(),
        why: format!("{e} (built in are {} and none)", known.join(", ")),
    })?;
    Ok(Profile::parse(name, &text)?)
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
