//! MP4 (ISO/IEC 14496-12): `ftyp`, `moov`, padding, then all media in one `mdat`.
//!
//! The space for `moov` is reserved from the layout, so the header stands in front without a second
//! copy of the media, and can be written again at each checkpoint.

mod boxes;
mod table;
mod writer;

pub use writer::Mp4Writer;

#[cfg(test)]
mod tests;
