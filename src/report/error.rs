//! Why a picture or page could not be made.

use std::path::PathBuf;

use crate::encode::EncodeError;
use crate::verify::VerifyError;

#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ReportError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Source(#[from] VerifyError),
    #[error("{} is not finished: the render did not end", path.display())]
    #[diagnostic(help("{remedy}"))]
    Unended { path: PathBuf, remedy: String },
    #[error("there are no frames to show")]
    NoFrames,
    #[error("there is no frame {frame}: the last one is {last}")]
    #[diagnostic(help("frames are counted from 0"))]
    FrameOutOfRange { frame: u64, last: u64 },
    #[error("the frame rate of these pictures is not known")]
    #[diagnostic(help("give it with --fps, or choose frames by number with --frames"))]
    NoRate,
    #[error("{frames} frames do not fit a grid of {columns}x{rows}")]
    #[diagnostic(help("give a larger --grid, or leave it out: it is then chosen to fit"))]
    GridTooSmall { frames: usize, columns: u32, rows: u32 },
    #[error("a sheet of {width}x{height} pixels is too large: at most {limit} a side and {pixels} in all")]
    #[diagnostic(help("give narrower cells with --cell, or fewer frames"))]
    TooLarge { width: u64, height: u64, limit: u32, pixels: u64 },
    #[error("{} cannot be read: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the video has {bytes} bytes, too many to put into a page: at most {limit}")]
    #[diagnostic(help("leave --embed out: the page then plays the video that lies beside it"))]
    EmbedTooLarge { bytes: u64, limit: u64 },
    #[error("there is no map: {0}")]
    #[diagnostic(help("a map needs poses.jsonl of a render with evidence, in which a three.js camera was seen"))]
    NoMap(String),
    #[error("a picture could not be coded: {0}")]
    Picture(String),
    #[error(transparent)]
    Encode(#[from] EncodeError),
}
