//! The end of a render whose own thread does not come back: a call of the program into the engine or a library that runs
//! for ever, and that nothing can interrupt. What was filmed until then is made playable by the thread that watches, and
//! the command ends the process.

use std::sync::OnceLock;

use super::RenderError;

type Hook = Box<dyn Fn(RenderError) + Send + Sync>;

static HOOK: OnceLock<Hook> = OnceLock::new();

/// Tells what to do when a render's thread is lost and its files are written: say why, and end the process. Without it
/// such a render is waited for.
pub fn on_lost_thread(hook: impl Fn(RenderError) + Send + Sync + 'static) {
    let _ = HOOK.set(Box::new(hook));
}

pub(super) fn hook() -> Option<&'static Hook> {
    HOOK.get()
}
