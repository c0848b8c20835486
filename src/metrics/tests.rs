//! Whole outputs, made from closed forms.

use std::path::Path;

use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::evidence::sums::{self, SUMS};
use crate::evidence::{frame_list, frames_digest};
use crate::frame::hash::Hash;
use crate::rules::Verdict;
use crate::rules::schema::holds;

const FRAMES: u64 = 600;
/// What a manifest lists, and what else a render writes.
const EVIDENCE: [&str; 5] = ["poses.jsonl", "scene.jsonl", "clearance.jsonl", "render_meta.json", "route.gpx"];
const OTHERS: [&str; 5] = ["manifest.json", "timing.json", "console.log", "frames.sha256", "video.mp4"];
/// Latitude, longitude and height of the scene's origin.
const ORIGIN: [f64; 3] = [50.09, 14.4, 250.0];

/// What stands in the folder.
struct Folder {
    dir: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn lines(&self, name: &str, f: impl Fn(u64) -> Value) {
        let text: String = (0..FRAMES).map(|frame| format!("{}\n", f(frame))).collect();
        self.write(name, &text);
    }

    fn measure(&self) -> Result<(Metrics, Series), MetricsError> {
        self.seal();
        self.measure_as_is()
    }

    fn measure_as_is(&self) -> Result<(Metrics, Series), MetricsError> {
        measure(&Input::read(self.path(), &Overrides::default())?, &Profile::built_in("prague-bench").unwrap())
    }

    fn measured(&self) -> (Metrics, Series) {
        self.measure().unwrap()
    }

    /// Lists what lies there now, as a render does at its end.
    fn seal(&self) {
        let path = self.path().join("manifest.json");
        let Ok(text) = std::fs::read_to_string(&path) else { return };
        let mut manifest: Value = serde_json::from_str(&text).unwrap();
        let hash = |name: &str| Some(Hash::of(&std::fs::read(self.path().join(name)).ok()?));
        let size = |name: &str| std::fs::metadata(self.path().join(name)).map_or(0, |m| m.len());
        let file = |name: &&str| Some(json!({ "path": name, "bytes": size(name), "sha256": hash(name)?.to_string() }));
        let hashes: Vec<Hash> = serde_json::from_value(manifest["frames"].clone()).unwrap();
        manifest["frames_sha256"] = json!(frames_digest(&hashes).to_string());
        manifest["evidence"] = EVIDENCE.iter().filter_map(file).collect();
        self.write("frames.sha256", &frame_list(&hashes));
        self.write("manifest.json", &manifest.to_string());
        let names = EVIDENCE.iter().chain(&OTHERS).filter_map(|name| Some((*name, hash(name)?)));
        self.write(SUMS, &sums::to_text(names));
    }

    fn manifest(&self, settings: &Value) {
        self.write("video.mp4", "film");
        self.write("console.log", "");
        if !self.path().join("timing.json").exists() {
            self.write("timing.json", "{\"total\": 30000, \"load\": 500, \"usage\": null}");
        }
        let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let mut settings = settings.clone();
        settings["fps"] = json!({ "num": 30, "den": 1 });
        let file = |path: &str| json!({ "path": path, "bytes": 10, "sha256": hash });
        let manifest = json!({
            "format": 1, "complete": true, "error": null,
            "engine": { "name": "replay", "version": "0", "v8": "1", "three": "186" },
            "adapter": { "vendor": "v", "renderer": "r", "driver": "d" },
            "settings": settings,
            "page": { "missing": [], "blocked": [] },
            "files": [file("main.js"), file("node_modules/three/build/three.module.js"), file("route.json")],
            "frames": pictures().iter().map(Hash::to_string).collect::<Vec<_>>(), "frames_sha256": hash, "unsupported": [], "warnings": [],
            "video": {
                "file": "video.mp4", "sha256": Hash::of(b"film").to_string(), "bytes": 4, "codec": "h264", "width": 2, "height": 2,
                "fps": "30", "frames": FRAMES, "duration": "20", "peak_bits_per_second": 8, "degraded": [], "audio": "silence",
            },
        });
        self.write("manifest.json", &manifest.to_string());
    }
}

/// The drone's flight, 20 s: takes off vertically, then flies a half circle of 80 m at 8 m/s. The camera is 5 m behind.
fn drone(frame: u64) -> DVec3 {
    let t = frame as f64 / 30.0;
    let angle = (8.0 * (t - 4.0).max(0.0) / 80.0).min(std::f64::consts::PI);
    DVec3::new(80.0 * (1.0 - angle.cos()), 0.2 + 3.0 * t.min(4.0), -80.0 * angle.sin())
}

