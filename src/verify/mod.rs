//! Looks at finished outputs: what a video file is (`replay verify`), and which frame is the first to differ (`diff`).
//!
//! Takes output folders, PNG folders and any MP4 file, gives facts, verdicts, pictures and hashes back. Must not know
//! how they were made, nor trust what they say: every file is hostile until it has been read.

pub mod bitstream;
mod compare;
pub mod facts;
mod frame_times;
mod loudness;
pub mod mp4;
mod profile;
mod rate;
mod ratio;
mod report;
mod rules;
mod source;
mod timeline;
mod video;

#[cfg(test)]
mod tests;

pub use compare::{Difference, compare, side_by_side};
pub use frame_times::FrameTimes;
pub use profile::{BUILT_IN, Profile, ProfileError};
pub use ratio::Ratio;
pub use report::{ManifestCheck, Report, SCHEMA, verify};
pub use rules::{CheckResult, RuleResult, Verdict};
pub use source::{Picture, Source};

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    #[error("{} is no output of replay: {why}", path.display())]
    NotOurs { path: PathBuf, why: String },
    #[error("{}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
}
