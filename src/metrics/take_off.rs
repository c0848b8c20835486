//! Does the flight start on the ground, rise, and show the drone?

use super::kinematics::Path;
use super::record::{Measured, TakeOff, Until};
use super::stat;
use crate::evidence::clearance::Clearance;
use crate::evidence::cut::cuts;
use crate::evidence::pose::Pose;

/// Metres above the first frame that count as lifted off.
const LIFTED: f64 = 0.5;
/// Of the drone's surface in the picture, the least share that must not be hidden for it to be in view…
const SEEN: f64 = 0.1;
/// …and the least opacity.
const OPAQUE: f64 = 0.05;

/// What is known of every frame.
pub struct Frames<'a> {
    pub poses: &'a [Option<Box<Pose>>],
    pub clearance: Option<&'a [Option<Box<Clearance>>]>,
    pub camera: &'a Path,
    pub drone: &'a Path,
    pub metres_per_unit: f64,
    /// What to say where there is no drone.
    pub no_drone: &'a str,
}

/// `window`: seconds at the start that are looked at.
///
/// # Errors
/// Neither camera nor drone stand in the first frame, told as a reason.
pub fn measure(frames: &Frames<'_>, window: f64) -> Result<TakeOff, String> {
    let has_drone = frames.drone.places.iter().any(Option::is_some);
    let (of, path) = if has_drone { ("drone", frames.drone) } else { ("camera", frames.camera) };
    let height = |at: usize| path.places.get(at).copied().flatten().map(|p| p.position.y);
    let start = height(0).ok_or_else(|| format!("no {of} in the first frame"))?;
    let frames_in_window = ((window / path.interval).floor() as usize).saturating_add(1);
    let all = path.places.len();
    let within = frames_in_window.min(all);
    // A height in another shot is no rise that anyone sees.
    let begins = |path: &Path| cuts(&path.places).iter().skip(1).position(|begins| *begins).map_or(all, |at| at + 1);
    let shot = begins(frames.camera).min(begins(path));
    let (looked_at, until, seconds) = match within.min(shot) {
        end if end < within => (end, Until::Cut, end as f64 * path.interval),
        end if frames_in_window > all => (end, Until::Film, all as f64 * path.interval),
        end => (end, Until::Window, window),
    };
    let above = |at: usize| height(at).map(|h| h - start);
    let ground = frames.clearance.and_then(|c| c.first()?.as_ref()).and_then(|c| match has_drone {
        true => c.drone_ground,
        false => c.ground,
    });
    let drones: Vec<_> = frames.poses.iter().map(|p| p.as_ref().and_then(|p| p.drone.as_ref())).collect();
    let seen: Vec<bool> = (0..drones.len()).map(|at| is_seen(frames.poses, frames.clearance, at)).collect();
    let share = |some: &[bool]| {
        let count = some.iter().filter(|seen| **seen).count();
        let share = (!some.is_empty()).then(|| count as f64 / some.len() as f64);
        match has_drone {
            true => share.map_or_else(|| Measured::not("there is no frame"), Measured::Yes),
            false => Measured::not(frames.no_drone),
        }
    };
    let boxes = drones.iter().zip(&seen).filter(|(_, seen)| **seen).filter_map(|(d, _)| d.and_then(|d| d.screen));
    let framed = (0..drones.len()).filter(|at| drones.get(*at).copied().flatten().is_some_and(|d| d.in_view));
    let untested = framed.filter(|at| hidden(frames.clearance, *at).is_none()).count();
    Ok(TakeOff {
        of: of.to_owned(),
        start_height: ground.map(|g| g * frames.metres_per_unit),
        window,
        seconds,
        until,
        rise: (0..looked_at).filter_map(above).fold(0.0, f64::max),
        lift_off_frame: (0..looked_at).find(|at| above(*at).is_some_and(|h| h >= LIFTED)).map(|at| at as u64),
        in_view_means: means(has_drone, untested),
        drone_in_view: share(&seen),
        drone_in_view_at_start: share(seen.get(..within).unwrap_or(&seen)),
        drone_screen_area: stat::range(boxes.map(area))
            .ok_or_else(|| if has_drone { "the drone is never in view" } else { frames.no_drone }.to_owned())
            .into(),
    })
}

/// Is the drone in view in this frame, as far as anything tells?
pub fn is_seen(poses: &[Option<Box<Pose>>], clearance: Option<&[Option<Box<Clearance>>]>, at: usize) -> bool {
    let drone = poses.get(at).and_then(|p| p.as_ref()?.drone.as_ref());
    drone.is_some_and(|d| d.in_view && d.opacity.is_none_or(|o| o >= OPAQUE))
        && hidden(clearance, at).is_none_or(|visible| visible >= SEEN)
}

/// Share of the drone that nothing hides, if that was looked at.
fn hidden(clearance: Option<&[Option<Box<Clearance>>]>, at: usize) -> Option<f64> {
    clearance?.get(at)?.as_ref()?.drone_visible
}

