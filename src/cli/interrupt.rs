//! Ctrl-C: once ends the render cleanly, twice at once.

#![expect(clippy::disallowed_methods, clippy::exit, reason = "asked twice, the command ends at once")]

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C, `kill` and a closed terminal; gives the flag they set.
pub fn flag() -> &'static AtomicBool {
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        super::show::tell("ending: what is rendered will play (again to end at once)");
    };
    // A second call finds the handler in place; the flag is the same.
    let _ = ctrlc::set_handler(handler);
    &ASKED
}
