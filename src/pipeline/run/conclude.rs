//! The end of a render: what a finished film must still pass, and the manifest that binds all files.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::File;
use std::path::Path;

use super::console::Complaints;
use crate::encode::{EncodeError, png};
use crate::evidence::{self, Adapter, Engine, Manifest, Page, Unsupported, Video};
use crate::frame::hash::Hash;
use crate::gl::backend::{BackendCaps, BackendError};
use crate::pipeline::RenderError;
use crate::pipeline::depth::DEPTHS;
use crate::pipeline::error::Clues;
use crate::pipeline::film::FilmReport;
use crate::pipeline::output::OutFolder;
use crate::pipeline::plan::{BackendKind, Codec, FRAMES, RenderPlan, VIDEO};
use crate::pipeline::summary::{Summary, Timing};
use crate::runtime::Report;

/// What a finished film must still pass.
pub(super) fn check(
    plan: &RenderPlan,
    film: &FilmReport,
    report: &Report,
    complaints: &Complaints,
) -> Option<RenderError> {
    if film.coded < plan.frames {
        return Some(RenderError::LostFrame { frame: film.coded });
    }
    if let (Some([r, g, b, a]), false) = (film.uniform, plan.allow_blank) {
        let color = format!("{r:02x}{g:02x}{b:02x}{a:02x}");
        let (clues, null) = (clues(report, complaints), plan.backend == BackendKind::Null);
        return Some(RenderError::Blank { frames: film.coded, color, clues, null });
    }
    let mut amiss = if plan.strict { amiss(report, complaints) } else { Vec::new() };
    if plan.strict {
        amiss.extend(too_fast(plan, film));
    }
    (!amiss.is_empty()).then_some(RenderError::Strict { amiss })
}

/// What the program left behind that may tell why it drew nothing.
pub(super) fn clues(report: &Report, complaints: &Complaints) -> Clues {
    let shown = [&report.left_out.over, &report.left_out.perhaps].map(String::as_str);
    let page = shown.into_iter().filter(|list| !list.is_empty()).collect::<Vec<_>>().join(", ");
    Clues {
        logged: complaints.first(),
        waiting: report.waiting.clone(),
        page,
        seekable: report.left_out.seekable.clone(),
    }
}

/// What `--strict` allows not at all, a line each: what is not supported, files that are not there, errors that the program
/// logged (three.js logs shaders that do not compile).
fn amiss(report: &Report, complaints: &Complaints) -> Vec<String> {
    let unsupported = report.unsupported.iter().map(|u| match u.detail.as_str() {
        "" => format!("not supported: {}.{}", u.interface, u.member),
        detail => format!("not supported: {}.{} ({detail})", u.interface, u.member),
    });
    let missing = report.missing.iter().map(|what| format!("not there: {what}"));
    let blocked = report.blocked.iter().map(|url| format!("blocked: {url}"));
    let logged = complaints.gists.iter().map(|gist| format!("an error that the program logged: {gist}"));
    unsupported.chain(missing).chain(blocked).chain(logged).collect()
}

/// Names the files, writes the evidence, gives the summary or the failure.
#[expect(clippy::too_many_arguments, reason = "the last step sees what every stage left")]
pub(super) fn conclude(
    plan: &RenderPlan,
    out: &OutFolder,
    growing: &Path,
    film: FilmReport,
    report: Report,
    caps: &BackendCaps,
    failure: Option<RenderError>,
    timing: Timing,
) -> Result<Summary, RenderError> {
    let is_video = plan.codec != Codec::Png;
    let mut output = growing.to_owned();
    if is_video && film.coded == 0 {
        let _ = std::fs::remove_file(growing);
    } else if is_video && failure.is_none() {
        output = out.path(VIDEO);
        std::fs::rename(growing, &output).map_err(|e| RenderError::write(&output, e))?;
    }
    let warnings = warnings(plan, &film, &report);
    let video = if is_video && film.coded > 0 { Some(video(plan, &film, &output)?) } else { None };
    let digest = evidence::frames_digest(&film.hashes);
    let unsupported: Vec<Unsupported> = report
        .unsupported
        .iter()
        .map(|u| Unsupported {
            name: format!("{}.{}", u.interface, u.member),
            detail: u.detail.clone(),
            count: u.count,
        })
        .collect();
    let manifest = Manifest {
        format: 1,
        complete: failure.is_none(),
        error: failure.as_ref().map(ToString::to_string),
        engine: Engine {
            name: "replay".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            v8: report.v8.clone(),
            three: report.three_revision.clone(),
        },
        adapter: Adapter { vendor: caps.vendor.clone(), renderer: caps.renderer.clone(), driver: caps.driver.clone() },
        settings: settings_json(plan)?,
        page: Page { missing: report.missing, blocked: report.blocked },
        files: report
            .files
            .into_iter()
            .map(|f| evidence::File { path: f.path, bytes: f.bytes, sha256: f.sha256 })
            .collect(),
        frames_sha256: digest,
        video,
        pictures: (!is_video).then(|| pictures(&film)),
        // Every writer of these files has ended.
        evidence: Some(out.evidence(plan.route.as_ref().and_then(|r| r.file.as_deref()), plan.depth.then_some(DEPTHS))),
        unsupported: unsupported.clone(),
        warnings: warnings.clone(),
        frames: film.hashes,
    };
    let internal = |e: serde_json::Error| RenderError::Internal(e.to_string());
    out.free_reserve();
    let list = evidence::frame_list(&manifest.frames);
    let text = manifest.to_json().map_err(internal)?;
    let times = serde_json::to_string_pretty(&timing).map_err(internal)?;
    let written = out
        .write("frames.sha256", list.as_bytes())
        .and_then(|_| out.write("timing.json", times.as_bytes()))
        .and_then(|_| out.write("manifest.json", text.as_bytes()))
        .and_then(|path| out.seal(&manifest).map(|()| path));
    if let Some(failure) = failure {
        let resumable = matches!(
            failure,
            RenderError::Interrupted { .. }
                | RenderError::DiskFull { .. }
                | RenderError::Graphics(BackendError::DeviceLost(_))
        );
        if !resumable {
            out.forget_partial();
        }
        out.end(false)?;
        return Err(failure);
    }
    written?;
    out.forget_partial();
    out.end(true)?;
    Ok(Summary {
        output: out.final_path(if is_video { VIDEO } else { FRAMES }),
        manifest: out.final_path("manifest.json"),
        width: plan.width,
        height: plan.height,
        fps: plan.fps.to_string(),
        frames: film.coded,
        seconds: film.coded as f64 / plan.fps.as_f64(),
        bytes: film.bytes,
        peak_bits_per_second: film.peak_bits_per_second,
        frames_sha256: digest.to_string(),
        adapter: format!("{} ({})", caps.renderer, caps.driver),
        three_revision: report.three_revision,
        warnings,
        unsupported,
        timing,
    })
}

