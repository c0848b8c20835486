//! The series as plots, each with its figures and marks.

use serde_json::Value;

use super::Sources;
use crate::report::page::model::Series;
use crate::report::page::values::number;

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

impl Sources {
    pub(super) fn plots(&self) -> Vec<Series> {
        PLOTS.into_iter().map(|(name, title, unit)| self.plot(name, title, unit)).collect()
    }

    pub(super) fn more_plots(&self) -> Vec<Series> {
        let there = MORE.into_iter().filter(|(name, _)| self.column(name).is_some());
        there.map(|(name, title)| self.plot(name, title, "")).collect()
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

    fn column(&self, name: &str) -> Option<&Value> {
        let columns = self.series.as_ref().ok()?.get("columns")?.as_array()?;
        columns.iter().find(|c| c.get("name").and_then(Value::as_str) == Some(name))
    }

    /// Why a series is not there: what its section of the metrics says.
    pub(super) fn why(&self, name: &str) -> String {
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
