//! An output, opened for its frames.

#![expect(clippy::disallowed_methods, reason = "an output the user named")]

use std::fs;
use std::path::{Path, PathBuf};

use super::VerifyError;
use super::display::Display;
use super::output::{Filmed, filmed, read_manifest};
use super::video::VideoReader;
use crate::encode::png;
use crate::evidence::pictures::numbered;
use crate::frame::hash::Hash;

/// RGBA8, row 0 = top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// Frames of an output, one after the other.
pub struct Source {
    path: PathBuf,
    /// Names of the frames as they were before coding, where the output tells them.
    pub hashes: Option<Vec<Hash>>,
    frames: Frames,
    next: u64,
}

enum Frames {
    Files(Vec<PathBuf>),
    Video(Box<VideoReader>),
}

impl Source {
    /// Opens an output folder, a folder of PNG files or an MP4 file.
    ///
    /// # Errors
    /// Nothing of the kind is there.
    pub fn open(path: &Path) -> Result<Self, VerifyError> {
        let source = |frames, hashes| Self { path: path.to_owned(), hashes, frames, next: 0 };
        if path.is_file() {
            return Ok(source(Frames::Video(Box::new(VideoReader::open(path)?)), None));
        }
        let hashes = fs::read_to_string(path.join("frames.sha256")).ok().map(|text| {
            text.lines().map_while(|line| Hash::from_hex(line.split_whitespace().next().unwrap_or(""))).collect()
        });
        // What is no manifest tells nothing of the film; whoever judges the output says so.
        let manifest = read_manifest(path).ok().flatten();
        match filmed(path, manifest.as_ref()) {
            Filmed::Pictures(folder) => Ok(source(Frames::Files(numbered(&folder)), hashes)),
            Filmed::Video(video) => Ok(source(Frames::Video(Box::new(VideoReader::open(&video)?)), hashes)),
            Filmed::Nothing if path.exists() => {
                let why = "no PNG files and no video.mp4 in it".to_owned();
                Err(VerifyError::NotOurs { path: path.to_owned(), why })
            }
            Filmed::Nothing => Err(VerifyError::Missing { path: path.to_owned() }),
        }
    }

    /// Frames there are.
    pub fn len(&self) -> u64 {
        match &self.frames {
            Frames::Files(files) => files.len() as u64,
            Frames::Video(video) => video.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How a player shows its frames; what comes from here is as stored.
    pub fn display(&self) -> Display {
        match &self.frames {
            Frames::Files(_) => Display::AS_STORED,
            Frames::Video(video) => video.display,
        }
    }

    /// The next frame, `None` after the last.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn next_picture(&mut self) -> Result<Option<Picture>, VerifyError> {
        self.picture_at(self.next)
    }

    /// Frame `index` in presentation order, in any order of calls; `None` after the last. Of a video, decoding starts at
    /// the nearest sync sample before it, so pictures asked for in rising order never cost more than playing does.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn picture_at(&mut self, index: u64) -> Result<Option<Picture>, VerifyError> {
        if index >= self.len() {
            return Ok(None);
        }
        self.next = index + 1;
        match &mut self.frames {
            Frames::Video(video) => video.picture(index).map(Some),
            Frames::Files(files) => {
                let Some(file) = files.get(index as usize) else { return Ok(None) };
                let (rgba, width, height) = png::read(file)
                    .map_err(|e| VerifyError::Unreadable { path: self.path.clone(), why: e.to_string() })?;
                Ok(Some(Picture { width, height, rgba }))
            }
        }
    }
}
