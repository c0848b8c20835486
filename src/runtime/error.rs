use std::fmt;

use deno_core::error::{JsError, JsStackFrame};

use super::blame::{self, Spot, is_library, is_ours};
use super::memory::Use;
use super::modules;
use super::ops::fetch::Refusals;
use super::ops::script::Failure;
use super::worker_names;
use crate::gl::backend::BackendError;
use crate::project::Project;

/// When it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Load,
    Frame(u64),
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load => f.write_str("while loading"),
            Self::Frame(n) => write!(f, "in frame {n}"),
        }
    }
}

/// Why a run ends.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RuntimeError {
    /// An exception nobody caught, a rejected promise nobody handled, a syntax error, a missing module.
    #[error("{message} ({phase}{}{}){}", if *.rejection { ", in a promise" } else { "" }, at(.place), called(.stack))]
    #[diagnostic(code(program::exception))]
    Script {
        phase: Phase,
        /// As V8 words it: `Uncaught TypeError: …` without the first word.
        message: String,
        /// File, line and column, from 1.
        place: Option<Place>,
        rejection: bool,
        /// V8's stack, the engine's own frames left out: `at function (file:line:column)`.
        stack: Vec<String>,
        #[source_code]
        source_code: Option<super::excerpt::Excerpt>,
        #[label("here")]
        span: Option<miette::SourceSpan>,
        #[help]
        help: Option<String>,
    },

    #[error("JavaScript ran for more than {seconds} s {phase}{}", at(.place))]
    #[diagnostic(
        code(program::time_limit),
        help(
            "is there an endless loop? One that waits for the clock is one: time stands still while a script runs. A longer limit can be set with --time-limit or `time_limit` in replay.toml"
        )
    )]
    TimeLimit { phase: Phase, seconds: f64, place: Option<Place> },

    #[error("JavaScript needs more than {} MiB of memory{what} ({phase}{})", .limit / (1024 * 1024), at(.place))]
    #[diagnostic(
        code(program::memory_limit),
        help(
            "does something grow without end? A higher limit can be set with --memory-limit or `memory_limit` in replay.toml"
        )
    )]
    Memory { phase: Phase, limit: usize, what: Use, place: Option<Place> },

    #[error(
        "the machine's memory is nearly full: this render holds {} MiB, {} MiB are left ({phase}{})",
        .held / (1024 * 1024), .left / (1024 * 1024), at(.place)
    )]
    #[diagnostic(
        code(program::machine_memory),
        help(
            "does something grow without end, or is the picture, or what it shows, too large for this machine? --memory-limit and --gpu-memory-limit end such a render sooner"
        )
    )]
    Machine { phase: Phase, held: u64, left: u64, place: Option<Place> },

    #[error("stopped {phase}")]
    #[diagnostic(code(program::stopped))]
    Stopped { phase: Phase },

    #[error("the canvas selector `{selector}` is no CSS selector: {message}")]
    #[diagnostic(
        code(program::canvas),
        help("--canvas (or `canvas` in replay.toml) takes one, such as '#scene' or 'canvas.main'")
    )]
    Selector { selector: String, message: String },

    #[error("the seek expression `{expression}` failed {phase}: {message}")]
    #[diagnostic(
        code(program::seek),
        help(
            "--drive 'seek:EXPRESSION' (or `drive` in replay.toml) is evaluated for each frame among the page's globals: does it name a \
             function on `window`? What a module declares is its own: window.renderAt = renderAt shows it"
        )
    )]
    Seek { phase: Phase, expression: String, message: String },

    #[error("the seek expression `{expression}` did not finish {phase}: its promise stayed pending")]
    #[diagnostic(
        code(program::seek),
        help(
            "the promise may wait for animation frames of its own and for timers of up to a minute, but not for a later frame or for input"
        )
    )]
    SeekPending { phase: Phase, expression: String },

    #[error("the WebGL context was lost {phase}{}: {reason}", at(.place))]
    #[diagnostic(code(program::context_lost), help("{}", lost_help(reason)))]
    ContextLost {
        phase: Phase,
        reason: String,
        /// The program's own line that lost it.
        place: Option<Place>,
    },

    #[error("{0}")]
    #[diagnostic(code(engine::graphics))]
    Backend(#[from] BackendError),

    #[error("internal error of the engine: {0}")]
    #[diagnostic(code(engine::internal))]
    Internal(String),
}

