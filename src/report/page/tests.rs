use html5ever::tendril::TendrilSink as _;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::json;

use super::*;
use crate::metrics::record::Evidence;

/// Closes everything it could stand in, then runs.
const HOSTILE: &str = "\"'></title></textarea></style></script></svg><script>alert(1)</script><img src=x onerror=alert(2)>&lt;\u{202e}\u{0}";

fn none(why: &str) -> Measured<serde_json::Value> {
    Err(why.to_owned())
}

/// A run of which nothing is known.
fn bare() -> Sources {
    Sources {
        title: "run".to_owned(),
        frames: 4,
        rate: (30, 1),
        video: Err("no video was made".to_owned()),
        verify: none("verify was not run"),
        metrics: none("metrics were not run"),
        series: none("metrics were not run"),
        manifest: none("no manifest"),
        timing: none("no timing"),
        camera: Err("no poses".to_owned()),
        evidence: Evidence::default(),
        doubts: Vec::new(),
        remarks: Vec::new(),
        drone: Vec::new(),
        ground: None,
        cells: Err("pictures were left out".to_owned()),
        console: String::new(),
    }
}

/// A run of four frames in which every text is `text`.
fn full(text: &str) -> Sources {
    let check = |found: serde_json::Value, holds: bool| json!({ "value": "video.width", "wanted": text, "found": found, "holds": holds, "aim": false });
    let rule = |id: &str, verdict: &str, holds: bool| json!({ "id": id, "title": text, "requirement": text, "measured": text, "verdict": verdict, "checks": [check(json!(text), holds)] });
    let range =
        |verdict: &str| json!({ "verdict": verdict, "first": 1, "last": 2, "distance": 0.25, "objects": [text, text] });
    let column = |name: &str| json!({ "name": name, "unit": text, "title": text, "values": [1.0, null, 3.0, 2.0] });
    Sources {
        title: text.to_owned(),
        video: Ok(Video { source: text.to_owned(), size: Some((2, 4)) }),
        evidence: Evidence {
            hashed: true,
            changed: vec![text.to_owned()],
            complete: Some(false),
            ..Evidence::default()
        },
        verify: Ok(json!({
            "rules": [rule("H1", "pass", true), rule("H2", "fail", false)],
            "manifest": [{ "name": text, "said": text, "found": text, "ok": false }],
            "consistency": { "failed": 1, text: text }, "video": { text: text, "codec": text },
        })),
        metrics: Ok(json!({
            "rules": [rule("H7", "not-measured", false), rule(text, text, false)],
            "smoothness": { "camera": { "jerk": { "mean": 1.5, "rms": 2.0, "p95": 3.0, "peak": 3.5, "peak_frame": 3 } } },
            "collision": {
                "ranges": [range("passed-through"), range(text)],
                "waived": [{ "object": text, "verdict": "glued", "first": 1, "last": 1, "distance": 0.1, "why": text }],
                "cuts_through": [{ "frame": 2, "object": text }],
            },
            "cost": { "wall": 2.5, "energy": { "not_measured": text } }, "notes": [text], "scene": { text: text },
        })),
        series: Ok(json!({
            "cuts": [2], "columns": [column("speed"), column("jerk"), column(text)],
            "contact": ["clear", "passed-through", null, text],
            "map": { "line": [[0, 0], [9, 9]], "waypoints": [{ "name": text, "at": [0, 0], "passed": false }] },
        })),
        manifest: Ok(json!({
            "complete": false, "error": text, "engine": { "name": text, "three": text }, "adapter": { "renderer": text },
            "settings": { text: text }, "page": { "missing": [text], "blocked": [text] },
            "files": [{ "path": text, "bytes": 1, "sha256": text }], "warnings": [text],
            "unsupported": [{ "name": text, "detail": text, "count": 3 }],
        })),
        timing: Ok(json!({ "total": 1 })),
        camera: Ok(vec![Some([0.0, 1.0, 0.0]), Some([5.0, 1.0, 5.0]), None, Some([9.0, 1.0, 9.0])]),
        cells: Ok(vec![Cell { frame: 0, time: None, picture: text.to_owned(), width: 1, height: 1 }]),
        console: format!("{text}\n{text}"),
        ..bare()
    }
}

fn parse(html: &str) -> RcDom {
    html5ever::parse_document(RcDom::default(), Default::default()).one(html)
}

/// Elements with their attributes and direct text.
type Elements = Vec<(String, Vec<(String, String)>, String)>;

