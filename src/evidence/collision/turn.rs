//! The way of something rigid that turned: on arcs, not straight.
//!
//! Two places of a rigid body are joined by one screw: a turn about an axis and a slide along it (Chasles). A wheel, a blade, a
//! door go that way from frame to frame.

use glam::{DMat3, DVec3, Vec3};

/// Further round than this nobody can tell which way something turned: 150°.
const FURTHEST: f64 = 2.618;
/// Steps of a turn at most.
const MOST_STEPS: f64 = 256.0;
/// An arc that is off its chord by less, in parts of the camera's radius, is straight.
const FLAT: f64 = 0.05;
/// Parts of a body's size that it may bend by and be rigid.
const RIGID: f64 = 1e-3;

/// How a rigid body came from where it was.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    axis: DVec3,
    angle: f64,
    /// On the axis.
    pivot: DVec3,
    /// Along it.
    slide: f64,
    /// Distances of the body's points to the axis.
    nearest: f64,
    farthest: f64,
}

impl Turn {
    /// From the same points before and now; `None` if they bend, do not turn, or lie on a line.
    pub fn of(before: &[Vec3], now: &[Vec3]) -> Option<Self> {
        let wide = |points: &[Vec3], at: usize| points.get(at).map(|point| point.as_dvec3());
        let first = wide(before, 0)?;
        let farthest = |distance: &dyn Fn(DVec3) -> f64| {
            let places = before.iter().enumerate().map(|(at, point)| (at, distance(point.as_dvec3())));
            places.filter(|(_, d)| d.is_finite()).max_by(|a, b| a.1.total_cmp(&b.1))
        };
        let (second, size) = farthest(&|point| point.distance_squared(first))?;
        let line = (wide(before, second)? - first).normalize_or_zero();
        let (third, off) = farthest(&|point| (point - first).cross(line).length_squared())?;
        if off <= 1e-6 * size || size == 0.0 {
            return None;
        }
        let frame = |points: &[Vec3]| {
            let (a, b, c) = (wide(points, 0)?, wide(points, second)?, wide(points, third)?);
            let x = (b - a).normalize_or_zero();
            let z = x.cross(c - a).normalize_or_zero();
            Some(DMat3::from_cols(x, z.cross(x), z))
        };
        let turned = frame(now)? * frame(before)?.transpose();
        let shift = wide(now, 0)? - turned * first;
        let size = size.sqrt();
        let rigid = |(before, now): (&Vec3, &Vec3)| {
            let (before, now) = (before.as_dvec3(), now.as_dvec3());
            let rounding = 1e-6 * (before.abs().max_element() + now.abs().max_element());
            (turned * before + shift - now).length() <= RIGID * size + rounding
        };
        if before.len() != now.len() || !before.iter().zip(now).all(rigid) {
            return None;
        }
        let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis];
        let sines = DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x) / 2.0;
        let angle = libm::atan2(sines.length(), (x.x + y.y + z.z - 1.0) / 2.0);
        let axis = if sines.length() > 1e-3 { sines.normalize() } else { half_turn_axis(&turned, angle)? };
        let slide = axis.dot(shift);
        let across = shift - axis * slide;
        let (sine, cosine) = libm::sincos(angle / 2.0);
        if sine.abs() < 1e-3 {
            return None;
        }
        let pivot = (across + axis.cross(across) * (cosine / sine)) / 2.0;
        let distances = before.iter().map(|point| (point.as_dvec3() - pivot).cross(axis).length());
        let (nearest, farthest) = distances.fold((f64::INFINITY, 0.0_f64), |(low, high), d| (low.min(d), high.max(d)));
        Some(Self { axis, angle, pivot, slide, nearest, farthest })
    }

    /// How far an arc lies off its chord.
    pub fn bulge(&self) -> f64 {
        let (_, cosine) = libm::sincos(self.angle.min(FURTHEST) / 2.0);
        self.farthest * (1.0 - cosine)
    }

    /// Is it the way of one thing, no step of which is longer than `leap`? About its own hub something may turn faster.
    pub fn is_way(&self, leap: f64) -> bool {
        let (sine, _) = libm::sincos(self.angle / 2.0);
        (2.0 * self.nearest * sine).hypot(self.slide) <= leap
    }

    /// Are straight lines as good, for a camera of this radius?
    pub fn is_flat(&self, radius: f64) -> bool {
        self.bulge() <= FLAT * radius
    }

    /// Steps in which no point goes further than `radius`; `None` if nobody can tell the way.
    pub fn steps(&self, radius: f64) -> Option<u32> {
        let steps = ((self.farthest * self.angle).hypot(self.slide) / radius.max(1e-9)).ceil();
        (self.angle <= FURTHEST && steps <= MOST_STEPS).then_some((steps as u32).max(1))
    }

    /// May what turns come within `radius` of the point?
    pub fn sweeps(&self, point: DVec3, radius: f64) -> bool {
        (point - self.pivot).cross(self.axis).length() <= self.farthest + radius
    }

    /// Where a point of the body is at `time`, 0 to 1.
    pub fn at(&self, before: DVec3, time: f64) -> DVec3 {
        let (sine, cosine) = libm::sincos(self.angle * time);
        let arm = before - self.pivot;
        let along = self.axis * self.axis.dot(arm);
        let turned = (arm - along) * cosine + self.axis.cross(arm) * sine + along;
        self.pivot + turned + self.axis * (self.slide * time)
    }
}

