//! Profiles: rules on the numbers of a file, as TOML.

use serde::Deserialize;

use super::report::SCHEMA;
use crate::rules::{self, Document, Missing};

/// The rules a file is held against.
pub type Profile = rules::Profile<Settings>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Must the file agree with itself too?
    #[serde(default)]
    pub consistency: ConsistencyRule,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConsistencyRule {
    /// Contradictions are told.
    #[default]
    Report,
    /// Contradictions fail.
    Require,
}

impl rules::Settings for Settings {
    /// The whole file was looked at: what is not there is not there.
    const DOCUMENT: Document = Document {
        title: "the numbers that are measured",
        schema: SCHEMA,
        remedy: "`replay verify FILE --show-profile` prints a profile to begin with, `--profile none --json` all values there are",
        missing: Missing::Fails,
    };
    const BUILT_IN: &'static [(&'static str, &'static str)] =
        &[("prague-bench", include_str!("profiles/prague-bench.toml"))];

    /// Only that the file agrees with itself.
    fn none() -> Self {
        Self { consistency: ConsistencyRule::Require }
    }
}
