//! From what an output holds to all numbers.

use super::error::MetricsError;
use super::input::Input;
use super::profile::Profile;
use super::record::{Camera, Measured, Metrics, Motion, Run, Smoothness};
use super::series::{Column, Series};
use super::tracks::tracks;
use super::{camera, collision, cost, determinism, kinematics, procedural, route, scene, take_off};
use crate::evidence::clearance::Clearance;
use crate::evidence::meta::NameUse;
use crate::evidence::pose::{Flag, Pose};
use crate::evidence::up::{Up, UpFrom, UpTold};
use crate::project::EvidenceSettings;
use crate::rules::Verdict;

/// Measures everything.
///
/// # Errors
/// The route, or what is set for it, makes no sense.
pub fn measure(input: &Input, profile: &Profile) -> Result<(Metrics, Series), MetricsError> {
    let metres = input.evidence.metres_per_unit;
    let rate = input.fps.map(crate::clock::Rational::as_f64);
    let interval = rate.map_or(0.0, |rate| 1.0 / rate);
    let moving = match (&input.poses, rate) {
        (Ok(poses), Some(_)) => Ok(tracks(poses, metres, interval)),
        (Err(why), _) => Err(why.clone()),
        (_, None) => Err("the frame rate is not known: neither manifest.json nor poses.jsonl tell".to_owned()),
    };
    let mut notes = input.integrity.complaints();
    if input.unended {
        notes.push(
            "a later render of this folder did not end and is not measured: `replay resume` goes on with it".to_owned(),
        );
    }
    let seen = input.poses.as_ref().map_err(Clone::clone).and_then(|poses| {
        let pictures = input.manifest.as_ref().map_or(&[][..], |manifest| &manifest.frames);
        let motion = input.meta.as_ref().and_then(|meta| meta.picture_motion).unwrap_or_default();
        camera::measure(poses, pictures, motion, metres)
    });
    notes.extend(seen.as_ref().map_or(Vec::new(), Camera::notes));
    let still = seen.as_ref().ok().and_then(Camera::is_not_the_flight);
    let blind = |why: String| match seen.as_ref().ok().and_then(|seen| seen.why()) {
        Some(blind) => format!("{why}: {blind}"),
        None => why,
    };
    let names = input.meta.as_ref().map_or(&[][..], |meta| &meta.names);
    let [no_drone, no_people] = [("drone", &input.evidence.drone), ("pedestrians", &input.evidence.pedestrians)]
        .map(|(key, pattern)| unmatched(key, pattern, names));
    notes.extend(moving.as_ref().map_or(Vec::new(), |t| t.notes.clone()));
    notes.extend(own_yardsticks(&input.evidence));
    notes.extend(up_note(input.up));
    // A frame without a camera can't be called clear.
    let watched = |at: usize| {
        let pose = |poses: &super::input::Frames<_>| poses.get(at).and_then(|p| p.as_deref()).is_some_and(has_camera);
        input.poses.as_ref().map_or(true, pose)
    };
    let clearance = input.clearance.as_deref().ok();
    let height = |of: fn(&Clearance) -> Option<f64>| -> Vec<Option<f64>> {
        clearance.unwrap_or(&[]).iter().map(|c| Some(of(c.as_ref()?)? * metres)).collect()
    };
    let camera = moving.as_ref().map(|t| kinematics::measure(&t.camera)).map_err(Clone::clone);
    let drone = moving.as_ref().map(|t| kinematics::measure(&t.drone)).map_err(Clone::clone);
    let has_drone = moving.as_ref().is_ok_and(|t| t.drone.places.iter().any(Option::is_some));
    let mut out = Columns { frames: input.frames, columns: Vec::new() };
    out.rates("", "of the camera", &camera);
    out.rates("drone_", "of the drone", &drone);

    let routed = match (&input.route, &moving, &still) {
        (Err(why), ..) | (_, Err(why), _) | (_, _, Some(why)) => Err(why.clone()),
        (Ok(file), Ok(tracks), None) => match route::measure(&route::Task {
            file,
            settings: &input.route_settings,
            metres_per_unit: metres,
            up: input.up.axis,
            waypoint_radius: profile.settings.limits.waypoint_radius,
            rate: rate.unwrap_or(30.0),
            camera: &tracks.camera,
            drone: &tracks.drone,
            camera_height: height(|c| c.ground),
            drone_height: height(|c| c.drone_ground),
        }) {
            Ok(route) => route.map_err(blind),
            // What somebody else wrote need not make sense.
            Err(e) if !input.integrity.changed.is_empty() => Err(e.to_string()),
            Err(e) => return Err(e),
        },
    };
    let mut map = None;
    let route = routed.map(|r| {
        let of = format!("of the {}", r.route.of);
        out.add("cross_track", "m", &format!("distance {of} from the route"), r.cross_track);
        out.add("progress", "m", &format!("place {of} along the route"), r.progress);
        if let Some(values) = r.camera_cross_track {
            out.add("camera_cross_track", "m", "distance of the camera from the route", values);
        }
        map = Some(r.map);
        notes.extend(r.notes);
        notes.extend(r.route.warnings.iter().map(|warning| format!("the route {}: {warning}", r.route.file)));
        r.route
    });
    out.add("height", "m", "height of the camera above the ground", height(|c| c.ground));
    out.add("drone_height", "m", "height of the drone above the ground", height(|c| c.drone_ground));
    out.add("clearance", "m", "distance of the camera to the nearest surface", height(|c| c.distance));
    out.add("swept_clearance", "m", "least distance on the way to this frame", height(|c| c.swept_distance));
    if let Ok(poses) = &input.poses {
        let area = |(at, p): (usize, &Option<Box<crate::evidence::pose::Pose>>)| {
            let drone = p.as_ref()?.drone.as_ref()?;
            let seen = take_off::is_seen(poses, clearance, at);
            Some(if seen { drone.screen.map_or(0.0, take_off::area) } else { 0.0 })
        };
        out.add(
            "screen_area",
            "1",
            "share of the picture that the drone's box covers",
            poses.iter().enumerate().map(area).collect(),
        );
    }
    if let Ok(frames) = &input.scene {
        let each = |f: fn(&crate::evidence::scene_stats::SceneStats) -> f64| {
            frames.iter().map(|s| s.as_deref().map(f)).collect::<Vec<_>>()
        };
        out.add("triangles", "", "triangles drawn", each(|s| s.all.triangles as f64));
        out.add("draws", "", "draw calls", each(|s| s.all.draws as f64));
        out.add("pedestrians_visible", "", "pedestrians in view", each(|s| f64::from(s.pedestrians_visible)));
    }
    let start = match (&moving, &input.poses, &still) {
        (Ok(tracks), Ok(poses), None) => take_off::measure(
            &take_off::Frames {
                poses,
                clearance,
                camera: &tracks.camera,
                drone: &tracks.drone,
                metres_per_unit: metres,
                no_drone: &no_drone,
            },
            profile.settings.limits.take_off_window,
        )
        .map_err(blind),
        (Err(why), ..) | (_, Err(why), _) | (_, _, Some(why)) => Err(why.clone()),
    };
    let series = Series {
        format: 1,
        fps: input.fps.map_or(String::new(), |fps| fps.to_string()),
        frames: input.frames,
        cuts: camera.as_ref().ok().and_then(Option::as_ref).map_or(Vec::new(), |(m, _)| m.cuts.clone()),
        columns: out.columns,
        contact: clearance
            .unwrap_or(&[])
            .iter()
            .enumerate()
            .map(|(at, c)| c.as_ref().filter(|_| watched(at)).map(|c| c.verdict))
            .collect(),
        map,
    };
    let manifest = input.manifest.as_ref().ok();
    let mut metrics = Metrics {
        format: 1,
        run: run(input),
        evidence: input.integrity.clone(),
        camera: seen.clone().into(),
        smoothness: Smoothness {
            camera: motion(camera, &blind("no camera in two frames in a row".to_owned())),
            drone: motion(drone, if has_drone { "no drone in two frames in a row" } else { &no_drone }),
        },
        route: route.into(),
        take_off: start.into(),
        collision: input
            .clearance
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|c| collision::measure(c, metres, watched).map_err(blind))
            .into(),
        scene: input.scene.as_ref().map_err(Clone::clone).and_then(|s| scene::measure(s, clearance, &no_people)).into(),
        procedural: procedural::measure(input.manifest.as_ref(), input.meta.as_ref()).into(),
        determinism: input.repeat.as_ref().map_err(Clone::clone).and_then(|r| determinism::measure(r, manifest)).into(),
        cost: input.timing.as_ref().map_err(Clone::clone).map(|t| cost::measure(t, input.frames)).into(),
        profile: profile.name.clone(),
        ok: true,
        rules: Vec::new(),
        notes,
    };
    if metrics.scene.value().is_some_and(|scene| scene.pedestrians.max == 0.0) {
        metrics.notes.push(no_people);
    }
    if let Some(c) = metrics.collision.value() {
        metrics.notes.extend(c.cuts_through.iter().map(|cut| {
            format!(
                "the cut at frame {} goes straight on through {}: no collision, but nobody saw a way round (a straight jump of {} m or more counts as a cut)",
                cut.frame, cut.object, crate::evidence::collision::LONGEST_HOP
            )
        }));
        if let Some(more @ 1..) = input.frames.checked_sub(c.frames) {
            metrics.notes.push(format!(
                "{more} of {} frames show no camera that a draw confirms: they are not among those judged for collision",
                input.frames
            ));
        }
        let solid = c.untested.kinds.iter().filter(|kind| kind.solid);
        if let Some(worst) = solid.max_by_key(|kind| kind.worst_draws) {
            metrics.notes.push(format!(
                "in {} frames draws that look solid were not tested for collision (up to {} in frame {}): no verdict says that the camera is clear of them",
                c.untested.solid_frames, worst.worst_draws, worst.worst_frame
            ));
        }
        if c.waived_frames > 0 {
            let mut names: Vec<&str> = c.waived.iter().map(|w| w.object.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            metrics.notes.push(format!(
                "in {} frames the camera touches, or is inside of, what counts for nothing, because of a name or because it is carried along: {}",
                c.waived_frames,
                names.join(", ")
            ));
        }
    }
    let numbers = serde_json::to_value(&metrics).unwrap_or_default();
    metrics.rules = profile.judge(&numbers);
    metrics.ok = metrics.evidence.ok != Some(false) && metrics.rules.iter().all(|rule| rule.verdict != Verdict::Fail);
    Ok((metrics, series))
}