/// The files of a PNG sequence.
fn pictures(film: &FilmReport) -> Vec<evidence::File> {
    let file = |(frame, (bytes, hash)): (usize, &(u64, Hash))| evidence::File {
        path: format!("{FRAMES}/{}", png::file_name(frame as u64)),
        bytes: *bytes,
        sha256: hash.to_string(),
    };
    film.pictures.iter().enumerate().map(file).collect()
}

fn warnings(plan: &RenderPlan, film: &FilmReport, report: &Report) -> Vec<String> {
    let mut warnings = report.warnings.clone();
    for (width, height) in &film.fitted {
        warnings.push(format!(
            "the canvas is {width}x{height}, the pictures {}x{}: it was scaled to fit (--size {width}x{height} films it as it is)",
            plan.width, plan.height
        ));
    }
    if let (Some(first), count) = (film.degraded.first(), film.degraded.len()) {
        warnings.push(format!("{count} frames, first {first}, were coarsened to keep the bit-rate limit"));
    }
    warnings.extend(too_fast(plan, film));
    warnings
}

/// The rate limit that was not kept (AV1 promises none).
fn too_fast(plan: &RenderPlan, film: &FilmReport) -> Option<String> {
    (plan.codec != Codec::Png && film.peak_bits_per_second > plan.max_bits_per_second).then(|| {
        format!(
            "the busiest second holds {} bits, more than the limit of {}",
            film.peak_bits_per_second, plan.max_bits_per_second
        )
    })
}

/// The plan without what does not shape the pictures: places and speed.
fn settings_json(plan: &RenderPlan) -> Result<serde_json::Value, RenderError> {
    let mut value = serde_json::to_value(plan).map_err(|e| RenderError::Internal(e.to_string()))?;
    if let Some(map) = value.as_object_mut() {
        for key in ["project", "node_modules", "out", "trace", "threads", "audio", "adapter", "route_file"] {
            map.shift_remove(key);
        }
    }
    Ok(value)
}

fn video(plan: &RenderPlan, film: &FilmReport, path: &Path) -> Result<Video, RenderError> {
    let hash = |path: &Path| {
        File::open(path).and_then(Hash::of_reader).map_err(|source| EncodeError::Io { path: path.to_owned(), source })
    };
    let audio = match &plan.audio {
        None => "silence".to_owned(),
        Some(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("{name} {}", hash(path)?)
        }
    };
    Ok(Video {
        file: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        sha256: hash(path)?,
        bytes: film.bytes,
        codec: if plan.codec == Codec::Av1 { "av1" } else { "h264" }.to_owned(),
        width: plan.width,
        height: plan.height,
        fps: plan.fps.to_string(),
        frames: film.coded,
        duration: exact_seconds(plan, film.coded),
        peak_bits_per_second: film.peak_bits_per_second,
        degraded: film.degraded.clone(),
        audio,
    })
}

/// `frames / fps` as a whole number or a fraction in lowest terms.
fn exact_seconds(plan: &RenderPlan, frames: u64) -> String {
    let (mut a, mut b) = (frames * u64::from(plan.fps.den()), u64::from(plan.fps.num()));
    let (num, den) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let by = a.max(1);
    if den / by == 1 { (num / by).to_string() } else { format!("{}/{}", num / by, den / by) }
}
