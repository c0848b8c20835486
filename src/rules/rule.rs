//! Rules as they are written.

use serde::Deserialize;
use serde_json::Value;

use super::judge::number;
use super::{Document, schema};

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub id: String,
    pub title: String,
    /// In words.
    #[serde(default)]
    pub requirement: String,
    /// How it is measured, in words.
    #[serde(default)]
    pub measured: String,
    /// The rule applies only if this holds.
    pub when: Option<Check>,
    /// What must hold for the checks to mean anything: where it does not, the rule can fail but not pass.
    #[serde(default)]
    pub needs: Vec<Check>,
    pub checks: Vec<Check>,
}

/// A value of the document, by its path, and what it must be.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub value: String,
    pub is: Option<toml::Value>,
    pub not: Option<toml::Value>,
    pub one_of: Option<Vec<toml::Value>>,
    /// Bounds that may be reached. Numbers, or quotients as text (`"30000/1001"`).
    pub min: Option<toml::Value>,
    pub max: Option<toml::Value>,
    /// Bounds that may not.
    pub above: Option<toml::Value>,
    pub below: Option<toml::Value>,
    /// Told, but fails nothing.
    #[serde(default)]
    pub aim: bool,
}

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RulesError {
    #[error("{name} can't be read: {message}")]
    Toml {
        name: String,
        message: String,
        #[help]
        remedy: &'static str,
    },
    #[error("{name}, rule {rule}: {problem}")]
    Rule {
        name: String,
        rule: String,
        problem: String,
        #[help]
        remedy: &'static str,
    },
}

/// # Errors
/// A rule says nothing, or asks for what the document does not hold.
pub(super) fn validate(name: &str, rules: &[Rule], document: &Document) -> Result<(), RulesError> {
    let schema: Value = serde_json::from_str(document.schema).unwrap_or_default();
    for (index, rule) in rules.iter().enumerate() {
        let twice = rules.iter().take(index).any(|r| r.id == rule.id);
        let problem = if twice {
            Some("there are two rules of this name".to_owned())
        } else if rule.checks.is_empty() {
            Some("it has no checks".to_owned())
        } else {
            let mut all = rule.when.iter().chain(&rule.needs).chain(&rule.checks);
            all.find_map(|check| check.problem(&schema, document))
        };
        if let Some(problem) = problem {
            return Err(RulesError::Rule {
                name: name.to_owned(),
                rule: rule.id.clone(),
                problem,
                remedy: document.remedy,
            });
        }
    }
    Ok(())
}

impl Check {
    /// Its bounds: sign, and the number or text that stands behind it.
    pub(super) fn bounds(&self) -> impl Iterator<Item = (&'static str, &toml::Value)> {
        [(">=", &self.min), ("<=", &self.max), (">", &self.above), ("<", &self.below)]
            .into_iter()
            .filter_map(|(sign, bound)| bound.as_ref().map(|b| (sign, b)))
    }

    fn problem(&self, schema: &Value, document: &Document) -> Option<String> {
        let path = &self.value;
        if !schema::is_leaf(schema, path) {
            return Some(format!("`{path}` is no value of {}", document.title));
        }
        let asks = self.is.is_some() || self.not.is_some() || self.one_of.is_some() || self.bounds().next().is_some();
        if !asks {
            return Some(format!("the check of `{path}` says nothing: use is, not, one_of, min, max, above or below"));
        }
        if self.bounds().any(|(_, bound)| number(bound).is_none()) {
            return Some(format!("the check of `{path}` has a bound that is no number"));
        }
        if self.one_of.as_ref().is_some_and(Vec::is_empty) {
            return Some(format!("the check of `{path}` has an empty list"));
        }
        None
    }
}
