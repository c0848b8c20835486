//! What was run on what, and what it cost.

use serde_json::Value;

use super::Sources;
use crate::report::page::model::{Measured, Table};
use crate::report::page::values::{flatten, number, text};

impl Sources {
    pub(super) fn provenance(&self) -> Vec<Table> {
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
        add("GPU time a frame", "/gpu", "/frame/mean", 1.0, "ms");
        add("GPU time of the longest frame", "/gpu", "/frame/peak", 1.0, "ms");
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
            let gpu = timing.and_then(|t| t.pointer("/usage/gpu")).and_then(Value::as_f64);
            rows.extend(gpu.map(|seconds| ("GPU time".to_owned(), format!("{} s", number(seconds)))));
        }
        rows
    }
}
