//! What the page says: console lines, and uses of what is not supported.

use std::collections::VecDeque;

use deno_core::{OpState, op2};
use serde::{Deserialize, Serialize};

use crate::runtime::unsupported::Unsupported;

/// Severity of a console line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Debug,
    Log,
    Info,
    Warn,
    Error,
}

/// One call of `console.*`, formatted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleLine {
    pub level: Level,
    pub text: String,
}

/// Lines of a run; the oldest go when a page floods it. Lives in `OpState`.
#[derive(Debug, Default)]
pub struct Console {
    lines: VecDeque<ConsoleLine>,
    /// Lines that were let go.
    pub dropped: u64,
}

const MAX_LINES: usize = 10_000;
const MAX_LINE_BYTES: usize = 16_384;

impl Console {
    pub fn push(&mut self, level: Level, text: &str) {
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
            self.dropped += 1;
        }
        let mut end = text.len().min(MAX_LINE_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.lines.push_back(ConsoleLine { level, text: text[..end].to_owned() });
    }

    pub fn lines(&self) -> impl Iterator<Item = &ConsoleLine> {
        self.lines.iter()
    }

    /// Takes what was said since the last call.
    pub fn drain(&mut self) -> Vec<ConsoleLine> {
        self.lines.drain(..).collect()
    }
}

#[op2(fast)]
pub fn op_console(state: &mut OpState, level: u32, #[string] text: &str) {
    let level = match level {
        0 => Level::Debug,
        2 => Level::Info,
        3 => Level::Warn,
        4 => Level::Error,
        _ => Level::Log,
    };
    state.borrow_mut::<Console>().push(level, text);
}

#[op2(fast)]
pub fn op_unsupported(state: &mut OpState, #[string] interface: &str, #[string] member: &str, #[string] detail: &str) {
    state.borrow_mut::<Unsupported>().note(interface, member, detail);
}