fn pose(frame: u64) -> Value {
    let eye = drone(frame) + DVec3::new(0.0, 1.0, 5.0);
    let q = DQuat::IDENTITY;
    let view = DMat4::from_rotation_translation(q, eye).inverse().to_cols_array();
    json!({
        "frame": frame, "time": frame as f64 / 30.0,
        "camera": { "number": 1, "name": "", "type": "PerspectiveCamera", "position": eye.to_array(), "quaternion": q.to_array(),
            "view": view, "projection": view, "fov": 60.0, "near": 0.1, "far": 1000.0 },
        "gpu": null, "disagreement": null,
        "drone": { "name": "drone", "position": drone(frame).to_array(), "quaternion": q.to_array(), "in_view": frame >= 30,
            "screen": [0.4, 0.4, 0.6, 0.5] },
        "flags": [],
    })
}

fn clearance(frame: u64) -> Value {
    json!({
        "frame": frame, "verdict": if frame == 77 { "glued" } else { "clear" }, "distance": 3.0, "object": "tower",
        "swept_distance": null, "crossings": 0, "depth_nearest": null, "depth_near_share": null, "near_plane_cut": 0,
        "back_faces": null, "pedestrians_unhidden": frame.is_multiple_of(30).then_some(0.5), "ground": 1.0 + drone(frame).y, "drone_ground": drone(frame).y,
    })
}

fn scene(frame: u64) -> Value {
    let work =
        json!({ "draws": 100, "triangles": 5000 + frame, "lines": 0, "points": 0, "instances": 1600, "vertices": 9 });
    json!({
        "frame": frame, "all": work, "camera": work, "render_calls": 2, "lights": 3, "programs": 4, "textures": 5,
        "texture_bytes": 4096, "buffers": 6, "buffer_bytes": 7, "pedestrians": 1600, "pedestrians_visible": frame % 400,
        "pedestrians_moving": 1600,
    })
}

/// The half circle on the map, for a scene whose −z axis has this bearing; `aside` metres to the outside.
fn gpx(heading: f64, aside: f64) -> String {
    let (sin, cos) = heading.to_radians().sin_cos();
    let mut text = "<gpx><trk><trkseg>".to_owned();
    for k in 0..=60 {
        let angle = std::f64::consts::PI * f64::from(k) / 60.0;
        let (x, z) = (80.0 - (80.0 + aside) * angle.cos(), -(80.0 + aside) * angle.sin());
        let (east, north) = (x * cos - z * sin, -x * sin - z * cos);
        // Small distances from the origin, by the radii of curvature of WGS84 there.
        let lat = ORIGIN[0].to_radians();
        let w = (1.0 - 0.006_694_379_990_14 * lat.sin().powi(2)).sqrt();
        let (m, n) = (6_378_137.0 * (1.0 - 0.006_694_379_990_14) / w.powi(3) + 250.0, 6_378_137.0 / w + 250.0);
        let (lat, lon) = (ORIGIN[0] + (north / m).to_degrees(), ORIGIN[1] + (east / (n * lat.cos())).to_degrees());
        text += &format!("<trkpt lat=\"{lat:.9}\" lon=\"{lon:.9}\"><ele>262</ele></trkpt>");
    }
    text + "</trkseg></trk></gpx>"
}

fn meta(axis: &str, from: &str) -> String {
    let loaded = json!({ "kinds": {}, "files": [], "own": {}, "missing": [], "network": [], "procedural": true });
    let range = json!({ "min": 0, "mean": 0, "max": 0 });
    json!({
        "format": 1, "three": "186", "width": 2, "height": 2, "fps": "30", "frames": FRAMES, "scene": {}, "cameras": [],
        "pedestrians": { "total": 0, "visible": range, "moving": range }, "drone": null, "flags": {}, "loaded": loaded,
        "up": { "axis": axis, "from": from },
    })
    .to_string()
}

fn whole(route: &Value, gpx_text: &str) -> Folder {
    let folder = Folder::new();
    folder.manifest(&json!({ "route": route, "evidence": null }));
    folder.lines("poses.jsonl", pose);
    folder.lines("clearance.jsonl", clearance);
    folder.lines("scene.jsonl", scene);
    folder.write("render_meta.json", &meta("y", "default"));
    folder.write("route.gpx", gpx_text);
    folder.write(
        "timing.json",
        "{\"total\": 30000, \"load\": 500, \"usage\": {\"cpu_user\": 40.0, \"cpu_system\": 2.0}}",
    );
    folder
}

