//! Holds the numbers against a profile.

use serde::Serialize;
use serde_json::Value;

use super::profile::{Check, Profile, Rule};
use super::ratio::Ratio;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Pass,
    Fail,
    /// The rule's condition does not hold.
    NotApplicable,
}

/// What came of a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleResult {
    pub id: String,
    pub title: String,
    pub requirement: String,
    pub measured: String,
    pub verdict: Verdict,
    pub checks: Vec<CheckResult>,
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckResult {
    /// Path of the value.
    pub value: String,
    /// What was asked, e.g. `>= 55, <= 60`.
    pub wanted: String,
    /// What was found: a number, text or truth value as the JSON has it; exact numbers as text.
    pub found: Value,
    pub holds: bool,
    /// Fails nothing.
    pub aim: bool,
}

/// All rules in order; `facts` is the JSON of the facts.
pub fn judge(profile: &Profile, facts: &Value) -> Vec<RuleResult> {
    profile.rules.iter().map(|rule| judge_rule(rule, facts)).collect()
}

fn judge_rule(rule: &Rule, facts: &Value) -> RuleResult {
    let applies = rule.when.as_ref().is_none_or(|when| check(when, facts).holds);
    let checks: Vec<_> = if applies { rule.checks.iter().map(|c| check(c, facts)).collect() } else { Vec::new() };
    let verdict = match applies {
        false => Verdict::NotApplicable,
        true if checks.iter().all(|c| c.holds || c.aim) => Verdict::Pass,
        true => Verdict::Fail,
    };
    RuleResult {
        id: rule.id.clone(),
        title: rule.title.clone(),
        requirement: rule.requirement.clone(),
        measured: rule.measured.clone(),
        verdict,
        checks,
    }
}

fn check(check: &Check, facts: &Value) -> CheckResult {
    let found = check.value.split('.').try_fold(facts, |node, name| node.get(name)).unwrap_or(&Value::Null);
    let mut wanted = Vec::new();
    let mut holds = true;
    if let Some(is) = &check.is {
        wanted.push(text(is));
        holds &= equal(found, is);
    }
    if let Some(list) = &check.one_of {
        wanted.push(format!("one of {}", list.iter().map(text).collect::<Vec<_>>().join(", ")));
        holds &= list.iter().any(|is| equal(found, is));
    }
    for (name, bound) in check.bounds() {
        let sign = match name {
            "min" => ">=",
            "max" => "<=",
            "above" => ">",
            _ => "<",
        };
        wanted.push(format!("{sign} {}", text(bound)));
        holds &= exact(found).zip(number(bound)).is_some_and(|(found, bound)| match name {
            "min" => found >= bound,
            "max" => found <= bound,
            "above" => found > bound,
            _ => found < bound,
        });
    }
    let shown = found.get("exact").unwrap_or(found).clone();
    CheckResult { value: check.value.clone(), wanted: wanted.join(", "), found: shown, holds, aim: check.aim }
}

/// A number of the JSON, exactly.
fn exact(value: &Value) -> Option<Ratio> {
    match value {
        Value::Number(number) => Ratio::parse(&number.to_string()),
        Value::Object(object) => object.get("exact").and_then(Value::as_str).and_then(Ratio::parse),
        _ => None,
    }
}

/// A number of a profile: as such, or as text where it is a quotient (`"30000/1001"`).
pub fn number(value: &toml::Value) -> Option<Ratio> {
    match value {
        toml::Value::Integer(number) => Some(Ratio::int(*number)),
        toml::Value::Float(number) => Ratio::parse(&number.to_string()),
        toml::Value::String(text) => Ratio::parse(text),
        _ => None,
    }
}

fn equal(found: &Value, is: &toml::Value) -> bool {
    match (found, is) {
        (Value::Bool(found), toml::Value::Boolean(is)) => found == is,
        (Value::String(found), toml::Value::String(is)) => found == is,
        (Value::Number(_) | Value::Object(_), _) => exact(found).is_some_and(|found| Some(found) == number(is)),
        _ => false,
    }
}

fn text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
