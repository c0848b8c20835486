//! Several runs side by side: a table to read, and CSV with a run a row.

use serde_json::Value;

use super::record::Metrics;
use super::text::verdict_name;

/// What is compared: path in `metrics.json`, title, digits after the point.
const FIELDS: [(&str, &str, usize); 45] = [
    ("run.frames", "frames", 0),
    ("run.complete", "the render ended", 0),
    ("evidence.ok", "evidence whole and unchanged", 0),
    ("run.duration", "duration, s", 2),
    ("smoothness.camera.mean_speed_kmh", "camera: mean speed, km/h", 2),
    ("smoothness.camera.peak_speed_kmh", "camera: peak speed, km/h", 2),
    ("smoothness.camera.acceleration.rms", "camera: acceleration RMS, m/s²", 2),
    ("smoothness.camera.jerk.rms", "camera: jerk RMS, m/s³", 2),
    ("smoothness.camera.jerk.p95", "camera: jerk p95, m/s³", 2),
    ("smoothness.camera.jerk.peak", "camera: jerk peak, m/s³", 2),
    ("smoothness.camera.angular_speed.rms", "camera: turning RMS, °/s", 2),
    ("smoothness.camera.angular_jerk.rms", "camera: angular jerk RMS, °/s³", 1),
    ("smoothness.camera.log_dimensionless_jerk", "camera: log dimensionless jerk", 2),
    ("smoothness.camera.spectral_arc_length", "camera: spectral arc length", 2),
    ("smoothness.drone.jerk.rms", "drone: jerk RMS, m/s³", 2),
    ("route.flight.cross_track_followed.mean", "off the route: mean, m", 2),
    ("route.flight.cross_track_followed.rms", "off the route: RMS, m", 2),
    ("route.flight.cross_track_followed.p95", "off the route: p95, m", 2),
    ("route.flight.cross_track_followed.peak", "off the route: most, m", 2),
    ("route.flight.passed_share", "waypoints passed, share", 3),
    ("route.flight.flown_share", "route flown, share", 3),
    ("route.flight.backward", "flown back, m", 1),
    ("route.flight.hausdorff", "Hausdorff distance, m", 2),
    ("route.flight.frechet", "Fréchet distance, m", 2),
    ("route.georeference.kind", "georeference", 0),
    ("take_off.start_height", "take-off: start height, m", 2),
    ("take_off.rise", "take-off: rise, m", 2),
    ("take_off.drone_in_view", "drone in view, share", 3),
    ("collision.colliding", "frames with a collision", 0),
    ("collision.waived_frames", "frames with a touch that a name waives", 0),
    ("collision.distance.min", "nearest surface, m", 2),
    ("scene.triangles.mean", "triangles a frame", 0),
    ("scene.draws.mean", "draws a frame", 0),
    ("scene.pedestrians.max", "pedestrians", 0),
    ("scene.pedestrians_visible.max", "pedestrians in view, most", 0),
    ("scene.pedestrians_unhidden.max", "of them not hidden, most", 0),
    ("procedural.procedural", "procedural", 0),
    ("determinism.deterministic", "deterministic", 0),
    ("cost.wall", "render: wall, s", 1),
    ("cost.cpu.total", "render: CPU, s", 1),
    ("cost.peak_memory.bytes", "render: memory, bytes", 0),
    ("cost.gpu.seconds", "render: GPU, s", 1),
    ("cost.gpu.frame.mean", "render: GPU a frame, ms", 2),
    ("cost.gpu.frame.peak", "render: GPU a frame, most, ms", 2),
    ("cost.energy.joules", "render: energy, J", 0),
];

/// The run's name, marked where its numbers are not those of a whole render.
fn heading(run: &Metrics) -> String {
    match run.run.complete {
        Some(false) => format!("{} (INCOMPLETE)", run.run.name),
        _ => run.run.name.clone(),
    }
}

const LOUD: [&str; 2] = ["run.complete", "evidence.ok"];