/// Each frame's, none like another.
fn pictures() -> Vec<Hash> {
    (0..FRAMES).map(|frame| Hash::of(&frame.to_le_bytes())).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

#[test]
fn a_whole_output() {
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0, "waypoint_radius": 2.5 });
    let folder = whole(&route, &gpx(30.0, 2.0));
    let digest = frames_digest(&pictures());
    folder.write(
        "repeat.json",
        &json!({ "ok": true, "runs": 3, "frames": 600, "difference": null, "frames_sha256": [digest.to_string()] })
            .to_string(),
    );
    let (m, series) = folder.measured();

    let drone = m.smoothness.drone.value().unwrap();
    near(drone.speed.unwrap().peak, 8.0, 1e-2);
    assert_eq!(drone.cuts, Vec::<u64>::new());

    let r = m.route.value().unwrap();
    assert_eq!((r.of.as_str(), r.waypoints, r.kind.as_str()), ("drone", 61, "gpx"));
    near(r.length, std::f64::consts::PI * 82.0, 0.1);
    // 2 m inside of the route, whose chords of 4.3 m bend 3 cm away from the circle.
    near(r.flight.cross_track_followed.rms, 2.0, 0.04);
    near(r.flight.cross_track.peak, 2.0, 0.04);
    near(r.flight.hausdorff_directed[0], 2.0, 0.04);
    // The last frame is at 91.48° of the half circle: 8 m/s for 15.967 s on a radius of 80 m.
    assert_eq!(r.flight.furthest_frame, 599);
    let angle = 8.0 * (599.0 / 30.0 - 4.0) / 80.0;
    near(r.flight.flown_share, angle / std::f64::consts::PI, 1e-3);
    // From there to the route's end, which lies 82 m from the middle.
    let rest = DVec3::new(80.0 * angle.cos() + 82.0, 80.0 * angle.sin(), 0.0).length();
    near(r.flight.hausdorff, rest, 0.01);
    near(r.flight.frechet, rest, 0.01 + r.flight.frechet_step);
    assert!(r.flight.monotone && r.flight.backward < 0.01, "{}", r.flight.backward);
    assert_eq!((r.flight.passed, r.flight.passed_in_order), (31, 31));
    assert_eq!(r.flight.missed, (31..61).collect::<Vec<u64>>());
    assert_eq!(r.georeference.kind, record::GeoreferenceKind::Given);
    // The camera flies 5 m behind in z, and so beside the route.
    assert!(r.camera.as_ref().unwrap().cross_track.peak > 4.0);

    let t = m.take_off.value().unwrap();
    near(t.start_height.unwrap(), 0.2, 1e-12);
    near(t.rise, 12.0, 1e-12);
    // Half a metre is reached in frame 5, but for rounding.
    assert!(matches!(t.lift_off_frame, Some(5 | 6)));
    near(*t.drone_in_view.value().unwrap(), 570.0 / 600.0, 1e-12);
    near(*t.drone_in_view_at_start.value().unwrap(), 271.0 / 301.0, 1e-12);
    near(t.drone_screen_area.value().unwrap().mean, 0.02, 1e-12);

    let c = m.collision.value().unwrap();
    assert_eq!((c.colliding, c.glued, c.clear), (1, 1, 599));
    let s = m.scene.value().unwrap();
    assert_eq!((s.triangles.min, s.triangles.mean, s.triangles.max), (5000.0, 5299.5, 5599.0));
    // Of 399 in view at most, a look a second: frame 390 has the most of those.
    assert_eq!(s.pedestrians_unhidden.value().unwrap().max, 195.0);
    assert!(m.procedural.value().unwrap().procedural);
    assert_eq!(m.determinism.value().unwrap().runs, 3);
    let cost = m.cost.value().unwrap();
    assert_eq!((cost.wall, cost.cpu.value().unwrap().total), (30.0, 42.0));
    assert!(cost.energy.why().is_some() && cost.gpu.why().is_some() && cost.peak_memory.why().is_some());

    let verdicts: Vec<_> = m.rules.iter().map(|r| (r.id.as_str(), r.verdict)).collect();
    use Verdict::{Fail, Pass};
    assert_eq!(verdicts, [("H7", Pass), ("H8", Fail), ("H9", Pass), ("H10", Pass), ("H11", Fail), ("H12", Pass)]);
    assert!(!m.ok);

    let column = |name: &str| series.columns.iter().find(|c| c.name == name).unwrap();
    assert!(series.columns.iter().all(|c| c.values.len() == FRAMES as usize));
    near(column("cross_track").values[300].unwrap(), 2.0, 0.04);
    near(column("drone_height").values[200].unwrap(), 12.2, 1e-12);
    assert_eq!(column("screen_area").values[0], Some(0.0));
    let map = series.map.as_ref().unwrap();
    near(map.line[30][0], 80.0, 1e-3);
    near(map.line[30][1], -82.0, 1e-3);
    let csv = series.to_csv(|frame| frame as f64 / 30.0);
    assert_eq!(csv.lines().count(), 601);
    assert!(csv.starts_with("frame,time,speed,") && csv.lines().nth(78).unwrap().ends_with(",glued,0"));
}

