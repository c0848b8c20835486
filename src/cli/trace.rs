//! `replay trace`: plays a file that `render --trace` wrote.

use std::process::ExitCode;

use serde_json::json;

use super::args::{BackendName, TraceArgs};
use super::{Ended, show};
use crate::pipeline::BackendKind;
use crate::pipeline::trace::play;

pub fn trace(args: &TraceArgs, quiet: bool, json: bool) -> Ended {
    let kind = match args.backend {
        BackendName::Wgpu => BackendKind::Wgpu,
        BackendName::Null => BackendKind::Null,
    };
    let played = play(&args.file, kind, args.adapter.as_deref(), args.output.clone())?;
    if json {
        show::print_json(&json!({ "ok": true, "result": played }));
        return Ok(ExitCode::SUCCESS);
    }
    if quiet {
        return Ok(ExitCode::SUCCESS);
    }
    let p = &played;
    let mut text = format!(
        "{} streams, {} commands, {} draws on {}\n  read {:.1} ms, played {:.1} ms ({:.0} ns a command)\n",
        p.streams,
        p.commands,
        p.draws,
        p.renderer,
        p.read_ms,
        p.play_ms,
        p.play_ms * 1e6 / p.commands.max(1) as f64
    );
    for (i, hash) in p.frames.iter().enumerate() {
        text += &format!("  frame {i}: {hash}\n");
    }
    show::print(&text);
    Ok(ExitCode::SUCCESS)
}
