//! `replay render`, `replay resume` and the hidden `replay run-plan`.

#![expect(clippy::disallowed_methods, reason = "reads the plan of a render")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use miette::IntoDiagnostic as _;

use super::args::{RenderArgs, RenderOptions, ResumeArgs, RunPlanArgs};
use super::show::Bar;
use super::{Ended, interrupt, plan, show};
use crate::frame::hash::Hash;
use crate::pipeline::{self, RenderPlan, output};
use crate::project::Project;

pub fn render(args: &RenderArgs, quiet: bool, json: bool) -> Ended {
    let plan = make_plan(&args.path, &args.output, &args.options)?;
    film(&plan, Vec::new(), quiet, json)
}

pub fn resume(args: &ResumeArgs, quiet: bool, json: bool) -> Ended {
    if output::take_up(&args.output)? {
        if json {
            show::print_json(&serde_json::json!({ "ok": true, "result": null }));
        }
        show::tell("the render was whole already; its files are in their places now");
        return Ok(ExitCode::SUCCESS);
    }
    let (mut plan, hashes) = output::partial(&args.output)?;
    // The folder may have been moved since.
    plan.out.clone_from(&args.output);
    if !quiet {
        show::tell(&format!(
            "{} frames were rendered before; they are rendered again and must come out the same",
            hashes.len()
        ));
    }
    film(&plan, hashes, quiet, json)
}

/// For `replay repeat`'s children: quiet, and nothing but the plan counts.
pub fn run_plan(args: &RunPlanArgs, json: bool) -> Ended {
    let text = std::fs::read_to_string(&args.plan).into_diagnostic()?;
    let plan: RenderPlan = serde_json::from_str(&text).into_diagnostic()?;
    film(&plan, Vec::new(), true, json)
}

/// Opens the project for its settings and makes the plan.
pub fn make_plan(path: &Path, out: &Path, options: &RenderOptions) -> Result<RenderPlan, miette::Report> {
    let project = Project::open(path, &options.node_modules)?;
    Ok(plan::make(path, out, options, &project)?)
}

fn film(plan: &RenderPlan, expected: Vec<Hash>, quiet: bool, json: bool) -> Ended {
    // One pool for the whole process; a second call keeps the first's size.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build_global();
    let mut bar = Bar::new(quiet || json);
    let (begun, begun_too) = (Earlier::of(plan), Earlier::of(plan));
    pipeline::on_lost_thread(move |error| {
        begun_too.tell_if_kept();
        let report = miette::Report::new(error);
        let code = show::code_of(&report);
        show::failure(&report, code, json);
        interrupt::leave(code);
    });
    let result = pipeline::render(plan, expected, interrupt::flag(), &mut bar);
    bar.clear();
    if result.is_err() {
        begun.tell_if_kept();
    }
    show::summary(&result?, quiet, json);
    Ok(ExitCode::SUCCESS)
}

/// What lay beside an earlier output when the render began.
struct Earlier {
    out: PathBuf,
    written: Option<SystemTime>,
}

impl Earlier {
    fn of(plan: &RenderPlan) -> Self {
        Self { out: plan.out.clone(), written: Self::told(&plan.out) }
    }

    fn told(out: &Path) -> Option<SystemTime> {
        std::fs::metadata(out.join(output::UNFINISHED).join("manifest.json")).and_then(|m| m.modified()).ok()
    }

    /// Says where this attempt is, if it left something beside an earlier output.
    fn tell_if_kept(&self) {
        let now = Self::told(&self.out);
        if now.is_some() && now != self.written {
            let (out, unfinished) = (self.out.display(), output::UNFINISHED);
            show::tell(&format!(
                "the earlier output in {out} is kept; what this attempt left is in {out}/{unfinished}"
            ));
        }
    }
}
