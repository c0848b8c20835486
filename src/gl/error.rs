//! GL errors: values, first one wins, with a text kept for the log.

use std::borrow::Cow;
use std::collections::VecDeque;

/// ES 3.0 §2.5 and WebGL's CONTEXT_LOST_WEBGL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    InvalidEnum,
    InvalidValue,
    InvalidOperation,
    OutOfMemory,
    InvalidFramebufferOperation,
    ContextLost,
}

impl ErrorCode {
    /// The GLenum that `getError` returns.
    pub fn to_gl(self) -> u32 {
        match self {
            Self::InvalidEnum => 0x0500,
            Self::InvalidValue => 0x0501,
            Self::InvalidOperation => 0x0502,
            Self::OutOfMemory => 0x0505,
            Self::InvalidFramebufferOperation => 0x0506,
            Self::ContextLost => 0x9242,
        }
    }

    /// `INVALID_ENUM`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidEnum => "INVALID_ENUM",
            Self::InvalidValue => "INVALID_VALUE",
            Self::InvalidOperation => "INVALID_OPERATION",
            Self::OutOfMemory => "OUT_OF_MEMORY",
            Self::InvalidFramebufferOperation => "INVALID_FRAMEBUFFER_OPERATION",
            Self::ContextLost => "CONTEXT_LOST_WEBGL",
        }
    }
}

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", code.name())]
pub struct GlError {
    pub code: ErrorCode,
    pub message: Cow<'static, str>,
}

/// Result of a validation function.
pub type GlResult<T> = Result<T, GlError>;

impl GlError {
    pub fn new(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into() }
    }

    pub fn invalid_enum(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidEnum, message)
    }

    pub fn invalid_value(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidValue, message)
    }

    pub fn invalid_operation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidOperation, message)
    }

    pub fn invalid_framebuffer_operation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::InvalidFramebufferOperation, message)
    }

    pub fn out_of_memory(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorCode::OutOfMemory, message)
    }
}

/// One refused call, for the console and the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedError {
    /// GL name of the call, e.g. `drawElements`.
    pub call: &'static str,
    pub error: GlError,
}

/// Kept texts; a program that errs in every frame must not eat memory.
const LOG_CAPACITY: usize = 256;

/// The error flag and the texts behind it.
#[derive(Debug, Default)]
pub struct ErrorLatch {
    pending: Option<ErrorCode>,
    log: VecDeque<LoggedError>,
    total: u64,
}

impl ErrorLatch {
    /// Sets the flag if it is clear; always logs.
    #[cold]
    pub fn latch(&mut self, call: &'static str, error: GlError) {
        self.pending.get_or_insert(error.code);
        self.total += 1;
        if self.log.len() < LOG_CAPACITY {
            self.log.push_back(LoggedError { call, error });
        }
    }

    /// `getError`: returns the flag and clears it.
    pub fn take(&mut self) -> Option<ErrorCode> {
        self.pending.take()
    }

    pub fn pending(&self) -> Option<ErrorCode> {
        self.pending
    }

    /// The refused calls since last asked (at most 256), oldest first.
    pub fn take_log(&mut self) -> Vec<LoggedError> {
        self.log.drain(..).collect()
    }

    /// Number of refused calls ever.
    pub fn total(&self) -> u64 {
        self.total
    }
}
