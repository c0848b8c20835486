//! Flags over `replay.toml` over defaults: one [`RenderPlan`].

use std::path::{Path, PathBuf};

use super::args::{BackendName, CodecName, Preset, RenderOptions};
use crate::frame::rate::parse_fraction;
use crate::frame::{FrameRate, yuv};
use crate::pipeline::{BackendKind, Codec, RenderPlan};
use crate::project::{EvidenceSettings, Project, RouteSettings, Settings, Size, normal_query, split_query};

/// A setting that makes no sense, with the flag or key at fault.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[error("{setting}: {problem}")]
pub struct BadSetting {
    setting: &'static str,
    problem: String,
}

fn bad(setting: &'static str, problem: impl ToString) -> BadSetting {
    BadSetting { setting, problem: problem.to_string() }
}

/// Makes every choice for rendering `project` (found at `path`) into `out`.
pub fn make(path: &Path, out: &Path, options: &RenderOptions, project: &Project) -> Result<RenderPlan, BadSetting> {
    let settings = project.settings();
    let (path, _) = split_query(path);
    let path = path.as_path();
    let preset = options.preset.map(|Preset::PragueBench| (Size { width: 1080, height: 1920 }, 30, 1740));
    let size = match &options.size {
        Some(text) => text.parse::<Size>().map_err(|e| bad("--size", e))?,
        None => preset.map(|p| p.0).or(settings.size).unwrap_or(Size { width: 1920, height: 1080 }),
    };
    let fps = fps(options, settings, preset.map(|p| p.1))?;
    let frames = frames(options, settings, preset.map(|p| p.2), fps)?;
    let codec = codec(options, settings)?;
    if codec != Codec::Png {
        yuv::check_size(size.width, size.height).map_err(|e| bad("--size", e))?;
    }
    let pixel_ratio = options.pixel_ratio.or(settings.pixel_ratio).unwrap_or(1.0);
    if !(pixel_ratio.is_finite() && pixel_ratio > 0.0 && pixel_ratio <= 16.0) {
        return Err(bad("--pixel-ratio", format!("{pixel_ratio} is not above 0 and at most 16")));
    }
    if !(options.max_rate.is_finite() && (0.3..=1000.0).contains(&options.max_rate)) {
        return Err(bad("--max-rate", format!("{} is not from 0.3 to 1000 Mbit", options.max_rate)));
    }
    let audio = match (&options.audio, &settings.audio) {
        (Some(path), _) => Some(path.clone()),
        (None, Some(name)) => Some(folder_of(path).join(name)),
        (None, None) => None,
    };
    if codec == Codec::Png && options.audio.is_some() {
        return Err(bad("--audio", "a PNG sequence has no sound: leave it out, or make an MP4".to_owned()));
    }
    let drive = match &options.drive {
        Some(text) => drive(text)?,
        None => settings.drive.clone().map(String::from).unwrap_or_else(|| "raf".to_owned()),
    };
    let (route, route_file) = route(path, settings)?.unzip();
    let threads = options.threads.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let threads = threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let time_limit = options.time_limit.or(settings.time_limit);
    if let Some(seconds) = time_limit.filter(|seconds| !(seconds.is_finite() && *seconds > 0.0)) {
        return Err(bad(
            "--time-limit",
            format!("{seconds} s leave no time at all: write seconds above 0, or leave it out"),
        ));
    }
    let memory_limit = options.memory_limit.or(settings.memory_limit);
    if let Some(mib) = memory_limit.filter(|mib| *mib < LEAST_MEMORY) {
        let name = if options.memory_limit.is_some() { "--memory-limit" } else { "memory_limit" };
        return Err(bad(name, format!("{mib} MiB hold no page at all: write {LEAST_MEMORY} or more")));
    }
    Ok(RenderPlan {
        project: path.to_owned(),
        node_modules: options.node_modules.clone(),
        query: options.query.as_deref().map_or_else(|| project.query().to_owned(), normal_query),
        out: out.to_owned(),
        width: size.width,
        height: size.height,
        fps,
        frames,
        warm_up: options.warmup.or(settings.warm_up).unwrap_or(0),
        seed: options.seed.or(settings.seed).unwrap_or(0),
        pixel_ratio,
        canvas: options.canvas.clone().or_else(|| settings.canvas.clone()),
        drive,
        start_time: settings.start_time,
        codec,
        audio,
        background: background(options.background.as_deref())?,
        max_bits_per_second: (options.max_rate * 1e6) as u64,
        max_bytes: options.max_size.saturating_mul(1_000_000),
        strict: options.strict,
        allow_blank: options.allow_blank || settings.allow_blank.unwrap_or(false),
        trace: options.trace.clone(),
        backend: match options.backend {
            BackendName::Wgpu => BackendKind::Wgpu,
            BackendName::Null => BackendKind::Null,
        },
        adapter: options.adapter.clone(),
        threads: threads.clamp(1, 256),
        time_limit,
        memory_limit,
        gpu_memory_limit: options.gpu_memory_limit.or(settings.gpu_memory_limit),
        evidence: evidence(options, settings)?,
        route,
        route_file,
        depth: options.depth,
    })
}

