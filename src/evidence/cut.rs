//! Cuts: where a camera jumps instead of moving.
//!
//! A step is a jump if it differs from the step before *and* from the step after by far more than the motion around it
//! does. Moving off, stopping, turning or stuttering changes a step against one neighbour only, or changes its
//! neighbours as much: no cut. The rule looks [`REACH`] frames to either side and no further, so a stream of frames
//! gets the same answers ([`CutFinder`]) as a whole path ([`cuts`]).

use std::collections::VecDeque;

use glam::{DQuat, DVec3};

/// Frames before and after that a decision looks at.
pub const REACH: usize = 6;

/// A jump is at least so long, in metres: a shorter one is jerky motion.
const LEAST_JUMP: f64 = 0.5;
/// The same for turning, in radians (20°).
const LEAST_TURN: f64 = 0.349_065_850_398_865_9;
/// A jump is so many times the median step around it…
const TIMES_STEP: f64 = 5.0;
/// …and so many times the median change from step to step around it (a shaking camera).
const TIMES_CHANGE: f64 = 8.0;

/// How a frame begins a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It does not: it goes on.
    No,
    /// Nothing is known of the frame before.
    First,
    /// The camera jumps.
    Jump,
    /// The view turns at once; the place goes on, as far as single steps tell.
    Turn,
}

/// Where a camera was in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Metres.
    pub position: DVec3,
    /// Of unit length.
    pub rotation: DQuat,
}

impl Placement {
    /// From a pose's numbers, in scene units; `None` if they are no placement (not finite, further out than a light
    /// hour, a zero quaternion).
    pub fn new(position: [f64; 3], quaternion: [f64; 4], metres_per_unit: f64) -> Option<Self> {
        let position = DVec3::from(position) * metres_per_unit;
        let rotation = DQuat::from_array(quaternion);
        let length = rotation.length();
        (position.abs().max_element() < 1e12 && position.is_finite() && length.is_finite() && length > 1e-9)
            .then(|| Self { position, rotation: rotation / length })
    }
}

/// The rotation vector (axis times angle, radians, at most π long) that turns `from` into `to`, in world axes: the
/// logarithm of `to · from⁻¹` on SO(3). A quaternion and its negative are the same rotation.
pub fn turn(from: DQuat, to: DQuat) -> DVec3 {
    let q = to * from.conjugate();
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sine = v.length();
    // atan2 keeps its precision at both ends, where acos and asin lose theirs.
    if sine > 1e-12 { v * (2.0 * libm::atan2(sine, q.w) / sine) } else { v * 2.0 }
}

/// For each frame: does a new shot begin with it? `None` is a frame without a camera; the next one with a camera begins
/// a shot, as does the first.
pub fn cuts(path: &[Option<Placement>]) -> Vec<bool> {
    (0..path.len())
        .map(|at| {
            let first = at.saturating_sub(REACH + 1);
            let last = (at + REACH + 1).min(path.len());
            path.get(first..last).is_some_and(|around| cut(around, at - first) != Cut::No)
        })
        .collect()
}

/// The same for frames that come one by one: answers lag [`REACH`] frames behind.
#[derive(Clone, Debug, Default)]
pub struct CutFinder {
    around: VecDeque<Option<Placement>>,
    /// Frames before `around` that were let go.
    gone: usize,
    /// Frames decided.
    decided: usize,
}

impl CutFinder {
    /// Takes the next frame; gives the oldest frame not yet decided, counted from 0, and how a shot begins with it.
    pub fn push(&mut self, placement: Option<Placement>) -> Option<(usize, Cut)> {
        self.around.push_back(placement);
        (self.gone + self.around.len() > self.decided + REACH).then(|| self.decide())
    }

    /// The frames still open, when no more come.
    pub fn finish(mut self) -> Vec<(usize, Cut)> {
        let total = self.gone + self.around.len();
        (self.decided..total).map(|_| self.decide()).collect()
    }

