//! The only door to the machine's files: a project and its packages, read-only, as paths below roots.
//!
//! Takes in clean relative paths, gives out bytes. Nothing above a root can be reached, not by `..`,
//! not by an absolute path, not by a symbolic link. Knows nothing of URLs or JavaScript.

mod disk;
mod memory;

use std::fmt;
use std::sync::Arc;

pub use disk::DiskRoot;
pub use memory::MemoryRoot;

/// One folder tree that may be read.
pub trait Root: Send + Sync + fmt::Debug {
    /// The whole file at `path`.
    fn read(&self, path: &RelPath) -> Result<Vec<u8>, HostError>;

    /// What stands at `path`.
    fn kind(&self, path: &RelPath) -> EntryKind;

    /// Names in the folder at `path`, sorted; empty if there is no such folder.
    fn list(&self, path: &RelPath) -> Vec<String>;

    /// How to name `path` in a message to the user.
    fn display(&self, path: &RelPath) -> String;
}

/// A shared root.
pub type SharedRoot = Arc<dyn Root>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Folder,
    Missing,
    /// It exists, but outside the root (a symbolic link that leaves it).
    Outside,
}

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    #[error("`{0}` does not exist")]
    NotFound(String),
    #[error("`{0}` lies outside the project, which may not be read")]
    Outside(String),
    #[error("`{0}` is larger than {1} bytes")]
    TooLarge(String, u64),
    #[error("cannot read `{path}`: {message}")]
    Io { path: String, message: String },
}

/// A path below a root: segments without `.`, `..`, empty ones or NUL.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(String);

impl RelPath {
    /// Normalises `text` (`/`-separated; a leading slash means the root). `None` if it climbs out.
    pub fn new(text: &str) -> Option<Self> {
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                _ if part.contains(['\0', '\\']) => return None,
                _ => parts.push(part),
            }
        }
        Some(Self(parts.join("/")))
    }

    pub fn root() -> Self {
        Self::default()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `self/child`, normalised.
    pub fn join(&self, child: &str) -> Option<Self> {
        Self::new(&format!("{}/{child}", self.0))
    }

    /// The folder this lies in; the root's parent is the root.
    pub fn parent(&self) -> Self {
        Self(self.0.rsplit_once('/').map(|(head, _)| head.to_owned()).unwrap_or_default())
    }

    /// The last segment.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The part of the name after the last dot, lower case.
    pub fn extension(&self) -> Option<String> {
        self.name().rsplit_once('.').map(|(_, ext)| ext.to_ascii_lowercase())
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_cannot_climb_out() {
        assert_eq!(RelPath::new("/a/./b//c/../d").map(|p| p.to_string()), Some("a/b/d".to_owned()));
        assert_eq!(RelPath::new("a/../.."), None);
        assert_eq!(RelPath::new("../x"), None);
        assert_eq!(RelPath::new("a\0b"), None);
    }

    #[test]
    fn links_cannot_leave_the_root() {
        let dir = tempfile::tempdir().expect("temp dir");
        let root = dir.path().join("project");
        std::fs::create_dir_all(root.join("sub")).expect("mkdir");
        std::fs::write(dir.path().join("secret"), "s").expect("write");
        std::fs::write(root.join("sub/a.txt"), "inside").expect("write");
        std::os::unix::fs::symlink(dir.path().join("secret"), root.join("leak")).expect("link");
        std::os::unix::fs::symlink(dir.path(), root.join("up")).expect("link");
        std::os::unix::fs::symlink("sub/a.txt", root.join("ok")).expect("link");
        let root = DiskRoot::open(&root).expect("open");
        let path = |s: &str| RelPath::new(s).expect("path");
        assert!(matches!(root.read(&path("leak")), Err(HostError::Outside(_))));
        assert!(matches!(root.read(&path("up/secret")), Err(HostError::Outside(_))));
        assert_eq!(root.kind(&path("leak")), EntryKind::Outside);
        assert_eq!(root.read(&path("ok")).expect("read"), b"inside");
        assert!(matches!(root.read(&path("none")), Err(HostError::NotFound(_))));
    }
}
