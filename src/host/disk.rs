#![expect(clippy::disallowed_methods, reason = "the door to the disk")]

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{EntryKind, HostError, RelPath, Root};

/// Largest file that is read, 1 GiB: a guard against endless devices and runaway memory.
const MAX_FILE: u64 = 1 << 30;

/// A folder on disk.
#[derive(Debug)]
pub struct DiskRoot {
    /// Canonical, so that a resolved path can be compared by prefix.
    root: PathBuf,
}

impl DiskRoot {
    /// Opens the folder at `path`.
    pub fn open(path: &Path) -> Result<Self, HostError> {
        let root = fs::canonicalize(path).map_err(|e| map_io(&path.display().to_string(), &e))?;
        if !root.is_dir() {
            return Err(HostError::Io { path: path.display().to_string(), message: "not a folder".into() });
        }
        Ok(Self { root })
    }

    /// Canonical path of the folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    fn resolve(&self, path: &RelPath) -> Result<PathBuf, HostError> {
        let full = self.root.join(path.as_str());
        let real = fs::canonicalize(&full).map_err(|e| map_io(&self.display(path), &e))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(HostError::Outside(self.display(path))) }
    }
}

impl Root for DiskRoot {
    fn read(&self, path: &RelPath) -> Result<Vec<u8>, HostError> {
        let real = self.resolve(path)?;
        let name = self.display(path);
        let meta = fs::metadata(&real).map_err(|e| map_io(&name, &e))?;
        if !meta.is_file() {
            return Err(HostError::Io { path: name, message: "not a regular file".into() });
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&real).map_err(|e| map_io(&name, &e))?;
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|e| map_io(&name, &e))?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(HostError::TooLarge(name, MAX_FILE));
        }
        Ok(bytes)
    }

    fn kind(&self, path: &RelPath) -> EntryKind {
        match self.resolve(path) {
            Ok(real) if real.is_dir() => EntryKind::Folder,
            Ok(real) if real.is_file() => EntryKind::File,
            Err(HostError::Outside(_)) => EntryKind::Outside,
            _ => EntryKind::Missing,
        }
    }

    fn list(&self, path: &RelPath) -> Vec<String> {
        let Ok(real) = self.resolve(path) else { return Vec::new() };
        let Ok(entries) = fs::read_dir(real) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|e| e.ok().and_then(|e| e.file_name().into_string().ok())).collect();
        names.sort();
        names
    }

    fn display(&self, path: &RelPath) -> String {
        match path.as_str() {
            "" => self.root.display().to_string(),
            path => self.root.join(path).display().to_string(),
        }
    }
}

fn map_io(path: &str, error: &io::Error) -> HostError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => HostError::NotFound(path.to_owned()),
        _ => HostError::Io { path: path.to_owned(), message: error.to_string() },
    }
}