    fn decide(&mut self) -> (usize, Cut) {
        let at = self.decided;
        let first = at.saturating_sub(REACH + 1);
        while self.gone < first && self.around.pop_front().is_some() {
            self.gone += 1;
        }
        let cut = cut(self.around.make_contiguous(), at - self.gone);
        self.decided += 1;
        (at, cut)
    }
}

/// `around` holds the frame `at` and what is known of [`REACH`] + 1 frames before and [`REACH`] after it.
fn cut(around: &[Option<Placement>], at: usize) -> Cut {
    let step = |to: usize| -> Option<(DVec3, DVec3)> {
        let a = around.get(to.checked_sub(1)?)?.as_ref()?;
        let b = around.get(to)?.as_ref()?;
        Some((b.position - a.position, turn(a.rotation, b.rotation)))
    };
    if around.get(at).is_none_or(Option::is_none) {
        return Cut::No;
    }
    let Some((moved, turned)) = step(at) else { return Cut::First };
    let near = || (1..around.len()).filter(|&to| to != at).filter_map(step);
    let pairs =
        || (1..around.len()).filter(|&to| to != at && to + 1 != at).filter_map(|to| Some((step(to)?, step(to + 1)?)));
    let (before, after) = (at.checked_sub(1).and_then(step), step(at + 1));
    let odd = |of: fn(&(DVec3, DVec3)) -> DVec3, here: DVec3, least: f64| {
        let apart = |other: &Option<(DVec3, DVec3)>| other.as_ref().map(|s| (here - of(s)).length());
        let excess = match (apart(&before), apart(&after)) {
            (Some(a), Some(b)) => a.min(b),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return false,
        };
        excess > least
            && excess > TIMES_STEP * median(near().map(|s| of(&s).length()).collect())
            && excess > TIMES_CHANGE * median(pairs().map(|(a, b)| (of(&b) - of(&a)).length()).collect())
    };
    if odd(|s| s.0, moved, LEAST_JUMP) {
        Cut::Jump
    } else if odd(|s| s.1, turned, LEAST_TURN) {
        Cut::Turn
    } else {
        Cut::No
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64, z: f64, yaw: f64) -> Option<Placement> {
        Some(Placement { position: DVec3::new(x, y, z), rotation: DQuat::from_rotation_y(yaw) })
    }

    /// Both ways of asking; frame 0 always begins a shot.
    fn found(path: &[Option<Placement>]) -> Vec<usize> {
        let whole = cuts(path);
        let mut finder = CutFinder::default();
        let mut streamed: Vec<_> = path.iter().filter_map(|p| finder.push(*p)).collect();
        streamed.extend(finder.finish());
        let expected: Vec<_> = whole.iter().copied().enumerate().collect();
        let streamed: Vec<_> = streamed.into_iter().map(|(at, cut)| (at, cut != Cut::No)).collect();
        assert_eq!(streamed, expected, "a stream gets the same answers");
        whole.iter().enumerate().skip(1).filter(|(_, cut)| **cut).map(|(at, _)| at).collect()
    }

    #[test]
    fn motion_is_no_cut() {
        let none: Vec<usize> = Vec::new();
        let path = |f: &dyn Fn(f64) -> Option<Placement>| (0..90).map(|i| f(f64::from(i) / 30.0)).collect::<Vec<_>>();
        assert_eq!(found(&path(&|t| at(15.0 * t, 2.0, 0.0, 0.0))), none, "straight and fast");
        assert_eq!(
            found(&path(&|t| at(if t < 1.5 { 0.0 } else { 20.0 * (t - 1.5) }, 0.0, 0.0, 0.0))),
            none,
            "off at once"
        );
        assert_eq!(found(&path(&|t| at(20.0 * t.min(1.5), 0.0, 0.0, 0.0))), none, "an abrupt stop");
        assert_eq!(found(&path(&|t| at(20.0 * (t - 1.5).abs(), 0.0, 0.0, 0.0))), none, "a bounce");
        assert_eq!(found(&path(&|t| at(0.0, 0.0, 0.0, 3.0 * (1.0 - (3.0 * t).cos())))), none, "a whip pan");
        assert_eq!(found(&path(&|t| at((15.0 * t).floor(), 0.0, 0.0, 0.0))), none, "every second frame");
        assert_eq!(
            found(&path(&|t| at(10.0 * (t - f64::from(t == 1.5) / 30.0), 0.0, 0.0, 0.0))),
            none,
            "one frame late"
        );
        let shaking: Vec<_> = (0..90).map(|i| at(f64::from(i * i * 37 % 17) * 0.1, 0.0, f64::from(i), 0.0)).collect();
        assert_eq!(found(&shaking), none, "shaking");
    }

    #[test]
    fn jumps_are_cuts() {
        let mut path: Vec<_> = (0..60).map(|i| at(0.4 * f64::from(i), 2.0, 0.0, 0.0)).collect();
        let moved = |p: Option<Placement>| p.map(|p| Placement { position: p.position + DVec3::Z * 6.0, ..p });
        path.iter_mut().skip(20).for_each(|p| *p = moved(*p));
        assert_eq!(found(&path), [20]);
        // A shot of a single frame, and one from the same place in another direction.
        path[40] = at(100.0, 50.0, 3.0, 1.0);
        assert_eq!(found(&path), [20, 40, 41]);
        let turned: Vec<_> = (0..30).map(|i| at(0.0, 0.0, 0.0, if i < 15 { 0.0 } else { 3.0 })).collect();
        assert_eq!(found(&turned), [15]);
        // The first step, where a program puts its camera in place one frame late.
        let late: Vec<_> =
            (0..30).map(|i| at(if i == 0 { 0.0 } else { 50.0 + f64::from(i) * 0.1 }, 0.0, 0.0, 0.0)).collect();
        assert_eq!(found(&late), [1]);
    }

    #[test]
    fn a_view_that_turns_at_once_is_told_from_a_jump() {
        let told = |path: &dyn Fn(f64) -> Option<Placement>| {
            let mut finder = CutFinder::default();
            let mut told: Vec<_> = (0..24).filter_map(|i| finder.push(path(f64::from(i)))).collect();
            told.extend(finder.finish());
            told.into_iter().skip(1).filter(|(_, cut)| *cut != Cut::No).collect::<Vec<_>>()
        };
        let yaw = |i: f64| if i < 12.0 { 0.0 } else { 0.7 };
        assert_eq!(told(&|i| at(0.0, 0.0, -i, yaw(i))), [(12, Cut::Turn)]);
        assert_eq!(told(&|i| at(0.0, 0.0, if i < 12.0 { -i } else { 40.0 - i }, yaw(i))), [(12, Cut::Jump)]);
    }

    #[test]
    fn a_frame_without_a_camera_parts_two_shots() {
        let path: Vec<_> = (0..20).map(|i| (i != 9).then(|| at(f64::from(i), 0.0, 0.0, 0.0)).flatten()).collect();
        assert_eq!(found(&path), [10]);
    }

    #[test]
    fn the_logarithm_knows_both_signs_and_both_ends() {
        let q = |angle: f64| DQuat::from_axis_angle(DVec3::Y, angle);
        for angle in [1e-9, 1e-4, 0.3, 3.1, std::f64::consts::PI - 1e-9] {
            let close = |v: DVec3| (v - DVec3::Y * angle).length() < 1e-12 * angle.max(1e-3);
            assert!(close(turn(q(0.2), q(0.2 + angle))), "{angle}: {}", turn(q(0.2), q(0.2 + angle)));
            assert!(close(turn(q(0.0), -q(angle))), "{angle}, negative");
        }
        assert_eq!(turn(q(1.0), q(1.0)), DVec3::ZERO);
    }
}