/// A place in a source file, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

fn at(place: &Option<Place>) -> String {
    place.as_ref().map(|p| format!(", {p}")).unwrap_or_default()
}

/// What helps against the loss of a context for this reason.
fn lost_help(reason: &str) -> &'static str {
    if reason.contains("GPU memory") {
        "does the program create textures or buffers without end, or larger than it needs? A higher limit can be set with --gpu-memory-limit or `gpu_memory_limit` in replay.toml"
    } else if reason.contains("the page lost it") {
        "what is filmed must not lose its context: leave out loseContext() and forceContextLoss() (also in clean-up code that runs too early), dispose of renderers that are not needed (a page has 16 contexts); restoring it does not bring the frames in between back"
    } else {
        "`replay doctor` says which driver is in use"
    }
}

/// The failure as the user sees it; `source_of` gives the text of an address.
pub(super) fn describe(
    failure: &Failure,
    phase: Phase,
    project: &Project,
    refusals: &Refusals,
    literal: &dyn Fn(&str) -> Option<Spot>,
    source_of: &dyn Fn(&str) -> Option<String>,
) -> RuntimeError {
    let error: &JsError = &failure.error;
    let message = error.exception_message.strip_prefix("Uncaught ").unwrap_or(&error.exception_message);
    let message = message.strip_prefix("(in promise) ").unwrap_or(message);
    // deno_core appends "\n    at URL:l:c" to messages of failed imports, and " at URL:l:c" to syntax errors of modules.
    let (message, import_site) = match message.split_once("\n    at ") {
        Some((head, site)) => (head, Some(site.trim())),
        None => match message.rsplit_once(" at ") {
            Some((head, site)) if split_site(site).is_some_and(|(name, ..)| name.contains("://")) => (head, Some(site)),
            _ => (message, None),
        },
    };
    let listed = failure.thrown.as_ref().unwrap_or(&error.frames);
    // What a library throws is the program's mistake: its own line says more.
    let frame = blame::spot(listed);
    let (own, library) = if frame.as_ref().is_some_and(|f| is_library(&f.0)) { (None, frame) } else { (frame, None) };
    // Errors that the engine made say it in their own stack: `at URL:l:c` or `at name (URL:l:c)`.
    let told = error.stack.as_deref().filter(|_| failure.thrown.is_none()).and_then(|stack| {
        stack.lines().find_map(|line| {
            let at = line.trim().strip_prefix("at ")?;
            let inner = at.strip_suffix(')').and_then(|at| at.rsplit_once('(')).map_or(at, |(_, site)| site);
            split_site(inner)
        })
    });
    let (told, deep) = if told.as_ref().is_some_and(|t| is_library(&t.0)) { (None, told) } else { (told, None) };
    // A load that failed is told by the one who asked for it.
    let asked = || refusals.asked_by(message);
    let spot = failure.site.clone().or_else(|| import_site.and_then(split_site)).or(own).or(told).or_else(asked);
    let spot = spot.or(library).or(deep).or_else(|| failure.thrown.as_ref().and_then(|_| literal(message)));
    let spot = spot.map(out_of_worker);
    let place = spot.as_ref().map(|(name, line, column)| Place {
        file: project.display_url(name),
        line: u32::try_from(*line).unwrap_or(0),
        column: u32::try_from(*column).unwrap_or(0),
    });
    let text = spot.as_ref().and_then(|(name, ..)| source_of(name));
    let shown = text.as_ref().zip(place.as_ref()).and_then(|(text, place)| {
        let at = offset_of(text, place)?;
        Some(super::excerpt::Excerpt::new(place.file.clone(), text, at))
    });
    let (source_code, span) = shown.unzip();
    // The place says it already.
    let asked = place.as_ref().map(|place| format!(" (asked for by {place})"));
    let message = asked.as_ref().and_then(|asked| message.strip_suffix(asked.as_str())).unwrap_or(message);
    let stack: Vec<String> = listed
        .iter()
        .filter(|f| f.file_name.as_deref().is_some_and(|n| !is_ours(n)))
        .take(MAX_STACK)
        .map(|f| {
            format!(
                "at {} ({}:{}:{})",
                function_of(f),
                project.display_url(modules::plain(f.file_name.as_deref().unwrap_or(""))),
                f.line_number.unwrap_or(0),
                f.column_number.unwrap_or(0)
            )
        })
        .collect();
    RuntimeError::Script {
        phase,
        message: message.to_owned(),
        place,
        rejection: failure.rejection,
        stack,
        source_code,
        span,
        help: help_for(message),
    }
}

