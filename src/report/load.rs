//! A run as it lies on disk, read for its page.

#![expect(clippy::disallowed_methods, reason = "an output the user named")]

use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::map::ortho::{Ortho, View};
use super::map::{Embedded, Ground, relief};
use super::page::{Cell, Measured, Sources, Video, data_url};
use super::sheet::{self, Settings};
use super::{Format, ReportError};
use crate::evidence::pose::{Flag, Pose};
use crate::evidence::topdown::{About, HeightMap};
use crate::evidence::up::turn;
use crate::evidence::{Manifest, ordinary, partial};
use crate::metrics;
use crate::metrics::record::Evidence;
use crate::verify::{FrameTimes, Picture, Profile, Source, VerifyError};

/// Most bytes of a JSON file that are read.
const MOST_JSON: u64 = 512 << 20;
/// Most bytes of `console.log` that are read.
const MOST_CONSOLE: u64 = 1 << 20;
/// Most bytes of a video that goes into the page.
pub const MOST_EMBEDDED: u64 = 64 << 20;
/// Of the pictures in the page.
const QUALITY: u8 = 82;
/// Pixels across.
const CELL: u32 = 240;

/// How to make the page.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The folder's name if absent.
    pub title: Option<String>,
    /// Where the page will lie; beside the video if absent.
    pub page: Option<PathBuf>,
    /// What the video is held against; prague-bench if absent.
    pub profile: Option<Profile>,
    /// What the flight is held against; prague-bench if absent.
    pub flight: Option<metrics::Profile>,
    /// What is given for the flight beside the folder.
    pub given: metrics::Overrides<'a>,
    /// Put the video into the page.
    pub embed: bool,
    /// Tint the map's ground with the colours of the film.
    pub film_colors: bool,
    /// Leave the pictures of the sheet out.
    pub no_pictures: bool,
}

/// Reads an output folder, or a video alone.
///
/// # Errors
/// There is no output, or the video is too large to embed.
pub fn load(out: &Path, options: &Options<'_>) -> Result<Sources, ReportError> {
    if let Some(remedy) = partial::unended(out) {
        return Err(ReportError::Unended { path: out.to_owned(), remedy });
    }
    let folder = if out.is_dir() { out } else { out.parent().unwrap_or(Path::new("")) };
    let alone = !out.is_dir();
    let json = |name: &str, remedy: &str| match alone {
        true => alone_has_none(),
        false => read_json(&folder.join(name), remedy),
    };
    let manifest = json("manifest.json", "it was not rendered by replay");
    let Flight { metrics, series, mut evidence, doubts, remarks } = match alone {
        true => Flight { metrics: alone_has_none(), series: alone_has_none(), ..Flight::default() },
        false => flight(folder, options),
    };
    let timing = json("timing.json", "it was not rendered by replay");
    // A film whose pictures can't be taken (AV1, a damaged one) is still played, judged and plotted.
    let opened = Source::open(out);
    // An output whose film is gone still has a page, with an alarm.
    let opened = match opened {
        Err(e @ (VerifyError::Missing { .. } | VerifyError::NotOurs { .. })) if evidence.complaints().is_empty() => {
            return Err(e.into());
        }
        opened => opened,
    };
    let mut source = opened.map_err(|e| e.to_string());
    let file = video_file(out, manifest.as_ref().ok());
    let profile = options.profile.clone().or_else(|| Profile::built_in("prague-bench")).unwrap_or_else(Profile::none);
    let verified = crate::verify::verify(out, &profile);
    let verify = match verified {
        // There is nothing else to tell of.
        Err(e @ VerifyError::Unreadable { .. }) if alone => return Err(e.into()),
        Err(e) => Err(e.to_string()),
        Ok(report) => serde_json::to_value(report).map_err(|e| e.to_string()),
    };
    let rate = rate(manifest.as_ref().ok(), &verify);
    let measured_size = verify.as_ref().ok().and_then(|v| {
        let of = |kind: &str, name: &str| v.pointer(&format!("/{kind}/{name}")).and_then(Value::as_u64);
        let side = |name: &str| of("video", name).or_else(|| of("pictures", name));
        Some((u32::try_from(side("width")?).ok()?, u32::try_from(side("height")?).ok()?))
    });
    let (cells, size) = match &mut source {
        _ if options.no_pictures => (Err("left out".to_owned()), None),
        Err(why) => (Err(why.clone()), None),
        Ok(source) => cells(out, source),
    };
    let poses = match alone {
        true => alone_has_none(),
        false => read_poses(&folder.join("poses.jsonl")).map(|poses| upright(folder, poses)),
    };
    let expected = manifest.as_ref().ok().and_then(|m| m.get("frames")).and_then(Value::as_array).map_or(0, Vec::len);
    if let (Ok(poses), Some(true)) = (&poses, evidence.complete)
        && poses.len() < expected
    {
        // Whoever measured may have said so.
        let cut = format!("poses.jsonl ({} of {expected} frames)", poses.len());
        if !evidence.cut.contains(&cut) {
            evidence.cut.push(cut);
        }
        evidence.settle();
    }
    let metre = manifest.as_ref().ok().and_then(|m| m.pointer("/settings/evidence/metres_per_unit"));
    let metre = metre.and_then(Value::as_f64).filter(|m| *m > 0.0).map_or(1.0, |m| 1.0 / m);
    let ground = match &poses {
        Ok(poses) if !alone && options.film_colors => ground(folder, |map, relief| match &mut source {
            Ok(source) => tint(map, &relief, source, poses, (rate, metre)),
            Err(_) => relief,
        }),
        Ok(_) if !alone => ground(folder, |_, relief| relief),
        _ => None,
    };
    let (camera, drone) = match poses {
        Ok(poses) => (Ok(poses.iter().map(camera_place).collect()), poses.iter().map(drone_place).collect()),
        Err(why) => (Err(why), Vec::new()),
    };
    Ok(Sources {
        title: options.title.clone().unwrap_or_else(|| name_of(out)),
        frames: frames(source.as_ref().ok(), manifest.as_ref().ok(), &verify),
        rate,
        evidence,
        doubts,
        remarks,
        video: video(file.as_deref(), size.or(measured_size), manifest.as_ref().ok(), options)?,
        verify,
        metrics,
        series,
        manifest,
        timing,
        camera,
        drone,
        ground,
        cells,
        console: if alone { String::new() } else { read_text(&folder.join("console.log"), MOST_CONSOLE) },
    })
}