/// The same flight in a scene whose z is up has the same numbers.
#[test]
fn z_up_is_the_same_flight() {
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0, "waypoint_radius": 2.5 });
    let folder = whole(&route, &gpx(30.0, 2.0));
    let (upright, plots) = folder.measured();
    let back = |p: DVec3| DVec3::new(p.x, -p.z, p.y);
    folder.lines("poses.jsonl", |frame| {
        let mut value = pose(frame);
        let quarter = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let eye = back(drone(frame) + DVec3::new(0.0, 1.0, 5.0));
        value["camera"]["position"] = json!(eye.to_array());
        value["camera"]["quaternion"] = json!(quarter.to_array());
        value["camera"]["view"] = json!(DMat4::from_rotation_translation(quarter, eye).inverse().to_cols_array());
        value["drone"]["position"] = json!(back(drone(frame)).to_array());
        value["drone"]["quaternion"] = json!(quarter.to_array());
        value
    });
    folder.write("render_meta.json", &meta("z", "camera"));
    let (turned, turned_plots) = folder.measured();
    let numbers = |m: &Metrics| (m.take_off.clone(), m.route.value().unwrap().flight.passed, m.run.up);
    let (start, passed, up) = numbers(&turned);
    assert_eq!((start, passed), (upright.take_off.clone(), numbers(&upright).1));
    assert_eq!(serde_json::to_value(up).unwrap(), "z");
    near(start_rise(&turned), 12.0, 1e-12);
    let peak = |m: &Metrics| m.route.value().unwrap().flight.cross_track.peak;
    near(peak(&turned), peak(&upright), 1e-9);
    assert!(
        turned.notes.iter().any(|n| n.starts_with("z is up: the first camera's `up` says so")),
        "{:?}",
        turned.notes
    );
    let line = |s: &Series| s.map.as_ref().unwrap().line.clone();
    assert_eq!(line(&turned_plots), line(&plots));
}

fn start_rise(m: &Metrics) -> f64 {
    m.take_off.value().unwrap().rise
}

#[test]
fn a_fit_finds_the_scene_on_the_map_and_says_so() {
    // The same half circle, flown to its end, the map unknown.
    let folder = Folder::new();
    folder.manifest(&json!({ "route": { "file": "route.gpx" } }));
    folder.write("route.gpx", &gpx(30.0, 0.0));
    folder.lines("poses.jsonl", |frame| {
        let angle = std::f64::consts::PI * frame as f64 / 599.0;
        let at = DVec3::new(8.0 * (1.0 - angle.cos()), 1.0, -8.0 * angle.sin());
        let mut value = pose(frame);
        value["drone"] = Value::Null;
        value["camera"]["position"] = json!(at.to_array());
        value
    });
    let (m, _) = folder.measured();
    let r = m.route.value().unwrap();
    assert_eq!((r.georeference.kind, r.of.as_str()), (record::GeoreferenceKind::Fitted, "camera"));
    near(r.georeference.scale, 10.0, 0.02);
    near(r.georeference.heading, 30.0, 0.2);
    let origin = r.georeference.origin.unwrap();
    near(origin[0], ORIGIN[0], 3e-6);
    near(origin[1], ORIGIN[1], 3e-6);
    assert!(r.georeference.residual.unwrap() < 0.1 && r.georeference.note.contains("rotation, scale, position"));
    assert!(r.flight.cross_track.peak < 0.3 && r.flight.passed == 61 && r.camera.is_none());
    let h8 = m.rules.iter().find(|rule| rule.id == "H8").unwrap();
    assert_eq!(h8.verdict, Verdict::NotMeasured, "what is fitted to the flight proves nothing about it");
}

#[test]
fn the_wrong_heading_is_no_small_thing() {
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 120.0 });
    let (m, _) = whole(&route, &gpx(30.0, 0.0)).measured();
    assert!(m.route.value().unwrap().flight.cross_track.peak > 50.0);
}

