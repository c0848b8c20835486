//! `--profile NAME|FILE` of `verify`, `metrics` and `report`.

#![expect(clippy::disallowed_methods, reason = "reads the profile the user named")]

use std::path::Path;

use miette::miette;

use super::{Ended, show};
use crate::rules::RulesError;
use crate::{metrics, verify};

/// Of `replay verify`.
///
/// # Errors
/// There is no such profile, or it is none.
pub fn of_video(name: &str) -> Result<verify::Profile, miette::Report> {
    find(name, &verify::BUILT_IN, verify::Profile::none, verify::Profile::parse)
}

/// Of `replay metrics`.
///
/// # Errors
/// There is no such profile, or it is none.
pub fn of_flight(name: &str) -> Result<metrics::Profile, miette::Report> {
    find(name, &metrics::BUILT_IN, metrics::Profile::none, metrics::Profile::parse)
}

/// Prints the text of a profile that is built in.
///
/// # Errors
/// There is no such profile.
pub fn show(name: &str, built_in: &[(&str, &str)]) -> Ended {
    let (_, text) = built_in.iter().find(|(n, _)| *n == name).ok_or_else(|| unknown(name, built_in))?;
    show::print(text);
    Ok(std::process::ExitCode::SUCCESS)
}

fn find<P>(
    name: &str,
    built_in: &[(&str, &str)],
    none: fn() -> P,
    parse: fn(&str, &str) -> Result<P, RulesError>,
) -> Result<P, miette::Report> {
    if name == "none" {
        return Ok(none());
    }
    if let Some((name, text)) = built_in.iter().find(|(n, _)| *n == name) {
        return Ok(parse(name, text)?);
    }
    if !Path::new(name).is_file() {
        return Err(unknown(name, built_in));
    }
    let text = std::fs::read_to_string(name)
        .map_err(|e| miette!(help = "a profile is a TOML file; --show-profile prints one", "{name}: {e}"))?;
    Ok(parse(name, &text)?)
}

fn unknown(name: &str, built_in: &[(&str, &str)]) -> miette::Report {
    let names: Vec<_> = built_in.iter().map(|(name, _)| *name).chain(["none"]).collect();
    miette!(
        help = format!("there are {}, or a TOML file; --show-profile prints one to begin with", names.join(", ")),
        "there is no profile `{name}`"
    )
}
