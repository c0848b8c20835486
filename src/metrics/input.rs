//! Reads an output folder. A file that is not there is told as a reason, a file that is broken as an error.

#![expect(clippy::disallowed_methods, reason = "an output folder that the user named")]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::MetricsError;
use super::evidence;
use super::record::Evidence;
use crate::clock::Rational;
use crate::evidence::Manifest;
use crate::evidence::clearance::Clearance;
use crate::evidence::meta::RenderMeta;
use crate::evidence::ordinary;
use crate::evidence::partial;
use crate::evidence::pose::Pose;
use crate::evidence::scene_stats::SceneStats;
use crate::evidence::up::{UpTold, turn};
use crate::evidence::usage::Usage;
use crate::project::{EvidenceSettings, RouteSettings};

/// Most bytes of a line, of a JSON file and of a route.
const MAX_LINE: u64 = 1 << 20;
const MAX_FILE: u64 = 256 << 20;
/// Most frames a render may have (a day at 120 a second).
const MAX_FRAMES: u64 = 10_368_000;
/// Frames that may have no line, at most.
const MAX_GAP: u64 = 100_000;

/// Something that was read, or why not.
pub type Found<T> = Result<T, String>;

/// Something of each frame, where there is any. Boxed, so that gaps cost nothing.
pub type Frames<T> = Vec<Option<Box<T>>>;

/// What an output folder holds.
#[derive(Debug)]
pub struct Input {
    /// The folder's name.
    pub name: String,
    pub frames: u64,
    pub fps: Option<Rational>,
    pub manifest: Found<Manifest>,
    /// By frame: `None` where the file has no line of it. y is up ([`Input::up`]).
    pub poses: Found<Frames<Pose>>,
    pub scene: Found<Frames<SceneStats>>,
    pub clearance: Found<Frames<Clearance>>,
    pub meta: Option<RenderMeta>,
    /// Which axis of the scene was up. The poses here are turned so that y is.
    pub up: UpTold,
    pub timing: Found<Timing>,
    pub repeat: Found<Repeat>,
    pub evidence: EvidenceSettings,
    pub route_settings: RouteSettings,
    pub route: Found<RouteFile>,
    /// A later render lies in the folder, and did not end.
    pub unended: bool,
    /// Whether all this is what the render wrote.
    pub integrity: Evidence,
}

/// What is read of `timing.json`. Milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Timing {
    pub total: f64,
    pub load: f64,
    #[serde(default)]
    pub usage: Option<Usage>,
}

/// `repeat.json`: what `replay repeat --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Repeat {
    pub ok: bool,
    pub runs: u64,
    pub frames_sha256: Vec<String>,
    pub difference: Option<Difference>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Difference {
    pub run: u64,
    pub what: String,
}

/// A route's file, not parsed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What is given beside the folder, and wins over what lies in it.
#[derive(Clone, Debug, Default)]
pub struct Overrides<'a> {
    pub route: Option<&'a Path>,
    pub repeat: Option<&'a Path>,
    pub origin: Option<Vec<f64>>,
    pub heading: Option<f64>,
    pub scale: Option<f64>,
    pub waypoint_radius: Option<f64>,
}

trait Framed {
    fn frame(&self) -> u64;
}

macro_rules! framed {
    ($($name:ty),*) => { $(impl Framed for $name { fn frame(&self) -> u64 { self.frame } })* };
}
framed!(Pose, SceneStats, Clearance);

