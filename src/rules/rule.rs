//! Rules as they are written.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use toml::Spanned;

use super::judge::{contradiction, number};
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
    /// Path of what the value may be for all that is known: if it fails, and that would hold, nobody knows.
    pub perhaps: Option<String>,
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
    #[error("{place}, rule {rule}: {problem}")]
    Rule {
        /// The profile's name, and the line.
        place: String,
        rule: String,
        problem: String,
        #[help]
        remedy: &'static str,
    },
}

/// `text`: where the rules were read from.
///
/// # Errors
/// A rule says nothing, or asks for what the document does not hold or nothing can be.
pub(super) fn validate(name: &str, text: &str, rules: &[Rule], document: &Document) -> Result<(), RulesError> {
    let schema: Value = serde_json::from_str(document.schema).unwrap_or_default();
    for (index, rule) in rules.iter().enumerate() {
        let twice = rules.iter().take(index).any(|r| r.id == rule.id);
        let problem = if twice {
            Some((None, "there are two rules of this name".to_owned()))
        } else if rule.checks.is_empty() {
            Some((None, "it has no checks".to_owned()))
        } else {
            let all = rule.when.iter().chain(&rule.needs).chain(&rule.checks);
            all.enumerate().find_map(|(at, check)| Some((Some(at), check.problem(&schema, document)?)))
        };
        if let Some((check, problem)) = problem {
            let line = line_of(text, index, check).map_or_else(String::new, |line| format!(":{line}"));
            return Err(RulesError::Rule {
                place: format!("{name}{line}"),
                rule: rule.id.clone(),
                problem,
                remedy: document.remedy,
            });
        }
    }
    Ok(())
}

/// Where rules stand in their text; in each, its checks in the order in which they are looked at.
#[derive(Deserialize)]
struct Places {
    #[serde(default, rename = "rule")]
    rules: Vec<Spanned<RulePlaces>>,
}

#[derive(Deserialize)]
struct RulePlaces {
    when: Option<Spanned<IgnoredAny>>,
    #[serde(default)]
    needs: Vec<Spanned<IgnoredAny>>,
    #[serde(default)]
    checks: Vec<Spanned<IgnoredAny>>,
}

/// The line, from 1, of a rule or of one of its checks.
fn line_of(text: &str, rule: usize, check: Option<usize>) -> Option<usize> {
    let places: Places = toml::from_str(text).ok()?;
    let rule = places.rules.get(rule)?;
    let all = || {
        let inner = rule.get_ref();
        inner.when.iter().chain(&inner.needs).chain(&inner.checks)
    };
    let span = check.and_then(|at| all().nth(at)).map_or_else(|| rule.span(), Spanned::span);
    Some(text.get(..span.start)?.matches('\n').count() + 1)
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
        let Some(leaf) = schema::leaf(schema, path) else {
            return Some(format!("`{path}` is no value of {}", document.title));
        };
        if let Some(perhaps) = self.perhaps.as_ref().filter(|path| schema::leaf(schema, path).is_none()) {
            return Some(format!("`{perhaps}` is no value of {}", document.title));
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
        if !leaf.number
            && let Some((sign, _)) = self.bounds().next()
        {
            return Some(format!("`{path}` is no number: it can't be held against {sign}"));
        }
        let values = self.is.iter().chain(&self.not).chain(self.one_of.iter().flatten());
        if let Some(problem) = values.filter_map(|value| mistyped(&leaf, path, value)).next() {
            return Some(problem);
        }
        contradiction(self).map(|asked| format!("nothing that `{path}` can be is all of: {asked}"))
    }
}

/// Why the value of the document can never be this.
fn mistyped(leaf: &schema::Leaf<'_>, path: &str, value: &toml::Value) -> Option<String> {
    let is = match (leaf.number, leaf.text, leaf.truth) {
        (true, false, _) => "a number",
        (_, true, _) => "a text",
        _ => "true or false",
    };
    let fits = match value {
        toml::Value::Integer(_) => leaf.number,
        toml::Value::Float(float) => leaf.number && !(leaf.whole && float.fract() != 0.0),
        toml::Value::Boolean(_) => leaf.truth,
        // A quotient is a number that TOML has no other way to write.
        toml::Value::String(text) if leaf.number && text.contains('/') => number(value).is_some(),
        toml::Value::String(text) => {
            let known = leaf.texts.is_none_or(|texts| texts.iter().any(|t| t.as_str() == Some(text)));
            if leaf.text && !known {
                let all: Vec<&str> = leaf.texts.into_iter().flatten().filter_map(Value::as_str).collect();
                return Some(format!("`{path}` is never {value}, but one of {}", all.join(", ")));
            }
            leaf.text
        }
        _ => false,
    };
    let whole = if leaf.whole { "a whole number" } else { is };
    (!fits).then(|| format!("`{path}` is {whole}, and never {value}"))
}