fn find<'a>(json: &'a Value, path: &str) -> &'a Value {
    path.split('.').try_fold(json, |node, name| node.get(name)).unwrap_or(&Value::Null)
}

/// A measure a line, a run a column. What was not measured is a dash.
pub fn table(runs: &[Metrics]) -> String {
    let json: Vec<Value> = runs.iter().map(|m| serde_json::to_value(m).unwrap_or_default()).collect();
    let mut rows: Vec<Vec<String>> = vec![std::iter::once(String::new()).chain(runs.iter().map(heading)).collect()];
    for (path, title, digits) in FIELDS {
        let values = json.iter().map(|run| match find(run, path) {
            Value::Number(n) => n.as_f64().map_or(String::new(), |v| format!("{v:.digits$}")),
            Value::Bool(true) => "yes".to_owned(),
            // What no number of this run should be read without.
            Value::Bool(false) if LOUD.contains(&path) => "NO".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::String(text) => text.clone(),
            _ => "–".to_owned(),
        });
        rows.push(std::iter::once(title.to_owned()).chain(values).collect());
    }
    for (id, title) in rules(runs) {
        let values = runs.iter().map(|m| verdict(m, &id).to_owned());
        rows.push(std::iter::once(format!("{id} {title}")).chain(values).collect());
    }
    let wide = |text: &String| text.chars().count();
    let widths: Vec<usize> =
        (0..=runs.len()).map(|c| rows.iter().filter_map(|r| r.get(c)).map(wide).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(wide(cell)));
            line += &if column == 0 { format!("{cell}{pad}") } else { format!("  {pad}{cell}") };
        }
        out += line.trim_end();
        out += "\n";
    }
    for run in runs {
        for complaint in run.evidence.complaints() {
            out += &format!("!! {}: {complaint}\n", run.run.name);
        }
    }
    out
}

/// A header of paths, then a run a row; what was not measured is empty.
pub fn csv(runs: &[Metrics]) -> String {
    let rules = rules(runs);
    let header = FIELDS.iter().map(|(path, ..)| (*path).to_owned()).chain(rules.iter().map(|(id, _)| id.clone()));
    let mut out = record(std::iter::once("run".to_owned()).chain(header));
    for run in runs {
        let json = serde_json::to_value(run).unwrap_or_default();
        let values = FIELDS.iter().map(|(path, ..)| match find(&json, path) {
            Value::Null | Value::Object(_) | Value::Array(_) => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        let verdicts = rules.iter().map(|(id, _)| verdict(run, id).to_owned());
        out += &record(std::iter::once(run.run.name.clone()).chain(values).chain(verdicts));
    }
    out
}

/// Identifiers and titles of all runs' rules, in their order.
fn rules(runs: &[Metrics]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for rule in runs.iter().flat_map(|m| &m.rules) {
        if !out.iter().any(|(id, _)| *id == rule.id) {
            out.push((rule.id.clone(), rule.title.clone()));
        }
    }
    out
}

fn verdict(run: &Metrics, id: &str) -> &'static str {
    run.rules.iter().find(|rule| rule.id == id).map_or("–", |rule| verdict_name(rule.verdict))
}

/// RFC 4180, with line feeds alone. A cell that a spreadsheet would take for a formula is kept from it.
fn record(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells
        .map(|cell| {
            let number = cell.parse::<f64>().is_ok();
            let cell = if !number && cell.starts_with(['=', '+', '-', '@']) { format!("'{cell}") } else { cell };
            if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
        })
        .collect();
    cells.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_one_of_the_schema() {
        let schema: Value = serde_json::from_str(crate::metrics::SCHEMA).unwrap();
        for (path, ..) in FIELDS {
            assert!(crate::rules::schema::leaf(&schema, path).is_some(), "{path}");
        }
    }

    #[test]
    fn cells_are_quoted() {
        let cells = ["a,b", "say \"x\"", "=1+1", "-3.5", "plain"].map(str::to_owned);
        assert_eq!(record(cells.into_iter()), "\"a,b\",\"say \"\"x\"\"\",'=1+1,-3.5,plain\n");
    }
}