impl Input {
    /// Reads the folder `out`.
    ///
    /// # Errors
    /// It is no output, or a file of it is broken.
    pub fn read(out: &Path, given: &Overrides<'_>) -> Result<Self, MetricsError> {
        if !out.is_dir() {
            let why = if out.exists() { "it is no folder" } else { "it does not exist" };
            return Err(MetricsError::NotOurs { path: out.to_owned(), why: why.to_owned() });
        }
        if let Some(remedy) = partial::unended(out) {
            return Err(MetricsError::Unended { path: out.to_owned(), remedy });
        }
        let read = Manifest::read(out);
        let mut integrity = evidence::check(out, read.as_ref().map(Option::as_ref).map_err(String::as_str));
        let manifest = read.and_then(|m| m.ok_or_else(|| missing(Path::new("manifest.json"))));
        // A file that somebody else wrote is told as such, and need not make sense.
        let changed = integrity.clone();
        let poses: Found<Vec<Pose>> = told(&changed, "poses.jsonl", lines(&out.join("poses.jsonl")))?;
        let scene: Found<Vec<SceneStats>> = told(&changed, "scene.jsonl", lines(&out.join("scene.jsonl")))?;
        let clearance: Found<Vec<Clearance>> = told(&changed, "clearance.jsonl", lines(&out.join("clearance.jsonl")))?;
        if let (Err(why), Err(_), Err(_), Err(_)) = (&manifest, &poses, &scene, &clearance) {
            return Err(MetricsError::NotOurs { path: out.to_owned(), why: why.clone() });
        }
        let last = |found: Option<u64>| found.map_or(0, |frame| frame + 1);
        let frames = manifest
            .as_ref()
            .map_or(0, |m| m.frames.len() as u64)
            .max(last(poses.iter().flatten().map(Framed::frame).max()))
            .max(last(scene.iter().flatten().map(Framed::frame).max()))
            .max(last(clearance.iter().flatten().map(Framed::frame).max()));
        // What ended early may lack its last frames, and no others.
        let whole = manifest.as_ref().is_ok_and(|m| m.complete);
        let poses = uncut("poses.jsonl", poses, frames, whole, &mut integrity);
        let scene = uncut("scene.jsonl", scene, frames, whole, &mut integrity);
        let clearance = uncut("clearance.jsonl", clearance, frames, whole, &mut integrity);
        integrity.settle();
        let settings = manifest.as_ref().ok().map(|m| &m.settings);
        let part = |name: &str| settings.and_then(|s| s.get(name)).filter(|v| !v.is_null()).cloned();
        let mut route_settings: RouteSettings =
            part("route").and_then(|v| serde_json::from_value(v).ok()).unwrap_or_default();
        route_settings.origin = given.origin.clone().or(route_settings.origin);
        route_settings.heading = given.heading.or(route_settings.heading);
        route_settings.scale = given.scale.or(route_settings.scale);
        route_settings.waypoint_radius = given.waypoint_radius.or(route_settings.waypoint_radius);
        let route = match (given.route, &route_settings.file) {
            (Some(path), _) => Ok(needed(path, route_file(path)).map_err(|e| e.or_else(NO_ROUTE))?),
            (None, Some(name)) => in_folder(out, name)?,
            (None, None) => Err("no route: [route] in replay.toml names none, nor does --route".to_owned()),
        };
        let meta: Option<RenderMeta> = told(&changed, "render_meta.json", json(&out.join("render_meta.json")))?.ok();
        let up = meta.as_ref().and_then(|meta| meta.up).unwrap_or_default();
        let upright = |mut poses: Vec<Pose>| {
            poses.iter_mut().for_each(|pose| turn(up.axis, pose));
            poses
        };
        let repeat = match given.repeat {
            Some(path) => needed(path, json(path)).map_err(|e| e.or_else(NO_REPEAT)).map(Ok)?,
            None => json(&out.join("repeat.json"))
                .map_err(|e| e.or_else(NO_REPEAT))?
                .map_err(|_| "no repeat.json: `replay repeat PROJECT -o DIR` renders it again and compares".to_owned()),
        };
        Ok(Self {
            name: name_of(out),
            frames,
            fps: rate(settings, &manifest, &poses),
            poses: by_frame(poses.map(upright), frames),
            scene: by_frame(scene, frames),
            clearance: by_frame(clearance.map(super::collision::settle), frames),
            meta,
            timing: told(&changed, "timing.json", json(&out.join("timing.json")))?,
            evidence: part("evidence").and_then(|v| serde_json::from_value(v).ok()).unwrap_or_default(),
            route_settings,
            route,
            repeat,
            manifest,
            up,
            unended: partial::unended_beside(out),
            integrity,
        })
    }

    /// Exact time of a frame, in seconds.
    pub fn seconds(&self, frame: u64) -> f64 {
        self.fps.map_or(0.0, |fps| (u128::from(frame) * u128::from(fps.den())) as f64 / f64::from(fps.num()))
    }
}

const NO_ROUTE: &str = "name a GPX, GeoJSON, KML or CSV file with --route; without it the output's own route is taken";
const NO_REPEAT: &str =
    "`replay repeat PROJECT -o DIR` writes a new one; where there is none, the rest is measured without it";
const NOT_PLAIN: &str = "it must be a plain file that you may read";
const BROKEN: &str = "the file was changed, cut short or written by another version: render again";

/// What was asked for must be there.
fn needed<T>(path: &Path, found: Result<Found<T>, MetricsError>) -> Result<T, MetricsError> {
    found?.map_err(|why| MetricsError::Unreadable { path: path.to_owned(), why, remedy: NOT_PLAIN })
}

/// A file that somebody else wrote need not make sense: it is not there, for a reason.
fn told<T>(integrity: &Evidence, name: &str, found: Result<Found<T>, MetricsError>) -> Result<Found<T>, MetricsError> {
    found.or_else(|e| match integrity.is_changed(name) {
        true => Ok(Err(format!("{name} is not what the render wrote: {e}"))),
        false => Err(e),
    })
}

