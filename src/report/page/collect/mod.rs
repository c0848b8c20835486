//! From the JSON of the other commands to a page.
//!
//! The files may be missing, cut off or of another version: what they do not hold is "not measured", with the reason.

mod contacts;
mod map;
mod plots;
mod provenance;
mod verdicts;

use serde_json::Value;

use super::model::{Cell, Film, MapPart, Measured, Page, Video};
use super::values::{number, text};
use super::write::clock;
use crate::metrics::record::Evidence;
use crate::report::map::{Ground, HERE};

/// What there is of one run. An `Err` says why something is not there.
#[derive(Clone, Debug)]
pub struct Sources {
    pub title: String,
    pub frames: u64,
    /// Frames a second as a fraction.
    pub rate: (u32, u32),
    pub video: Measured<Video>,
    /// What `replay verify --json` says.
    pub verify: Measured<Value>,
    /// `metrics.json` and `series.json`.
    pub metrics: Measured<Value>,
    pub series: Measured<Value>,
    /// `manifest.json` and `timing.json`.
    pub manifest: Measured<Value>,
    pub timing: Measured<Value>,
    /// Places of the camera and the drone per frame, y up, in scene units.
    pub camera: Measured<Vec<Option<[f64; 3]>>>,
    /// Is what all this was measured from what the render wrote?
    pub evidence: Evidence,
    /// What else should not be read without a warning.
    pub doubts: Vec<String>,
    /// What else is worth a look.
    pub remarks: Vec<String>,
    pub drone: Vec<Option<[f64; 3]>>,
    pub ground: Option<Ground>,
    pub cells: Measured<Vec<Cell>>,
    /// `console.log`.
    pub console: String,
}

/// Lines of the console that are shown.
const MOST_LINES: usize = 100;

impl Sources {
    pub fn page(&self) -> Page {
        Page {
            title: self.title.clone(),
            facts: self.facts(),
            film: Film { video: self.video.clone(), frames: self.frames, rate: self.rate },
            series: self.plots(),
            more: self.more_plots(),
            events: self.events(),
            asides: self.asides(),
            alarms: self.alarms(),
            cuts: numbers(self.series.as_ref().ok(), "/cuts").into_iter().map(|cut| cut as u64).collect(),
            groups: self.groups(),
            map: self.figure().map(|(figure, places)| MapPart {
                width: figure.width,
                svg: figure.svg("The flown path from above", HERE),
                places,
            }),
            contacts: self.contacts(),
            cells: self.cells.clone(),
            provenance: self.provenance(),
            warnings: self.warnings(),
        }
    }

    fn metric(&self, pointer: &str) -> Option<&Value> {
        self.metrics.as_ref().ok()?.pointer(pointer)
    }

    fn seconds(&self, frame: u64) -> String {
        clock(frame as f64 * f64::from(self.rate.1) / f64::from(self.rate.0.max(1)))
    }

    fn facts(&self) -> Vec<String> {
        let rate = f64::from(self.rate.0) / f64::from(self.rate.1.max(1));
        let mut facts = Vec::new();
        let filmed = self.video.as_ref().ok().and_then(|video| video.size);
        if let Some((width, height)) = filmed.or_else(|| self.picture_size()) {
            facts.push(format!("{width} × {height}"));
        }
        facts.push(format!("{} fps", number(rate)));
        facts.push(format!("{} frames", self.frames));
        facts.push(self.seconds(self.frames));
        let bytes =
            self.verify.as_ref().ok().and_then(|v| v.pointer("/file/bytes").or_else(|| v.pointer("/pictures/bytes")));
        let bytes = bytes.and_then(Value::as_f64);
        let manifest = self.manifest.as_ref().ok();
        let bytes = bytes.or_else(|| manifest?.pointer("/video/bytes")?.as_f64());
        facts.extend(bytes.map(|bytes| format!("{} MB", number((bytes / 1e4).round() / 100.0))));
        let said = |pointer: &str| manifest.and_then(|m| m.pointer(pointer)).and_then(Value::as_str);
        facts.extend(said("/engine/three").map(|three| format!("three.js r{three}")));
        facts.extend(said("/adapter/renderer").map(str::to_owned));
        if manifest.and_then(|m| m.get("complete")) == Some(&Value::Bool(false)) {
            facts.push("incomplete".to_owned());
        }
        facts
    }

    /// Of a PNG sequence: as measured, else as set.
    fn picture_size(&self) -> Option<(u32, u32)> {
        let size = |source: &Measured<Value>, pointer: &str| {
            let part = source.as_ref().ok()?.pointer(pointer)?;
            let side = |name: &str| u32::try_from(part.get(name)?.as_u64()?).ok();
            side("width").zip(side("height"))
        };
        let set = || size(&self.manifest, "/settings").filter(|_| self.video.is_err());
        size(&self.verify, "/pictures").or_else(set)
    }

    /// Of the evidence as it lies there now, and of the film.
    fn alarms(&self) -> Vec<String> {
        let mut out = self.evidence.complaints();
        out.extend(self.doubts.iter().cloned());
        let said = |key: &str| self.manifest.as_ref().ok().and_then(|m| m.get(key));
        if let (Some(Value::Bool(false)), Some(error)) = (said("complete"), said("error").and_then(Value::as_str)) {
            out.push(format!("The render failed: {error}"));
        }
        let cut = self.metric("/evidence/cut").and_then(Value::as_array);
        let cut: Vec<&str> = cut.into_iter().flatten().filter_map(Value::as_str).collect();
        if !cut.is_empty() && self.evidence.cut.is_empty() {
            out.push(format!("{}: EVIDENCE IS CUT SHORT: what depends on it is not measured", cut.join(", ")));
        }
        out
    }

    fn warnings(&self) -> Vec<String> {
        let list = |source: &Measured<Value>, pointer: &str| -> Vec<Value> {
            let found = source.as_ref().ok().and_then(|v| v.pointer(pointer)).and_then(Value::as_array);
            found.cloned().unwrap_or_default()
        };
        let mut out = self.remarks.clone();
        out.extend(list(&self.manifest, "/warnings").iter().map(text));
        for used in list(&self.manifest, "/unsupported") {
            let of = |key: &str| used.get(key).map(text).unwrap_or_default();
            out.push(format!("not supported: {} ({}), {} times", of("name"), of("detail"), of("count")));
        }
        out.extend(list(&self.metrics, "/notes").iter().map(text));
        let lines = || self.console.lines().filter(|line| !line.trim().is_empty());
        out.extend(lines().take(MOST_LINES).map(|line| format!("console: {line}")));
        if let Some(more @ 1..) = lines().count().checked_sub(MOST_LINES) {
            out.push(format!("{more} more lines stand in console.log"));
        }
        out
    }
}

fn numbers(value: Option<&Value>, pointer: &str) -> Vec<f64> {
    let list = value.and_then(|v| v.pointer(pointer)).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_f64).collect()
}
