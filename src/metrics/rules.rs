//! Rules on the numbers, in the TOML that `replay verify` uses for its profiles, and what comes of them.
//!
//! A check names a value of `metrics.json` by its path. What was not measured neither passes nor fails.

use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// What measuring itself needs to know.
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
    pub checks: Vec<Check>,
    /// What must hold for the checks to mean anything: where it does not, the rule can fail but not pass.
    #[serde(default)]
    pub needs: Vec<Check>,
}

/// A value of the JSON, by its path, and what it must be.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub value: String,
    pub is: Option<toml::Value>,
    pub not: Option<toml::Value>,
    /// Bounds that may be reached.
    pub min: Option<f64>,
    pub max: Option<f64>,
    /// Bounds that may not.
    pub above: Option<f64>,
    pub below: Option<f64>,
    /// Told, but fails nothing.
    #[serde(default)]
    pub aim: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Pass,
    Fail,
    NotMeasured,
}

/// What came of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleResult {
    pub id: String,
    pub title: String,
    pub requirement: String,
    pub measured: String,
    pub verdict: Verdict,
    pub checks: Vec<CheckResult>,
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    /// Path of the value.
    pub value: String,
    /// What was asked, e.g. `>= 55, <= 60`.
    pub wanted: String,
    /// What was found; `null` if it was not measured.
    pub found: Value,
    /// Why it was not measured.
    pub not_measured: Option<String>,
    /// `false` too if it was not measured.
    pub holds: bool,
    pub aim: bool,
}

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ProfileError {
    #[error("{name} can't be read: {message}")]
    #[diagnostic(help("src/metrics/profiles/prague-bench.toml shows the form"))]
    Toml { name: String, message: String },
    #[error("{name}, rule {rule}: {problem}")]
    #[diagnostic(help("the values are those of metrics.json, named by their paths, e.g. `collision.colliding`"))]
    Rule { name: String, rule: String, problem: String },
}

/// `(name, TOML)` of those that are built in.
pub const BUILT_IN: [(&str, &str); 1] = [("prague-bench", include_str!("profiles/prague-bench.toml"))];

