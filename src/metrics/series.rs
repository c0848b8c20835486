//! `series.json` and `series.csv`: a number per frame, for plots.

use serde::{Deserialize, Serialize};

use crate::evidence::clearance::Contact;

/// The JSON schema of [`Series`], draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/series.schema.json");

/// Series of all frames of an output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Version of this format.
    pub format: u32,
    /// Exact, e.g. `30000/1001`; frame `i` is shown at `i / fps`.
    pub fps: String,
    pub frames: u64,
    /// Frames with which another shot of the camera begins.
    pub cuts: Vec<u64>,
    /// Each as long as there are frames; `null` where nothing was measured. A series without any value is left out.
    pub columns: Vec<Column>,
    /// Verdict of `clearance.jsonl`, per frame; empty without it.
    pub contact: Vec<Option<Contact>>,
    /// The route as it lies in the scene, for maps.
    pub map: Option<RouteMap>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    /// `m`, `m/s`, `m/s²`, `m/s³`, `°/s`, `°/s²`, `°/s³`, `1` (a share) or empty (a count).
    pub unit: String,
    /// For a reader, e.g. `speed of the camera`.
    pub title: String,
    pub values: Vec<Option<f64>>,
}

/// In scene units: x and z, y left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RouteMap {
    /// Scene units.
    pub line: Vec<[f64; 2]>,
    pub waypoints: Vec<WaypointOnMap>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaypointOnMap {
    pub name: Option<String>,
    /// Scene units.
    pub at: [f64; 2],
    pub passed: bool,
    /// Least horizontal distance of the flight, metres.
    pub distance: f64,
    /// Frame nearest to it.
    pub frame: u64,
}

impl Series {
    /// A comma-separated table: frame, time, the columns, contact and cut.
    pub fn to_csv(&self, seconds: impl Fn(u64) -> f64) -> String {
        let mut text = "frame,time".to_owned();
        for column in &self.columns {
            text += ",";
            text += &column.name;
        }
        if !self.contact.is_empty() {
            text += ",contact";
        }
        text += ",cut\n";
        for (frame, at) in (0..self.frames).zip(0usize..) {
            text += &format!("{frame},{}", seconds(frame));
            for column in &self.columns {
                text += ",";
                if let Some(value) = column.values.get(at).copied().flatten() {
                    text += &value.to_string();
                }
            }
            if let Some(contact) = self.contact.get(at) {
                text += ",";
                text += contact.map_or("", contact_name);
            }
            text += if self.cuts.contains(&frame) { ",1\n" } else { ",0\n" };
        }
        text
    }
}

/// As in JSON.
pub fn contact_name(contact: Contact) -> &'static str {
    match contact {
        Contact::PassedThrough => "passed-through",
        Contact::Inside => "inside",
        Contact::Glued => "glued",
        Contact::Near => "near",
        Contact::Clear => "clear",
        Contact::Unknown => "unknown",
    }
}
