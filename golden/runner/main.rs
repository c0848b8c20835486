//! Golden images: each case is a real program, rendered by the `replay` command and compared with what the
//! reference browser drew. `golden/README.md` tells how to add, read and bless a case.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test: it reads files, runs the command, and may fail loudly"
)]

mod case;
mod compare;
mod report;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = match case::find() {
        Ok(cases) => cases,
        Err(error) => {
            eprintln!("golden: {error}");
            return ExitCode::from(2);
        }
    };
    let trials = cases
        .into_iter()
        .map(|case| Trial::test(case.name.clone(), move || report::check(&case).map_err(Into::into)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
