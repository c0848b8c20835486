//! Files of an output folder, which anybody may have put there.

#![expect(clippy::disallowed_methods, reason = "an output folder that the user named")]

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file that ends: a pipe would wait for its writer, a device go on for ever.
///
/// # Errors
/// There is none, it can't be read, or it is no ordinary file.
pub fn open(path: &Path) -> io::Result<File> {
    if std::fs::metadata(path)?.is_file() { File::open(path) } else { Err(io::Error::other("it is no ordinary file")) }
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
