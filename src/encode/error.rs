//! What can go wrong between a picture and a packet.

use std::path::PathBuf;

/// An encoder's failure; every message says what to change.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    #[error("{what} is {value}, but {codec} takes {limit}")]
    InvalidConfig { codec: &'static str, what: &'static str, value: String, limit: String },
    #[error("a {width}x{height} picture was sent to an encoder of {expected_width}x{expected_height}")]
    WrongSize { width: u32, height: u32, expected_width: u32, expected_height: u32 },
    #[error("{codec} failed at {action}: {detail}")]
    Library { codec: &'static str, action: &'static str, detail: String },
    #[error("frame {frame} cannot be coded within {limit} bits: raise the bit-rate limit or lower the size")]
    CannotFit { frame: u64, limit: u64 },
    #[error("{}: {detail}", path.display())]
    Audio { path: PathBuf, detail: String },
    #[error("{} cannot be read or written", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}

impl EncodeError {
    pub(crate) fn library(codec: &'static str, action: &'static str, detail: impl ToString) -> Self {
        Self::Library { codec, action, detail: detail.to_string() }
    }
}
