//! What the program said: `console.log` in the output folder, and what of it were errors.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use crate::pipeline::RenderError;
use crate::pipeline::output::OutFolder;
use crate::runtime::Level;

/// `console.log` in the output folder, as the page said it.
pub(super) struct ConsoleLog {
    file: File,
    path: PathBuf,
    /// Bytes it may still take.
    room: usize,
}

/// Most bytes of `console.log`.
const CONSOLE_BYTES: usize = 64 << 20;

impl ConsoleLog {
    pub(super) fn create(out: &OutFolder) -> Result<Self, RenderError> {
        let path = out.path("console.log");
        let file = File::create(&path).map_err(|e| RenderError::write(&path, e))?;
        Ok(Self { file, path, room: CONSOLE_BYTES })
    }

    pub(super) fn line(&mut self, level: &str, text: &str) -> Result<(), RenderError> {
        if self.room == 0 {
            return Ok(());
        }
        self.room = self.room.saturating_sub(level.len() + text.len() + 3);
        let text = if self.room == 0 { "(more is left out)" } else { text };
        writeln!(self.file, "{level}: {text}").map_err(|e| RenderError::write(&self.path, e))
    }
}

pub(super) fn level_name(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Log => "log",
        Level::Info => "info",
        Level::Warn => "warn",
        Level::Error => "error",
    }
}

/// What the program called errors.
#[derive(Default)]
pub(super) struct Complaints {
    pub(super) count: u64,
    /// Those that differ, the first ones.
    pub(super) gists: Vec<String>,
    /// The first that the engine logged for a file that is not there.
    unloaded: Option<String>,
}

/// Errors of the program that a summary names.
const NAMED_COMPLAINTS: usize = 5;

impl Complaints {
    pub(super) fn add(&mut self, text: &str) {
        // The report lists them by themselves.
        if text.starts_with("Failed to load resource: ") {
            self.unloaded.get_or_insert_with(|| gist(text));
            return;
        }
        self.count += 1;
        if self.gists.len() < NAMED_COMPLAINTS {
            let gist = gist(text);
            if !self.gists.contains(&gist) {
                self.gists.push(gist);
            }
        }
    }

    /// The first, if there are any.
    pub(super) fn first(&self) -> Option<String> {
        self.gists.first().or(self.unloaded.as_ref()).cloned()
    }
}

/// Enough of `text` to recognise it: its first line, and where three.js logs a shader that failed, the compiler's own and the
/// line of the source it is about.
pub(super) fn gist(text: &str) -> String {
    let short = |line: &str| line.trim().chars().take(160).collect::<String>();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().map(short).unwrap_or_default();
    let Some(fault) = lines.clone().find(|line| line.trim_start().starts_with("ERROR: ")) else { return first };
    let source = lines.find(|line| line.trim_start().starts_with("> ")).map(short);
    [Some(first), Some(short(fault)), source].into_iter().flatten().collect::<Vec<_>>().join(" | ")
}