fn elements(node: &Handle, out: &mut Elements) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attributes = attrs.borrow().iter().map(|a| (a.name.local.to_string(), a.value.to_string())).collect();
        let texts = node.children.borrow().iter().fold(String::new(), |text, child| match &child.data {
            NodeData::Text { contents } => text + &contents.borrow(),
            _ => text,
        });
        out.push((name.local.to_string(), attributes, texts));
    }
    node.children.borrow().iter().for_each(|child| elements(child, out));
}

fn elements_of(html: &str) -> Elements {
    let mut out = Vec::new();
    elements(&parse(html).document, &mut out);
    out
}

#[test]
fn no_text_of_a_run_becomes_an_element_an_attribute_or_a_script() {
    let harmless = elements_of(&full("plain").page().html());
    let hostile = elements_of(&full(HOSTILE).page().html());
    let shape = |list: &Elements| -> Vec<(String, Vec<String>)> {
        list.iter()
            .map(|(name, attributes, _)| (name.clone(), attributes.iter().map(|a| a.0.clone()).collect()))
            .collect()
    };
    assert_eq!(shape(&harmless), shape(&hostile), "the page's structure follows its texts");
    for (name, attributes, _) in &hostile {
        assert!(attributes.iter().all(|(name, _)| !name.starts_with("on") && name != "style"), "{name} {attributes:?}");
        assert!(!["iframe", "object", "embed", "form", "base"].contains(&name.as_str()), "{name}");
    }
    // The texts are there all the same.
    let shown = hostile.iter().filter(|(.., text)| text.contains("<script>alert(1)</script>")).count();
    assert!(shown > 30, "shown {shown} times");
}

#[test]
fn the_policy_allows_this_script_and_style_and_nothing_from_anywhere() {
    use base64::Engine as _;
    use sha2::Digest as _;
    let page = elements_of(&full(HOSTILE).page().html());
    let attribute = |attributes: &[(String, String)], name: &str| {
        attributes.iter().find(|a| a.0 == name).map(|a| a.1.clone()).unwrap_or_default()
    };
    let meta = page.iter().find(|(_, a, _)| attribute(a, "http-equiv") == "Content-Security-Policy").unwrap();
    let policy = attribute(&meta.1, "content");
    let hash = |text: &str| {
        format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text)))
    };
    let code: Vec<_> = page.iter().filter(|(name, a, _)| name == "script" && attribute(a, "type").is_empty()).collect();
    let style: Vec<_> = page.iter().filter(|(name, ..)| name == "style").collect();
    assert_eq!((code.len(), style.len()), (1, 1));
    assert!(policy.contains(&format!("script-src {};", hash(&code[0].2))), "{policy}");
    assert!(policy.contains(&format!("style-src {};", hash(&style[0].2))), "{policy}");
    assert!(
        policy.starts_with("default-src 'none';") && !policy.contains("unsafe") && !policy.contains("http"),
        "{policy}"
    );
    // Before anything that loads.
    let order = |name: &str| page.iter().position(|(n, ..)| n == name).unwrap();
    assert!(order("meta") < order("link") && order("meta") < order("script"));
}

#[test]
fn what_was_not_measured_says_so_and_why() {
    let page = bare().page();
    let html = page.html();
    for why in ["no video was made", "metrics were not run", "no poses", "pictures were left out", "verify was not run"]
    {
        assert!(html.contains(why), "{why}");
    }
    assert!(page.series.iter().all(|s| s.values.is_err()) && page.contacts.is_err());
    assert!(page.groups.iter().flat_map(|g| &g.rows).all(|row| row.verdict == Verdict::NotMeasured));
    // A section may say so for itself.
    let mut sources = full("x");
    sources.metrics = Ok(json!({ "route": { "not_measured": "no route was given" } }));
    let page = sources.page();
    let deviation = page.series.iter().find(|s| s.id == "cross_track").unwrap();
    assert_eq!(deviation.values.clone().unwrap_err(), "no route was given");
}

#[test]
fn nothing_measured_is_not_nothing_touched() {
    let with = |contact: serde_json::Value| {
        let mut sources = full("x");
        sources.series = Ok(json!({ "columns": [], "contact": contact }));
        sources.metrics = Ok(json!({ "collision": { "ranges": [{ "verdict": "unknown", "first": 0, "last": 1 }] } }));
        sources.page().html()
    };
    let touched_nothing = "The camera touched nothing";
    assert!(!with(json!(["unknown", null, "unknown", "unknown"])).contains(touched_nothing));
    assert!(with(json!(["clear", "clear", "clear", "unknown"])).contains("touched nothing in the 3 frames"));
    assert!(with(json!(["clear", "clear", "clear", "clear"])).contains("touched nothing.</p>"));
}

