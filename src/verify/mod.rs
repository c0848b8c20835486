//! Looks at finished outputs: which frame is the first to differ, and how.
//!
//! Takes output folders, PNG folders and MP4 files that replay wrote, gives pictures and hashes back.
//! Must not know how they were made.

pub mod bitstream;
mod compare;
pub mod mp4;
mod source;
mod video;

pub use compare::{Difference, compare, side_by_side};
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
