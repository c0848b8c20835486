//! Profiles: rules on the numbers of `metrics.json`, and what measuring itself needs to know.

use serde::Deserialize;

use super::record::SCHEMA;
use crate::rules::{self, Document, Missing};

/// What a flight is held against.
pub type Profile = rules::Profile<Settings>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    pub limits: Limits,
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

impl rules::Settings for Settings {
    /// What was not measured neither passes nor fails.
    const DOCUMENT: Document = Document {
        title: "metrics.json",
        schema: SCHEMA,
        remedy: "`replay metrics --show-profile` prints a profile to begin with; the values are those of metrics.json, \
                 named by their paths, e.g. `collision.colliding`",
        missing: Missing::NotMeasured,
    };
    const BUILT_IN: &'static [(&'static str, &'static str)] =
        &[("prague-bench", include_str!("profiles/prague-bench.toml"))];

    /// Numbers alone.
    fn none() -> Self {
        Self::default()
    }

    fn problem(&self) -> Option<String> {
        let Limits { waypoint_radius, take_off_window } = self.limits;
        let sound = waypoint_radius > 0.0 && take_off_window > 0.0;
        (!sound).then(|| "[limits]: waypoint_radius and take_off_window must be above 0".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Settings as _;

    #[test]
    fn the_built_in_profiles_are_sound() {
        for (name, text) in Settings::BUILT_IN {
            let profile = Profile::parse(name, text).unwrap();
            assert_eq!(profile.name, *name);
            assert!(profile.rules.iter().map(|r| r.id.as_str()).eq(["H7", "H8", "H9", "H10", "H11", "H12"]));
        }
        let error = Profile::parse("p.toml", "name = \"p\"\n[limits]\nwaypoint_radius = 0\n").unwrap_err();
        assert!(error.to_string().contains("must be above 0"));
    }
}
