//! `replay doctor`: what is in use, what is missing, and the command that fixes it.

use std::process::ExitCode;

use serde_json::json;

use super::args::DoctorArgs;
use super::{Ended, show};
use crate::pipeline::health::{Health, Item};

pub fn doctor(args: &DoctorArgs, quiet: bool, json: bool) -> Ended {
    let health = Health::examine(args.adapter.as_deref());
    if json {
        show::print_json(&json!({ "ok": health.ok(), "items": health.items }));
    } else if !(quiet && health.ok()) {
        show::print(&text(&health));
    }
    Ok(ExitCode::from(if health.ok() { 0 } else { 2 }))
}

fn text(health: &Health) -> String {
    let width = health.items.iter().map(|i| i.name.len()).max().unwrap_or(0);
    let line = |Item { name, ok, found, fix }: &Item| {
        let mark = if *ok { "ok" } else { "MISSING" };
        let fix = fix.as_ref().map_or(String::new(), |fix| format!("\n{:width$}           fix: {fix}", ""));
        format!("{name:width$}  {mark:7}  {found}{fix}\n")
    };
    health.items.iter().map(line).collect()
}
