//! Files that anybody may have put there: those of an output folder, videos.

#![expect(clippy::disallowed_methods, reason = "files that the user named")]

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file that ends: a pipe would wait for its writer when it is opened, a device go on for ever.
///
/// # Errors
/// There is none, it can't be read, or it is no ordinary file.
pub fn open(path: &Path) -> io::Result<File> {
    let refused = || io::Error::other("it is no ordinary file");
    if !std::fs::metadata(path)?.is_file() {
        return Err(refused());
    }
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_and_folders_are_refused() {
        for path in ["/dev/zero", "/dev", "/no/such/file"] {
            assert!(open(Path::new(path)).is_err(), "{path}");
        }
        assert!(open(Path::new("/proc/self/exe")).is_ok());
    }
}