/// A camera that only the program's objects tell of, and no draw, proves nothing about what is near it; nor is anything known of
/// what is near the camera of a canvas that was copied.
fn has_camera(pose: &Pose) -> bool {
    !pose.flags.contains(&Flag::CopiedCanvas)
        && (pose.gpu.is_some() || pose.camera.is_some() && !pose.flags.contains(&Flag::ObjectsOnly))
}

fn motion(found: Result<Option<(Motion, kinematics::Rates)>, String>, none: &str) -> Measured<Motion> {
    found.and_then(|m| m.map(|(m, _)| m).ok_or_else(|| none.to_owned())).into()
}

/// Names told of a scene in which a pattern matches none.
const NAMES: usize = 8;

/// That nothing matched a pattern of `[evidence]`, which it is, and what it could have matched.
fn unmatched(key: &str, pattern: &str, names: &[NameUse]) -> String {
    let set = format!("[evidence] {key} = \"…\" in replay.toml sets another");
    let what = match pattern {
        "" => format!("the pattern for {key} is empty, so none is looked for ({set})"),
        pattern => {
            let matches = |name: &&NameUse| {
                EvidenceSettings::pattern(pattern).is_ok_and(|p| p.is_some_and(|p| p.is_match(&name.name)))
            };
            let matched: Vec<&str> = names.iter().filter(matches).take(NAMES).map(|n| n.name.as_str()).collect();
            if !matched.is_empty() {
                return format!(
                    "the pattern for {key}, `{pattern}`, matches {}, but nothing of it ever showed: it is scaled to nothing, \
                     invisible, without colour or too see-through",
                    matched.join(", ")
                );
            }
            format!("no object's or group's name matches the pattern for {key}, `{pattern}` ({set})")
        }
    };
    let seen: Vec<String> = names.iter().take(NAMES).map(|n| format!("{} ({})", n.name, n.objects)).collect();
    if seen.is_empty() { what } else { format!("{what}; names seen most: {}", seen.join(", ")) }
}

