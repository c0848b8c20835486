//! Ctrl-C: once ends the render cleanly, twice at once. And the end beside a driver that can't be interrupted.

#![cfg_attr(not(unix), expect(clippy::disallowed_methods, clippy::exit, reason = "the command ends at once"))]

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Watches for Ctrl-C, `kill` and a closed terminal; gives the flag they set.
pub fn flag() -> &'static AtomicBool {
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            leave(130);
        }
        super::show::tell("ending: what is rendered will play (again to end at once)");
    };
    // A second call finds the handler in place; the flag is the same.
    let _ = ctrlc::set_handler(handler);
    &ASKED
}

/// Ends the process now: `exit` would wait for a driver that is still drawing.
pub fn leave(code: u8) -> ! {
    use std::io::Write as _;
    let _ = std::io::stdout().flush();
    #[cfg(unix)]
    // SAFETY: ends the process; nothing runs after it.
    unsafe {
        libc::_exit(code.into())
    }
    #[cfg(not(unix))]
    std::process::exit(code.into())
}
