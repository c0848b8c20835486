//! Is the camera known, and is the flight its own? Out of the poses' flags.

use std::collections::BTreeMap;

use super::record::{Camera, NoCameraFrames};
use crate::evidence::cut::{Placement, turn};
use crate::evidence::motion::PictureMotion;
use crate::evidence::pose::{Flag, NoCamera, Pose};
use crate::frame::hash::Hash;

/// Share of the frames with a camera from which on a world that moves as one body is what the film shows.
const MOST: f64 = 0.05;

/// The same for pictures that stay as they are while the camera flies: fades and titles are shorter.
const MOST_STALLED: f64 = 0.1;
/// What a camera moves by, in metres, and turns by, in radians, at least, for its picture to change.
const MOVED: f64 = 0.01;
const TURNED: f64 = 1e-3;

/// `pictures` are the frames' hashes, `motion` is how they move.
///
/// # Errors
/// There is no pose, told as a reason.
pub fn measure(
    poses: &[Option<Box<Pose>>],
    pictures: &[Hash],
    motion: PictureMotion,
    metres_per_unit: f64,
) -> Result<Camera, String> {
    let same = |at: usize| pictures.get(at).is_some_and(|now| Some(now) == pictures.get(at + 1));
    let stalled = poses.windows(2).enumerate().filter(|(at, pair)| {
        let [Some(before), Some(now)] = pair else { return false };
        same(*at) && flew(before, now, metres_per_unit)
    });
    let stalled = stalled.count();
    let poses: Vec<&Pose> = poses.iter().flatten().map(Box::as_ref).collect();
    if poses.is_empty() {
        return Err("poses.jsonl has no frame".to_owned());
    }
    let known = poses.iter().filter(|pose| pose.camera.is_some() || pose.gpu.is_some()).count();
    let flagged = |flag: Flag| poses.iter().filter(|pose| pose.flags.contains(&flag)).count();
    let (moving, overlaid) = (flagged(Flag::WorldMoves), flagged(Flag::OverlaidCameras));
    let share = |frames: usize| frames as f64 / known.max(1) as f64;
    let mut whys: BTreeMap<NoCamera, u64> = BTreeMap::new();
    poses.iter().filter_map(|pose| pose.no_camera).for_each(|why| *whys.entry(why).or_default() += 1);
    let mut no_camera: Vec<NoCameraFrames> =
        whys.into_iter().map(|(why, frames)| NoCameraFrames { why, frames, means: why.why().to_owned() }).collect();
    no_camera.sort_by_key(|n| std::cmp::Reverse(n.frames));
    Ok(Camera {
        frames: poses.len() as u64,
        known: known as u64,
        no_camera,
        world_moves: moving as u64,
        world_moves_share: share(moving),
        several: flagged(Flag::SeveralCameras) as u64,
        overlaid: overlaid as u64,
        overlaid_share: share(overlaid),
        stalled: stalled as u64,
        stalled_share: share(stalled),
        looks: motion.looks,
        against: motion.against,
        against_share: motion.against_share(),
    })
}

/// Did the camera behind the picture move so far that the picture must change?
fn flew(before: &Pose, now: &Pose, metres_per_unit: f64) -> bool {
    let place = |pose: &Pose| {
        let gpu = pose.gpu.as_ref().map(|gpu| (gpu.position, gpu.quaternion));
        let place = gpu.or(pose.camera.as_ref().map(|camera| (camera.position, camera.quaternion)));
        place.and_then(|(position, quaternion)| Placement::new(position, quaternion, metres_per_unit))
    };
    let (Some(a), Some(b)) = (place(before), place(now)) else { return false };
    a.position.distance(b.position) > MOVED || turn(a.rotation, b.rotation).length() > TURNED
}

impl Camera {
    /// Why there is no camera in most frames without one.
    pub fn why(&self) -> Option<&str> {
        self.no_camera.first().map(|n| n.means.as_str())
    }

    /// Is the camera's way not that of what the film shows? Then why.
    pub fn is_not_the_flight(&self) -> Option<String> {
        if self.world_moves_share > MOST {
            return Some(format!(
                "in {} of {} frames the camera stands still, and all solid things that it shows move as one body: either the world moves past the camera, or something turns before it. No way in the scene's coordinates is that of the flight, if it is one",
                self.world_moves, self.known
            ));
        }
        if self.overlaid_share > MOST {
            return Some(format!(
                "in {} of {} frames several cameras drew over the whole picture, in different poses: what hides what is not known, so nobody can tell whose way the film shows",
                self.overlaid, self.known
            ));
        }
        let motion = PictureMotion { looks: self.looks, against: self.against, ..PictureMotion::default() };
        if let Some(doubt) = motion.doubt() {
            return Some(doubt);
        }
        (self.stalled_share > MOST_STALLED).then(|| {
            format!(
                "in {} of {} frames the picture stays as it was to the last bit although the camera moves: what the film shows is not what the camera sees",
                self.stalled, self.known
            )
        })
    }