#[test]
fn a_program_that_tells_another_flight_than_it_shows_is_measured_by_what_it_shows() {
    let folder = Folder::new();
    folder.manifest(&json!({}));
    folder.lines("poses.jsonl", |frame| {
        let mut value = pose(frame);
        let shown = [frame as f64 * 0.5, 0.0, 0.0];
        value["gpu"] = json!({ "position": shown, "quaternion": [0, 0, 0, 1], "view": vec![0; 16], "projection": vec![0; 16], "draws": 3 });
        value["flags"] = json!(["sources-disagree"]);
        value
    });
    let (m, _) = folder.measured();
    near(m.smoothness.camera.value().unwrap().mean_speed, 15.0, 1e-9);
    assert!(m.notes.iter().any(|n| n.starts_with("in 600 frames three.js' camera is not the one")), "{:?}", m.notes);
}

#[test]
fn evidence_that_was_edited_is_found() {
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 });
    let folder = whole(&route, &gpx(30.0, 0.0));
    folder.seal();
    let rules = Profile::none();
    let read = || measure(&Input::read(folder.path(), &Overrides::default()).unwrap(), &rules).unwrap().0;
    let m = read();
    assert!(m.ok && m.evidence.ok == Some(true) && m.evidence.hashed, "{:?}", m.evidence);
    assert!(!text::summary(&m).contains("!!"));

    let poses = std::fs::read_to_string(folder.path().join("poses.jsonl")).unwrap();
    folder.write("poses.jsonl", &poses.replacen("\"time\":", "\"time\": ", 1));
    folder.write("topdown.json", "{}");
    std::fs::remove_file(folder.path().join("scene.jsonl")).unwrap();
    folder.write("route.gpx", &gpx(30.0, 1.0));
    let m = read();
    assert!(!m.ok && m.evidence.ok == Some(false));
    let size = poses.len();
    assert_eq!(m.evidence.changed, [format!("poses.jsonl ({} bytes, not {size})", size + 1), "route.gpx".to_owned()]);
    assert_eq!(
        (m.evidence.missing.as_slice(), m.evidence.added.as_slice()),
        (&["scene.jsonl".to_owned()][..], &["topdown.json".to_owned()][..])
    );
    assert!(m.notes[0].contains("), route.gpx: TAMPERED EVIDENCE"), "{:?}", m.notes);
    assert!(text::summary(&m).lines().nth(1).unwrap().contains("!! poses.jsonl ("));
    // Its size alone tells: nobody reads 20 GB of nothing.
    std::fs::File::create(folder.path().join("poses.jsonl")).unwrap().set_len(20 << 30).unwrap();
    assert_eq!(read().evidence.changed[0], format!("poses.jsonl (21474836480 bytes, not {size})"));
}

#[test]
fn a_render_that_did_not_end_is_told_as_such() {
    let killed = Folder::new();
    killed.lines("poses.jsonl", pose);
    std::fs::create_dir(killed.path().join(".replay-partial")).unwrap();
    let error = killed.measure_as_is().unwrap_err();
    assert!(error.to_string().ends_with("can't be measured: the render did not end"), "{error}");
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    assert!(help.starts_with(&format!("`replay resume {}` goes on", killed.path().display())), "{help}");
    // One that was killed beside a whole output: that is measured.
    let whole = whole(&json!({}), "");
    whole.seal();
    std::fs::create_dir_all(whole.path().join("unfinished/.replay-partial")).unwrap();
    let (m, _) = whole.measure_as_is().unwrap();
    assert!(
        m.evidence.ok == Some(true) && m.notes[0].contains("a later render of this folder did not end"),
        "{:?}",
        m.notes
    );
    let inside = Input::read(&whole.path().join("unfinished"), &Overrides::default()).unwrap_err();
    let help = miette::Diagnostic::help(&inside).unwrap().to_string();
    assert!(help.starts_with(&format!("`replay resume {}` goes on", whole.path().display())), "{help}");
}

/// The world moves past a camera that stands still, in 600 frames but the first.
#[test]
fn a_world_that_moves_is_no_flight_to_judge() {
    let folder = whole(&json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 }), &gpx(30.0, 0.0));
    let verdicts = || {
        let (m, _) = folder.measured();
        let of = |id: &str| m.rules.iter().find(|r| r.id == id).unwrap().verdict;
        ([of("H8"), of("H10"), of("H11")], m)
    };
    assert!(verdicts().0.iter().all(|v| *v != Verdict::NotMeasured));
    folder.lines("poses.jsonl", |frame| {
        let mut value = pose(frame);
        value["flags"] = if frame == 0 { json!([]) } else { json!(["world-moves"]) };
        value
    });
    let (found, m) = verdicts();
    assert_eq!((found[0], found[1]), (Verdict::NotMeasured, Verdict::NotMeasured));
    assert_ne!(found[2], Verdict::Pass);
    assert_eq!(m.camera.value().unwrap().world_moves, 599);
    let why = "in 599 of 600 frames the camera stands still";
    assert!(
        m.notes.iter().any(|note| note.starts_with(why)) && m.route.why().unwrap().starts_with(why),
        "{:?}",
        m.notes
    );
}

