//! Holds a document against rules.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rule::{Check, Rule};
use super::{Missing, Ratio};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Pass,
    Fail,
    /// A value is not known, or what the rule needs does not hold.
    NotMeasured,
    /// The rule's condition does not hold.
    NotApplicable,
}

/// What came of a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleResult {
    pub id: String,
    pub title: String,
    pub requirement: String,
    pub measured: String,
    pub verdict: Verdict,
    /// Of its checks, then of the needs that do not hold.
    pub checks: Vec<CheckResult>,
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckResult {
    /// Path of the value.
    pub value: String,
    /// What was asked, e.g. `>= 55, <= 60`.
    pub wanted: String,
    /// What was found: a number, text or truth value as the JSON has it, exact numbers as text; `null` if there is none.
    pub found: Value,
    /// Why it was not measured.
    pub not_measured: Option<String>,
    /// `false` too if it was not measured.
    pub holds: bool,
    /// Fails nothing.
    pub aim: bool,
}

/// All rules in order, on the JSON of a document.
pub(super) fn judge(rules: &[Rule], values: &Value, missing: Missing) -> Vec<RuleResult> {
    rules.iter().map(|rule| judge_rule(rule, values, missing)).collect()
}

fn judge_rule(rule: &Rule, values: &Value, missing: Missing) -> RuleResult {
    let check = |check: &Check| judge_check(check, values, missing);
    let (verdict, checks) = match rule.when.as_ref().map(check).filter(|when| !when.holds) {
        Some(when) if when.not_measured.is_some() => (Verdict::NotMeasured, vec![when]),
        Some(_) => (Verdict::NotApplicable, Vec::new()),
        None => {
            let mut checks: Vec<_> = rule.checks.iter().map(check).collect();
            for need in rule.needs.iter().map(check).filter(|need| !need.holds) {
                let why = format!("{} is {}, needed: {}", need.value, shown(&need.found), need.wanted);
                checks.push(CheckResult { not_measured: Some(need.not_measured.clone().unwrap_or(why)), ..need });
            }
            (verdict(&checks), checks)
        }
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

/// One known failure is enough; without one, all must be known.
fn verdict(checks: &[CheckResult]) -> Verdict {
    let counted = || checks.iter().filter(|c| !c.aim);
    if counted().any(|c| !c.holds && c.not_measured.is_none()) {
        Verdict::Fail
    } else if counted().all(|c| c.holds) {
        Verdict::Pass
    } else {
        Verdict::NotMeasured
    }
}

fn judge_check(check: &Check, values: &Value, missing: Missing) -> CheckResult {
    let mut found = values;
    let mut not_measured = None;
    for name in check.value.split('.') {
        if let Some(why) = found.get("not_measured").and_then(Value::as_str) {
            not_measured = Some(why.to_owned());
        }
        found = found.get(name).unwrap_or(&Value::Null);
    }
    // The value itself may be what was not measured.
    if let Some(why) = found.get("not_measured").and_then(Value::as_str) {
        (not_measured, found) = (Some(why.to_owned()), &Value::Null);
    }
    if found.is_null() && not_measured.is_none() && missing == Missing::NotMeasured {
        not_measured = Some("the output holds nothing to tell it from".to_owned());
    }
    let (wanted, met) = held(check, found);
    if let (None, false, Some(path)) = (&not_measured, met, &check.perhaps) {
        let most = path.split('.').try_fold(values, |node, name| node.get(name)).unwrap_or(&Value::Null);
        if held(check, most).1 {
            not_measured = Some(format!("{} is known, but it may be {} ({path})", shown(found), shown(most)));
        }
    }
    let holds = not_measured.is_none() && met;
    CheckResult {
        value: check.value.clone(),
        wanted: wanted.join(", "),
        found: found.get("exact").unwrap_or(found).clone(),
        not_measured,
        holds,
        aim: check.aim,
    }
}

/// What is asked, and whether `found` is all of it.
fn held(check: &Check, found: &Value) -> (Vec<String>, bool) {
    let (mut wanted, mut holds) = (Vec::new(), true);
    if let Some(is) = &check.is {
        wanted.push(text(is));
        holds &= equal(found, is);
    }
    if let Some(not) = &check.not {
        wanted.push(format!("not {}", text(not)));
        holds &= !found.is_null() && !equal(found, not);
    }
    if let Some(list) = &check.one_of {
        wanted.push(format!("one of {}", list.iter().map(text).collect::<Vec<_>>().join(", ")));
        holds &= list.iter().any(|is| equal(found, is));
    }
    for (sign, bound) in check.bounds() {
        wanted.push(format!("{sign} {}", text(bound)));
        let order = known(found).zip(number(bound)).and_then(|(found, bound)| compare(found, bound));
        holds &= order.is_some_and(|order| match sign {
            ">=" => order != Ordering::Less,
            "<=" => order != Ordering::Greater,
            ">" => order == Ordering::Greater,
            _ => order == Ordering::Less,
        });
    }
    (wanted, holds)
}

/// Can nothing be all that is asked? Then what is asked, in words.
pub(super) fn contradiction(check: &Check) -> Option<String> {
    let as_found = |value: &toml::Value| match (value, number(value)) {
        (toml::Value::Boolean(truth), _) => Value::Bool(*truth),
        // As the document would have it: an exact number, or the text itself.
        (toml::Value::String(text), None) => Value::String(text.clone()),
        (value, _) => serde_json::json!({ "exact": text(value) }),
    };
    let listed: Vec<&toml::Value> = check.is.iter().chain(check.one_of.iter().flatten()).collect();
    let possible = if listed.is_empty() {
        // The highest of the lower bounds and the lowest of the upper ones must leave room.
        let of = |lower: bool| {
            let bounds = check.bounds().filter(move |(sign, _)| sign.starts_with('>') == lower);
            bounds.filter_map(|(sign, bound)| Some((number(bound)?, !sign.ends_with('='))))
        };
        of(true).all(|(low, open)| {
            of(false).all(|(high, shut)| match compare(low, high) {
                Some(Ordering::Less) => true,
                Some(Ordering::Equal) => !open && !shut,
                _ => false,
            })
        })
    } else {
        listed.into_iter().any(|value| held(check, &as_found(value)).1)
    };
    (!possible).then(|| held(check, &Value::Null).0.join(", "))
}

/// A number as it is written: exactly, or, far out of the range of such quotients, as the nearest float.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Exact(Ratio),
    Float(f64),
}

impl Number {
    fn of(text: &str) -> Option<Self> {
        let float = || text.parse().ok().filter(|f: &f64| f.is_finite()).map(Self::Float);
        Ratio::parse(text).map(Self::Exact).or_else(float)
    }

    fn to_f64(self) -> f64 {
        match self {
            Self::Exact(ratio) => ratio.to_f64(),
            Self::Float(float) => float,
        }
    }
}

fn compare(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Exact(a), Number::Exact(b)) => Some(a.cmp(&b)),
        _ => a.to_f64().partial_cmp(&b.to_f64()),
    }
}

