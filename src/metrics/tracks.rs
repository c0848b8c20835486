//! The camera's and the drone's paths, out of the poses.

use super::kinematics::Path;
use crate::evidence::cut::Placement;
use crate::evidence::pose::{Flag, Pose};

/// The paths, and what to say of them.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    pub camera: Path,
    pub drone: Path,
    pub notes: Vec<String>,
}

/// Each frame's camera is the one of three.js' objects, whose numbers are exact, as long as the draws agree with it;
/// where they do not, or there is no such object, it is the one whose matrices drew the picture. `interval` in seconds.
pub fn tracks(poses: &[Option<Box<Pose>>], metres_per_unit: f64, interval: f64) -> Tracks {
    let mut notes = Vec::new();
    let mut disagreeing = 0u64;
    let mut from_draws = 0u64;
    let shown = poses.iter().map(|pose| {
        let pose = pose.as_ref()?;
        let disagree = pose.flags.contains(&Flag::SourcesDisagree);
        disagreeing += u64::from(disagree);
        let told = pose.camera.as_ref().map(|c| (c.position, c.quaternion));
        let drawn = pose.gpu.as_ref().map(|c| (c.position, c.quaternion));
        from_draws += u64::from(drawn.is_some() && (disagree || told.is_none()));
        if disagree { drawn.or(told) } else { told.or(drawn) }
    });
    let shown: Vec<_> = shown.collect();
    let drone: Vec<_> = poses.iter().map(|p| p.as_ref()?.drone.as_ref().map(|d| (d.position, d.quaternion))).collect();
    if disagreeing > 0 {
        notes.push(format!(
            "in {disagreeing} frames three.js' camera is not the one that drew the picture: the latter is measured"
        ));
    } else if from_draws > 0 {
        notes.push(format!("in {from_draws} frames the camera is known from the draws alone, in single precision"));
    }
    let unconfirmed =
        poses.iter().flatten().filter(|pose| pose.camera.is_some() && pose.flags.contains(&Flag::ObjectsOnly)).count();
    if unconfirmed > 0 {
        notes.push(format!(
            "in {unconfirmed} frames the camera is what the program's objects say: no draw carries matrices that confirm it"
        ));
    }
    let without = shown.iter().filter(|p| p.is_none()).count();
    if without > 0 && without < shown.len() {
        notes.push(format!("{without} frames have no camera"));
    }
    Tracks { camera: path(&shown, metres_per_unit, interval), drone: path(&drone, metres_per_unit, interval), notes }
}

fn path(frames: &[Option<([f64; 3], [f64; 4])>], metres_per_unit: f64, interval: f64) -> Path {
    let places = frames.iter().map(|p| p.and_then(|(position, q)| Placement::new(position, q, metres_per_unit)));
    let single = |v: f64| f64::from(v as f32) == v;
    let mut known = frames.iter().flatten().flat_map(|(position, _)| position).copied();
    Path { places: places.collect(), interval, single_precision: known.all(single) }
}