fn run(input: &Input) -> Run {
    let manifest = input.manifest.as_ref().ok();
    Run {
        name: input.name.clone(),
        frames: input.frames,
        fps: input.fps.map_or(String::new(), |fps| fps.to_string()),
        duration: input.seconds(input.frames),
        complete: manifest.map(|m| m.complete),
        engine: manifest.map(|m| format!("{} {}", m.engine.name, m.engine.version)),
        three: manifest.and_then(|m| m.engine.three.clone()),
        adapter: manifest.map(|m| m.adapter.renderer.clone()),
        frames_sha256: manifest.map(|m| m.frames_sha256.to_string()),
        metres_per_unit: input.evidence.metres_per_unit,
        up: input.up.axis,
    }
}

struct Columns {
    frames: u64,
    columns: Vec<Column>,
}

impl Columns {
    /// Left out if nothing is known.
    fn add(&mut self, name: &str, unit: &str, title: &str, mut values: Vec<Option<f64>>) {
        if values.iter().all(Option::is_none) {
            return;
        }
        values.resize(usize::try_from(self.frames).unwrap_or(values.len()), None);
        self.columns.push(Column { name: name.to_owned(), unit: unit.to_owned(), title: title.to_owned(), values });
    }

    fn rates(&mut self, prefix: &str, of: &str, found: &Result<Option<(Motion, kinematics::Rates)>, String>) {
        let Ok(Some((_, rates))) = found else { return };
        let all = [
            ("speed", "m/s", "speed", &rates.speed),
            ("acceleration", "m/s²", "acceleration", &rates.acceleration),
            ("jerk", "m/s³", "jerk", &rates.jerk),
            ("angular_speed", "°/s", "angular speed", &rates.angular_speed),
            ("angular_acceleration", "°/s²", "angular acceleration", &rates.angular_acceleration),
            ("angular_jerk", "°/s³", "angular jerk", &rates.angular_jerk),
        ];
        // A drone's turning is of less interest than the picture's.
        let count = if prefix.is_empty() { all.len() } else { 3 };
        for (name, unit, title, values) in all.into_iter().take(count) {
            self.add(&format!("{prefix}{name}"), unit, &format!("{title} {of}"), values.clone());
        }
    }
}

/// By which up it is measured, where that is not three.js' own.
fn up_note(up: UpTold) -> Option<String> {
    let from = match up.from {
        UpFrom::Setting => "evidence.up is set for this run",
        UpFrom::Scene => "the scene's `up` (Object3D.DEFAULT_UP) says so",
        UpFrom::Camera => "the first camera's `up` says so; evidence.up in replay.toml settles it",
        UpFrom::Default => return None,
    };
    (up.axis != Up::Y).then(|| format!("z is up: {from}; heights, the route's plane and the map are measured by it"))
}

/// What a program's settings change about how it is measured.
fn own_yardsticks(set: &EvidenceSettings) -> Vec<String> {
    let usual = EvidenceSettings::default();
    let note = |name: &str, set: f64, usual: f64| {
        (set != usual)
            .then(|| format!("evidence.{name} is {set} as set for this run, not {usual}: collisions are judged by it"))
    };
    let numbers = [
        note("radius", set.radius, usual.radius),
        note("near", set.near, usual.near),
        note("metres_per_unit", set.metres_per_unit, usual.metres_per_unit),
    ];
    numbers.into_iter().flatten().collect()
}