/// A number of the document: as such, or `{ "exact": "30000/1001", … }`.
fn known(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Number::of(&number.to_string()),
        Value::Object(object) => object.get("exact").and_then(Value::as_str).and_then(Number::of),
        _ => None,
    }
}

/// A number of a profile: as such, or as text where it is a quotient (`"30000/1001"`).
pub(super) fn number(value: &toml::Value) -> Option<Number> {
    match value {
        toml::Value::Integer(number) => Some(Number::Exact(Ratio::int(*number))),
        toml::Value::Float(number) => Number::of(&number.to_string()),
        toml::Value::String(text) => Number::of(text),
        _ => None,
    }
}

fn equal(found: &Value, is: &toml::Value) -> bool {
    match (found, is) {
        (Value::Bool(found), toml::Value::Boolean(is)) => found == is,
        (Value::String(found), toml::Value::String(is)) => found == is,
        (Value::Number(_) | Value::Object(_), _) => {
            known(found).zip(number(is)).and_then(|(found, is)| compare(found, is)) == Some(Ordering::Equal)
        }
        _ => false,
    }
}

fn text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rules::rule::validate;
    use crate::rules::{Document, RulesError};

    #[derive(Debug, serde::Deserialize)]
    struct Profile {
        rule: Vec<Rule>,
    }

    const SCHEMA: &str = r##"{
        "type": "object",
        "properties": {
            "near": { "type": "integer" }, "height": { "type": ["number", "null"] }, "codec": { "type": "string" },
            "route": { "anyOf": [{ "$ref": "#/$defs/Route" }, { "$ref": "#/$defs/NotMeasured" }] },
            "rate": { "type": "object", "properties": { "exact": { "type": "string" }, "value": { "type": "number" } } },
            "list": { "type": "array", "items": { "type": "number" } }
        },
        "$defs": {
            "Route": { "type": "object", "properties": { "length": { "type": "number" }, "kind": { "type": "string", "enum": ["given", "fitted"] } } },
            "NotMeasured": { "type": "object", "properties": { "not_measured": { "type": "string" } } }
        }
    }"##;

    fn document(missing: Missing) -> Document {
        Document { title: "the numbers", schema: SCHEMA, remedy: "look them up", missing }
    }

    fn rules(text: &str) -> Result<Vec<Rule>, RulesError> {
        let document = document(Missing::Fails);
        let rules = toml::from_str::<Profile>(text).unwrap().rule;
        validate("p.toml", text, &rules, &document).map(|()| rules)
    }

    fn one(rest: &str) -> String {
        format!("[[rule]]\nid = \"R\"\ntitle = \"t\"\n{rest}\n")
    }

    fn values() -> Value {
        json!({
            "near": 3, "height": null, "codec": "h264", "route": { "not_measured": "no route" },
            "rate": { "exact": "30000/1001", "value": 29.97 },
        })
    }

    fn judged(rest: &str, missing: Missing) -> (Verdict, Vec<bool>) {
        let results = judge(&rules(&one(rest)).unwrap(), &values(), missing);
        (results[0].verdict, results[0].checks.iter().map(|c| c.holds).collect())
    }

    #[test]
    fn each_operator_on_numbers_texts_and_quotients() {
        for (check, holds) in [
            ("value = \"near\", is = 3", true),
            ("value = \"near\", is = 3.0", true),
            ("value = \"near\", not = 3", false),
            ("value = \"near\", one_of = [1, 3]", true),
            ("value = \"near\", min = 3, max = 3", true),
            ("value = \"near\", above = 3", false),
            ("value = \"near\", below = 3.000001", true),
            ("value = \"near\", below = 1e300", true),
            ("value = \"near\", above = 1e-300", true),
            ("value = \"codec\", is = \"h264\"", true),
            ("value = \"codec\", not = \"h264\"", false),
            ("value = \"codec\", one_of = [\"hevc\", \"av1\"]", false),
            ("value = \"rate\", is = \"30000/1001\"", true),
            ("value = \"rate\", is = 29.97", false),
            ("value = \"rate\", above = 29.97", true),
            ("value = \"rate\", below = \"30000/1000\"", true),
        ] {
            let verdict = if holds { Verdict::Pass } else { Verdict::Fail };
            assert_eq!(judged(&format!("checks = [{{ {check} }}]"), Missing::Fails), (verdict, vec![holds]), "{check}");
        }
    }

    #[test]
    fn what_is_missing_fails_where_all_was_measured_and_else_neither_passes_nor_fails() {
        let height = "checks = [{ value = \"height\", max = 1 }]";
        assert_eq!(judged(height, Missing::Fails), (Verdict::Fail, vec![false]));
        assert_eq!(judged(height, Missing::NotMeasured), (Verdict::NotMeasured, vec![false]));
        assert_eq!(judged("checks = [{ value = \"height\", not = 1 }]", Missing::Fails).0, Verdict::Fail);
        // What says itself that it was not measured never fails.
        let route = "checks = [{ value = \"route.length\", min = 0 }]";
        assert_eq!(judged(route, Missing::Fails), (Verdict::NotMeasured, vec![false]));
        let both = "checks = [{ value = \"height\", max = 1 }, { value = \"near\", max = 2 }]";
        assert_eq!(judged(both, Missing::NotMeasured), (Verdict::Fail, vec![false, false]), "one failure is enough");
        let aim = "checks = [{ value = \"near\", max = 2, aim = true }]";
        assert_eq!(judged(aim, Missing::Fails), (Verdict::Pass, vec![false]));
    }

    #[test]
    fn conditions_and_needs() {
        let of = |rest: &str| judged(rest, Missing::NotMeasured);
        let check = "checks = [{ value = \"near\", max = 3 }]";
        assert_eq!(
            of(&format!("when = {{ value = \"codec\", is = \"av1\" }}\n{check}")),
            (Verdict::NotApplicable, vec![])
        );
        assert_eq!(of(&format!("when = {{ value = \"codec\", is = \"h264\" }}\n{check}")).0, Verdict::Pass);
        assert_eq!(
            of(&format!("when = {{ value = \"height\", is = 1 }}\n{check}")),
            (Verdict::NotMeasured, vec![false])
        );
        let needs = "needs = [{ value = \"codec\", not = \"h264\" }]";
        assert_eq!(of(&format!("{needs}\n{check}")), (Verdict::NotMeasured, vec![true, false]));
        assert_eq!(of(&format!("{needs}\nchecks = [{{ value = \"near\", max = 2 }}]")).0, Verdict::Fail);
        let told = judge(&rules(&one(&format!("{needs}\n{check}"))).unwrap(), &values(), Missing::Fails);
        assert_eq!(told[0].checks[1].not_measured.as_deref(), Some("codec is h264, needed: not h264"));
    }

    #[test]
    fn what_may_be_more_than_is_known_does_not_fail() {
        let of = |check: &str| {
            judged(&format!("checks = [{{ value = \"near\", {check}, perhaps = \"rate\" }}]"), Missing::Fails)
        };
        // 3 are known, 29.97 may be.
        assert_eq!(of("min = 29"), (Verdict::NotMeasured, vec![false]));
        assert_eq!(of("min = 30"), (Verdict::Fail, vec![false]));
        assert_eq!(of("min = 3"), (Verdict::Pass, vec![true]));
        let unknown = one("checks = [{ value = \"near\", min = 9, perhaps = \"farr\" }]");
        assert!(rules(&unknown).unwrap_err().to_string().contains("`farr` is no value"));
    }

    #[test]
    fn rules_that_ask_for_nothing_or_the_unknown_are_refused() {
        let error = |text: &str| rules(text).unwrap_err().to_string();
        let check = |check: &str| error(&one(&format!("checks = [{check}]")));
        assert_eq!(check("{ value = \"nearr\", max = 0 }"), "p.toml:4, rule R: `nearr` is no value of the numbers");
        assert!(check("{ value = \"route\", is = 1 }").contains("`route` is no value"));
        assert!(check("{ value = \"list\", is = 1 }").contains("`list` is no value"));
        assert!(check("{ value = \"near\" }").contains("says nothing"));
        assert!(check("{ value = \"near\", min = \"wide\" }").contains("no number"));
        assert!(check("{ value = \"near\", one_of = [] }").contains("empty list"));
        for (asked, told) in [
            ("{ value = \"near\", min = 100, max = 10 }", "nothing that `near` can be is all of: >= 100, <= 10"),
            ("{ value = \"near\", above = 3, max = 3 }", "> 3"),
            ("{ value = \"near\", above = 3, below = 3 }", "< 3"),
            ("{ value = \"near\", is = 3, not = 3 }", "3, not 3"),
            ("{ value = \"near\", is = 3, min = 4 }", "3, >= 4"),
            ("{ value = \"near\", one_of = [1, 2], above = 2 }", "one of 1, 2, > 2"),
            ("{ value = \"rate\", is = \"30000/1001\", min = 30 }", "30000/1001, >= 30"),
            ("{ value = \"codec\", is = \"h264\", not = \"h264\" }", "h264, not h264"),
            ("{ value = \"near\", is = \"1080\" }", "`near` is a whole number, and never \"1080\""),
            ("{ value = \"near\", is = 1080.5 }", "`near` is a whole number, and never 1080.5"),
            ("{ value = \"near\", one_of = [1, true] }", "and never true"),
            ("{ value = \"rate\", is = \"30\" }", "`rate` is a number, and never \"30\""),
            ("{ value = \"codec\", is = 264 }", "`codec` is a text, and never 264"),
            ("{ value = \"codec\", min = 3 }", "`codec` is no number"),
            ("{ value = \"route.kind\", not = \"fited\" }", "never \"fited\", but one of given, fitted"),
        ] {
            let said = check(asked);
            assert!(said.starts_with("p.toml:4, rule R: ") && said.contains(told), "{asked}: {said}");
        }
        // The line is that of the check, or of the rule.
        let lines = "checks = [\n  { value = \"near\", is = 1 },\n  { value = \"near\", min = 2, max = 1 },\n]";
        assert!(error(&one(lines)).starts_with("p.toml:6, rule R: nothing"), "{}", error(&one(lines)));
        // What leaves one value, or room, is no contradiction.
        for asked in ["min = 3, max = 3", "above = 3, below = 4", "one_of = [1, 5], min = 4", "is = 3.0, not = 4"] {
            assert!(rules(&one(&format!("checks = [{{ value = \"near\", {asked} }}]"))).is_ok(), "{asked}");
        }
        assert!(check("").contains("no checks"));
        assert!(
            error(&one("needs = [{ value = \"x\", is = 1 }]\nchecks = [{ value = \"near\", is = 1 }]")).contains("`x`")
        );
        let same = one("checks = [{ value = \"near\", is = 1 }]");
        assert!(error(&format!("{same}{same}")).contains("two rules"));
        let help = rules(&one("checks = []")).unwrap_err();
        assert_eq!(miette::Diagnostic::help(&help).unwrap().to_string(), "look them up");
    }
}
