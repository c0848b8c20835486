//! Parse, dispatch, exit code: see `cli`.

use std::process::ExitCode;

#[cfg(all(feature = "js", feature = "codec"))]
fn main() -> ExitCode {
    replay::cli::main()
}

#[cfg(not(all(feature = "js", feature = "codec")))]
fn main() -> ExitCode {
    eprintln!("this build of replay has no command line: it needs the features `js` and `codec`");
    ExitCode::from(2)
}
