//! What an output folder holds: its manifest says which film is the render's own.

use std::path::{Path, PathBuf};

use super::VerifyError;
use crate::evidence::pictures::{FRAMES, numbered};
use crate::evidence::{MANIFEST, Manifest};

/// Names of a video, if no manifest tells another.
const VIDEOS: [&str; 2] = ["video.mp4", "video.incomplete.mp4"];

/// What there is to look at.
pub enum Filmed {
    Video(PathBuf),
    /// A folder of PNG files.
    Pictures(PathBuf),
    Nothing,
}

/// The film of an output folder: the kind that its manifest tells, if any; else whatever lies there, pictures first.
pub fn filmed(folder: &Path, manifest: Option<&Manifest>) -> Filmed {
    let named = manifest.and_then(|m| m.video.as_ref()).map(|v| v.file.as_str());
    // A name, not a way out of the folder.
    let named = named.filter(|name| !name.is_empty() && !name.contains(['/', '\\']));
    let video = || {
        let names = named.into_iter().chain(VIDEOS).map(|name| folder.join(name));
        names.into_iter().find(|path| path.is_file()).map(Filmed::Video)
    };
    let pictures = || {
        let folders = [folder.join(FRAMES), folder.to_owned()];
        folders.into_iter().find(|folder| !numbered(folder).is_empty()).map(Filmed::Pictures)
    };
    let found = if named.is_some() { video().or_else(pictures) } else { pictures().or_else(video) };
    found.unwrap_or(Filmed::Nothing)
}

/// `manifest.json` of a folder, if there is one.
///
/// # Errors
/// It is no manifest.
pub fn read_manifest(folder: &Path) -> Result<Option<Manifest>, VerifyError> {
    Manifest::read(folder).map_err(|why| VerifyError::Unreadable { path: folder.join(MANIFEST), why })
}