/// The name of a frame's function, as the program wrote it.
fn function_of(frame: &JsStackFrame) -> String {
    let name = frame.function_name.as_deref().unwrap_or("<anonymous>");
    let of_worker = frame.file_name.as_deref().is_some_and(|file| file.contains("#worker-"));
    if of_worker { worker_names::spelled(name) } else { name.to_owned() }
}

/// The place in the file itself of one in a worker's instance of it.
pub(super) fn out_of_worker((url, line, column): Spot) -> Spot {
    let lead = if line == 1 { i64::try_from(modules::lead_of(&url).len()).unwrap_or(0) } else { 0 };
    (modules::plain(&url).to_owned(), line, (column - lead).max(1))
}

/// Functions of a stack that are shown.
const MAX_STACK: usize = 12;

/// The stack below a message, where there is more to it than the place.
fn called(stack: &[String]) -> String {
    if stack.len() < 2 { String::new() } else { format!("\n    {}", stack.join("\n    ")) }
}

/// `URL:line:column`.
pub(super) fn split_site(site: &str) -> Option<Spot> {
    let (rest, column) = site.rsplit_once(':')?;
    let (name, line) = rest.rsplit_once(':')?;
    (!name.starts_with("ext:")).then_some((name.to_owned(), line.parse().ok()?, column.parse().ok()?))
}

/// Byte offset of `place` in `text`.
fn offset_of(text: &str, place: &Place) -> Option<usize> {
    let line = text.split_inclusive('\n').nth(usize::try_from(place.line.checked_sub(1)?).ok()?)?;
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let column = usize::try_from(place.column.checked_sub(1)?).ok()?;
    // V8 counts UTF-16 units.
    let mut units = 0;
    let offset = line.char_indices().find(|(_, c)| {
        let here = units >= column;
        units += c.len_utf16();
        here
    });
    Some(start + offset.map_or(line.trim_end().len(), |(at, _)| at))
}

fn help_for(message: &str) -> Option<String> {
    let hint = if message.contains("network call blocked") {
        "the network is never used: put a copy of the file into the project, where the message says, or use a relative address"
    } else if message.contains("is not installed") {
        "install the package in the project (npm install), or give its folder with --node-modules"
    } else if message.contains("does not exist in the project") {
        "check the path; addresses are relative to the page, and to the module in imports"
    } else if message.contains("Cannot use import statement outside a module") {
        "the script is loaded without type=\"module\""
    } else if ["require", "module", "exports"].iter().any(|name| message.ends_with(&format!("{name} is not defined"))) {
        "the file is CommonJS, which no page runs as it is: load libraries with import (in <script type=\"module\">), or build a bundle (npm run build) and render that; packages of node_modules that are CommonJS can be imported by their names"
    } else if message.contains("Error creating WebGL context") {
        "run `replay doctor` to see whether a Vulkan driver is installed"
    } else if message.contains("is TypeScript or JSX") {
        "build the project first (npm run build), then render its output folder: with Vite `replay render dist/`"
    } else if message.contains("is a style sheet, which browsers refuse") {
        "build the project first (npm run build), then render its output folder (with Vite `replay render dist/`); without a build, load it by <link rel=stylesheet>, or import it `with { type: 'css' }`"
    } else if message.contains("does not provide an export named") {
        "is the installed version of the package the one the program was written for?"
    } else {
        return None;
    };
    Some(hint.to_owned())
}
