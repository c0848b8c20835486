//! Every verdict: of the evidence, of the rules, of the file on itself.

use serde_json::Value;

use super::Sources;
use crate::report::page::model::{Group, Measured, Row, Verdict};
use crate::report::page::values::{flatten, short_path, text};

impl Sources {
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut groups = Vec::new();
        let rules = |value: &Value| -> Vec<Row> {
            value.get("rules").and_then(Value::as_array).into_iter().flatten().map(row).collect()
        };
        if let Some(row) = self.evidence_row() {
            groups.push(Group { title: "The evidence".to_owned(), rows: vec![row] });
        }
        let mut add = |title: &str, source: &Measured<Value>| {
            let rows = match source {
                Ok(value) => rules(value),
                Err(why) => vec![Row {
                    id: String::new(),
                    title: title.to_owned(),
                    verdict: Verdict::NotMeasured,
                    said: why.clone(),
                    details: Vec::new(),
                }],
            };
            groups.push(Group { title: title.to_owned(), rows });
        };
        add("The file", &self.verify);
        add("The flight", &self.metrics);
        let own = self.own_checks();
        if !own.is_empty() {
            groups.push(Group { title: "Consistency".to_owned(), rows: own });
        }
        groups.retain(|group| !group.rows.is_empty());
        groups
    }

    /// Is what was measured what the render wrote? `None` for a video alone.
    fn evidence_row(&self) -> Option<Row> {
        let e = &self.evidence;
        let complaints = e.complaints();
        if e.complete.is_none() && complaints.is_empty() {
            return None;
        }
        let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let (verdict, said) = match complaints.first() {
            Some(first) => (Verdict::Fail, first.clone()),
            None if !e.hashed => (Verdict::NotMeasured, "manifest.json has no hashes of it".to_owned()),
            None => (Verdict::Pass, "every file has the SHA-256 that manifest.json says".to_owned()),
        };
        Some(Row {
            id: String::new(),
            title: "It is what the render wrote, and whole".to_owned(),
            verdict,
            said,
            details: [
                ("changed", &e.changed),
                ("gone", &e.missing),
                ("not by the render", &e.added),
                ("cut short", &e.cut),
            ]
            .map(|(name, files)| (name.to_owned(), list(files)))
            .to_vec(),
        })
    }

    /// Does the file agree with itself and with its manifest?
    fn own_checks(&self) -> Vec<Row> {
        let Ok(verify) = &self.verify else { return Vec::new() };
        let mut rows = Vec::new();
        if let Some(checks) = verify.get("manifest").and_then(Value::as_array) {
            let wrong: Vec<&Value> = checks.iter().filter(|c| c.get("ok") != Some(&Value::Bool(true))).collect();
            let show = |check: &Value| {
                let of = |key| check.get(key).and_then(Value::as_str).unwrap_or("none");
                (of("name").to_owned(), format!("{}, in the file {}", of("said"), of("found")))
            };
            rows.push(Row {
                id: String::new(),
                title: "The manifest is true of the file".to_owned(),
                verdict: if wrong.is_empty() { Verdict::Pass } else { Verdict::Fail },
                said: match wrong.first() {
                    None => format!("{} of {} statements hold", checks.len(), checks.len()),
                    Some(first) => {
                        let (name, what) = show(first);
                        format!("{name}: {what}")
                    }
                },
                details: checks.iter().map(show).collect(),
            });
        }
        if let Some(failed) = verify.pointer("/consistency/failed").and_then(Value::as_u64) {
            let mut details = Vec::new();
            if let Some(consistency) = verify.get("consistency") {
                flatten(consistency, "", &mut details);
            }
            rows.push(Row {
                id: String::new(),
                title: "The file agrees with itself".to_owned(),
                verdict: if failed == 0 { Verdict::Pass } else { Verdict::Fail },
                said: if failed == 0 {
                    "headers, tables and stream say the same".to_owned()
                } else {
                    format!("{failed} contradictions")
                },
                details,
            });
        }
        rows
    }
}

/// A rule's result, as `verify` and `metrics` write it.
fn row(rule: &Value) -> Row {
    let of = |key: &str| rule.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let checks: Vec<&Value> = rule.get("checks").and_then(Value::as_array).into_iter().flatten().collect();
    let holds = |check: &Value| check.get("holds") == Some(&Value::Bool(true));
    let aim = |check: &Value| check.get("aim") == Some(&Value::Bool(true));
    let path = |check: &Value| check.get("value").and_then(Value::as_str).map(short_path).unwrap_or_default();
    let found = |check: &Value| match check.get("not_measured").and_then(Value::as_str) {
        Some(why) => format!("not measured: {why}"),
        None => check.get("found").map(text).unwrap_or_default(),
    };
    let wanted = |check: &Value| check.get("wanted").and_then(Value::as_str).unwrap_or_default().to_owned();
    let failing: Vec<&&Value> = checks.iter().filter(|check| !holds(check) && !aim(check)).collect();
    let missed: Vec<&&Value> = checks.iter().filter(|check| !holds(check) && aim(check)).collect();
    let verdict = match of("verdict").as_str() {
        "pass" if missed.is_empty() => Verdict::Pass,
        "pass" => Verdict::Note,
        "fail" => Verdict::Fail,
        _ => Verdict::NotMeasured,
    };
    let against = |check: &Value| format!("{} {}, wanted {}", path(check), found(check), wanted(check));
    let said = match verdict {
        Verdict::Pass => checks.iter().map(|check| format!("{} {}", path(check), found(check))).collect::<Vec<_>>(),
        Verdict::Note => missed.iter().map(|check| format!("passed; {}", against(check))).collect(),
        Verdict::Fail => failing.iter().map(|check| against(check)).collect(),
        Verdict::NotMeasured => {
            let why = checks.iter().find_map(|check| check.get("not_measured").and_then(Value::as_str));
            vec![why.unwrap_or("does not apply").to_owned()]
        }
    };
    let mut details: Vec<(String, String)> = checks
        .iter()
        .map(|check| {
            let aim = if aim(check) { " (an aim)" } else { "" };
            (path(check), format!("{}, wanted {}{aim}", found(check), wanted(check)))
        })
        .collect();
    for (name, key) in [("required", "requirement"), ("measured by", "measured")] {
        if !of(key).is_empty() {
            details.push((name.to_owned(), of(key)));
        }
    }
    Row { id: of("id"), title: of("title"), verdict, said: said.join("; "), details }
}