#[test]
fn without_a_drone_or_people_the_patterns_are_named() {
    let folder = whole(&json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 }), &gpx(30.0, 0.0));
    folder.lines("poses.jsonl", |frame| {
        let mut value = pose(frame);
        value["drone"] = Value::Null;
        value
    });
    folder.lines("scene.jsonl", |frame| {
        let mut value = scene(frame);
        for key in ["pedestrians", "pedestrians_visible", "pedestrians_moving"] {
            value[key] = json!(0);
        }
        value
    });
    let (m, _) = folder.measured();
    let pattern =
        "matches the pattern for drone, `drone|dron|quadcopter|kvadrokopt` ([evidence] drone = \"…\" in replay.toml";
    assert!(m.smoothness.drone.why().unwrap().contains(pattern), "{:?}", m.smoothness.drone);
    let h10 = m.rules.iter().find(|r| r.id == "H10").unwrap();
    let check = h10.checks.iter().find(|c| c.value == "take_off.drone_in_view_at_start").unwrap();
    assert!(check.not_measured.as_ref().unwrap().contains(pattern), "{check:?}");
    assert!(m.notes.iter().any(|n| n.contains("the pattern for pedestrians, `pedestrian|walker")), "{:?}", m.notes);
}

/// A long jump through a wall passes, and is told beside the verdict, by the wall's name.
#[test]
fn cuts_through_walls_stand_beside_the_verdict() {
    let folder = whole(&json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 }), &gpx(30.0, 0.0));
    folder.lines("clearance.jsonl", |frame| {
        let mut value = clearance(frame);
        value["verdict"] = json!("clear");
        value["cut_through"] = if frame == 100 || frame == 300 { json!("city wall") } else { Value::Null };
        value
    });
    let (m, _) = folder.measured();
    let h11 = m.rules.iter().find(|r| r.id == "H11").unwrap();
    assert_eq!(h11.verdict, Verdict::Pass);
    let told = text::summary(&m);
    assert!(told.contains("H11 pass") && told.contains("collision.cuts_through_count 2 (aim <= 0, missed)"), "{told}");
    assert!(
        told.contains("beware: 2 cuts go straight on through something solid") && told.contains("city wall (2)"),
        "{told}"
    );
}

