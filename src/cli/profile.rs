//! `--profile NAME|FILE` of `verify`, `metrics` and `report`.

#![expect(clippy::disallowed_methods, reason = "reads the profile the user named")]

use std::path::Path;

use miette::miette;

use super::{Ended, show};
use crate::rules::{Profile, Settings};

/// `none`, one that is built in, or a file.
///
/// # Errors
/// There is no such profile, or it is none.
pub fn find<S: Settings>(name: &str) -> Result<Profile<S>, miette::Report> {
    if name == "none" {
        return Ok(Profile::none());
    }
    if let Some((name, text)) = S::BUILT_IN.iter().find(|(n, _)| *n == name) {
        return Ok(Profile::parse(name, text)?);
    }
    if !Path::new(name).is_file() {
        return Err(unknown::<S>(name));
    }
    let text = std::fs::read_to_string(name)
        .map_err(|e| miette!(help = "a profile is a TOML file; --show-profile prints one", "{name}: {e}"))?;
    Ok(Profile::parse(name, &text)?)
}

/// Prints the text of a profile that is built in.
///
/// # Errors
/// There is no such profile.
pub fn show<S: Settings>(name: &str) -> Ended {
    let (_, text) = S::BUILT_IN.iter().find(|(n, _)| *n == name).ok_or_else(|| unknown::<S>(name))?;
    show::print(text);
    Ok(std::process::ExitCode::SUCCESS)
}

fn unknown<S: Settings>(name: &str) -> miette::Report {
    let names: Vec<_> = S::BUILT_IN.iter().map(|(name, _)| *name).chain(["none"]).collect();
    miette!(
        help = format!("there are {}, or a TOML file; --show-profile prints one to begin with", names.join(", ")),
        "there is no profile `{name}`"
    )
}