fn alone_has_none<T>() -> Measured<T> {
    Err("a video alone was given, not the folder of a run".to_owned())
}

/// The numbers of a flight, and how far they can be trusted.
struct Flight {
    metrics: Measured<Value>,
    series: Measured<Value>,
    evidence: Evidence,
    doubts: Vec<String>,
    remarks: Vec<String>,
}

impl Default for Flight {
    fn default() -> Self {
        let none = || Err("not measured".to_owned());
        Self { metrics: none(), series: none(), evidence: Evidence::default(), doubts: Vec::new(), remarks: Vec::new() }
    }
}

/// Measured now: `metrics.json`, which anybody may have edited, is only compared.
fn flight(folder: &Path, options: &Options<'_>) -> Flight {
    let built_in = || metrics::Profile::built_in("prague-bench").unwrap_or_else(metrics::Profile::none);
    let profile = options.flight.clone().unwrap_or_else(built_in);
    let input = match metrics::Input::read(folder, &options.given) {
        Ok(input) => input,
        Err(e) => {
            let manifest = Manifest::read(folder);
            let evidence =
                metrics::check_evidence(folder, manifest.as_ref().map(Option::as_ref).map_err(String::as_str));
            return Flight { metrics: Err(e.to_string()), series: Err(e.to_string()), evidence, ..Flight::default() };
        }
    };
    let evidence = input.integrity.clone();
    match metrics::measure(&input, &profile) {
        Ok((metrics, series)) => {
            let metrics = serde_json::to_value(metrics).map_err(|e| e.to_string());
            let series = serde_json::to_value(series).map_err(|e| e.to_string());
            let stale = metrics.as_ref().ok().and_then(|m| stale(folder, m));
            let (remarks, doubts) = match stale {
                None => (Vec::new(), Vec::new()),
                Some(Ok(remark)) => (vec![remark], Vec::new()),
                Some(Err(doubt)) => (Vec::new(), vec![doubt]),
            };
            Flight { metrics, series, evidence, doubts, remarks }
        }
        Err(e) => Flight { metrics: Err(e.to_string()), series: Err(e.to_string()), evidence, ..Flight::default() },
    }
}

