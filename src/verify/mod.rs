//! Looks at finished outputs: what a video file is (`replay verify`), and which frame is the first to differ (`diff`).
//!
//! Takes output folders, PNG folders and any MP4 file, gives facts, verdicts, pictures and hashes back. Must not know
//! how they were made, nor trust what they say: every file is hostile until it has been read.

pub mod bitstream;
mod compare;
mod display;
pub mod facts;
mod frame_times;
mod loudness;
pub mod mp4;
mod output;
pub mod pictures;
mod profile;
mod rate;
mod report;
mod source;
mod timeline;
mod video;

#[cfg(test)]
mod tests;

pub use compare::{Difference, compare, side_by_side};
pub use display::Display;
pub use frame_times::FrameTimes;
pub use profile::{Profile, Settings};
pub use report::{ManifestCheck, Report, SCHEMA, Verified, verify};
pub use source::{Picture, Source};

use std::path::PathBuf;

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum VerifyError {
    #[error("{} does not exist", path.display())]
    #[diagnostic(help("give an MP4 file, or the folder that `replay render -o` wrote"))]
    Missing { path: PathBuf },
    #[error("{} is no output of replay: {why}", path.display())]
    #[diagnostic(help("give an MP4 file, or the folder that `replay render -o` wrote"))]
    NotOurs { path: PathBuf, why: String },
    #[error("{}: {why}", path.display())]
    #[diagnostic(help("`ffprobe FILE` may tell more of what is left of it"))]
    Unreadable { path: PathBuf, why: String },
    /// A whole file that the decoder here does not know.
    #[error("{}: {why}", path.display())]
    #[diagnostic(help(
        "pictures can be taken of H.264 (8 bits, 4:2:0) and of PNG files; `replay render --codec h264` makes the one"
    ))]
    NoDecoder { path: PathBuf, why: String },
}
