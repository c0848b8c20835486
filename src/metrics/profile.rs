//! Profiles: rules on the numbers of `metrics.json`, and what measuring itself needs to know.

use serde::Deserialize;

use super::record::SCHEMA;
use crate::rules::{self, Document, Missing, Rule, RulesError};

/// What a flight is held against.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub limits: Limits,
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// A waypoint counts as passed within so many metres, unless `[route]` says otherwise.
    pub waypoint_radius: f64,
    /// Seconds at the start in which the take-off is looked for.
    pub take_off_window: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { waypoint_radius: 10.0, take_off_window: 10.0 }
    }
}

/// What was not measured neither passes nor fails.
pub const DOCUMENT: Document = Document {
    title: "metrics.json",
    schema: SCHEMA,
    remedy: "`replay metrics --show-profile` prints a profile to begin with; the values are those of metrics.json, \
             named by their paths, e.g. `collision.colliding`",
    missing: Missing::NotMeasured,
};

/// `(name, TOML)` of those that are built in.
pub const BUILT_IN: [(&str, &str); 1] = [("prague-bench", include_str!("profiles/prague-bench.toml"))];

impl Profile {
    /// `name` names the text in messages.
    ///
    /// # Errors
    /// It is no TOML of this shape, or a rule of it says nothing or names no value of `metrics.json`.
    pub fn parse(name: &str, text: &str) -> Result<Self, RulesError> {
        let profile: Self = rules::parse(name, text, &DOCUMENT)?;
        rules::validate(name, &profile.rules, &DOCUMENT)?;
        let limits = profile.limits;
        if !(limits.waypoint_radius > 0.0 && limits.take_off_window > 0.0) {
            let message = "[limits]: waypoint_radius and take_off_window must be above 0".to_owned();
            return Err(RulesError::Toml { name: name.to_owned(), message, remedy: DOCUMENT.remedy });
        }
        Ok(profile)
    }

    /// No rules: numbers alone.
    pub fn none() -> Self {
        Self { name: "none".to_owned(), title: "no rules".to_owned(), limits: Limits::default(), rules: Vec::new() }
    }

    /// One of [`BUILT_IN`].
    pub fn built_in(name: &str) -> Option<Self> {
        BUILT_IN.iter().find(|(n, _)| *n == name).and_then(|(name, text)| Self::parse(name, text).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_profiles_are_sound() {
        for (name, text) in BUILT_IN {
            let profile = Profile::parse(name, text).unwrap();
            assert_eq!(profile.name, name);
            assert!(profile.rules.iter().map(|r| r.id.as_str()).eq(["H7", "H8", "H9", "H10", "H11", "H12"]));
        }
        let error = Profile::parse("p.toml", "name = \"p\"\n[limits]\nwaypoint_radius = 0\n").unwrap_err();
        assert!(error.to_string().contains("must be above 0"));
    }
}