    /// What a reader should know.
    pub fn notes(&self) -> Vec<String> {
        let without = self.frames.saturating_sub(self.known);
        let whys: Vec<String> = self.no_camera.iter().map(|n| format!("{} ({} frames)", n.means, n.frames)).collect();
        let blind = (without > 0 && !whys.is_empty())
            .then(|| format!("in {without} of {} frames no camera is known: {}", self.frames, whys.join("; ")));
        let not_the_flight = self.is_not_the_flight();
        let shared = (self.several > 0 && not_the_flight.is_none()).then(|| {
            format!(
                "in {} of {} frames several cameras made the picture (split screen, a picture in the picture, one over another): what is told is the main one's",
                self.several, self.known
            )
        });
        blind.into_iter().chain(not_the_flight).chain(shared).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::pose::CameraMatrices;

    fn pose(known: bool, why: Option<NoCamera>, flags: &[Flag]) -> Option<Box<Pose>> {
        let gpu = known.then_some(CameraMatrices {
            position: [0.0; 3],
            quaternion: [0.0, 0.0, 0.0, 1.0],
            view: [0.0; 16],
            projection: [0.0; 16],
            draws: 1,
        });
        Some(Box::new(Pose { gpu, no_camera: why, flags: flags.to_vec(), ..Pose::default() }))
    }

    #[test]
    fn reasons_are_counted_and_a_world_that_moves_is_told() {
        let mut poses: Vec<_> =
            (0..20).map(|n| pose(true, None, if n < 2 { &[Flag::WorldMoves] } else { &[] })).collect();
        let c = measure(&poses, &[], Default::default(), 1.0).unwrap();
        assert_eq!((c.frames, c.known, c.world_moves, c.world_moves_share), (20, 20, 2, 0.1));
        assert!(c.is_not_the_flight().unwrap().starts_with("in 2 of 20 frames the camera stands still"));
        // One frame of twenty is none.
        poses[0] = pose(true, None, &[]);
        assert!(measure(&poses, &[], Default::default(), 1.0).unwrap().notes().is_empty());
        for (at, slot) in poses.iter_mut().enumerate().take(15) {
            *slot = pose(false, Some(if at < 5 { NoCamera::NothingDrawn } else { NoCamera::Canvas2d }), &[]);
        }
        let c = measure(&poses, &[], Default::default(), 1.0).unwrap();
        let told: Vec<_> = c.no_camera.iter().map(|n| (n.why, n.frames)).collect();
        assert_eq!(told, [(NoCamera::Canvas2d, 10), (NoCamera::NothingDrawn, 5)]);
        assert!(
            c.notes()[0].starts_with("in 15 of 20 frames no camera is known: the picture is a 2D canvas"),
            "{:?}",
            c.notes()
        );
        assert!(measure(&[None], &[], Default::default(), 1.0).is_err());
    }

    #[test]
    fn a_picture_that_stays_while_the_camera_flies_is_told() {
        let flight = |step: f64| -> Vec<_> {
            let at = |n: u32| {
                let mut pose = pose(true, None, &[])?;
                pose.gpu.as_mut()?.position = [f64::from(n) * step, 2.0, 0.0];
                Some(pose)
            };
            (0..20).map(at).collect()
        };
        let [one, other] = [&b"one"[..], b"other"].map(Hash::of);
        // The same picture twice, three times, …
        let film = |same: usize| (0..20).map(|n| if n % 2 == 0 || n < same { one } else { other }).collect::<Vec<_>>();
        let measure = |step: f64, same: usize, metres: f64| {
            measure(&flight(step), &film(same), Default::default(), metres).unwrap()
        };
        assert_eq!(measure(0.3, 0, 1.0).stalled, 0);
        let c = measure(0.3, 4, 1.0);
        assert_eq!((c.stalled, c.stalled_share), (4, 0.2));
        assert!(c.is_not_the_flight().unwrap().starts_with("in 4 of 20 frames the picture stays as it was"));
        assert_eq!(measure(0.3, 4, 0.01).stalled, 0, "3 mm");
        assert!(measure(0.3, 2, 1.0).is_not_the_flight().is_none(), "a title");
    }

    #[test]
    fn cameras_over_each_other_are_told_from_those_side_by_side() {
        let film = |flags: &[Flag]| (0..20).map(|_| pose(true, None, flags)).collect::<Vec<_>>();
        let split = measure(&film(&[Flag::SeveralCameras]), &[], Default::default(), 1.0).unwrap();
        assert_eq!((split.several, split.overlaid), (20, 0));
        assert!(split.is_not_the_flight().is_none() && split.notes().len() == 1, "{:?}", split.notes());
        let over =
            measure(&film(&[Flag::SeveralCameras, Flag::OverlaidCameras]), &[], Default::default(), 1.0).unwrap();
        assert_eq!((over.overlaid, over.overlaid_share), (20, 1.0));
        assert!(over.is_not_the_flight().unwrap().contains("drew over the whole picture"));
    }

    #[test]
    fn a_picture_that_moves_otherwise_than_the_camera_is_told() {
        let poses: Vec<_> = (0..60).map(|_| pose(true, None, &[])).collect();
        let seen = |looks: u64, against: u64| {
            let motion = PictureMotion { looks, against, first_against: None, found: Some(0.1) };
            measure(&poses, &[], motion, 1.0).unwrap()
        };
        let lie = seen(4, 3);
        assert_eq!((lie.looks, lie.against, lie.against_share), (4, 3, 0.75));
        assert!(lie.is_not_the_flight().unwrap().starts_with("in 3 of 4 looks at how the picture moves"));
        assert!(lie.notes()[0].contains("not what the camera sees"), "{:?}", lie.notes());
        assert!(seen(4, 1).is_not_the_flight().is_none(), "a quarter of it");
        assert!(seen(1, 1).is_not_the_flight().is_none(), "a single look may be a flash");
        assert!(seen(0, 0).is_not_the_flight().is_none(), "nothing to see");
    }
}
