//! `replay schema`: what the values of each file mean.

use std::process::ExitCode;

use miette::miette;
use serde_json::{Value, json};

use super::args::SchemaArgs;
use super::{Ended, show};
use crate::{evidence, metrics, pipeline, report, verify};

/// Name, and the JSON schema of it or of a line of it.
const ALL: [(&str, &str); 25] = [
    ("manifest.json", evidence::SCHEMA),
    ("poses.jsonl", evidence::pose::SCHEMA),
    ("scene.jsonl", evidence::scene_stats::SCHEMA),
    ("clearance.jsonl", evidence::clearance::SCHEMA),
    ("render_meta.json", evidence::meta::SCHEMA),
    ("topdown.json", evidence::topdown::SCHEMA),
    ("timing.json", pipeline::TIMING_SCHEMA),
    ("transforms.json", evidence::exports::TRANSFORMS_SCHEMA),
    ("depth/scale.json", pipeline::SCALE_SCHEMA),
    ("metrics.json", metrics::SCHEMA),
    ("series.json", metrics::series::SCHEMA),
    ("repeat.json", REPEAT),
    ("key.json", report::sheet::blind::SCHEMA),
    ("render", pipeline::SUMMARY_SCHEMA),
    ("verify", verify::SCHEMA),
    ("verify-pictures", verify::pictures::SCHEMA),
    ("metrics-compared", include_str!("schema/compared.schema.json")),
    ("diff", include_str!("schema/diff.schema.json")),
    ("sheet", include_str!("schema/sheet.schema.json")),
    ("sheet-blind", include_str!("schema/sheet-blind.schema.json")),
    ("map", include_str!("schema/map.schema.json")),
    ("report", include_str!("schema/report.schema.json")),
    ("doctor", include_str!("schema/doctor.schema.json")),
    ("trace", include_str!("schema/trace.schema.json")),
    ("failure", include_str!("schema/failure.schema.json")),
];

/// Of `repeat.json`.
const REPEAT: &str = include_str!("schema/repeat.schema.json");

/// Other names of the same.
fn is_named(known: &str, name: &str) -> bool {
    let stem = |name: &str| name.trim_end_matches("l").trim_end_matches(".json").to_owned();
    known == name || stem(known) == stem(name)
}

pub fn schema(args: &SchemaArgs, json: bool) -> Ended {
    let Some(name) = &args.name else {
        let named = |(name, text): (&str, &str)| (name.to_owned(), json!(title(text)));
        match json {
            true => show::print_json(&Value::Object(ALL.into_iter().map(named).collect())),
            false => show::print(&ALL.map(|(name, text)| format!("{name:17} {}\n", title(text))).concat()),
        }
        return Ok(ExitCode::SUCCESS);
    };
    let found = ALL.into_iter().find(|(known, _)| is_named(known, name)).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        miette!(help = format!("there are {}", names.join(", ")), "there is no schema of `{name}`")
    })?;
    show::print(found.1);
    Ok(ExitCode::SUCCESS)
}

fn title(text: &str) -> String {
    let schema: Value = serde_json::from_str(text).unwrap_or_default();
    schema.get("title").and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Unsupported;
    use crate::evidence::usage::{EnergyCounter, Usage};
    use crate::pipeline::{Summary, Timing};
    use crate::rules::schema::{conforms, holds};

    #[test]
    fn every_schema_is_one_and_has_a_title_and_a_meaning_for_what_it_names() {
        for (name, text) in ALL {
            let schema: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(
                !title(text).is_empty() && schema["properties"].as_object().is_some_and(|p| !p.is_empty()),
                "{name}"
            );
        }
        for (name, known) in [("poses", "poses.jsonl"), ("metrics", "metrics.json"), ("repeat.json", "repeat.json")] {
            assert!(ALL.iter().find(|(k, _)| is_named(k, name)).is_some_and(|(k, _)| *k == known), "{name}");
        }
    }

    /// Where it says nothing of a value: by name.
    fn unsaid(node: &Value, at: &str, found: &mut Vec<String>) {
        for (name, value) in node["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            if value["description"].as_str().is_none_or(str::is_empty) {
                found.push(at.clone());
            }
            unsaid(value, &at, found);
        }
        for part in ["items", "additionalProperties"] {
            if let Some(form) = node.get(part) {
                unsaid(form, at, found);
            }
        }
        node["anyOf"].as_array().into_iter().flatten().for_each(|form| unsaid(form, at, found));
        for (name, definition) in node["$defs"].as_object().into_iter().flatten() {
            unsaid(definition, name, found);
        }
    }

    #[test]
    fn every_value_of_every_schema_has_a_description() {
        for (name, text) in ALL {
            let mut found = Vec::new();
            unsaid(&serde_json::from_str(text).unwrap(), name, &mut found);
            assert!(found.is_empty(), "{found:?}");
        }
    }

    #[test]
    fn the_scale_of_depths_conforms() {
        let schema: Value = serde_json::from_str(pipeline::SCALE_SCHEMA).unwrap();
        conforms(&pipeline::scale(0.5, &[3]), &schema).unwrap();
    }

    #[test]
    fn repeats_conform() {
        let schema: Value = serde_json::from_str(REPEAT).unwrap();
        let found = |difference: Value| json!({ "ok": true, "runs": 2, "frames": 3, "frames_sha256": ["a", "b"], "difference": difference });
        conforms(&found(Value::Null), &schema).unwrap();
        conforms(&found(json!({ "run": 2, "what": "frame 1 differs" })), &schema).unwrap();
    }

    #[test]
    fn times_and_summaries_conform() {
        let counter = EnergyCounter { name: "package-0".into(), package: true, joules: 1.5 };
        let usage = Usage { cpu_user: Some(1.0), peak_memory: Some(9), energy: vec![counter], ..Usage::default() };
        let timing = Timing { total: 1.5, frames: vec![0.25], usage, ..Timing::default() };
        holds(&timing, pipeline::TIMING_SCHEMA);
        let summary = Summary {
            output: "out/video.mp4".into(),
            manifest: "out/manifest.json".into(),
            width: 2,
            height: 2,
            fps: "30".into(),
            frames: 1,
            seconds: 0.5,
            bytes: 9,
            peak_bits_per_second: 0,
            frames_sha256: "a".into(),
            adapter: "a".into(),
            three_revision: None,
            warnings: vec!["w".into()],
            unsupported: vec![Unsupported { name: "A.b".into(), detail: String::new(), count: 1 }],
            timing,
        };
        let schema: Value = serde_json::from_str(pipeline::SUMMARY_SCHEMA).unwrap();
        conforms(&json!({ "ok": true, "result": summary }), &schema).unwrap();
        conforms(&json!({ "ok": true, "result": null }), &schema).unwrap();
    }
}