/// The frame rate of the settings or the video, or the one that the poses' times keep.
fn rate(
    settings: Option<&serde_json::Value>,
    manifest: &Found<Manifest>,
    poses: &Found<Vec<Pose>>,
) -> Option<Rational> {
    let pair = |value: &serde_json::Value| {
        let part = |name: &str| value.get(name)?.as_u64().and_then(|n| u32::try_from(n).ok());
        Rational::new(part("num")?, part("den")?)
    };
    let video = || manifest.as_ref().ok()?.video.as_ref()?.fps.parse().ok();
    let told = || {
        let poses = poses.as_ref().ok()?;
        let (first, last) = (poses.first()?, poses.last()?);
        let frames = last.frame.checked_sub(first.frame).filter(|n| *n > 0)? as f64;
        let rate = frames / (last.time - first.time);
        // NTSC rates are thousandths of 1001.
        [(1.0, 1), (1.001, 1001)].into_iter().find_map(|(by, den)| {
            let whole = (rate * by).round();
            let num = if den == 1 { whole } else { whole * 1000.0 };
            let near = (rate * by - whole).abs() < 1e-6 * rate && (1.0..1e6).contains(&whole);
            near.then(|| Rational::new(num as u32, den)).flatten()
        })
    };
    settings.and_then(|s| s.get("fps")).and_then(pair).or_else(video).or_else(told)
}

/// What lacks frames is no evidence: whatever happened may have happened in them. `whole`: it must have every frame.
fn uncut<T: Framed>(
    name: &str,
    found: Found<Vec<T>>,
    frames: u64,
    whole: bool,
    integrity: &mut Evidence,
) -> Found<Vec<T>> {
    let found = found?;
    let expected = if whole { frames } else { found.iter().map(|line| line.frame() + 1).max().unwrap_or(0) };
    let numbers: BTreeSet<u64> = found.iter().map(Framed::frame).collect();
    let lines = numbers.len() as u64;
    if lines >= expected {
        return Ok(found);
    }
    integrity.cut.push(format!("{name} ({lines} of {expected} frames)"));
    Err(format!("{name} has lines for {lines} of {expected} frames"))
}

fn by_frame<T: Framed>(found: Found<Vec<T>>, frames: u64) -> Found<Frames<T>> {
    let mut out: Frames<T> = Vec::new();
    out.resize_with(usize::try_from(frames).unwrap_or(0), || None);
    for item in found? {
        let at = usize::try_from(item.frame()).unwrap_or(usize::MAX);
        if let Some(slot) = out.get_mut(at) {
            *slot = Some(Box::new(item));
        }
    }
    Ok(out)
}

fn name_of(path: &Path) -> String {
    let real = std::fs::canonicalize(path);
    let real = real.as_deref().unwrap_or(path);
    real.file_name().map_or_else(|| real.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// A file of the folder by a name from the manifest, which may not lead out of it.
fn in_folder(out: &Path, name: &str) -> Result<Found<RouteFile>, MetricsError> {
    let plain = Path::new(name).file_name().is_some_and(|n| n == name);
    if !plain {
        return Ok(Err(format!("the manifest names the route `{name}`, which is no file of the output")));
    }
    route_file(&out.join(name))
}

fn route_file(path: &Path) -> Result<Found<RouteFile>, MetricsError> {
    let found = bytes(path)?;
    Ok(found
        .map(|bytes| RouteFile { name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes }))
}

fn bytes(path: &Path) -> Result<Found<Vec<u8>>, MetricsError> {
    let unreadable = |why: String| MetricsError::Unreadable { path: path.to_owned(), why, remedy: NOT_PLAIN };
    let file = match ordinary::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Err(missing(path))),
        Err(e) => return Err(unreadable(e.to_string())),
    };
    let mut out = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut out).map_err(|e| unreadable(e.to_string()))?;
    if out.len() as u64 > MAX_FILE {
        return Err(unreadable(format!("it is larger than {} MB", MAX_FILE >> 20)));
    }
    Ok(Ok(out))
}

fn missing(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let hint = if name.ends_with(".jsonl") { " (rendered without evidence?)" } else { "" };
    format!("no {name}{hint}")
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<Found<T>, MetricsError> {
    let bytes = match bytes(path)? {
        Ok(bytes) => bytes,
        Err(why) => return Ok(Err(why)),
    };
    let value = serde_json::from_slice(&bytes);
    let bad =
        |e: serde_json::Error| MetricsError::Unreadable { path: path.to_owned(), why: e.to_string(), remedy: BROKEN };
    value.map(Ok).map_err(bad)
}

/// A JSON value a line. A last line without its end is a torn one of a killed render, and left out.
fn lines<T: DeserializeOwned + Framed>(path: &Path) -> Result<Found<Vec<T>>, MetricsError> {
    let unreadable =
        |e: std::io::Error| MetricsError::Unreadable { path: path.to_owned(), why: e.to_string(), remedy: NOT_PLAIN };
    let file = match ordinary::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Err(missing(path))),
        Err(e) => return Err(unreadable(e)),
    };
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let (mut out, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        let bad = |why: String| MetricsError::BadLine { path: path.to_owned(), line: number, why };
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read as u64 == MAX_LINE {
            return Err(bad(format!("it is longer than {MAX_LINE} bytes")));
        }
        if line.last() != Some(&b'\n') {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let value: T = serde_json::from_slice(&line).map_err(|e| bad(e.to_string()))?;
        if value.frame() >= MAX_FRAMES.min(out.len() as u64 + MAX_GAP) {
            return Err(bad(format!("frame {} comes after {} lines", value.frame(), out.len())));
        }
        out.push(value);
    }
    Ok(Ok(out))
}
