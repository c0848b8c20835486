//! A camera that stands still while all that it shows moves as one body.
//!
//! Seen from the camera that is a flight, and yet its own numbers tell of none; a turntable looks the same. So it is told, and
//! not judged. What a draw carries is `modelView`, the object as the camera sees it. If the camera did not move, the motion of
//! an object since the frame before is `now · before⁻¹`, the same matrix for all that moves as one body.
//!
//! Backdrops (sky domes, what leaves no depth, what one sees through) are no part of the world that moves or stands.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec3};

use super::choose::Candidate;
use super::gpu::{ANGLE, POSITION};
use super::space;
use crate::scene::{ObjectInfo, ObjectNumber};

/// Objects looked at in a frame, about: what three.js draws in another order each frame must be the same ones.
const SAMPLES: usize = 256;
/// Objects tried as the one whose motion most others share.
const LEADERS: usize = 8;
/// A motion is so many times what rounding makes of none.
const MOTION: f64 = 10.0;
/// Of ten objects so many must move alike.
const OF_TEN: usize = 9;

/// Compares each frame with the one before.
#[derive(Clone, Debug, Default)]
pub struct Still {
    backdrops: BTreeSet<ObjectNumber>,
    before: Option<(DMat4, BTreeMap<ObjectNumber, DMat4>)>,
}

/// How an object moved, seen from a camera that did not.
#[derive(Clone, Copy, Debug)]
struct Motion {
    by: DMat4,
    /// Largest distance that went into it.
    reach: f64,
    /// How far its origin went.
    went: f64,
}

impl Still {
    /// Objects seen for the first time.
    pub fn meet(&mut self, objects: &[ObjectInfo]) {
        let is_backdrop = |o: &&ObjectInfo| {
            let m = &o.material;
            m.back_side || m.transparent || !m.depth_write || !m.depth_test || o.on_camera || o.kind == "Sky"
        };
        self.backdrops.extend(objects.iter().filter(is_backdrop).map(|o| o.number));
    }

    /// Did the camera stand still since the frame before, and all that it shows move as one body? `view` is the camera's.
    pub fn world_moves(&mut self, candidate: Option<&Candidate<'_>>, view: Option<&[f64; 16]>) -> bool {
        let now = candidate.zip(view).map(|(candidate, view)| (space::matrix(view), self.places(candidate)));
        let before = std::mem::replace(&mut self.before, now);
        match (before, &self.before) {
            (Some((view, before)), Some((same, now))) => stands(&view, same) && as_one(&before, now),
            _ => false,
        }
    }

    fn places(&self, candidate: &Candidate<'_>) -> BTreeMap<ObjectNumber, DMat4> {
        let shots =
            candidate.parts.iter().filter(|part| candidate.flat() || !part.shot.is_flat()).map(|part| &part.shot);
        let all: usize = shots.clone().map(|shot| shot.placed.len()).sum();
        let mask = u32::try_from((all / SAMPLES).max(1).next_power_of_two()).unwrap_or(1) - 1;
        let placed = shots.flat_map(|shot| &shot.placed);
        let taken = placed.filter(|p| p.object != 0 && p.object & mask == 0 && !self.backdrops.contains(&p.object));
        taken.map(|p| (p.object, space::matrix(&space::widen(&p.model_view)))).collect()
    }
}

fn stands(a: &DMat4, b: &DMat4) -> bool {
    let (Some(p), Some(q)) = (space::inverse(a), space::inverse(b)) else { return false };
    let (p, q) = (p.w_axis.truncate(), q.w_axis.truncate());
    p.distance(q) <= POSITION * (1.0 + p.length()) && space::angle(space::rotation(a), space::rotation(b)) <= ANGLE
}

