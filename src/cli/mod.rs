//! The command line: what was typed becomes a plan, what came of it becomes text or JSON and an exit code.
//!
//! Exit codes: 0 done, 1 ran and failed a check, 2 could not run. Results go to standard output, all
//! else to standard error. Uses the pipeline only; draws, codes and decides nothing itself.

mod args;
mod diff;
mod doctor;
mod interrupt;
mod map;
mod metrics;
mod plan;
mod profile;
mod render;
mod repeat;
mod report;
mod schema;
mod sheet;
mod show;
mod trace;
mod verify;

use std::process::ExitCode;

use clap::Parser as _;

pub use args::Cli;
use args::Command;

/// A command's end: what to print and with which code to leave.
type Ended = Result<ExitCode, miette::Report>;

/// Runs the command line; the whole of `main`.
pub fn main() -> ExitCode {
    let typed: Vec<_> = std::env::args_os().collect();
    let cli = match Cli::try_parse_from(&typed) {
        Ok(cli) => cli,
        Err(e) => {
            if e.use_stderr() && typed.iter().any(|word| word == "--json") {
                let error = e.to_string();
                show::print_json(&show::failed(2, error.trim_end(), None));
            }
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { 2 } else { 0 });
        }
    };
    trace_to_stderr();
    whole_lines();
    no_window_system();
    keep_freed_memory();
    let json = cli.json;
    let ended = match cli.command {
        Command::Render(args) => render::render(&args, cli.quiet, json),
        Command::Resume(args) => render::resume(&args, cli.quiet, json),
        Command::RunPlan(args) => render::run_plan(&args, json),
        Command::Repeat(args) => repeat::repeat(&args, cli.quiet, json),
        Command::Diff(args) => diff::diff(&args, cli.quiet, json),
        Command::Verify(args) => verify::verify(&args, cli.quiet, json),
        Command::Sheet(args) => sheet::sheet(&args, cli.quiet, json),
        Command::Map(args) => map::map(&args, cli.quiet, json),
        Command::Report(args) => report::report(&args, cli.quiet, json),
        Command::Metrics(args) => metrics::metrics(&args, cli.quiet, json),
        Command::Trace(args) => trace::trace(&args, cli.quiet, json),
        Command::Schema(args) => schema::schema(&args, json),
        Command::Doctor(args) => doctor::doctor(&args, cli.quiet, json),
    };
    ended.unwrap_or_else(|report| {
        let code = show::code_of(&report);
        show::failure(&report, code, json);
        // All files are written and closed.
        if crate::pipeline::threads_left() {
            interrupt::leave(code);
        }
        ExitCode::from(code)
    })
}

/// Messages are not wrapped: an address or a path in two halves can be neither clicked nor copied, and terminals wrap.
fn whole_lines() {
    let _ = miette::set_hook(Box::new(|_| Box::new(miette::MietteHandlerOpts::new().wrap_lines(false).build())));
}

/// Mesa's device-select layer asks the window system which GPU it prefers, and complains on standard error where there
/// is none. `replay` has no windows: the layer stays out, unless the user steers it.
#[expect(clippy::disallowed_methods, reason = "the layer is steered by variables")]
fn no_window_system() {
    if ["MESA_VK_DEVICE_SELECT", "DRI_PRIME", "NODEVICE_SELECT"].iter().any(|name| std::env::var_os(name).is_some()) {
        return;
    }
    // SAFETY: the process has no other thread yet.
    #[expect(unsafe_code, reason = "the layer has no other switch")]
    unsafe {
        std::env::set_var("NODEVICE_SELECT", "1");
    }
}

/// Every frame takes and frees the same large pieces, here and in a software driver. Given back to the kernel, they come
/// anew page by page, which costs a tenth of a small scene's frame: so the allocator keeps them.
fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (setting, bytes) in
        [(libc::M_MMAP_THRESHOLD, 32 << 20), (libc::M_TRIM_THRESHOLD, 256 << 20), (libc::M_TOP_PAD, 4 << 20)]
    {
        // SAFETY: only changes the allocator's thresholds; a value it does not like is refused.
        unsafe { libc::mallopt(setting, bytes) };
    }
}

/// `RUST_LOG=replay=debug` shows what the engine does.
fn trace_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("off"));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}