/// The axis of a turn by nearly 180°: the column of R + 1 that is longest.
fn half_turn_axis(turned: &DMat3, angle: f64) -> Option<DVec3> {
    let sum = *turned + DMat3::IDENTITY;
    let columns = [sum.x_axis, sum.y_axis, sum.z_axis];
    let longest = columns.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    (angle > 1.0).then(|| longest.normalize_or_zero())
}

#[cfg(test)]
mod tests {
    use glam::{DAffine3, DQuat};

    use super::*;

    const BLADE: [DVec3; 4] =
        [DVec3::new(1.0, 2.0, 0.0), DVec3::new(5.0, 2.0, 0.0), DVec3::new(5.0, 2.4, 0.0), DVec3::new(1.0, 2.4, 0.3)];

    fn moved(by: &DAffine3) -> [Vec<Vec3>; 2] {
        [BLADE.map(|p| p.as_vec3()).to_vec(), BLADE.map(|p| by.transform_point3(p).as_vec3()).to_vec()]
    }

    /// About an axis through (1, 2) by an angle, and along it: every point is where the same turn by a part of it takes it.
    #[test]
    fn turns_go_on_arcs() {
        for (degrees, slide) in [(30.0_f64, 0.0), (90.0, 0.5), (140.0, -0.2), (-60.0, 0.1)] {
            let about = |part: f64| {
                let turn = DAffine3::from_rotation_z((degrees * part).to_radians());
                let hub = DVec3::new(1.0, 2.0, 0.0);
                DAffine3::from_translation(hub + DVec3::Z * slide * part) * turn * DAffine3::from_translation(-hub)
            };
            let [before, now] = moved(&about(1.0));
            let turn = Turn::of(&before, &now).expect("rigid");
            for part in [0.0, 0.3, 0.5, 1.0] {
                for corner in BLADE {
                    let (found, right) = (turn.at(corner, part), about(part).transform_point3(corner));
                    assert!(found.distance(right) < 1e-4, "{degrees} {part}: {found} {right}");
                }
            }
            assert!(turn.is_way(0.6) && !turn.is_flat(0.2), "the hub hardly moves");
            // The tip is √(4² + 0.4²) from the hub.
            let arc = (4.0200_f64 * degrees.abs().to_radians()).hypot(slide);
            assert_eq!(turn.steps(0.2), Some((arc / 0.2).ceil() as u32), "{degrees}");
        }
    }

    #[test]
    fn what_is_no_turn_or_tells_no_way() {
        let [before, now] = moved(&DAffine3::from_translation(DVec3::X));
        assert!(Turn::of(&before, &now).is_none(), "straight on");
        let [before, mut now] = moved(&DAffine3::from_rotation_y(1.0));
        assert!(Turn::of(&before, &now).is_some());
        now[2].y += 0.1;
        assert!(Turn::of(&before, &now).is_none(), "it bends");
        let [before, now] = moved(&DAffine3::from_quat(DQuat::from_rotation_z(3.1)));
        assert_eq!(Turn::of(&before, &now).expect("rigid").steps(0.2), None, "either way round");
        let [before, now] = moved(&DAffine3::from_quat(DQuat::from_rotation_z(std::f64::consts::PI)));
        assert_eq!(Turn::of(&before, &now).expect("rigid").steps(0.2), None, "either way round");
        let elsewhere = DAffine3::from_rotation_translation(DQuat::from_rotation_z(1.0), DVec3::X * 50.0);
        let [before, now] = moved(&elsewhere);
        assert!(!Turn::of(&before, &now).expect("rigid").is_way(5.0), "put elsewhere");
        assert!(Turn::of(&[Vec3::X, Vec3::Y], &[Vec3::X, Vec3::Z]).is_none(), "a line");
    }
}
