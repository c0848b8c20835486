//! Reads the structure of any MP4 file (ISO/IEC 14496-12, -14, -15), fragmented ones included.
//!
//! Takes bytes by position, gives a [`Movie`]: headers, sample entries, and every sample with its place, size and times.
//! Only `moov` and `moof` boxes are held in memory; every size and count in them is checked against what is there before
//! anything is allocated or followed, and [`limits`] bounds the rest. Errors name the box and its byte. Written by hand
//! rather than on `mp4-atom`, whose tables are allocated by the counts the file claims, and which forgets where in the
//! file a box stood. Must not know what is asked of a file.

mod atom;
mod entry;
mod fragment;
mod input;
mod movie;
mod table;

#[cfg(test)]
mod tests;

pub use entry::{AudioEntry, AvcConfig, Codec, ColorTag, HevcConfig, SampleEntry, Streams, VisualEntry};
pub use input::{FileInput, Input};
pub use movie::{Edit, FileType, Kind, Movie, Sample, TopBox, Track};

/// A four-character code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FourCc(pub [u8; 4]);

impl std::fmt::Display for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|b| std::fmt::Display::fmt(&b.escape_ascii(), f))
    }
}

impl std::fmt::Debug for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// What a file may ask for. Real ones stay far below: 20 hours at 60 frames a second are 4.3 million samples.
pub mod limits {
    /// Bytes of a `moov` box.
    pub const MOOV: u64 = 128 << 20;
    /// Bytes of a `moof` box.
    pub const MOOF: u64 = 16 << 20;
    /// Boxes at the top of the file.
    pub const BOXES: usize = 1 << 20;
    /// Tracks.
    pub const TRACKS: usize = 64;
    /// Samples of all tracks together: 40 bytes of memory each.
    pub const SAMPLES: usize = 5_000_000;
    /// Sample descriptions of a track.
    pub const ENTRIES: u32 = 64;
    /// Edits of a track.
    pub const EDITS: u32 = 4096;
}

/// Why a file can't be read as MP4.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Mp4Error {
    #[error("no MP4 file: {0}")]
    NotMp4(String),
    #[error("the file is cut off: the `{kind}` box at byte {at} says {size} bytes, but only {there} are there")]
    Truncated { kind: FourCc, at: u64, size: u64, there: u64 },
    #[error("no `moov` box, which describes all others: the recording was not finished, or the file is cut off")]
    NoMoov,
    #[error("the `{kind}` box at byte {at} is damaged: {why}")]
    Damaged { kind: FourCc, at: u64, why: String },
    #[error("the file asks for too much: {0}")]
    TooLarge(String),
    #[error("reading failed at byte {at}: {why}")]
    Read { at: u64, why: String },
}
