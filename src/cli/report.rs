//! `replay report`: one page with all that is known of a run.

#![expect(clippy::disallowed_methods, reason = "writes the page the user asked for")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use miette::{IntoDiagnostic as _, WrapErr as _};
use serde_json::json;

use super::args::ReportArgs;
use super::{Ended, show};
use crate::report::page::Verdict;
use crate::report::{Options, load};

pub fn report(args: &ReportArgs, quiet: bool, json: bool) -> Ended {
    let output = args.output.clone().unwrap_or_else(|| default_output(&args.input));
    let options = Options {
        title: args.title.clone(),
        page: Some(output.clone()),
        profile: Some(super::profile::find(&args.profile)?),
        flight: Some(super::profile::find(&args.flight_profile)?),
        given: super::metrics::given(&args.flight),
        film_colors: false,
        embed: args.embed,
        no_pictures: args.no_pictures,
    };
    let sources = load(&args.input, &options)?;
    let page = sources.page();
    let html = page.html();
    write(&output, html.as_bytes())?;
    for alarm in &page.alarms {
        show::tell(&format!("!! {alarm}"));
    }
    let rows = || page.groups.iter().flat_map(|group| &group.rows);
    let count = |verdict| rows().filter(|row| row.verdict == verdict).count();
    let (passed, failed) = (count(Verdict::Pass) + count(Verdict::Note), count(Verdict::Fail));
    let open = count(Verdict::NotMeasured);
    let whole = page.alarms.is_empty();
    if json {
        show::print_json(&json!({
            "ok": whole, "report": output, "bytes": html.len(), "passed": passed, "failed": failed, "not_measured": open,
            "alarms": page.alarms,
        }));
    } else if !quiet {
        show::print(&format!(
            "{}: {:.1} MB, {passed} passed, {failed} failed, {open} not measured\n",
            output.display(),
            html.len() as f64 / 1e6
        ));
    }
    Ok(ExitCode::from(u8::from(!whole)))
}

/// `OUT/report.html` for a folder, `NAME.report.html` beside a file.
fn default_output(input: &Path) -> PathBuf {
    if input.is_dir() { input.join("report.html") } else { input.with_extension("report.html") }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), miette::Report> {
    std::fs::write(path, bytes).into_diagnostic().wrap_err_with(|| format!("{} cannot be written", path.display()))
}
