//! The PNG files of a sequence, as they lie there.

#![expect(clippy::disallowed_methods, reason = "an output folder that the user named")]

use std::path::{Path, PathBuf};

/// Where a PNG sequence lies in an output folder.
pub const FRAMES: &str = "frames";

/// PNG files of a folder whose names are numbers, in the order of these.
pub fn numbered(folder: &Path) -> Vec<PathBuf> {
    let number = |path: &Path| path.file_stem()?.to_str()?.parse::<u64>().ok();
    let mut files: Vec<(u64, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")))
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    files.sort();
    files.into_iter().map(|(_, path)| path).collect()
}
