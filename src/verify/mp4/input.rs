//! Bytes by position.

use std::fs::File;
use std::io;
use std::path::Path;

use super::Mp4Error;
use crate::evidence::ordinary;

/// A file, or bytes that stand for one.
pub trait Input: Sync {
    /// Bytes there are.
    fn len(&self) -> u64;

    /// Fills `buffer` from byte `at` on.
    ///
    /// # Errors
    /// Reading fails, or there are not as many.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// No bytes at all?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `len` bytes from byte `at` on. They are allocated only if they can be there.
    ///
    /// # Errors
    /// Reading fails, or there are not as many.
    fn bytes(&self, at: u64, len: u64) -> Result<Vec<u8>, Mp4Error> {
        let fail = |why: String| Mp4Error::Read { at, why };
        let end = at.checked_add(len).filter(|&end| end <= self.len());
        let len = end.and_then(|_| usize::try_from(len).ok()).ok_or_else(|| fail("past the end".to_owned()))?;
        let mut bytes = vec![0; len];
        self.read_at(at, &mut bytes).map_err(|e| fail(e.to_string()))?;
        Ok(bytes)
    }
}

impl Input for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(at).map_err(io::Error::other)?;
        let end = start.checked_add(buffer.len());
        let from = end.and_then(|end| self.get(start..end)).ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(from);
        Ok(())
    }
}

/// A file on disk; its length is the one at opening.
pub struct FileInput {
    file: File,
    len: u64,
}

impl FileInput {
    /// # Errors
    /// It can't be opened, or is no ordinary file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = ordinary::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file, len })
    }
}

impl Input for FileInput {
    fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, at)
    }

    #[cfg(not(unix))]
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read as _, Seek as _, SeekFrom};
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(buffer)
    }
}
