//! Does the flight start on the ground, rise, and show the drone?

use super::kinematics::Path;
use super::record::TakeOff;
use super::stat;
use crate::evidence::clearance::Clearance;
use crate::evidence::pose::Pose;

/// Metres above the first frame that count as lifted off.
const LIFTED: f64 = 0.5;

/// What is known of every frame.
pub struct Frames<'a> {
    pub poses: &'a [Option<Box<Pose>>],
    pub clearance: Option<&'a [Option<Box<Clearance>>]>,
    pub camera: &'a Path,
    pub drone: &'a Path,
    pub metres_per_unit: f64,
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
    let within = ((window / path.interval).floor() as usize).saturating_add(1).min(path.places.len());
    let above = |at: usize| height(at).map(|h| h - start);
    let ground = frames.clearance.and_then(|c| c.first()?.as_ref()).and_then(|c| match has_drone {
        true => c.drone_ground,
        false => c.ground,
    });
    let drones: Vec<_> = frames.poses.iter().map(|p| p.as_ref().and_then(|p| p.drone.as_ref())).collect();
    let share = |some: &[Option<&crate::evidence::pose::DronePose>]| {
        let seen = some.iter().flatten().filter(|d| d.in_view).count();
        (has_drone && !some.is_empty()).then(|| seen as f64 / some.len() as f64)
    };
    let boxes = drones.iter().flatten().filter(|d| d.in_view).filter_map(|d| d.screen);
    Ok(TakeOff {
        of: of.to_owned(),
        start_height: ground.map(|g| g * frames.metres_per_unit),
        window,
        rise: (0..within).filter_map(above).fold(0.0, f64::max),
        lift_off_frame: (0..path.places.len()).find(|at| above(*at).is_some_and(|h| h >= LIFTED)).map(|at| at as u64),
        drone_in_view: share(&drones),
        drone_in_view_at_start: share(drones.get(..within).unwrap_or(&drones)),
        drone_screen_area: stat::range(boxes.map(area)),
    })
}

/// Share of the picture inside a box.
pub fn area([left, top, right, bottom]: [f64; 4]) -> f64 {
    (right - left).max(0.0) * (bottom - top).max(0.0)
}
