//! `metrics.json`: a [`Metrics`]; its schema is `schema/metrics.schema.json`.

use serde::{Deserialize, Serialize};

use crate::evidence::pose::NoCamera;
use crate::evidence::up::Up;
use crate::rules::RuleResult;

/// The JSON schema of [`Metrics`], draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/metrics.schema.json");

/// A value, or why there is none. In JSON either the value's object or `{"not_measured": "why"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Measured<T> {
    Not { not_measured: String },
    Yes(T),
}

impl<T> Measured<T> {
    pub fn not(why: impl Into<String>) -> Self {
        Self::Not { not_measured: why.into() }
    }

    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Yes(value) => Some(value),
            Self::Not { .. } => None,
        }
    }

    /// Why there is no value.
    pub fn why(&self) -> Option<&str> {
        match self {
            Self::Yes(_) => None,
            Self::Not { not_measured } => Some(not_measured),
        }
    }
}

impl<T> From<Result<T, String>> for Measured<T> {
    fn from(result: Result<T, String>) -> Self {
        result.map_or_else(Self::not, Self::Yes)
    }
}

/// Everything measured of one output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Version of this format.
    pub format: u32,
    pub run: Run,
    pub evidence: Evidence,
    pub camera: Measured<Camera>,
    pub smoothness: Smoothness,
    pub route: Measured<Route>,
    pub take_off: Measured<TakeOff>,
    pub collision: Measured<Collision>,
    pub scene: Measured<Scene>,
    pub procedural: Measured<Procedural>,
    pub determinism: Measured<Determinism>,
    pub cost: Measured<Cost>,
    /// Name of the rules below.
    pub profile: String,
    /// No rule failed, and the evidence is what the render wrote, and whole. What was not measured did not fail.
    pub ok: bool,
    pub rules: Vec<RuleResult>,
    /// What a reader of the numbers should know.
    pub notes: Vec<String>,
}

/// What was measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The output folder's name.
    pub name: String,
    pub frames: u64,
    /// Exact, e.g. `30000/1001`.
    pub fps: String,
    /// Seconds.
    pub duration: f64,
    /// Does the output hold every frame that was asked for? `None` without a manifest.
    pub complete: Option<bool>,
    pub engine: Option<String>,
    pub three: Option<String>,
    pub adapter: Option<String>,
    pub frames_sha256: Option<String>,
    /// Metres in a scene unit, as set.
    pub metres_per_unit: f64,
    /// The axis of the scene that is up.
    #[serde(default)]
    pub up: Up,
}

/// Are the files that were measured the ones that the render wrote, and whole?
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Nothing below is wrong; `None` if nobody knows, for want of hashes.
    pub ok: Option<bool>,
    /// `manifest.json` or `SHA256SUMS` has the SHA-256 of each file.
    pub hashed: bool,
    /// Files that are not what the render wrote, the video and its pictures included; some with what is wrong in brackets.
    pub changed: Vec<String>,
    /// Files that the render wrote and that are gone.
    pub missing: Vec<String>,
    /// Files that were not written by the render.
    pub added: Vec<String>,
    /// Files that lack lines of some frames, and how many.
    pub cut: Vec<String>,
    /// Did the render end? `None` without a manifest.
    pub complete: Option<bool>,
}

