//! What each stage costs. `cargo bench`; `REPLAY_BENCH_SMOKE=1` runs all of it small and short. See README.md.

#![allow(clippy::disallowed_methods, reason = "a bench reads its setting and its files, and measures real time")]
#![allow(clippy::expect_used, reason = "a bench that cannot run should say so and stop")]

mod end_to_end;
mod front_end;
mod gpu;
mod media;
mod script;

use std::time::Duration;

use criterion::Criterion;

/// Small sizes and few samples: does everything still run?
fn smoke() -> bool {
    std::env::var_os("REPLAY_BENCH_SMOKE").is_some()
}

/// The picture size measured at.
fn size() -> (u32, u32) {
    if smoke() { (128, 192) } else { (1080, 1920) }
}

fn main() {
    // As the command line does: no window system is asked, none complains.
    // SAFETY: the process has no other thread yet.
    unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    let criterion = Criterion::default();
    let criterion = if smoke() {
        criterion.sample_size(10).warm_up_time(Duration::from_millis(50)).measurement_time(Duration::from_millis(200))
    } else {
        criterion.sample_size(20).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(4))
    };
    let mut criterion = criterion.configure_from_args();
    front_end::gl_validate(&mut criterion);
    front_end::shader_compile(&mut criterion);
    script::op_call(&mut criterion);
    media::color_convert(&mut criterion);
    media::hash(&mut criterion);
    media::encode(&mut criterion);
    media::mux(&mut criterion);
    gpu::readback(&mut criterion);
    gpu::draws(&mut criterion);
    end_to_end::end_to_end(&mut criterion);
    criterion.final_summary();
}