/// Whoever edits one file of an output is found, whichever and however.
#[test]
fn each_file_is_bound_by_the_others() {
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 });
    let folder = whole(&route, &gpx(30.0, 0.0));
    folder.seal();
    let noise: Vec<u8> = (0..4000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let digit = |whole: &[u8]| {
        let mut edited = whole.to_vec();
        match edited.iter().rposition(u8::is_ascii_digit) {
            Some(at) => edited[at] = if edited[at] == b'1' { b'2' } else { b'1' },
            None => edited.push(b'1'),
        }
        Some(edited)
    };
    for name in EVIDENCE.into_iter().chain(OTHERS).chain([SUMS]) {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        let half = whole[..whole.len() / 2].to_vec();
        let cuts = [("gone", None), ("half", Some(half)), ("empty", Some(Vec::new()))];
        let edits = [("noise", Some(noise.clone())), ("digit", digit(&whole))];
        for (how, edited) in cuts.into_iter().chain(edits).filter(|(_, edited)| edited.as_ref() != Some(&whole)) {
            match &edited {
                Some(bytes) => std::fs::write(&path, bytes).unwrap(),
                None => std::fs::remove_file(&path).unwrap(),
            }
            let m = folder.measure_as_is().unwrap_or_else(|e| panic!("{name}, {how}: {e}")).0;
            let lists = [&m.evidence.changed, &m.evidence.missing].into_iter().flatten();
            assert!(!m.ok && lists.clone().any(|told| told.contains(name)), "{name}, {how}: {:?}", m.evidence);
            assert!(m.notes[0].contains("TAMPERED") || m.notes[0].contains("MISSING"), "{name}, {how}: {:?}", m.notes);
            std::fs::write(&path, &whole).unwrap();
        }
    }
    assert_eq!(folder.measure_as_is().unwrap().0.evidence.ok, Some(true));
    // What the manifest no longer lists, though a render would have; and what it never listed.
    let path = folder.path().join("manifest.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    let mut manifest: Value = serde_json::from_str(&whole).unwrap();
    manifest.as_object_mut().unwrap().remove("evidence");
    folder.write("manifest.json", &manifest.to_string());
    std::fs::remove_file(folder.path().join(SUMS)).unwrap();
    let m = folder.measure_as_is().unwrap().0;
    assert!(!m.ok && m.evidence.changed.iter().any(|told| told.contains("it lists no evidence")), "{:?}", m.evidence);
    folder.write("manifest.json", &whole);
    folder.seal();
    std::fs::create_dir(folder.path().join("frames")).unwrap();
    folder.write("frames/000000.png", "another picture");
    folder.write("video.incomplete.mp4", "another film");
    let m = folder.measure_as_is().unwrap().0;
    assert_eq!(m.evidence.added, ["video.incomplete.mp4", "frames/000000.png"]);
}

#[test]
fn what_lacks_frames_is_not_measured() {
    let folder = whole(&json!({}), &gpx(30.0, 0.0));
    let cut = |name: &str, skip: &dyn Fn(usize) -> bool| {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let kept: String = text.lines().enumerate().filter(|(n, _)| !skip(*n)).map(|(_, l)| format!("{l}\n")).collect();
        folder.write(name, &kept);
    };
    cut("poses.jsonl", &|n| n >= 300);
    cut("clearance.jsonl", &|n| n == 5);
    cut("scene.jsonl", &|n| n == 599);
    let (m, series) = folder.measured();
    for (why, told) in [
        (m.smoothness.camera.why(), "poses.jsonl has lines for 300 of 600 frames"),
        (m.smoothness.drone.why(), "poses.jsonl has lines for 300 of 600 frames"),
        (m.take_off.why(), "poses.jsonl has lines for 300 of 600 frames"),
        (m.collision.why(), "clearance.jsonl has lines for 599 of 600 frames"),
        (m.scene.why(), "scene.jsonl has lines for 599 of 600 frames"),
    ] {
        assert_eq!(why, Some(told));
    }
    assert!(!m.ok && m.evidence.cut.len() == 3 && series.columns.is_empty() && series.contact.is_empty());
    assert!(m.notes[0].starts_with("poses.jsonl (300 of 600 frames), scene.jsonl"), "{:?}", m.notes);

    // A render that did not end may lack the last frames, and no others; it is not called whole.
    let path = folder.path().join("manifest.json");
    let mut manifest: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    manifest["complete"] = json!(false);
    folder.write("manifest.json", &manifest.to_string());
    let (m, _) = folder.measured();
    assert!(m.smoothness.camera.value().is_some() && m.scene.value().is_some());
    assert_eq!(m.collision.why(), Some("clearance.jsonl has lines for 599 of 600 frames"));
    assert!(!m.ok);
    let table = compare::table(&[m.clone(), m]);
    assert!(table.lines().next().unwrap().contains("(INCOMPLETE)"), "{table}");
    assert!(table.lines().any(|l| l.starts_with("the render ended") && l.ends_with("NO")), "{table}");
}

#[test]
fn what_is_missing_is_told_and_nothing_made_up() {
    let folder = Folder::new();
    folder.manifest(&json!({}));
    let (m, series) = folder.measured();
    for why in [
        m.smoothness.camera.why(),
        m.smoothness.drone.why(),
        m.take_off.why(),
        m.collision.why(),
        m.scene.why(),
        m.route.why(),
        m.determinism.why(),
    ] {
        assert!(why.is_some_and(|w| w.starts_with("no ")), "{why:?}");
    }
    assert!(m.procedural.value().is_some() && series.columns.is_empty() && series.map.is_none());
    assert!(m.ok, "nothing failed");
    let unmeasured = m.rules.iter().filter(|r| r.verdict == Verdict::NotMeasured).count();
    assert_eq!(unmeasured, 5, "all but H7");

    // A raw WebGL program: poses without cameras.
    folder.lines("poses.jsonl", |frame| {
        json!({ "frame": frame, "time": 0.0, "camera": null, "gpu": null, "disagreement": null, "drone": null, "flags": ["no-camera"] })
    });
    folder.write("route.csv", "x,y,z\n0,0,0\n9,0,9\n");
    let (m, _) = folder.measured();
    assert_eq!(m.smoothness.camera.why(), Some("no camera in two frames in a row"));
    let given = Overrides { route: Some(&folder.path().join("route.csv")), ..Overrides::default() };
    let input = Input::read(folder.path(), &given).unwrap();
    let (m, _) = measure(&input, &Profile::built_in("prague-bench").unwrap()).unwrap();
    assert_eq!(m.route.why(), Some("neither camera nor drone is known in two frames"));
}

#[test]
fn broken_files_are_errors_with_their_place() {
    let error = |folder: &Folder| folder.measure().unwrap_err().to_string();
    let folder = Folder::new();
    assert!(error(&folder).contains("is no output of replay: no manifest.json"));
    folder.lines("poses.jsonl", |frame| if frame == 3 { json!({ "frame": 3 }) } else { pose(frame) });
    assert!(error(&folder).contains("poses.jsonl can't be read: line 4"));
    folder.write("poses.jsonl", &format!("{}\n", json!({ "frame": u64::MAX, "time": 0, "camera": null, "gpu": null, "disagreement": null, "drone": null, "flags": [] })));
    assert!(error(&folder).contains("comes after 0 lines"));
    // A torn last line is a killed render's.
    folder.write("poses.jsonl", &format!("{}\n{}\n{{\"frame\": 2, \"ti", pose(0), pose(1)));
    assert_eq!(folder.measured().0.run.frames, 2);
    folder.lines("poses.jsonl", pose);
    folder.manifest(&json!({ "route": { "file": "../route.gpx" } }));
    assert!(folder.measured().0.route.why().unwrap().contains("no file of the output"));
    folder.manifest(&json!({ "route": { "file": "route.gpx", "origin": [1.0] } }));
    folder.write("route.gpx", &gpx(0.0, 0.0));
    assert!(error(&folder).contains("origin has 1 numbers"));
    folder.write("repeat.json", "{\"ok\": true, \"runs\": 2, \"frames_sha256\": [\"00\"], \"difference\": null}");
    folder.manifest(&json!({}));
    assert!(folder.measured().0.determinism.why().unwrap().contains("another render"));
}

#[test]
fn the_frame_rate_comes_from_the_poses_if_need_be() {
    let folder = Folder::new();
    folder.lines("poses.jsonl", |frame| {
        let mut value = pose(frame);
        value["time"] = json!(frame as f64 * 1001.0 / 30000.0);
        value
    });
    assert_eq!(folder.measured().0.run.fps, "30000/1001");
}

#[test]
fn json_conforms_to_the_schemas_and_is_read_back() {
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 });
    let full = whole(&route, &gpx(30.0, 2.0)).measured();
    let bare = Folder::new();
    bare.manifest(&json!({}));
    for (m, s) in [full, bare.measured()] {
        holds(&m, SCHEMA);
        holds(&s, series::SCHEMA);
        assert!(text::summary(&m).lines().count() > 10);
    }
}