/// MiB that the engine's own part of a page needs.
const LEAST_MEMORY: u64 = 32;

/// `raf` or the expression behind `seek:`.
fn drive(text: &str) -> Result<String, BadSetting> {
    let expression = text.strip_prefix("seek:").map(str::trim);
    match expression {
        Some(expression) if !expression.is_empty() => Ok(expression.to_owned()),
        None if text == "raf" => Ok("raf".to_owned()),
        _ => {
            let forms =
                "write raf, or seek: and the expression to evaluate for each frame, as in 'seek:renderAt(time)'";
            Err(bad("--drive", format!("`{text}` is no way to drive a program: {forms}")))
        }
    }
}

fn evidence(options: &RenderOptions, settings: &Settings) -> Result<Option<EvidenceSettings>, BadSetting> {
    if options.no_evidence {
        return Ok(None);
    }
    let evidence = settings.evidence.clone().unwrap_or_default();
    evidence.drone_pattern().map_err(|e| bad("evidence.drone", e))?;
    evidence.pedestrians_pattern().map_err(|e| bad("evidence.pedestrians", e))?;
    Ok(Some(evidence))
}

/// The route's settings as the output has them, and its file.
fn route(path: &Path, settings: &Settings) -> Result<Option<(RouteSettings, PathBuf)>, BadSetting> {
    let Some(route) = &settings.route else { return Ok(None) };
    let bad_numbers = |name| bad("route", format!("`{name}` makes no sense"));
    if route.origin.as_ref().is_some_and(|o| !matches!(o.len(), 2 | 3) || o.iter().any(|v| !v.is_finite())) {
        return Err(bad("route.origin", "write [latitude, longitude, height]"));
    }
    for (name, value) in [("scale", route.scale), ("waypoint_radius", route.waypoint_radius)] {
        if value.is_some_and(|v| !(v.is_finite() && v > 0.0)) {
            return Err(bad_numbers(name));
        }
    }
    if route.heading.is_some_and(|h| !h.is_finite()) {
        return Err(bad_numbers("heading"));
    }
    let Some(file) = &route.file else { return Err(bad("route.file", "which file holds the route?")) };
    let from = folder_of(path).join(file);
    if !from.is_file() {
        return Err(bad("route.file", format!("{} is no file", from.display())));
    }
    let end = from.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let end = end.filter(|e| e.len() <= 8 && e.bytes().all(|b| b.is_ascii_alphanumeric()));
    let name = end.map_or("route".to_owned(), |end| format!("route.{end}"));
    Ok(Some((RouteSettings { file: Some(name), ..route.clone() }, from)))
}

fn folder_of(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) }
}

fn fps(options: &RenderOptions, settings: &Settings, preset: Option<u32>) -> Result<FrameRate, BadSetting> {
    match (&options.fps, preset, settings.fps) {
        (Some(text), ..) => text.parse().map_err(|e| bad("--fps", e)),
        (None, Some(fps), _) => FrameRate::new(fps, 1).map_err(|e| bad("--preset", e)),
        (None, None, Some(fps)) => FrameRate::new(fps.num(), fps.den()).map_err(|e| bad("fps", e)),
        (None, None, None) => FrameRate::new(30, 1).map_err(|e| bad("--fps", e)),
    }
}

fn frames(
    options: &RenderOptions,
    settings: &Settings,
    preset: Option<u64>,
    fps: FrameRate,
) -> Result<u64, BadSetting> {
    let seconds = |text: &str| {
        let (num, den) = parse_fraction(text).filter(|(num, _)| *num > 0)?;
        Some(fps.frames_for(num, den))
    };
    let frames = if let Some(frames) = options.frames {
        frames
    } else if let Some(text) = &options.duration {
        seconds(text).ok_or_else(|| bad("--duration", format!("`{text}` is no number of seconds above 0")))?
    } else if let Some(frames) = preset.or(settings.frames) {
        frames
    } else if let Some(duration) = settings.duration {
        // The shortest decimal that means this double: what was written in the file.
        seconds(&duration.to_string()).ok_or_else(|| bad("duration", format!("{duration} is no number of seconds")))?
    } else {
        fps.frames_for(10, 1)
    };
    // A day at 120 frames a second.
    if (1..=10_368_000).contains(&frames) {
        Ok(frames)
    } else {
        Err(bad("--frames", format!("{frames} is not from 1 to 10368000")))
    }
}

