//! The `replay` command when things go wrong: each trial is a small program with one fault. Expected are the exit
//! code (1 a failed check, 2 could not run), a message that names the place and the remedy, and that what was
//! rendered before stays playable and is marked incomplete. `looks` tries what is made to look at, `numbers` what
//! is measured, `picture` whether the film shows what the camera sees, `tamper` what is made of outputs that somebody edited,
//! `schemas` whether what is printed keeps its schema.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a test: it looks at the engine from outside, and may panic"
)]

mod blame;
mod browsers;
mod failures;
mod flags;
mod hostile;
mod left_out;
mod looks;
mod machine;
mod memory;
mod numbers;
mod picture;
mod project;
mod schemas;
mod tamper;
mod verify;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let broken = failures::all().into_iter().chain(hostile::all()).chain(machine::all()).chain(memory::all());
    let broken = broken.chain(flags::all()).chain(left_out::all()).chain(blame::all()).chain(browsers::all());
    let trials = broken
        .chain(verify::all())
        .chain(looks::all())
        .chain(numbers::all())
        .chain(picture::all())
        .chain(tamper::all())
        .chain(schemas::all());
    let trials = trials.map(|(name, test)| Trial::test(name, move || test().map_err(Into::into))).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A name and what must hold; the error says what did not.
type Named = (&'static str, Box<dyn FnOnce() -> Result<(), String> + Send>);
