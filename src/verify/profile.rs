//! Profiles: rules on the numbers of a file, as TOML.

use serde::Deserialize;

use super::report::SCHEMA;
use crate::rules::{self, Document, Missing, Rule, RulesError};

/// The rules a file is held against.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    #[serde(default)]
    pub title: String,
    /// Must the file agree with itself too?
    #[serde(default)]
    pub consistency: ConsistencyRule,
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
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

/// The whole file was looked at: what is not there is not there.
pub const DOCUMENT: Document = Document {
    title: "the numbers that are measured",
    schema: SCHEMA,
    remedy: "`replay verify FILE --show-profile` prints a profile to begin with, `--profile none --json` all values there are",
    missing: Missing::Fails,
};

/// `(name, TOML)` of those that are built in.
pub const BUILT_IN: [(&str, &str); 1] = [("prague-bench", include_str!("profiles/prague-bench.toml"))];

impl Profile {
    /// `name` names the text in messages.
    ///
    /// # Errors
    /// It is no TOML of this shape, or asks for what is not measured.
    pub fn parse(name: &str, text: &str) -> Result<Self, RulesError> {
        let profile: Self = rules::parse(name, text, &DOCUMENT)?;
        rules::validate(name, &profile.rules, &DOCUMENT)?;
        Ok(profile)
    }

    /// One of [`BUILT_IN`].
    pub fn built_in(name: &str) -> Option<Self> {
        BUILT_IN.iter().find(|(n, _)| *n == name).and_then(|(name, text)| Self::parse(name, text).ok())
    }

    /// No rules; only that the file agrees with itself.
    pub fn none() -> Self {
        Self {
            name: "none".to_owned(),
            title: "no rules".to_owned(),
            consistency: ConsistencyRule::Require,
            rules: Vec::new(),
        }
    }
}