fn as_one(before: &BTreeMap<ObjectNumber, DMat4>, now: &BTreeMap<ObjectNumber, DMat4>) -> bool {
    let both = || now.iter().filter_map(|(number, now)| Some((before.get(number)?, now)));
    let motions: Vec<Motion> = both().filter(|(before, now)| before != now).filter_map(|(b, n)| motion(b, n)).collect();
    let all = both().count();
    let most = |count: usize| count * 10 >= all * OF_TEN;
    if all == 0 || !most(motions.len()) {
        return false;
    }
    // What turns by itself on the spot is no world.
    if let [alone] = motions.as_slice()
        && alone.went <= MOTION * tolerance(alone)
    {
        return false;
    }
    let step = motions.len().div_ceil(LEADERS).max(1);
    motions
        .iter()
        .step_by(step)
        .any(|leader| moves(leader) && most(motions.iter().filter(|other| alike(leader, other)).count()))
}

/// `None` for what is no motion of a rigid body.
fn motion(before: &DMat4, now: &DMat4) -> Option<Motion> {
    let by = *now * space::inverse(before)?;
    let rigid = by.is_finite() && (by.determinant() - 1.0).abs() < 1e-3;
    let (a, b) = (before.w_axis.truncate(), now.w_axis.truncate());
    rigid.then(|| Motion { by, reach: a.length() + b.length(), went: a.distance(b) })
}

fn tolerance(motion: &Motion) -> f64 {
    4.0 * POSITION * (1.0 + motion.reach)
}

fn moves(motion: &Motion) -> bool {
    let turned = space::angle(space::rotation(&motion.by), glam::DQuat::IDENTITY);
    motion.by.w_axis.truncate().length() > MOTION * tolerance(motion) || turned > MOTION * 4.0 * ANGLE
}

fn alike(a: &Motion, b: &Motion) -> bool {
    let [p, q]: [DVec3; 2] = [a, b].map(|m| m.by.w_axis.truncate());
    p.distance(q) <= tolerance(a).max(tolerance(b))
        && space::angle(space::rotation(&a.by), space::rotation(&b.by)) <= 4.0 * ANGLE
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    /// As they arrive: in single precision.
    fn seen(m: DMat4) -> DMat4 {
        space::matrix(&space::widen(&m.to_cols_array().map(|v| v as f32)))
    }

    fn places(count: u32, at: impl Fn(u32) -> DMat4) -> BTreeMap<ObjectNumber, DMat4> {
        (1..=count).map(|n| (n, seen(at(n)))).collect()
    }

    fn house(n: u32) -> DMat4 {
        let n = f64::from(n);
        DMat4::from_scale_rotation_translation(
            DVec3::new(1.0, 2.0 + n, 1.0),
            DQuat::from_rotation_y(n),
            DVec3::new(n * 7.0 % 50.0 - 25.0, -2.0, -10.0 - n * 3.0),
        )
    }

    #[test]
    fn a_world_that_flies_past_is_told_from_things_that_move() {
        let still = places(40, house);
        let flown =
            |n| DMat4::from_rotation_translation(DQuat::from_rotation_y(0.01), DVec3::new(0.1, 0.0, 0.4)) * house(n);
        assert!(as_one(&still, &places(40, flown)), "all by the same motion");
        assert!(!as_one(&still, &still), "nothing moves");
        let some = |most: u32| move |n: u32| if n <= most { flown(n) } else { house(n) };
        assert!(!as_one(&still, &places(40, some(10))), "a train before houses that stand");
        assert!(as_one(&still, &places(40, some(37))), "three cars keep up with the camera");
        let each = |n: u32| DMat4::from_translation(DVec3::X * 0.1 * f64::from(n % 5 + 1)) * house(n);
        assert!(!as_one(&still, &places(40, each)), "each by its own motion");
        let turned = |n: u32| house(n) * DMat4::from_rotation_y(0.1);
        assert!(!as_one(&still, &places(40, turned)), "each about its own middle");
        let grown = |n: u32| house(n) * DMat4::from_scale(DVec3::splat(1.1));
        assert!(!as_one(&still, &places(40, grown)), "no rigid motion");
        assert!(!as_one(&places(1, house), &places(1, turned)), "one body that turns on the spot");
        assert!(as_one(&places(1, house), &places(1, flown)), "a world of one mesh");
        assert!(!as_one(&BTreeMap::new(), &BTreeMap::new()));
    }
}
