//! Profiles: rules on the measured numbers, as TOML.

use serde::Deserialize;
use serde_json::Value;

use super::report::SCHEMA;

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
    pub checks: Vec<Check>,
}

/// A field of the JSON, by its path, and what it must be.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub value: String,
    pub is: Option<toml::Value>,
    pub one_of: Option<Vec<toml::Value>>,
    /// Bounds that may be reached.
    pub min: Option<toml::Value>,
    pub max: Option<toml::Value>,
    /// Bounds that may not.
    pub above: Option<toml::Value>,
    pub below: Option<toml::Value>,
    /// Told, but fails nothing.
    #[serde(default)]
    pub aim: bool,
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    #[error("the profile can't be read: {0}")]
    Toml(#[from] toml::de::Error),
    #[error("rule {rule}: `{path}` is not measured; `replay verify FILE --profile none --json` shows all there is")]
    UnknownValue { rule: String, path: String },
    #[error("rule {rule}: the check of `{path}` {why}")]
    BadCheck { rule: String, path: String, why: String },
    #[error("there are two rules `{0}`")]
    Twice(String),
    #[error("rule {0} has no checks")]
    Empty(String),
}

/// `(name, TOML)` of those that are built in.
pub const BUILT_IN: [(&str, &str); 1] = [("prague-bench", include_str!("profiles/prague-bench.toml"))];

impl Profile {
    /// # Errors
    /// It is no TOML of this shape, or asks for what is not measured.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let profile: Self = toml::from_str(text)?;
        let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
        for (index, rule) in profile.rules.iter().enumerate() {
            if profile.rules.iter().take(index).any(|r| r.id == rule.id) {
                return Err(ProfileError::Twice(rule.id.clone()));
            }
            if rule.checks.is_empty() {
                return Err(ProfileError::Empty(rule.id.clone()));
            }
            for check in rule.when.iter().chain(&rule.checks) {
                check.validate(rule, &schema)?;
            }
        }
        Ok(profile)
    }

    /// One of [`BUILT_IN`].
    pub fn built_in(name: &str) -> Option<Self> {
        BUILT_IN.iter().find(|(n, _)| *n == name).and_then(|(_, text)| Self::parse(text).ok())
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

impl Check {
    /// The operators it uses: name, and the number or text that stands behind it.
    pub fn bounds(&self) -> impl Iterator<Item = (&'static str, &toml::Value)> {
        [("min", &self.min), ("max", &self.max), ("above", &self.above), ("below", &self.below)]
            .into_iter()
            .filter_map(|(name, bound)| bound.as_ref().map(|b| (name, b)))
    }

    fn validate(&self, rule: &Rule, schema: &Value) -> Result<(), ProfileError> {
        let bad = |why: &str| {
            Err(ProfileError::BadCheck { rule: rule.id.clone(), path: self.value.clone(), why: why.to_owned() })
        };
        if !is_leaf(schema, &self.value) {
            return Err(ProfileError::UnknownValue { rule: rule.id.clone(), path: self.value.clone() });
        }
        let bounds = self.bounds().count();
        if bounds == 0 && self.is.is_none() && self.one_of.is_none() {
            return bad("says nothing: use is, one_of, min, max, above or below");
        }
        if self.bounds().any(|(_, b)| super::rules::number(b).is_none()) {
            return bad("has a bound that is no number");
        }
        if self.one_of.as_ref().is_some_and(Vec::is_empty) {
            return bad("has an empty list");
        }
        Ok(())
    }
}

/// Does the schema know a single value at this path?
fn is_leaf(schema: &Value, path: &str) -> bool {
    let resolve = |node: &Value| -> Option<Value> {
        let name = node.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/"));
        let found = match name {
            Some(name) => schema.get("$defs")?.get(name)?.clone(),
            None => node.clone(),
        };
        // `anyOf: [X, null]`: X may be missing.
        match found.get("anyOf").and_then(Value::as_array).and_then(|all| all.first()) {
            Some(first) => {
                let name = first.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/"));
                match name {
                    Some(name) => schema.get("$defs")?.get(name).cloned(),
                    None => Some(first.clone()),
                }
            }
            None => Some(found),
        }
    };
    let mut node = schema.clone();
    for name in path.split('.') {
        let Some(next) = node.get("properties").and_then(|p| p.get(name)).and_then(resolve) else { return false };
        node = next;
    }
    let inner = node.get("properties");
    let exact = inner.is_some_and(|p| p.get("exact").is_some() && p.get("value").is_some());
    exact || (inner.is_none() && node.get("items").is_none())
}
