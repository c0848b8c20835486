//! Shader tests that need more than the library: dEQP's text cases drawn on a device, and the three.js corpus
//! through link, code generation and `spirv-val`.
//!
//! `REPLAY_DEQP_SHADERS`: folder with `gles2/shaders/*.test` and `gles3/shaders/*.test` (KhronosGroup/WebGL,
//! `sdk/tests/deqp/data`). `REPLAY_SHADER_CORPUS`: folder of captured three.js shaders. Unset: those tests are
//! skipped and say so. One test per file; `REPLAY_DEQP_CASE` limits a run to cases whose name contains it.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test: it reads files, runs the command, and may fail loudly"
)]

mod case;
mod corpus;
mod deqp;
mod features;
mod gpu;
mod scene;
mod source;
mod values;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    trials.extend(deqp::trials());
    trials.extend(features::trials());
    trials.extend(corpus::trials());
    libtest_mimic::run(&arguments, trials).exit();
}
