//! `replay repeat`: the same render in separate processes, compared frame by frame and byte by byte.

#![expect(clippy::disallowed_methods, reason = "runs this command again, each time in its own process")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use miette::{IntoDiagnostic as _, miette};
use serde_json::json;

use super::args::RepeatArgs;
use super::render::make_plan;
use super::{Ended, show};
use crate::evidence::Manifest;
use crate::pipeline::plan::VIDEO;
use crate::pipeline::{Codec, RenderPlan};

pub fn repeat(args: &RepeatArgs, quiet: bool, json: bool) -> Ended {
    let plan = make_plan(&args.path, Path::new("unused"), &args.options)?;
    let temporary;
    let root = match &args.output {
        Some(root) => root.clone(),
        None => {
            temporary = tempfile::Builder::new().prefix("replay-repeat-").tempdir().into_diagnostic()?;
            temporary.path().to_owned()
        }
    };
    let mut runs = Vec::new();
    for number in 1..=args.runs {
        let out = root.join(format!("run-{number}"));
        run(&RenderPlan { out: out.clone(), ..plan.clone() }, &root, number)?;
        let run = Run::read(&out, plan.codec)?;
        if !quiet && !json {
            show::tell(&format!("run {number}: {} frames, {}", run.manifest.frames.len(), run.manifest.frames_sha256));
        }
        runs.push(run);
    }
    let Some((first, rest)) = runs.split_first() else { return Err(miette!("no run")) };
    let difference = rest.iter().zip(2..).find_map(|(run, number)| first.difference(run).map(|what| (number, what)));
    report(&runs, difference, args.output.as_deref(), quiet, json)?;
    let same = difference_free(&runs);
    Ok(ExitCode::from(u8::from(!same)))
}

/// What one run left.
struct Run {
    manifest: Manifest,
    video: Option<Vec<u8>>,
}

impl Run {
    fn read(out: &Path, codec: Codec) -> Result<Self, miette::Report> {
        let path = out.join("manifest.json");
        let text = std::fs::read_to_string(&path).map_err(|e| miette!("{}: {e}", path.display()))?;
        let manifest = serde_json::from_str(&text).map_err(|e| miette!("{}: {e}", path.display()))?;
        let video = match codec {
            Codec::Png => None,
            _ => Some(std::fs::read(out.join(VIDEO)).into_diagnostic()?),
        };
        Ok(Self { manifest, video })
    }

    /// The first thing in which `other` differs.
    fn difference(&self, other: &Self) -> Option<String> {
        let (a, b) = (&self.manifest.frames, &other.manifest.frames);
        if let Some(frame) = a.iter().zip(b).position(|(a, b)| a != b) {
            return Some(format!("frame {frame} differs"));
        }
        if a.len() != b.len() {
            return Some(format!("{} frames instead of {}", b.len(), a.len()));
        }
        if self.video != other.video {
            return Some("the frames are equal, but the video files differ".to_owned());
        }
        let evidence = |run: &Self| run.manifest.evidence.clone().unwrap_or_default();
        let (a, b) = (evidence(self), evidence(other));
        if let Some(file) = a.iter().find(|file| !b.contains(file)).or_else(|| b.iter().find(|file| !a.contains(file)))
        {
            return Some(format!("the frames are equal, but not the evidence: {} differs", file.path));
        }
        (self.manifest != other.manifest).then(|| "the manifests differ".to_owned())
    }
}

fn difference_free(runs: &[Run]) -> bool {
    runs.windows(2).all(|pair| pair[0].difference(&pair[1]).is_none())
}

fn run(plan: &RenderPlan, root: &Path, number: u32) -> Result<(), miette::Report> {
    std::fs::create_dir_all(root).into_diagnostic()?;
    let file: PathBuf = root.join(format!("plan-{number}.json"));
    let text = serde_json::to_string(plan).into_diagnostic()?;
    std::fs::write(&file, text).into_diagnostic()?;
    let program = std::env::current_exe().into_diagnostic()?;
    let child = Command::new(program).arg("run-plan").arg(&file).stdin(Stdio::null()).output().into_diagnostic()?;
    let _ = std::fs::remove_file(&file);
    if child.status.success() {
        return Ok(());
    }
    Err(miette!("run {number} ended with {}\n{}", child.status, String::from_utf8_lossy(&child.stderr).trim_end()))
}

/// The outcome, on screen and, where the outputs are kept, as `repeat.json` in each.
fn report(
    runs: &[Run],
    difference: Option<(i32, String)>,
    kept: Option<&Path>,
    quiet: bool,
    json: bool,
) -> Result<(), miette::Report> {
    let frames = runs.first().map_or(0, |r| r.manifest.frames.len());
    let hashes: Vec<_> = runs.iter().map(|r| r.manifest.frames_sha256.to_string()).collect();
    let what = difference.as_ref().map(|(run, what)| json!({ "run": run, "what": what }));
    let found = json!({
        "ok": what.is_none(), "runs": runs.len(), "frames": frames, "frames_sha256": hashes, "difference": what,
    });
    if let Some(root) = kept {
        let text = format!("{found:#}\n");
        for folder in std::iter::once(root.to_owned()).chain((1..=runs.len()).map(|n| root.join(format!("run-{n}")))) {
            std::fs::write(folder.join("repeat.json"), &text).into_diagnostic()?;
        }
    }
    if json {
        show::print_json(&found);
        return Ok(());
    }
    match difference {
        Some((run, what)) => show::print(&format!("run {run} is not like run 1: {what}\n")),
        None if quiet => {}
        None => show::print(&format!("{} runs, {frames} frames: every frame and every byte is equal\n", runs.len())),
    }
    Ok(())
}