fn codec(options: &RenderOptions, settings: &Settings) -> Result<Codec, BadSetting> {
    match (options.codec, settings.codec.as_deref()) {
        (Some(CodecName::H264), _) | (None, None | Some("h264")) => Ok(Codec::H264),
        (Some(CodecName::Av1), _) | (None, Some("av1")) => Ok(Codec::Av1),
        (Some(CodecName::Png), _) | (None, Some("png")) => Ok(Codec::Png),
        (None, Some(other)) => Err(bad("codec", format!("`{other}` is no codec: h264, av1 or png"))),
    }
}

fn background(text: Option<&str>) -> Result<Option<[u8; 3]>, BadSetting> {
    let Some(text) = text else { return Ok(None) };
    let digits = text.trim_start_matches('#');
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
    let value = value.ok_or_else(|| bad("--background", format!("`{text}` is no colour: write RRGGBB")))?;
    let [_, r, g, b] = value.to_be_bytes();
    Ok(Some([r, g, b]))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::host::MemoryRoot;

    fn project(toml: &str) -> Project {
        let files = [("replay.toml", toml), ("main.js", "")];
        let root = MemoryRoot::new(files.map(|(name, text)| (name, text.as_bytes().to_vec())));
        Project::from_roots(Arc::new(root), Vec::new(), None).unwrap()
    }

    fn plan(toml: &str, options: RenderOptions) -> Result<RenderPlan, BadSetting> {
        let options = RenderOptions { max_rate: 20.0, max_size: 200, ..options };
        make(Path::new("p"), Path::new("o"), &options, &project(toml))
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let toml = "size = \"640x360\"\nfps = 25\nduration = 1.5\nseed = 7\ndrive = \"renderAt({ time })\"\n";
        let p = plan(toml, RenderOptions::default()).unwrap();
        assert_eq!((p.width, p.height, p.fps.num(), p.frames, p.seed), (640, 360, 25, 38, 7));
        assert_eq!(p.drive, "renderAt({ time })");
        let flags = RenderOptions {
            size: Some("320x200".into()),
            frames: Some(3),
            drive: Some("seek:go(frame)".into()),
            background: Some("#ff8000".into()),
            ..RenderOptions::default()
        };
        let p = plan(toml, flags).unwrap();
        assert_eq!((p.width, p.height, p.frames, p.background), (320, 200, 3, Some([255, 128, 0])));
        assert_eq!(p.drive, "go(frame)");
        let p = plan("", RenderOptions::default()).unwrap();
        assert_eq!((p.width, p.height, p.frames), (1920, 1080, 300));
    }

    #[test]
    fn the_benchmark_preset_is_the_one_of_the_seed() {
        let p =
            plan("size = \"64x64\"", RenderOptions { preset: Some(Preset::PragueBench), ..RenderOptions::default() });
        let p = p.unwrap();
        assert_eq!((p.width, p.height, p.fps.to_string().as_str(), p.frames), (1080, 1920, "30", 1740));
    }

    #[test]
    fn nonsense_is_named() {
        let of = |options| plan("", options).unwrap_err().to_string();
        let default = RenderOptions::default;
        assert!(of(RenderOptions { size: Some("31x32".into()), ..default() }).starts_with("--size"));
        assert!(of(RenderOptions { fps: Some("fast".into()), ..default() }).starts_with("--fps"));
        assert!(of(RenderOptions { duration: Some("-1".into()), ..default() }).starts_with("--duration"));
        assert!(of(RenderOptions { frames: Some(0), ..default() }).starts_with("--frames"));
        for drive in ["foo", "renderAt(time)", "seek:", "RAF"] {
            let said = of(RenderOptions { drive: Some(drive.into()), ..default() });
            assert!(said.starts_with("--drive") && said.contains("seek:renderAt(time)"), "{said}");
        }
        assert!(of(RenderOptions { background: Some("red".into()), ..default() }).starts_with("--background"));
        for seconds in [0.0, -1.0, f64::NAN] {
            assert!(of(RenderOptions { time_limit: Some(seconds), ..default() }).starts_with("--time-limit"));
        }
        assert!(of(RenderOptions { memory_limit: Some(1), ..default() }).starts_with("--memory-limit"));
        // An odd size is fine for PNG files.
        let png = RenderOptions { size: Some("31x32".into()), codec: Some(CodecName::Png), ..default() };
        assert!(plan("", png).is_ok());
    }
}