impl Profile {
    /// `name` names the text in messages.
    ///
    /// # Errors
    /// It is no TOML of this shape, or a rule of it says nothing or names no value of `metrics.json`.
    pub fn parse(name: &str, text: &str) -> Result<Self, ProfileError> {
        let profile: Self =
            toml::from_str(text).map_err(|e| ProfileError::Toml { name: name.to_owned(), message: e.to_string() })?;
        let schema: Value = serde_json::from_str(super::SCHEMA).unwrap_or_default();
        for (index, rule) in profile.rules.iter().enumerate() {
            let bad =
                |problem: String| Err(ProfileError::Rule { name: name.to_owned(), rule: rule.id.clone(), problem });
            if profile.rules.iter().take(index).any(|r| r.id == rule.id) {
                return bad("there are two rules of this name".to_owned());
            }
            if rule.checks.is_empty() {
                return bad("it has no checks".to_owned());
            }
            for check in rule.checks.iter().chain(&rule.needs) {
                if check.is.is_none() && check.not.is_none() && check.bounds().next().is_none() {
                    return bad(format!(
                        "the check of `{}` says nothing: use is, not, min, max, above or below",
                        check.value
                    ));
                }
                if !is_leaf(&schema, &check.value) {
                    return bad(format!("`{}` is no value of metrics.json", check.value));
                }
            }
        }
        let limits = profile.limits;
        if !(limits.waypoint_radius > 0.0 && limits.take_off_window > 0.0) {
            let problem = "waypoint_radius and take_off_window must be above 0".to_owned();
            return Err(ProfileError::Rule { name: name.to_owned(), rule: "limits".to_owned(), problem });
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

impl Check {
    /// Sign and bound.
    fn bounds(&self) -> impl Iterator<Item = (&'static str, f64)> {
        [(">=", self.min), ("<=", self.max), (">", self.above), ("<", self.below)]
            .into_iter()
            .filter_map(|(sign, bound)| bound.map(|b| (sign, b)))
    }
}

/// All rules in order; `metrics` is the JSON of the numbers.
pub fn judge(profile: &Profile, metrics: &Value) -> Vec<RuleResult> {
    profile.rules.iter().map(|rule| judge_rule(rule, metrics)).collect()
}

fn judge_rule(rule: &Rule, metrics: &Value) -> RuleResult {
    let mut checks: Vec<_> = rule.checks.iter().map(|c| judge_check(c, metrics)).collect();
    for need in rule.needs.iter().map(|c| judge_check(c, metrics)).filter(|need| !need.holds) {
        let why = format!("{} is {}, needed: {}", need.value, need.found, need.wanted);
        checks.push(CheckResult { not_measured: Some(need.not_measured.clone().unwrap_or(why)), ..need });
    }
    let counted = || checks.iter().filter(|c| !c.aim);
    let verdict = if counted().any(|c| !c.holds && c.not_measured.is_none()) {
        Verdict::Fail
    } else if counted().all(|c| c.holds) {
        Verdict::Pass
    } else {
        Verdict::NotMeasured
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

fn equal(found: &Value, wanted: &toml::Value) -> bool {
    match (found, wanted) {
        (Value::Bool(found), toml::Value::Boolean(wanted)) => found == wanted,
        (Value::String(found), toml::Value::String(wanted)) => found == wanted,
        (Value::Number(found), toml::Value::Integer(wanted)) => found.as_f64() == Some(*wanted as f64),
        (Value::Number(found), toml::Value::Float(wanted)) => found.as_f64() == Some(*wanted),
        _ => false,
    }
}

fn judge_check(check: &Check, metrics: &Value) -> CheckResult {
    let mut found = metrics;
    let mut not_measured = None;
    for name in check.value.split('.') {
        if let Some(why) = found.get("not_measured").and_then(Value::as_str) {
            not_measured = Some(why.to_owned());
        }
        found = found.get(name).unwrap_or(&Value::Null);
    }
    if found.is_null() && not_measured.is_none() {
        not_measured = Some("the output holds nothing to tell it from".to_owned());
    }
    let mut wanted = Vec::new();
    let mut holds = not_measured.is_none();
    if let Some(is) = &check.is {
        wanted.push(is.to_string());
        holds &= equal(found, is);
    }
    if let Some(not) = &check.not {
        wanted.push(format!("not {not}"));
        holds &= !equal(found, not);
    }
    for (sign, bound) in check.bounds() {
        wanted.push(format!("{sign} {bound}"));
        holds &= found.as_f64().is_some_and(|found| match sign {
            ">=" => found >= bound,
            "<=" => found <= bound,
            ">" => found > bound,
            _ => found < bound,
        });
    }
    CheckResult {
        value: check.value.clone(),
        wanted: wanted.join(", "),
        found: found.clone(),
        not_measured,
        holds,
        aim: check.aim,
    }
}

/// Does the schema know a single value at this path?
pub(super) fn is_leaf(schema: &Value, path: &str) -> bool {
    let mut node = schema;
    for name in path.split('.') {
        let Some(next) = resolve(schema, node).get("properties").and_then(|p| p.get(name)) else { return false };
        node = next;
    }
    let node = resolve(schema, node);
    node.get("properties").is_none() && node.get("items").is_none()
}

/// Follows references, and through `anyOf` to the first form that is an object of its own.
pub(super) fn resolve<'a>(schema: &'a Value, node: &'a Value) -> &'a Value {
    if let Some(name) = node.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/")) {
        return schema.get("$defs").and_then(|d| d.get(name)).map_or(node, |found| resolve(schema, found));
    }
    match node.get("anyOf").and_then(Value::as_array).and_then(|all| all.first()) {
        Some(first) => resolve(schema, first),
        None => node,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judged(checks: &str, metrics: &Value) -> (Verdict, Vec<bool>) {
        let text = format!("name = \"t\"\n[[rule]]\nid = \"R\"\ntitle = \"t\"\nchecks = [{checks}]\n");
        let profile = Profile::parse("t.toml", &text).unwrap();
        let results = judge(&profile, metrics);
        (results[0].verdict, results[0].checks.iter().map(|c| c.holds).collect())
    }

    #[test]
    fn a_missing_value_is_neither_pass_nor_fail() {
        let metrics = json!({
            "collision": { "colliding": 3, "near": 0 },
            "route": { "not_measured": "no route" },
            "take_off": { "rise": 4.5, "start_height": null },
        });
        let of = |checks: &str| judged(checks, &metrics);
        assert_eq!(of("{ value = \"collision.near\", max = 0 }"), (Verdict::Pass, vec![true]));
        assert_eq!(of("{ value = \"collision.colliding\", max = 0 }"), (Verdict::Fail, vec![false]));
        assert_eq!(of("{ value = \"collision.colliding\", max = 0, aim = true }"), (Verdict::Pass, vec![false]));
        assert_eq!(of("{ value = \"route.length\", min = 0 }"), (Verdict::NotMeasured, vec![false]));
        assert_eq!(of("{ value = \"take_off.start_height\", max = 1 }"), (Verdict::NotMeasured, vec![false]));
        let both = "{ value = \"take_off.start_height\", max = 1 }, { value = \"take_off.rise\", above = 4.5 }";
        assert_eq!(of(both), (Verdict::Fail, vec![false, false]), "one known failure is enough");
    }

    #[test]
    fn profiles_that_ask_for_nothing_or_the_unknown_are_refused() {
        let error = |text: &str| Profile::parse("p.toml", text).unwrap_err().to_string();
        let rule = |checks: &str| format!("name = \"p\"\n[[rule]]\nid = \"R\"\ntitle = \"t\"\nchecks = [{checks}]\n");
        assert!(error(&rule("{ value = \"collision.coliding\", max = 0 }")).contains("no value of metrics.json"));
        assert!(error(&rule("{ value = \"collision\", max = 0 }")).contains("no value of metrics.json"));
        assert!(error(&rule("{ value = \"collision.near\" }")).contains("says nothing"));
        assert!(error(&rule("")).contains("no checks"));
        assert!(error("name = 1").starts_with("p.toml can't be read"));
    }

    #[test]
    fn the_built_in_profiles_are_sound() {
        for (name, text) in BUILT_IN {
            let profile = Profile::parse(name, text).unwrap();
            assert_eq!(profile.name, name);
            assert!(profile.rules.iter().map(|r| r.id.as_str()).eq(["H7", "H8", "H9", "H10", "H11", "H12"]));
        }
    }
}
