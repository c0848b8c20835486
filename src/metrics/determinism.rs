//! What `replay repeat` found, if it was of this render.

use super::input::Repeat;
use super::record::Determinism;
use crate::evidence::Manifest;

/// # Errors
/// The comparison is of other frames than these, told as a reason.
pub fn measure(repeat: &Repeat, manifest: Option<&Manifest>) -> Result<Determinism, String> {
    let manifest = manifest.ok_or("no manifest.json to hold repeat.json against")?;
    let ours = manifest.frames_sha256.to_string();
    if !repeat.frames_sha256.contains(&ours) {
        return Err(format!("repeat.json is of another render: none of its runs has frames {ours}"));
    }
    Ok(Determinism {
        deterministic: repeat.ok,
        runs: repeat.runs,
        difference: repeat.difference.as_ref().map(|d| format!("run {}: {}", d.run, d.what)),
    })
}
