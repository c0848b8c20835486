//! From the JSON of the other commands to a page.
//!
//! The files may be missing, cut off or of another version: what they do not hold is "not measured", with the reason.

use serde_json::Value;

use super::model::{Cell, Contact, Event, Film, Group, MapPart, Measured, Page, Row, Series, Table, Verdict, Video};
use super::values::{flatten, number, short_path, text};
use super::write::clock;
use crate::metrics::record::Evidence;
use crate::report::map::{Figure, Ground, HERE, Map, Waypoint};

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

/// Plots: name in `series.json`, title, unit if it is not there.
const PLOTS: [(&str, &str, &str); 5] = [
    ("speed", "Speed", "m/s"),
    ("jerk", "Jerk", "m/s³"),
    ("cross_track", "Deviation from the route", "m"),
    ("clearance", "Clearance", "m"),
    ("height", "Height of the camera above ground", "m"),
];
/// Shown after those where they are there.
const MORE: [(&str, &str); 6] = [
    ("drone_height", "Height of the drone above ground"),
    ("acceleration", "Acceleration"),
    ("angular_speed", "Turning"),
    ("drone_speed", "Speed of the drone"),
    ("pedestrians_visible", "Pedestrians in view"),
    ("triangles", "Triangles"),
];
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

    fn column(&self, name: &str) -> Option<&Value> {
        let columns = self.series.as_ref().ok()?.get("columns")?.as_array()?;
        columns.iter().find(|c| c.get("name").and_then(Value::as_str) == Some(name))
    }

    /// `unit` is what the column says, if it is there.
    fn plot(&self, name: &str, title: &str, unit: &str) -> Series {
        let column = self.column(name);
        let values = |column: &Value| -> Vec<Option<f64>> {
            let list = column.get("values").and_then(Value::as_array);
            list.into_iter().flatten().map(Value::as_f64).collect()
        };
        let values = match (&self.series, column) {
            (Err(why), _) => Err(why.clone()),
            (_, Some(column)) => Ok(values(column)),
            (_, None) => Err(self.why(name)),
        };
        Series {
            id: name.to_owned(),
            title: title.to_owned(),
            unit: column.and_then(|c| c.get("unit")).and_then(Value::as_str).unwrap_or(unit).to_owned(),
            summary: match (name, &values) {
                ("height" | "drone_height", Ok(values)) => range(values),
                _ => self.summary(name),
            },
            values,
            marks: self.marks(name),
            noise: match name {
                "jerk" | "acceleration" => {
                    self.metric(&format!("/smoothness/camera/noise/{name}")).and_then(Value::as_f64)
                }
                _ => None,
            },
        }
    }

    fn plots(&self) -> Vec<Series> {
        PLOTS.into_iter().map(|(name, title, unit)| self.plot(name, title, unit)).collect()
    }

    fn more_plots(&self) -> Vec<Series> {
        let there = MORE.into_iter().filter(|(name, _)| self.column(name).is_some());
        there.map(|(name, title)| self.plot(name, title, "")).collect()
    }

    /// Why a series is not there: what its section of the metrics says.
    fn why(&self, name: &str) -> String {
        let section = match name {
            "cross_track" => "/route/not_measured",
            "clearance" | "height" => "/collision/not_measured",
            _ => "/smoothness/camera/not_measured",
        };
        let why = self.metric(section).and_then(Value::as_str);
        why.unwrap_or("the run holds no such values").to_owned()
    }

    fn summary(&self, name: &str) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let section = match name {
            "cross_track" => "/route/flight/cross_track".to_owned(),
            "drone_speed" => "/smoothness/drone/speed".to_owned(),
            name => format!("/smoothness/camera/{name}"),
        };
        let stat = |key: &str| self.metric(&format!("{section}/{key}")).and_then(Value::as_f64);
        for (key, shown) in [("mean", "mean"), ("rms", "RMS"), ("p95", "95 %")] {
            out.extend(stat(key).map(|value| (shown.to_owned(), number(value))));
        }
        if let Some(peak) = stat("peak") {
            let at = stat("peak_frame").map(|frame| format!(" at {}", self.seconds(frame as u64)));
            out.push(("peak".to_owned(), number(peak) + &at.unwrap_or_default()));
        }
        let mut add = |pointer: &str, shown: &str| {
            let value = self.metric(pointer).and_then(Value::as_f64);
            out.extend(value.map(|value| (shown.to_owned(), number(value))));
        };
        match name {
            "jerk" => {
                add("/smoothness/camera/log_dimensionless_jerk", "log dimensionless");
                add("/smoothness/camera/spectral_arc_length", "spectral arc length");
            }
            "clearance" => {
                add("/collision/distance/min", "least");
                add("/collision/distance/mean", "mean");
            }
            "triangles" | "pedestrians_visible" => {
                for (key, shown) in [("min", "least"), ("mean", "mean"), ("max", "most")] {
                    add(&format!("/scene/{name}/{key}"), shown);
                }
            }
            _ => {}
        }
        out
    }

    fn marks(&self, name: &str) -> Vec<(String, f64)> {
        let setting = |key: &str| {
            let manifest = self.manifest.as_ref().ok()?;
            manifest.pointer(&format!("/settings/evidence/{key}"))?.as_f64()
        };
        match name {
            "cross_track" => {
                let radius = self.metric("/route/flight/waypoint_radius").and_then(Value::as_f64);
                radius.map(|r| (format!("waypoint radius {} m", number(r)), r)).into_iter().collect()
            }
            "clearance" => [("near", "near"), ("radius", "camera radius")]
                .into_iter()
                .filter_map(|(key, shown)| setting(key).map(|v| (format!("{shown} {} m", number(v)), v)))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn contacts(&self) -> Measured<Vec<Contact>> {
        let list = self.series.as_ref().map_err(Clone::clone)?.get("contact").and_then(Value::as_array);
        let list = list.filter(|list| !list.is_empty()).ok_or_else(|| self.why("clearance"))?;
        let all: Vec<Contact> = list.iter().map(|c| c.as_str().map_or(Contact::Unknown, contact)).collect();
        match all.iter().all(|c| *c == Contact::Unknown) {
            true => Err("in no frame is it known where the camera was and what was drawn".to_owned()),
            false => Ok(all),
        }
    }

    /// What was touched, but is no collision.
    fn asides(&self) -> Vec<Event> {
        let list = |pointer: &str| self.metric(pointer).and_then(Value::as_array).into_iter().flatten();
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let waived = list("/collision/waived").filter_map(|w| {
            Some(Event {
                first: w.get("first")?.as_u64()?,
                last: w.get("last")?.as_u64()?,
                contact: w.get("verdict").and_then(Value::as_str).map_or(Contact::Unknown, contact),
                object: text(w, "object"),
                distance: w.get("distance").and_then(Value::as_f64),
                note: text(w, "why").unwrap_or_default(),
            })
        });
        let cuts = list("/collision/cuts_through").filter_map(|cut| {
            let frame = cut.get("frame")?.as_u64()?;
            Some(Event {
                first: frame,
                last: frame,
                contact: Contact::PassedThrough,
                object: text(cut, "object"),
                distance: None,
                note: "by a cut, straight on in the direction of flight".to_owned(),
            })
        });
        cuts.chain(waived).collect()
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

    /// Slight contacts stand after all grave ones, as the metrics sort them.
    fn events(&self) -> Vec<Event> {
        let ranges = self.metric("/collision/ranges").and_then(Value::as_array);
        let event = |range: &Value| {
            let objects = range.get("objects").and_then(Value::as_array);
            let names: Vec<&str> = objects.into_iter().flatten().filter_map(Value::as_str).collect();
            Some(Event {
                first: range.get("first")?.as_u64()?,
                last: range.get("last")?.as_u64()?,
                contact: range.get("verdict").and_then(Value::as_str).map_or(Contact::Unknown, contact),
                object: (!names.is_empty()).then(|| names.join(", ")),
                distance: range.get("distance").and_then(Value::as_f64),
                note: match range.get("inside_by").and_then(Value::as_str) {
                    Some("near-plane") => "the near plane cuts it open, so that the picture looks behind it",
                    Some("enclosed") => "its surfaces are seen from behind all around",
                    _ => "",
                }
                .to_owned(),
            })
        };
        ranges.into_iter().flatten().filter_map(event).collect()
    }

    fn groups(&self) -> Vec<Group> {
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

    /// The map, and where the camera is on it in each frame.
    ///
    /// # Errors
    /// Why there is none.
    pub fn figure(&self) -> Measured<(Figure, Vec<Option<[f64; 2]>>)> {
        let contacts = self.contacts().unwrap_or_default();
        let flown = self.camera.clone()?;
        let series = self.series.as_ref().ok();
        let point = |value: &Value| {
            let at = value.as_array()?;
            Some([at.first()?.as_f64()?, at.get(1)?.as_f64()?])
        };
        let list = |pointer: &str| series.and_then(|s| s.pointer(pointer)).and_then(Value::as_array);
        let waypoint = |value: &Value| {
            Some(Waypoint { at: point(value.get("at")?)?, passed: value.get("passed").and_then(Value::as_bool) })
        };
        let scale = self.metric("/route/georeference/scale").or_else(|| self.metric("/run/metres_per_unit"));
        let scale = scale.and_then(Value::as_f64).filter(|s| s.is_finite() && *s > 0.0);
        let on_globe = self.metric("/route/georeference/kind").and_then(Value::as_str).is_some_and(|k| k != "scene");
        let heading = self.metric("/route/georeference/heading").and_then(Value::as_f64).filter(|_| on_globe);
        let ground = |places: &[Option<[f64; 3]>]| places.iter().map(|at| at.map(|[x, _, z]| [x, z])).collect();
        let height = |places: &[Option<[f64; 3]>]| places.iter().map(|at| at.map(|[_, y, _]| y)).collect();
        let map = Map {
            heights: height(&flown),
            drone_heights: height(&self.drone),
            flown: ground(&flown),
            drone: ground(&self.drone),
            cuts: numbers(series, "/cuts").into_iter().map(|cut| cut as u64).collect(),
            contacts,
            route: list("/map/line").into_iter().flatten().filter_map(point).collect(),
            waypoints: list("/map/waypoints").into_iter().flatten().filter_map(waypoint).collect(),
            metres_per_unit: scale.unwrap_or(1.0),
            metric: scale.is_some(),
            // The bearing of −z, which is up: north lies as far the other way.
            north: heading.map(|bearing| -bearing.to_radians()),
            ground: self.ground.clone(),
        };
        map.figure().ok_or_else(|| "the camera's place is not known in any frame".to_owned())
    }

    fn provenance(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        let mut add = |title: &str, rows: Vec<(String, String)>, folded: bool| {
            if !rows.is_empty() {
                tables.push(Table { title: title.to_owned(), rows, folded });
            }
        };
        let part = |source: &Measured<Value>, pointer: &str| {
            let mut rows = Vec::new();
            if let Some(value) = source.as_ref().ok().and_then(|v| v.pointer(pointer)) {
                flatten(value, "", &mut rows);
            }
            rows
        };
        add("Cost", self.cost(), false);
        let manifest = &self.manifest;
        let mut engine = part(manifest, "/engine");
        engine.extend(part(manifest, "/adapter"));
        for (pointer, name) in [("/complete", "complete"), ("/error", "error"), ("/frames_sha256", "frames sha256")] {
            let value = manifest.as_ref().ok().and_then(|m| m.pointer(pointer)).filter(|v| !v.is_null());
            engine.extend(value.map(|value| (name.to_owned(), text(value))));
        }
        if let Err(why) = manifest {
            engine.push(("manifest".to_owned(), format!("not there: {why}")));
        }
        add("Engine", engine, false);
        add("Settings", part(manifest, "/settings"), true);
        add("Video, as rendered", part(manifest, "/video"), true);
        for (title, pointer) in
            [("Video, as measured", "/video"), ("Sound, as measured", "/audio"), ("Bit rate, as measured", "/bit_rate")]
        {
            add(title, part(&self.verify, pointer), true);
        }
        add("Scene", part(&self.metrics, "/scene"), true);
        let files = manifest.as_ref().ok().and_then(|m| m.get("files")).and_then(Value::as_array);
        let of = |file: &Value, key: &str| file.get(key).map(text).unwrap_or_default();
        let files: Vec<(String, String)> = files
            .into_iter()
            .flatten()
            .map(|file| (of(file, "path"), format!("{} bytes\n{}", of(file, "bytes"), of(file, "sha256"))))
            .collect();
        add("Files read", files, true);
        for (title, pointer) in
            [("Addresses that do not exist", "/page/missing"), ("Network, blocked", "/page/blocked")]
        {
            let list = manifest.as_ref().ok().and_then(|m| m.pointer(pointer)).and_then(Value::as_array);
            let rows = list.into_iter().flatten().enumerate().map(|(i, v)| ((i + 1).to_string(), text(v)));
            add(title, rows.collect(), true);
        }
        tables
    }

    fn cost(&self) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        let cost = |pointer: &str| self.metric(&format!("/cost{pointer}"));
        let mut add = |name: &str, section: &str, key: &str, by: f64, unit: &str| {
            let value = cost(&format!("{section}{key}")).and_then(Value::as_f64);
            let why = cost(&format!("{section}/not_measured")).and_then(Value::as_str);
            match (value, why) {
                (Some(value), _) => rows.push((name.to_owned(), format!("{} {unit}", number(value * by)))),
                (None, Some(why)) => rows.push((name.to_owned(), format!("not measured: {why}"))),
                (None, None) => {}
            }
        };
        add("wall time", "", "/wall", 1.0, "s");
        add("wall time a frame", "", "/wall_per_frame", 1000.0, "ms");
        add("processor time", "/cpu", "/total", 1.0, "s");
        add("peak memory", "/peak_memory", "/bytes", 1e-6, "MB");
        add("GPU time", "/gpu", "/seconds", 1.0, "s");
        add("energy", "/energy", "/joules", 1.0, "J");
        add("power", "/energy", "/watts", 1.0, "W");
        if rows.is_empty() {
            // Without metrics, what the render itself wrote down, in milliseconds.
            let timing = self.timing.as_ref().ok();
            for (key, name) in
                [("total", "wall time"), ("load", "load"), ("script", "script and drawing calls"), ("encode", "coding")]
            {
                let value = timing.and_then(|t| t.get(key)).and_then(Value::as_f64);
                rows.extend(value.map(|ms| (name.to_owned(), format!("{} s", number(ms / 1000.0)))));
            }
        }
        rows
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

fn contact(name: &str) -> Contact {
    match name {
        "passed-through" => Contact::PassedThrough,
        "inside" => Contact::Inside,
        "glued" => Contact::Glued,
        "near" => Contact::Near,
        "clear" => Contact::Clear,
        _ => Contact::Unknown,
    }
}

/// Least, mean and most of the values that are there.
fn range(values: &[Option<f64>]) -> Vec<(String, String)> {
    let known: Vec<f64> = values.iter().copied().flatten().filter(|v| v.is_finite()).collect();
    if known.is_empty() {
        return Vec::new();
    }
    let least = known.iter().copied().fold(f64::INFINITY, f64::min);
    let most = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    [("least", least), ("mean", mean), ("most", most)].map(|(name, value)| (name.to_owned(), number(value))).to_vec()
}

fn numbers(value: Option<&Value>, pointer: &str) -> Vec<f64> {
    let list = value.and_then(|v| v.pointer(pointer)).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_f64).collect()
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
