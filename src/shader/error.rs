//! What goes wrong: the info log a program can read, and internal failures of code generation.

use std::fmt;

use super::hir::Span;

/// The text of `getShaderInfoLog` / `getProgramInfoLog`: one line per finding, in ANGLE's form
/// (`ERROR: 0:<line>: '<token>' : <message>` for shaders, plain sentences for programs).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfoLog {
    text: String,
    errors: u32,
}

impl InfoLog {
    pub fn new() -> InfoLog {
        InfoLog::default()
    }

    /// A log of one line that has no position.
    pub fn message(text: impl fmt::Display) -> InfoLog {
        let mut log = InfoLog::new();
        log.line(text);
        log
    }

    /// Adds an error without position (link errors).
    pub fn line(&mut self, text: impl fmt::Display) {
        self.push(format_args!("{text}"));
        self.errors += 1;
    }

    /// Adds `ERROR: 0:<line>: '<token>' : <message>`.
    pub fn error(&mut self, span: Span, token: &str, message: impl fmt::Display) {
        self.push(format_args!("ERROR: 0:{}: '{token}' : {message}", span.line));
        self.errors += 1;
    }

    /// Adds `WARNING: 0:<line>: '<token>' : <message>`, which is not a failure.
    pub fn warning(&mut self, span: Span, token: &str, message: impl fmt::Display) {
        self.push(format_args!("WARNING: 0:{}: '{token}' : {message}", span.line));
    }

    fn push(&mut self, line: fmt::Arguments<'_>) {
        use fmt::Write;
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    pub fn error_count(&self) -> u32 {
        self.errors
    }

    pub fn has_errors(&self) -> bool {
        self.errors != 0
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for InfoLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for InfoLog {}

/// Code generation failed for a program that linked. Always a fault or a limit of ours, never of the program.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ShaderError {
    #[error("shader code generation does not support {0}")]
    Unsupported(String),
    #[error("internal error in shader code generation: {0}")]
    Internal(String),
    #[error("generated {stage} shader does not validate: {message}")]
    Validation { stage: &'static str, message: String },
    #[error("SPIR-V writer failed for the {stage} shader: {message}")]
    Spirv { stage: &'static str, message: String },
}