/// In how many frames the camera behind the picture is known, and what speaks against its way being the flight's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Camera {
    /// Frames with a pose.
    pub frames: u64,
    /// Those whose camera is known.
    pub known: u64,
    /// Why it is not in the others, most frequent first.
    pub no_camera: Vec<NoCameraFrames>,
    /// Frames in which the camera stands still, and all solid things that it shows move as one body.
    pub world_moves: u64,
    /// The same, as a share of `known`.
    pub world_moves_share: f64,
    /// Frames that several cameras share: split screens, pictures in the picture, and those of `overlaid`.
    pub several: u64,
    /// Frames over the whole of which several cameras drew in different poses: what hides what is not known.
    pub overlaid: u64,
    /// The same, as a share of `known`.
    pub overlaid_share: f64,
    /// Frames whose picture is that of the frame before to the last bit, although the camera moved.
    pub stalled: u64,
    /// The same, as a share of `known`.
    pub stalled_share: f64,
    /// Pairs of frames, at most two a second, whose pictures told how what stands still moves in them.
    pub looks: u64,
    /// Those in which it is elsewhere than the camera's matrices put it.
    pub against: u64,
    /// The same, as a share of `looks`; 0 where they are too few to tell.
    pub against_share: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoCameraFrames {
    /// As in `poses.jsonl`.
    pub why: NoCamera,
    pub frames: u64,
    /// In words.
    pub means: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Smoothness {
    pub camera: Measured<Motion>,
    pub drone: Measured<Motion>,
}

/// How something moved. Shots are measured apart: no difference is taken across a cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Frames in which it was there.
    pub frames: u64,
    /// Frames with which another shot begins, the first one left out.
    pub cuts: Vec<u64>,
    /// Metres, without the jumps.
    pub path_length: f64,
    /// Mean speed, m/s: path length over time, the path being the chords from frame to frame.
    pub mean_speed: f64,
    /// Mean speed, km/h.
    pub mean_speed_kmh: f64,
    /// Greatest speed, km/h: of the frames' velocities and the chords between them, so never below the mean.
    pub peak_speed_kmh: Option<f64>,
    /// m/s
    pub speed: Option<Stat>,
    /// m/s²
    pub acceleration: Option<Stat>,
    /// m/s³
    pub jerk: Option<Stat>,
    /// °/s
    pub angular_speed: Option<Stat>,
    /// °/s²
    pub angular_acceleration: Option<Stat>,
    /// °/s³
    pub angular_jerk: Option<Stat>,
    /// Log dimensionless jerk: mean over the shots, weighted by their length. The nearer to 0 the smoother.
    pub log_dimensionless_jerk: Option<f64>,
    pub angular_log_dimensionless_jerk: Option<f64>,
    /// Spectral arc length (SPARC): mean over the shots, weighted by their length. The nearer to 0 the smoother.
    pub spectral_arc_length: Option<f64>,
    pub angular_spectral_arc_length: Option<f64>,
    pub noise: Noise,
    pub shots: Vec<Shot>,
}

/// Of a series; all of magnitudes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stat {
    pub mean: f64,
    pub rms: f64,
    /// 95th percentile, linear between ranks.
    pub p95: f64,
    pub peak: f64,
    /// Frame of the peak.
    pub peak_frame: u64,
}

/// What the rounding of the positions alone would show as motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Grid of the positions, metres: float32's where every coordinate is one, else float64's.
    pub resolution: f64,
    /// The positions are float32.
    pub single_precision: bool,
    /// RMS, m/s², of a body at rest whose coordinates are rounded to that grid at random.
    pub acceleration: f64,
    /// The same, m/s³.
    pub jerk: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shot {
    /// First and last frame.
    pub first: u64,
    pub last: u64,
    /// Metres.
    pub path_length: f64,
    /// RMS, m/s³; `None` in a shot of less than five frames.
    pub jerk_rms: Option<f64>,
    /// `None` where nothing moves or the shot is too short.
    pub log_dimensionless_jerk: Option<f64>,
    pub spectral_arc_length: Option<f64>,
}

/// How the flight follows the route. Horizontal distances, in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The route's file.
    pub file: String,
    /// `gpx`, `geojson`, `kml` or `csv`.
    pub kind: String,
    /// Metres.
    pub length: f64,
    pub waypoints: u64,
    pub georeference: Georeference,
    /// Whose path `flight` is: `drone` if it was seen, else `camera`.
    pub of: String,
    /// The path the rules look at.
    pub flight: Flight,
    /// The camera's path, where `flight` is the drone's.
    pub camera: Option<Flight>,
    /// What speaks against its being this flight's route, or against how it lies on the map.
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// How the scene lies on the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Georeference {
    pub kind: GeoreferenceKind,
    /// In words, with what it hides.
    pub note: String,
    /// Latitude, longitude and height of the scene's origin; `None` for a route in scene coordinates.
    pub origin: Option<[f64; 3]>,
    /// Compass bearing of the scene's −z axis, degrees.
    pub heading: f64,
    /// Metres in a scene unit.
    pub scale: f64,
    /// RMS distance, in metres, of the matched points of a fit.
    pub residual: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GeoreferenceKind {
    /// By `[route]` of the settings or by flags.
    Given,
    /// The similarity that fits the flight best.
    Fitted,
    /// The route is in scene coordinates.
    Scene,
}

