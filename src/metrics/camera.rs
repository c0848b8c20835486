//! Is the camera known, and is the flight its own? Out of the poses' flags.

use std::collections::BTreeMap;

use super::record::{Camera, NoCameraFrames};
use crate::evidence::pose::{Flag, NoCamera, Pose};

/// Share of the frames with a camera from which on a world that moves as one body is what the film shows.
const MOST: f64 = 0.05;

/// # Errors
/// There is no pose, told as a reason.
pub fn measure(poses: &[Option<Box<Pose>>]) -> Result<Camera, String> {
    let poses: Vec<&Pose> = poses.iter().flatten().map(Box::as_ref).collect();
    if poses.is_empty() {
        return Err("poses.jsonl has no frame".to_owned());
    }
    let known = poses.iter().filter(|pose| pose.camera.is_some() || pose.gpu.is_some()).count();
    let moving = poses.iter().filter(|pose| pose.flags.contains(&Flag::WorldMoves)).count();
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
        world_moves_share: moving as f64 / known.max(1) as f64,
    })
}

impl Camera {
    /// Why there is no camera in most frames without one.
    pub fn why(&self) -> Option<&str> {
        self.no_camera.first().map(|n| n.means.as_str())
    }

    /// Is the camera's way not the flight's? Then why.
    pub fn stands_still(&self) -> Option<String> {
        (self.world_moves_share > MOST).then(|| {
            format!(
                "in {} of {} frames the camera stands still, and all solid things that it shows move as one body: either the world moves past the camera, or something turns before it. No way in the scene's coordinates is that of the flight, if it is one",
                self.world_moves, self.known
            )
        })
    }

    /// What a reader should know.
    pub fn notes(&self) -> Vec<String> {
        let without = self.frames.saturating_sub(self.known);
        let whys: Vec<String> = self.no_camera.iter().map(|n| format!("{} ({} frames)", n.means, n.frames)).collect();
        let blind = (without > 0 && !whys.is_empty())
            .then(|| format!("in {without} of {} frames no camera is known: {}", self.frames, whys.join("; ")));
        blind.into_iter().chain(self.stands_still()).collect()
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
        let c = measure(&poses).unwrap();
        assert_eq!((c.frames, c.known, c.world_moves, c.world_moves_share), (20, 20, 2, 0.1));
        assert!(c.stands_still().unwrap().starts_with("in 2 of 20 frames the camera stands still"));
        // One frame of twenty is none.
        poses[0] = pose(true, None, &[]);
        assert!(measure(&poses).unwrap().notes().is_empty());
        for (at, slot) in poses.iter_mut().enumerate().take(15) {
            *slot = pose(false, Some(if at < 5 { NoCamera::NothingDrawn } else { NoCamera::Canvas2d }), &[]);
        }
        let c = measure(&poses).unwrap();
        let told: Vec<_> = c.no_camera.iter().map(|n| (n.why, n.frames)).collect();
        assert_eq!(told, [(NoCamera::Canvas2d, 10), (NoCamera::NothingDrawn, 5)]);
        assert!(
            c.notes()[0].starts_with("in 15 of 20 frames no camera is known: the picture is a 2D canvas"),
            "{:?}",
            c.notes()
        );
        assert!(measure(&[None]).is_err());
    }
}
