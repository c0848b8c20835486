//! Progress, summaries and failures, for people and for machines.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressStyle};
use miette::Report;

use crate::evidence::Unsupported;
use crate::pipeline::{Observer, RenderError, Summary};

/// A bar on a terminal; the program's warnings and errors above it.
pub struct Bar {
    bar: ProgressBar,
    quiet: bool,
    /// Lines in order of their first time, and how often they came.
    lines: Vec<(String, u64)>,
    places: BTreeMap<String, usize>,
}

/// Lines of the program shown before the rest goes to `console.log` only.
const MAX_SHOWN: usize = 40;

/// Frames done of all, on standard error where that is a terminal.
pub fn frames_bar(quiet: bool) -> ProgressBar {
    let bar = if quiet || !std::io::stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let template = "{bar:32} {pos}/{len} frames  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

impl Bar {
    pub fn new(quiet: bool) -> Self {
        Self { bar: frames_bar(quiet), quiet, lines: Vec::new(), places: BTreeMap::new() }
    }

    /// Takes the bar away and tells which lines came again.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
        for (line, count) in self.lines.iter().filter(|(_, count)| *count > 1) {
            let first: String = line.lines().next().unwrap_or_default().chars().take(100).collect();
            tell(&format!("{first} (\u{d7}{count} in all)"));
        }
    }
}

impl Observer for Bar {
    fn started(&mut self, frames: u64) {
        self.bar.set_length(frames);
    }

    fn progress(&mut self, drawn: u64, _coded: u64) {
        self.bar.set_position(drawn);
    }

    fn console(&mut self, level: &str, text: &str) {
        if self.quiet || !matches!(level, "warn" | "error") {
            return;
        }
        let line = format!("console.{level}: {text}");
        if let Some((_, count)) = self.places.get(&line).and_then(|at| self.lines.get_mut(*at)) {
            *count += 1;
            return;
        }
        // The others are in console.log only.
        if self.lines.len() >= MAX_SHOWN {
            return;
        }
        self.places.insert(line.clone(), self.lines.len());
        self.lines.push((line.clone(), 1));
        let more = if self.lines.len() == MAX_SHOWN { "\n(more in console.log)" } else { "" };
        let line = line + more;
        self.bar.suspend(|| tell(&line));
    }
}

/// The end of a render.
pub fn summary(summary: &Summary, quiet: bool, json: bool) {
    if json {
        print_json(&serde_json::json!({ "ok": true, "result": summary }));
        return;
    }
    if quiet {
        return;
    }
    let s = summary;
    let mut text = format!("{}\n", s.output.display());
    text += &format!(
        "  {}x{}, {} fps, {} frames, {:.3} s, {:.1} MB",
        s.width,
        s.height,
        s.fps,
        s.frames,
        s.seconds,
        s.bytes as f64 / 1e6
    );
    if s.peak_bits_per_second > 0 {
        text += &format!(", busiest second {:.1} Mbit", s.peak_bits_per_second as f64 / 1e6);
    }
    let three = s.three_revision.as_ref().map_or(String::new(), |r| format!("three.js r{r} on "));
    text += &format!("\n  {three}{}\n  frames sha256 {}\n", s.adapter, s.frames_sha256);
    let t = &s.timing;
    let each = |v: f64| v / s.frames.max(1) as f64;
    let gpu: f64 = t.usage.gpu_frames.iter().sum();
    let gpu = t.usage.gpu.map_or(String::new(), |_| format!(", GPU {:.1}", each(gpu)));
    text += &format!(
        "  {:.1} s: load {:.0} ms, then {:.1} ms a frame (script and drawing calls {:.1}{gpu}, hash and colour {:.1}, coding {:.1}, overlapped)\n",
        t.total / 1000.0,
        t.load,
        each(t.total - t.load),
        each(t.script),
        each(t.prepare),
        each(t.encode)
    );
    for Unsupported { name, detail, .. } in &s.unsupported {
        // A warning may hold the detail in a sentence.
        match detail.is_empty() || s.warnings.iter().any(|warning| warning.contains(detail.as_str())) {
            true => text += &format!("  not supported: {name}\n"),
            false => text += &format!("  not supported: {name} ({detail})\n"),
        }
    }
    for warning in &s.warnings {
        text += &format!("  warning: {warning}\n");
    }
    print(&text);
}

/// An error, with its remedy.
pub fn failure(report: &Report, code: u8, json: bool) {
    if json {
        print_json(&failed(code, &report.to_string(), report.help().map(|h| h.to_string())));
    }
    tell(&format!("{report:?}"));
}

/// What stands for a result where there is none.
pub fn failed(code: u8, error: &str, help: Option<String>) -> serde_json::Value {
    serde_json::json!({ "ok": false, "code": code, "error": error, "help": help })
}

/// 1 for a failed check, 2 for what could not run.
pub fn code_of(report: &Report) -> u8 {
    report.downcast_ref::<RenderError>().map_or(2, RenderError::exit_code)
}

pub fn print_json(value: &serde_json::Value) {
    print(&format!("{value:#}\n"));
}

/// A line on standard error; if nobody listens any more, that ends nothing.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// A closed pipe on standard output ends nothing.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