#[test]
fn the_gpus_time_is_told_where_it_is_known() {
    let folder = Folder::new();
    folder.manifest(&json!({}));
    let usage = json!({ "gpu": 1.5, "gpu_note": "the processor drew", "gpu_frames": [700.0, 300.0, 500.0] });
    folder.write("timing.json", &json!({ "total": 2000.0, "load": 500.0, "usage": usage }).to_string());
    let m = folder.measured().0;
    holds(&m, SCHEMA);
    let gpu = m.cost.value().unwrap().gpu.value().unwrap();
    let frame = gpu.frame.unwrap();
    assert_eq!((gpu.seconds, frame.mean, frame.peak, frame.peak_frame), (1.5, 500.0, 700.0, 0));
    assert!(text::summary(&m).contains("GPU 1.5 s (500.0 ms a frame, at most 700.0 in frame 0) [the processor drew]"));
    let csv = compare::csv(std::slice::from_ref(&m));
    let rows: Vec<Vec<&str>> = csv.lines().map(|l| l.split(',').collect()).collect();
    let at = rows[0].iter().position(|h| *h == "cost.gpu.seconds").unwrap();
    assert_eq!(rows[1][at..at + 3], ["1.5", "500.0", "700.0"]);

    let usage = json!({ "gpu": null, "gpu_note": "the driver has no timestamps" });
    folder.write("timing.json", &json!({ "total": 2000.0, "load": 500.0, "usage": usage }).to_string());
    let m = folder.measured().0;
    assert_eq!(m.cost.value().unwrap().gpu.why(), Some("the driver has no timestamps"));
}

#[test]
fn runs_are_compared() {
    let bare = Folder::new();
    bare.manifest(&json!({}));
    let route = json!({ "file": "route.gpx", "origin": ORIGIN, "heading": 30.0 });
    let runs = [whole(&route, &gpx(30.0, 2.0)).measured().0, bare.measured().0];
    let table = compare::table(&runs);
    let row = |name: &str| table.lines().find(|l| l.starts_with(name)).unwrap().to_owned();
    assert!(row("frames with a collision").split_whitespace().rev().take(2).eq(["–", "1"]));
    assert!(row("H8 ").ends_with("not measured"));
    let csv = compare::csv(&runs);
    let rows: Vec<Vec<&str>> = csv.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|r| r.len() == rows[0].len()));
    let at = rows[0].iter().position(|h| *h == "scene.pedestrians.max").unwrap();
    assert_eq!((rows[1][at], rows[2][at]), ("1600.0", ""));
}