/// Sections of `metrics.json` that no setting of `metrics` changes.
const SETTLED: [&str; 7] = ["run", "camera", "smoothness", "collision", "scene", "procedural", "cost"];
/// Those that a profile, a route or a `repeat.json` given with it changes, and with them the verdicts.
const SET: [&str; 4] = ["profile", "route", "take_off", "determinism"];

/// What `metrics.json` in the folder says otherwise than `now`, if there is one: as a doubt, or, where other settings than
/// this page's may be why, as a remark.
fn stale(folder: &Path, now: &Value) -> Option<Result<String, String>> {
    let path = folder.join("metrics.json");
    if !path.exists() {
        return None;
    }
    // Both by way of text, so that the same numbers are the same.
    let now: Value = serde_json::from_str(&now.to_string()).ok()?;
    let shown = "this page shows what was measured now";
    let mut stored = match read_json(&path, "") {
        Ok(stored) => stored,
        Err(why) => return Some(Err(format!("{why}; {shown}"))),
    };
    // A folder may have been renamed since.
    if let (Some(name), Some(real)) = (stored.pointer_mut("/run/name"), now.pointer("/run/name")) {
        *name = real.clone();
    }
    let first = |sections: &[&str]| {
        let of = |document: &Value, name: &str| document.get(name).cloned().unwrap_or_default();
        sections.iter().find_map(|name| difference(&of(&stored, name), &of(&now, name), &format!("{name}.")))
    };
    let edited = |place: String| {
        format!("metrics.json: NOT WHAT MEASURING GIVES ({place}): edited, or of another version; {shown}")
    };
    if let Some(place) = first(&SETTLED) {
        return Some(Err(edited(place)));
    }
    match first(&SET) {
        Some(place) => Some(Ok(format!("metrics.json was made with other settings, or edited ({place}); {shown}"))),
        None => first(&["rules", "ok"]).map(|place| Err(edited(place))),
    }
}

/// The first place in which two documents differ, and how.
fn difference(stored: &Value, now: &Value, at: &str) -> Option<String> {
    let short = |value: &Value| value.to_string().chars().take(60).collect::<String>();
    match (stored, now) {
        (Value::Object(a), Value::Object(b)) => {
            let lost = a.keys().find(|key| !b.contains_key(*key)).map(|key| format!("{at}{key} is no number of it"));
            lost.or_else(|| {
                b.iter().find_map(|(key, now)| match a.get(key) {
                    Some(stored) => difference(stored, now, &format!("{at}{key}.")),
                    None => Some(format!("{at}{key} is not there")),
                })
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(n, (a, b))| difference(a, b, &format!("{at}{n}.")))
        }
        _ if stored == now => None,
        _ => Some(format!("{} is {}, measured {}", at.trim_end_matches('.'), short(stored), short(now))),
    }
}

fn read_json(path: &Path, remedy: &str) -> Measured<Value> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = ordinary::open(path).map_err(|_| format!("{name} is not there: {remedy}"))?;
    let mut text = Vec::new();
    file.take(MOST_JSON).read_to_end(&mut text).map_err(|e| format!("{name} cannot be read: {e}"))?;
    serde_json::from_slice(&text).map_err(|e| format!("{name} cannot be read: {e}"))
}

fn read_text(path: &Path, most: u64) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = ordinary::open(path) {
        // What cannot be read is as good as not there: the console is a courtesy.
        let _ = file.take(most).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn read_poses(path: &Path) -> Measured<Vec<Pose>> {
    if !path.is_file() {
        return Err("poses.jsonl is not there: render with evidence".to_owned());
    }
    let text = read_text(path, MOST_JSON);
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|e| format!("poses.jsonl, line {}: {e}", number + 1))
    };
    text.lines().enumerate().map(line).collect()
}

/// The poses in the scene turned so that y is up, as the map's ground and route are.
fn upright(folder: &Path, mut poses: Vec<Pose>) -> Vec<Pose> {
    let meta = read_json(&folder.join("render_meta.json"), "");
    let axis = meta.ok().and_then(|meta| serde_json::from_value(meta.pointer("/up/axis")?.clone()).ok());
    poses.iter_mut().for_each(|pose| turn(axis.unwrap_or_default(), pose));
    poses
}