/// One path against the route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// Distance from the path to the route, all frames.
    pub cross_track: Stat,
    /// The same from the first frame to the furthest one along the route: a last shot that leaves the route is not in.
    pub cross_track_followed: Stat,
    /// The first frame whose place along the route, as a length of the route from its start, is the furthest of all frames'
    /// (to a millimetre: who hovers there has arrived). Hausdorff and Fréchet distance are of the flight until it.
    pub furthest_frame: u64,
    /// Share of the route's length between the least and the furthest point reached.
    pub flown_share: f64,
    /// Metres flown back along the route, until the furthest point.
    pub backward: f64,
    /// `backward` is under 1 % of the route.
    pub monotone: bool,
    /// Radius of `passed`, metres.
    pub waypoint_radius: f64,
    pub passed: u64,
    pub passed_share: f64,
    /// Waypoints passed in the route's order: the longest such sequence.
    pub passed_in_order: u64,
    /// Numbers, from 0, of those that were not passed.
    pub missed: Vec<u64>,
    /// Greatest distance from a point of either line to the other, metres.
    pub hausdorff: f64,
    /// From the path to the route, and from the route to the path.
    pub hausdorff_directed: [f64; 2],
    /// Discrete Fréchet distance, both lines cut into pieces no longer than `frechet_step`.
    pub frechet: f64,
    pub frechet_step: f64,
    /// Height above the route's own heights: mean and RMS around the mean; `None` if the route has none.
    pub above_route: Option<[f64; 2]>,
    /// Height above the ground, metres: least, mean, greatest; `None` without `clearance.jsonl`.
    pub above_ground: Option<Range>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    pub min: f64,
    pub mean: f64,
    pub max: f64,
}

/// The start of the flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakeOff {
    /// Whose start: `drone` if it was seen, else `camera`.
    pub of: String,
    /// Height above the ground in the first frame, metres; `None` if the ground was not measured.
    pub start_height: Option<f64>,
    /// Seconds at the start that a take-off may take.
    pub window: f64,
    /// Seconds that `rise` was looked for: of the window, what lies in the first shot.
    pub seconds: f64,
    /// What ended it.
    pub until: Until,
    /// Greatest height in these seconds above the height in the first frame, metres.
    pub rise: f64,
    /// First frame of these seconds at least half a metre above the first.
    pub lift_off_frame: Option<u64>,
    /// What "in view" means here, in words: what was tested.
    pub in_view_means: String,
    /// Share of the frames with the drone in view.
    pub drone_in_view: Measured<f64>,
    /// The same within the window, other shots included.
    pub drone_in_view_at_start: Measured<f64>,
    /// Share of the picture that its box covers, where it is in view.
    pub drone_screen_area: Measured<Range>,
}

/// What ends the look at the take-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    Window,
    /// The camera is cut, or what rises is put elsewhere.
    Cut,
    /// The film is shorter.
    Film,
}

/// Frames by verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collision {
    /// Frames looked at.
    pub frames: u64,
    /// Passed through, inside or glued.
    pub colliding: u64,
    pub colliding_share: f64,
    pub passed_through: u64,
    pub inside: u64,
    pub glued: u64,
    pub near: u64,
    pub clear: u64,
    /// Frames of which nobody knows, or not all.
    pub unknown: u64,
    /// Nearest distance to a solid surface, metres: least, mean, greatest over the frames that have one.
    pub distance: Option<Range>,
    /// Gravest first, then by frame.
    pub ranges: Vec<ContactRange>,
    /// What was collided with: name and frames, most first.
    pub objects: Vec<(String, u64)>,
    /// Frames in which something was touched, or gone through, that counts for nothing because of its name.
    pub waived_frames: u64,
    /// Which, by frame.
    pub waived: Vec<WaivedRange>,
    /// Cuts that go straight on, in the direction of flight, through something solid. They are no collisions.
    pub cuts_through: Vec<CutThrough>,
    /// How many these are.
    #[serde(default)]
    pub cuts_through_count: u64,
    /// Jumps through something solid in a flight that goes on: each is a frame passed through.
    pub hops: Vec<Hop>,
    pub untested: Untested,
}

/// A jump that is no cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// To which it led.
    pub frame: u64,
    /// Metres.
    pub length: f64,
}

/// Draws that nothing was held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untested {
    /// Frames with such draws that look solid.
    pub solid_frames: u64,
    /// By kind, those there are.
    pub kinds: Vec<UntestedKind>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UntestedKind {
    /// As in `clearance.jsonl`: sprites, points, lines, faint, direct, unreadable, turning.
    pub kind: String,
    /// Triangles that leave depth: what they are may be touched.
    pub solid: bool,
    /// In all frames together.
    pub draws: u64,
    pub frames: u64,
    /// The frame with the most, and how many.
    pub worst_frame: u64,
    pub worst_draws: u64,
}