fn means(has_drone: bool, untested: usize) -> String {
    if !has_drone {
        return "there is no drone".to_owned();
    }
    let tested =
        "shown, in the picture, opaque enough to be seen, and not hidden by solid surfaces (at least a tenth of it)";
    match untested {
        0 => tested.to_owned(),
        n => format!("{tested}; in {n} frames in the picture, not tested for what hides it"),
    }
}

/// Share of the picture inside a box.
pub fn area([left, top, right, bottom]: [f64; 4]) -> f64 {
    (right - left).max(0.0) * (bottom - top).max(0.0)
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;
    use crate::evidence::cut::Placement;
    use crate::evidence::pose::DronePose;

    const H: f64 = 1.0 / 30.0;

    fn path(frames: usize, at: impl Fn(usize) -> DVec3) -> Path {
        let place = |position| Some(Placement { position, rotation: DQuat::IDENTITY });
        Path { places: (0..frames).map(|n| place(at(n))).collect(), interval: H, single_precision: false }
    }

    fn pose(opacity: f64, in_view: bool) -> Option<Box<Pose>> {
        let drone = DronePose {
            name: "drone".into(),
            position: [0.0; 3],
            quaternion: [0.0, 0.0, 0.0, 1.0],
            in_view,
            opacity: Some(opacity),
            screen: Some([0.0, 0.0, 0.5, 0.5]),
        };
        Some(Box::new(Pose { drone: Some(drone), ..Pose::default() }))
    }

    fn rise(camera: &Path, drone: &Path) -> TakeOff {
        let poses = vec![pose(1.0, true); drone.places.len()];
        measure(&Frames { poses: &poses, clearance: None, camera, drone, metres_per_unit: 1.0, no_drone: "" }, 10.0)
            .unwrap()
    }

    /// 1 m/s upwards.
    fn up(n: usize) -> DVec3 {
        DVec3::new(0.0, n as f64 * H, 0.0)
    }

    #[test]
    fn a_rise_ends_with_the_shot_and_with_the_film() {
        let still = |n: usize| DVec3::new(5.0 + n as f64 * 1e-3, 0.0, 0.0);
        let t = rise(&path(600, still), &path(600, up));
        assert_eq!((t.until, t.seconds, t.lift_off_frame), (Until::Window, 10.0, Some(15)));
        assert!((t.rise - 10.0).abs() < 1e-9, "{}", t.rise);
        // The camera is cut at frame 60: after it the drone may be anywhere.
        let cut = |n: usize| still(n) + DVec3::X * if n < 60 { 0.0 } else { 100.0 };
        let t = rise(&path(600, cut), &path(600, up));
        assert_eq!((t.until, t.seconds), (Until::Cut, 2.0));
        assert!((t.rise - 59.0 * H).abs() < 1e-9, "{}", t.rise);
        // So is the drone, which never flew.
        let lifted = |n: usize| DVec3::new(n as f64 * 1e-3, if n < 60 { 0.0 } else { 30.0 }, 0.0);
        let t = rise(&path(600, still), &path(600, lifted));
        assert_eq!((t.until, t.rise, t.lift_off_frame), (Until::Cut, 0.0, None));
        let t = rise(&path(120, still), &path(120, up));
        assert_eq!((t.until, t.seconds), (Until::Film, 4.0));
        assert!((t.rise - 119.0 * H).abs() < 1e-9, "{}", t.rise);
    }

    #[test]
    fn what_is_hidden_or_see_through_is_not_in_view() {
        let still = path(4, |_| DVec3::ZERO);
        let poses = [pose(1.0, true), pose(0.0, true), pose(1.0, true), pose(1.0, false)];
        let look = |visible: [Option<f64>; 4]| {
            let clearance: Vec<_> = visible
                .iter()
                .map(|v| Some(Box::new(Clearance { drone_visible: *v, ..Clearance::default() })))
                .collect();
            let frames = Frames {
                poses: &poses,
                clearance: Some(&clearance),
                camera: &still,
                drone: &still,
                metres_per_unit: 1.0,
                no_drone: "",
            };
            measure(&frames, 10.0).unwrap()
        };
        let t = look([Some(1.0), Some(1.0), Some(0.05), Some(0.0)]);
        assert_eq!(t.drone_in_view, Measured::Yes(0.25));
        assert_eq!(t.drone_screen_area.value().unwrap().max, 0.25);
        assert!(t.in_view_means.ends_with("(at least a tenth of it)"), "{}", t.in_view_means);
        let t = look([Some(0.1), None, None, None]);
        assert_eq!(t.drone_in_view, Measured::Yes(0.5));
        assert!(
            t.in_view_means.ends_with("in 2 frames in the picture, not tested for what hides it"),
            "{}",
            t.in_view_means
        );
    }
}
