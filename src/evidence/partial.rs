//! What a render that did not end leaves beside its files.

use std::path::Path;

/// The folder with its plan and the hashes of its frames, in the folder it works in; gone when it ended.
pub const PARTIAL: &str = ".replay-partial";
/// Where a render works beside an earlier output, and what it leaves there if it fails.
pub const UNFINISHED: &str = "unfinished";

/// What a person should do about `out` if no render of it ended: it was killed, or still goes on. `None` where one ended, well or
/// not, and wrote its manifest.
pub fn unended(out: &Path) -> Option<String> {
    let begun = |folder: &Path| folder.join(PARTIAL).exists() && !folder.join(super::MANIFEST).exists();
    let inside = out.file_name().is_some_and(|name| name == UNFINISHED) && begun(out);
    // `resume` takes the output folder, not the one inside.
    let parent = || out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whose = if inside { parent() } else { out };
    (begun(out)).then(|| format!("`replay resume {}` goes on, if no render is at work there", whose.display()))
}

/// Does a later render lie unended beside the output that is there?
pub fn unended_beside(out: &Path) -> bool {
    let folder = out.join(UNFINISHED);
    folder.join(PARTIAL).exists() && !folder.join(super::MANIFEST).exists()
}