#[test]
fn what_counts_for_nothing_and_what_is_wrong_with_the_evidence_is_told() {
    let page = full("x").page();
    let asides: Vec<_> = page.asides.iter().map(|e| (e.first, e.contact, e.note.as_str())).collect();
    assert_eq!(
        asides,
        [(2, Contact::PassedThrough, "by a cut, straight on in the direction of flight"), (1, Contact::Glued, "x"),]
    );
    assert!(page.alarms[0].contains("TAMPERED EVIDENCE") && page.alarms.last().unwrap() == "The render failed: x");
    let evidence = page.groups.iter().find(|g| g.title == "The evidence").unwrap();
    assert_eq!(evidence.rows[0].verdict, Verdict::Fail);
    assert!(page.html().contains("role=\"alert\""));
    assert!(bare().page().alarms.is_empty());
    // A film of unknown size claims none.
    let mut sources = full("x");
    sources.video = Ok(Video { source: "v.mp4".to_owned(), size: None });
    let page = sources.page();
    assert!(page.facts[0].ends_with("fps") && !page.html().contains("width=\"16\""));
}

#[test]
fn each_height_is_its_own() {
    let mut sources = full("x");
    let column = |name: &str, values: [f64; 4]| json!({ "name": name, "unit": "m", "title": name, "values": values });
    sources.series = Ok(json!({
        "columns": [column("height", [1.0, 2.0, 3.0, 6.0]), column("drone_height", [10.0, 10.0, 10.0, 30.0])],
    }));
    let page = sources.page();
    let summary = |id: &str| {
        let plots = page.series.iter().chain(&page.more);
        plots
            .into_iter()
            .find(|s| s.id == id)
            .unwrap()
            .summary
            .iter()
            .map(|(n, v)| format!("{n} {v}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(summary("height"), ["least 1", "mean 3", "most 6"]);
    assert_eq!(summary("drone_height"), ["least 10", "mean 15", "most 30"]);
}

#[test]
fn verdicts_tell_their_numbers() {
    let page = full("x").page();
    let row = |id: &str| page.groups.iter().flat_map(|g| &g.rows).find(|r| r.id == id).unwrap();
    assert_eq!((row("H1").verdict, row("H1").said.as_str()), (Verdict::Pass, "video width x"));
    assert_eq!((row("H2").verdict, row("H2").said.as_str()), (Verdict::Fail, "video width x, wanted x"));
    assert_eq!(row("H7").verdict, Verdict::NotMeasured);
    let events: Vec<_> = page.events.iter().map(|e| (e.first, e.last, e.contact, e.distance)).collect();
    assert_eq!(events, [(1, 2, Contact::PassedThrough, Some(0.25)), (1, 2, Contact::Unknown, Some(0.25))]);
    let jerk = page.series.iter().find(|s| s.id == "jerk").unwrap();
    assert_eq!(jerk.summary[3], ("peak".to_owned(), "3.5 at 0.100 s".to_owned()));
}

#[test]
fn scripts_get_the_numbers_and_the_page_repeats() {
    let html = full("x").page().html();
    let page = elements_of(&html);
    let data = page.iter().find(|(_, a, _)| a.iter().any(|(n, v)| n == "id" && v == "data")).unwrap();
    let data: serde_json::Value = serde_json::from_str(&data.2).unwrap();
    assert_eq!(data["contacts"], "cpuu");
    assert_eq!((&data["rate"], &data["frames"], &data["cuts"]), (&json!([30, 1]), &json!(4), &json!([2])));
    assert_eq!(data["series"][0]["values"], json!([1.0, null, 3.0, 2.0]));
    assert_eq!(data["places"].as_array().map(Vec::len), Some(4));
    assert_eq!(data["places"][2], json!(null));
    assert_eq!(html, full("x").page().html());
}

#[test]
fn damaged_files_make_no_panic() {
    for value in [
        json!(null),
        json!([]),
        json!("x"),
        json!({ "rules": 3, "columns": [1, null], "contact": [[]], "cuts": ["x"] }),
    ] {
        let sources = Sources {
            verify: Ok(value.clone()),
            metrics: Ok(value.clone()),
            series: Ok(value.clone()),
            manifest: Ok(value.clone()),
            timing: Ok(value),
            camera: Ok(vec![None; 4]),
            rate: (0, 0),
            ..full("x")
        };
        assert!(sources.page().html().ends_with("</html>\n"));
    }
}