/// What the picture shows; where the objects tell otherwise, the matrices that drew it count.
fn camera_place(pose: &Pose) -> Option<[f64; 3]> {
    let objects = pose.camera.as_ref().map(|camera| camera.position);
    let drawn = pose.gpu.as_ref().map(|camera| camera.position);
    let disagree = pose.flags.contains(&Flag::SourcesDisagree);
    let place = if disagree { drawn.or(objects)? } else { objects.or(drawn)? };
    place.iter().all(|v| v.is_finite()).then_some(place)
}

fn drone_place(pose: &Pose) -> Option<[f64; 3]> {
    let place = pose.drone.as_ref()?.position;
    place.iter().all(|v| v.is_finite()).then_some(place)
}

fn name_of(out: &Path) -> String {
    let whole = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    whole.file_name().map_or_else(|| "replay".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn video_file(out: &Path, manifest: Option<&Value>) -> Option<PathBuf> {
    if !out.is_dir() {
        return Some(out.to_owned());
    }
    // A name, not a way out of the folder.
    let named = manifest.and_then(|m| m.pointer("/video/file")).and_then(Value::as_str);
    let named = named.filter(|name| !name.is_empty() && !name.contains(['/', '\\']));
    let names = named.into_iter().chain(["video.mp4", "video.incomplete.mp4"]);
    names.map(|name| out.join(name)).find(|path| path.is_file())
}

/// Of what can be opened as many as there are, else as many as the file or the manifest tells.
fn frames(source: Option<&Source>, manifest: Option<&Value>, verify: &Measured<Value>) -> u64 {
    let file = || verify.as_ref().ok()?.pointer("/video/presented_frames")?.as_u64();
    let manifest = || Some(manifest?.get("frames")?.as_array()?.len() as u64);
    source.map(Source::len).or_else(file).or_else(manifest).unwrap_or(0)
}

/// Frames a second, from the manifest or the file itself.
fn rate(manifest: Option<&Value>, verify: &Measured<Value>) -> (u32, u32) {
    let manifest = || {
        let rate: crate::frame::FrameRate = serde_json::from_value(manifest?.pointer("/settings/fps")?.clone()).ok()?;
        Some((rate.num(), rate.den()))
    };
    let file = || {
        let exact = verify.as_ref().ok()?.pointer("/video/frame_rate/exact/exact")?.as_str()?;
        let rate: crate::frame::FrameRate = exact.parse().ok()?;
        Some((rate.num(), rate.den()))
    };
    manifest().or_else(file).unwrap_or((30, 1))
}

fn video(
    file: Option<&Path>,
    size: Option<(u32, u32)>,
    manifest: Option<&Value>,
    options: &Options<'_>,
) -> Result<Measured<Video>, ReportError> {
    let Some(file) = file else { return Ok(Err("this run is a sequence of pictures, without a video".to_owned())) };
    let said = |key: &str| {
        let value = manifest?.pointer(&format!("/settings/{key}"))?.as_u64()?;
        u32::try_from(value).ok()
    };
    let size = size.or_else(|| said("width").zip(said("height")));
    let source = if options.embed {
        let bytes = fs::metadata(file).map_or(0, |m| m.len());
        if bytes > MOST_EMBEDDED {
            return Err(ReportError::EmbedTooLarge { bytes, limit: MOST_EMBEDDED });
        }
        let bytes = fs::read(file).map_err(|source| ReportError::Unreadable { path: file.to_owned(), source })?;
        data_url("video/mp4", &bytes)
    } else {
        let page = options.page.as_deref().and_then(Path::parent).unwrap_or_else(|| file.parent().unwrap_or(file));
        address(page, file)
    };
    Ok(Ok(Video { source, size }))
}

/// `file` as a relative address in a page that lies in `page`.
fn address(page: &Path, file: &Path) -> String {
    let here = |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() };
    let whole = |path: &Path| fs::canonicalize(here(path)).unwrap_or_else(|_| path.to_owned());
    let (page, file) = (whole(page), whole(file));
    let (from, to): (Vec<Component>, Vec<Component>) = (page.components().collect(), file.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(shared).map(|_| "..".to_owned());
    let down = to.iter().skip(shared).map(|part| {
        let text = part.as_os_str().to_string_lossy().into_owned();
        percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC).to_string().replace("%2E", ".")
    });
    let parts: Vec<String> = up.chain(down).collect();
    // A first part with a colon would read as a scheme; encoded, it cannot have one.
    parts.join("/")
}

type Cells = (Measured<Vec<Cell>>, Option<(u32, u32)>);

/// The pictures of the sheet, and the film's size.
fn cells(out: &Path, source: &mut Source) -> Cells {
    let mut size = None;
    let times = FrameTimes::of(out, source.len());
    let settings = Settings { cell_width: Some(CELL), times, ..Settings::default() };
    let made = sheet::pictures(source, &settings, |shown| {
        size = Some(shown.size);
        let bytes = Format::Jpeg(QUALITY).encode(&shown.picture)?;
        Ok(Cell {
            frame: shown.frame,
            time: shown.time,
            picture: data_url("image/jpeg", &bytes),
            width: shown.picture.width,
            height: shown.picture.height,
        })
    });
    (made.map_err(|e| e.to_string()), size)
}

/// Most frames whose colours go onto the ground.
const VIEWS: u64 = 60;
/// Frames of a film that is quickly decoded whole.
const SHORT: u64 = 600;
/// Of the ground in the page, where it is large: what is small is shown enlarged, and with it the stains of the coding.
const GROUND_QUALITY: u8 = 85;
/// Pixels of a ground that is kept as it is.
const SMALL_GROUND: u32 = 1 << 17;

/// `topdown.png`, which the render wrote, as a relief; `tint` may colour it.
fn ground(folder: &Path, tint: impl FnOnce(&HeightMap, Vec<u8>) -> Vec<u8>) -> Option<Ground> {
    let about: About = serde_json::from_value(read_json(&folder.join("topdown.json"), "").ok()?).ok()?;
    let mut bytes = Vec::new();
    ordinary::open(&folder.join("topdown.png")).ok()?.take(MOST_JSON).read_to_end(&mut bytes).ok()?;
    let map = HeightMap::from_png(&bytes, &about)?;
    let rgba = tint(&map, relief(&map));
    let (width, height) = (map.width as u32, map.height as u32);
    let picture = Picture { width, height, rgba };
    let small = width.saturating_mul(height) <= SMALL_GROUND;
    let (kind, format) = if small { ("image/png", Format::Png) } else { ("image/jpeg", Format::Jpeg(GROUND_QUALITY)) };
    let url = data_url(kind, &format.encode(&picture).ok()?);
    Some(Ground { picture: Embedded { width, height, rgba: picture.rgba, url }, bounds: about.bounds })
}

/// The colours of the film on the ground; `metre` in scene units.
fn tint(
    map: &HeightMap,
    relief: &[u8],
    source: &mut Source,
    poses: &[Pose],
    (rate, metre): ((u32, u32), f64),
) -> Vec<u8> {
    // Of long films every two seconds: there our own videos have a picture that needs no others.
    let key = (2 * u64::from(rate.0) / u64::from(rate.1.max(1))).max(1);
    let even = source.len().div_ceil(VIEWS).max(1);
    let step = if source.len() <= SHORT { even } else { even.next_multiple_of(key) };
    let mut ortho = Ortho::new(map, metre);
    for pose in poses.iter().filter(|pose| pose.frame % step == 0) {
        let Some((view, projection, eye)) = matrices(pose) else { continue };
        // Without its pictures the ground stays a relief.
        let Ok(Some(picture)) = source.picture_at(pose.frame) else { break };
        ortho.add(&View { view, projection, eye, picture: &picture });
    }
    ortho.finish(relief)
}

/// View, projection and eye of the camera that drew the picture.
fn matrices(pose: &Pose) -> Option<([f64; 16], [f64; 16], [f64; 3])> {
    match (&pose.gpu, &pose.camera) {
        (Some(gpu), _) => Some((gpu.view, gpu.projection, gpu.position)),
        (None, Some(camera)) => Some((camera.view, camera.projection, camera.position)),
        (None, None) => None,
    }
}
