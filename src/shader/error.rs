//! What goes wrong: the info log a program can read, and internal failures of code generation.

use std::fmt;

use super::hir::Span;

/// One complaint about a shader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ERROR: 0:{line}: '{token}' : {message}")]
pub struct Diagnostic {
    /// 1-based line, after `#line`.
    pub line: u32,
    /// The offending token as the shader spells it; may be empty.
    pub token: String,
    pub message: String,
}

impl Diagnostic {
    pub fn new(span: Span, token: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: span.line, token: token.into(), message: message.into() }
    }
}

/// Result of every step of the front end.
pub(crate) type Checked<T> = Result<T, Diagnostic>;

/// The text of `getShaderInfoLog` / `getProgramInfoLog`: one line per finding, in ANGLE's form
/// (`ERROR: 0:<line>: '<token>' : <message>` for shaders, plain sentences for programs).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InfoLog {
    text: String,
    errors: u32,
    /// The errors that have a position.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<Diagnostic> for InfoLog {
    fn from(diagnostic: Diagnostic) -> Self {
        let mut log = InfoLog::message(&diagnostic);
        log.diagnostics.push(diagnostic);
        log
    }
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