/// Frames in a row in which an object was touched that may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaivedRange {
    pub object: String,
    /// What it would be: passed through or glued.
    pub verdict: crate::evidence::clearance::Contact,
    pub first: u64,
    pub last: u64,
    /// Least distance, metres.
    pub distance: f64,
    /// Which name lets it be touched.
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutThrough {
    /// With which the shot behind it begins.
    pub frame: u64,
    pub object: String,
}

/// Frames in a row with one verdict other than clear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactRange {
    pub verdict: crate::evidence::clearance::Contact,
    /// What tells that the camera is inside.
    pub inside_by: Option<crate::evidence::clearance::InsideBy>,
    pub first: u64,
    pub last: u64,
    /// Least distance in it, metres.
    pub distance: Option<f64>,
    pub objects: Vec<String>,
}

/// How much was drawn, per frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    pub frames: u64,
    pub triangles: Range,
    pub draws: Range,
    pub instances: Range,
    pub lines: Range,
    pub points: Range,
    pub vertices: Range,
    /// Of the camera behind the picture alone.
    pub camera_triangles: Range,
    pub camera_draws: Range,
    pub render_calls: Range,
    pub lights: Range,
    pub programs: Range,
    pub textures: Range,
    pub texture_bytes: Range,
    pub buffers: Range,
    pub buffer_bytes: Range,
    pub pedestrians: Range,
    /// In view: shown, in the picture, on a layer of the camera's, opaque and large enough.
    pub pedestrians_visible: Range,
    /// Of these, those of whom nothing solid hides a part at least: an estimate in one frame a second.
    pub pedestrians_unhidden: Measured<Range>,
    /// Those whose matrices moved them.
    pub pedestrians_moving: Range,
    /// The same with those that stand by their matrices, but are skinned, morphed or have a shader of their own, which may move
    /// them otherwise.
    pub pedestrians_perhaps_moving: Range,
    /// Share of the frames that show a pedestrian.
    pub frames_with_pedestrians: f64,
}

/// Does all that is seen come from the program's own code?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Procedural {
    /// Neither assets, nor attempts to load any, nor network addresses (`evidence::meta::Loaded::procedural`).
    pub procedural: bool,
    /// Files read, by kind, most bytes first.
    pub files: Vec<FileKind>,
    /// `data:` and `blob:` addresses by media type: bytes that the program itself holds or made. A picture written into
    /// the code is one of these.
    pub own: Vec<FileKind>,
    /// Files read that hold pictures, models, sound, film, fonts or what else is no code and no plain data.
    pub assets: u64,
    pub asset_paths: Vec<String>,
    /// Network addresses asked for, all blocked.
    pub network_attempts: u64,
    pub network: Vec<String>,
    /// Addresses asked for that do not exist.
    pub missing: u64,
    pub missing_paths: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileKind {
    /// As in `render_meta.json`: `script`, `json`, `image`, `model`, …; or a media type.
    pub kind: String,
    pub files: u64,
    pub bytes: u64,
}

/// What `replay repeat` found of this very render.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Determinism {
    pub deterministic: bool,
    pub runs: u64,
    /// The first thing that differed.
    pub difference: Option<String>,
}

/// What the render took. Of one process on one machine: differs from run to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Seconds.
    pub wall: f64,
    /// Seconds a frame, the load left out.
    pub wall_per_frame: Option<f64>,
    /// Seconds of all threads: user and system.
    pub cpu: Measured<CpuTime>,
    /// Most memory resident at once.
    pub peak_memory: Measured<Bytes>,
    pub gpu: Measured<GpuTime>,
    pub energy: Measured<Energy>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CpuTime {
    pub user: f64,
    pub system: f64,
    pub total: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    pub bytes: u64,
}

/// By the adapter's own timestamps; on a driver that draws on the processor these are its stretches of drawing there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuTime {
    /// Of the whole render.
    pub seconds: f64,
    /// Milliseconds a frame.
    pub frame: Option<Stat>,
    /// What is to be known of it; empty if nothing.
    pub note: String,
}

/// Of the whole machine while the render ran, as RAPL counts it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Joules of the packages (sockets), with what else ran on them.
    pub joules: f64,
    /// Mean watts.
    pub watts: f64,
    /// Each counter: name and joules.
    pub domains: Vec<(String, f64)>,
}
