//! Points, segments and rays against triangles and boxes.
//!
//! Boxes are f32 and only ever rule out; what decides is f64, relative to the camera, so that rounding is far below a
//! millimetre near it.

use glam::{DVec3, Vec3};

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    pub fn with(self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn grown(self, by: f32) -> Self {
        Self { min: self.min - Vec3::splat(by), max: self.max + Vec3::splat(by) }
    }

    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Least squared distance of anything in the box to the point.
    pub fn distance_squared(&self, point: Vec3) -> f32 {
        let outside = (self.min - point).max(point - self.max).max(Vec3::ZERO);
        outside.length_squared()
    }

    /// Where a ray enters, if it meets the box before `limit`; `inverse` is 1 / direction.
    pub fn enter(&self, origin: Vec3, inverse: Vec3, limit: f32) -> Option<f32> {
        let (a, b) = ((self.min - origin) * inverse, (self.max - origin) * inverse);
        let near = a.min(b).max_element().max(0.0);
        let far = a.max(b).min_element();
        // Rounding must not lose a flat box that the ray grazes.
        (near <= far * (1.0 + 1e-5) + 1e-6 && near < limit).then_some(near)
    }
}

/// Three corners; counter-clockwise from the front.
pub type Triangle = [DVec3; 3];

/// The point of the triangle nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5).
pub fn nearest_on_triangle(p: DVec3, [a, b, c]: Triangle) -> DVec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return if d1 > d3 { a + ab * (d1 / (d1 - d3)) } else { a };
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return if d2 > d6 { a + ac * (d2 / (d2 - d6)) } else { a };
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)).max(f64::MIN_POSITIVE));
    }
    let sum = va + vb + vc;
    if sum <= 0.0 {
        return a;
    }
    a + ab * (vb / sum) + ac * (vc / sum)
}

/// Least distance between a segment and a triangle.
pub fn segment_to_triangle(from: DVec3, to: DVec3, triangle: Triangle) -> f64 {
    if let Some(hit) = ray_triangle(from, to - from, triangle)
        && hit.at <= 1.0
    {
        return 0.0;
    }
    let [a, b, c] = triangle;
    let ends = [from, to].map(|p| (nearest_on_triangle(p, triangle) - p).length());
    let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| segment_to_segment(from, to, p, q));
    ends.into_iter().chain(edges).fold(f64::INFINITY, f64::min)
}

/// Least distance between two segments (Ericson, 5.1.9).
fn segment_to_segment(p1: DVec3, q1: DVec3, p2: DVec3, q2: DVec3) -> f64 {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    let tiny = 1e-24;
    let (s, t);
    if a <= tiny && e <= tiny {
        return r.length();
    } else if a <= tiny {
        (s, t) = (0.0, (f / e).clamp(0.0, 1.0));
    } else {
        let c = d1.dot(r);
        if e <= tiny {
            (s, t) = ((-c / a).clamp(0.0, 1.0), 0.0);
        } else {
            let b = d1.dot(d2);
            let denominator = a * e - b * b;
            let first = if denominator > tiny { ((b * f - c * e) / denominator).clamp(0.0, 1.0) } else { 0.0 };
            let second = (b * first + f) / e;
            if second < 0.0 {
                (s, t) = ((-c / a).clamp(0.0, 1.0), 0.0);
            } else if second > 1.0 {
                (s, t) = (((b - c) / a).clamp(0.0, 1.0), 1.0);
            } else {
                (s, t) = (first, second);
            }
        }
    }
    (p1 + d1 * s - p2 - d2 * t).length()
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// In lengths of the direction.
    pub at: f64,
    /// It meets the front.
    pub front: bool,
}

/// Both sides count (Möller and Trumbore 1997). Edges belong to the triangle, with a hair's breadth beyond, so that no
/// ray slips between two neighbours.
pub fn ray_triangle(origin: DVec3, direction: DVec3, [a, b, c]: Triangle) -> Option<Hit> {
    const HAIR: f64 = 1e-9;
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let inverse = 1.0 / determinant;
    let s = origin - a;
    let u = s.dot(p) * inverse;
    if !(-HAIR..=1.0 + HAIR).contains(&u) {
        return None;
    }
    let q = s.cross(ab);
    let v = direction.dot(q) * inverse;
    if v < -HAIR || u + v > 1.0 + HAIR {
        return None;
    }
    let at = ac.dot(q) * inverse;
    // (b − a) × (c − a) · direction = −determinant: against the front's normal where it is positive.
    (at >= 0.0).then_some(Hit { at, front: determinant > 0.0 })
}

/// When (0 to 1) does a point that moves from `from` to `to` pass through a triangle that moves from `before` to `now`
/// meanwhile? Everything moves straight and evenly. Through and back is no passing.
pub fn crosses(from: DVec3, to: DVec3, before: Triangle, now: Triangle) -> Option<f64> {
    // The volume of the tetrahedron is a cubic in time; the point is in the triangle's plane where it is zero.
    let place = |t: f64| {
        let p = from.lerp(to, t);
        [before[0].lerp(now[0], t) - p, before[1].lerp(now[1], t) - p, before[2].lerp(now[2], t) - p]
    };
    let volume = |t: f64| {
        let [a, b, c] = place(t);
        a.dot(b.cross(c))
    };
    let inside = |t: f64| {
        let [a, b, c] = place(t);
        let normal = (b - a).cross(c - a);
        let area = normal.length_squared();
        // Edges belong to the triangle: a path through one between two neighbours must not slip through.
        let weights = [b.cross(c).dot(normal), c.cross(a).dot(normal), a.cross(b).dot(normal)];
        area > 0.0 && weights.iter().all(|w| *w >= -1e-12 * area)
    };
    let mut found = None;
    // A cubic has at most three roots: three even brackets of a smooth motion part them well enough, halved further.
    const STEPS: u32 = 8;
    let mut last = (0.0, volume(0.0));
    for step in 1..=STEPS {
        let t = f64::from(step) / f64::from(STEPS);
        let next = (t, volume(t));
        // Half-open in time, so that a path cut in two at the surface crosses it once.
        if (last.1 < 0.0) != (next.1 < 0.0) {
            let (mut low, mut high) = (last, next);
            for _ in 0..60 {
                let middle = (low.0 + high.0) / 2.0;
                let value = volume(middle);
                if (value < 0.0) == (low.1 < 0.0) {
                    low = (middle, value);
                } else {
                    high = (middle, value);
                }
            }
            if inside(high.0) {
                found = if found.is_none() { Some(high.0) } else { None };
            }
        }
        last = next;
    }
    found
}

/// Does any of the triangle lie on the inner side of all planes (normal · p ≥ offset)?
pub fn reaches_into(triangle: Triangle, planes: &[(DVec3, f64)]) -> bool {
    let mut polygon: Vec<DVec3> = triangle.to_vec();
    let mut next = Vec::with_capacity(8);
    for (normal, offset) in planes {
        next.clear();
        for (i, &here) in polygon.iter().enumerate() {
            let there = polygon.get(i + 1).or(polygon.first()).copied().unwrap_or(here);
            let (d0, d1) = (normal.dot(here) - offset, normal.dot(there) - offset);
            if d0 >= 0.0 {
                next.push(here);
            }
            if (d0 > 0.0 && d1 < 0.0) || (d0 < 0.0 && d1 > 0.0) {
                next.push(here.lerp(there, d0 / (d0 - d1)));
            }
        }
        std::mem::swap(&mut polygon, &mut next);
        if polygon.is_empty() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Triangle = [DVec3::new(0.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 4.0), DVec3::new(4.0, 0.0, 0.0)];

    #[test]
    fn distances_to_inside_edges_and_corners() {
        let distance = |x, y, z| (nearest_on_triangle(DVec3::new(x, y, z), FLOOR) - DVec3::new(x, y, z)).length();
        assert_eq!(distance(1.0, 3.0, 1.0), 3.0);
        assert_eq!(distance(-3.0, 4.0, 1.0), 5.0);
        assert_eq!(distance(-2.0, 1.0, -2.0), 3.0);
        // From the middle of the long edge outwards: (3, 3) is √2 from (2, 2).
        assert!((distance(3.0, 0.0, 3.0) - std::f64::consts::SQRT_2).abs() < 1e-12);
        let (from, to) = (DVec3::new(-5.0, 2.0, 1.0), DVec3::new(5.0, 2.0, 1.0));
        assert_eq!(segment_to_triangle(from, to, FLOOR), 2.0);
        // Through (2, 0, 1).
        assert_eq!(segment_to_triangle(from, DVec3::new(9.0, -2.0, 1.0), FLOOR), 0.0);
    }

    #[test]
    fn rays_know_the_front() {
        let down = ray_triangle(DVec3::new(1.0, 2.0, 1.0), -DVec3::Y, FLOOR).unwrap();
        assert_eq!(down, Hit { at: 2.0, front: true });
        let up = ray_triangle(DVec3::new(1.0, -2.0, 1.0), DVec3::Y * 4.0, FLOOR).unwrap();
        assert_eq!(up, Hit { at: 0.5, front: false });
        assert_eq!(ray_triangle(DVec3::new(3.0, 2.0, 3.0), -DVec3::Y, FLOOR), None);
        assert_eq!(ray_triangle(DVec3::new(1.0, -2.0, 1.0), -DVec3::Y, FLOOR), None);
    }

    #[test]
    fn crossings_of_still_and_moving_triangles() {
        let still =
            |from: f64, to: f64| crosses(DVec3::new(1.0, from, 1.0), DVec3::new(1.0, to, 1.0), FLOOR, FLOOR).is_some();
        assert!(still(1.0, -1.0) && still(-1.0, 1.0));
        assert!(!still(2.0, 1.0));
        // Cut in two on the surface, the path crosses once.
        assert!(still(1.0, 0.0) != still(0.0, -1.0));
        let beside = DVec3::new(3.0, 1.0, 3.0);
        assert_eq!(crosses(beside, beside - DVec3::Y * 2.0, FLOOR, FLOOR), None);
        // The triangle passes a point that stands still.
        let point = DVec3::new(1.0, 0.25, 1.0);
        let risen = FLOOR.map(|p| p + DVec3::Y);
        let when = crosses(point, point, FLOOR, risen).unwrap();
        assert!((when - 0.25).abs() < 1e-9, "{when}");
        // Both move the same way: they never meet.
        assert_eq!(crosses(point, point + DVec3::Y, FLOOR, risen), None);
        assert_eq!(crosses(point, point, risen, risen), None);
    }

    #[test]
    fn polygons_in_pyramids() {
        let planes = [(DVec3::X, 1.0), (-DVec3::X, -2.0), (DVec3::Z, 0.5), (-DVec3::Z, -1.0)];
        assert!(reaches_into(FLOOR, &planes));
        assert!(!reaches_into(FLOOR.map(|p| p + DVec3::X * 3.0), &planes));
    }

    #[test]
    fn boxes_rule_out() {
        let unit = Bounds::of([Vec3::ZERO, Vec3::ONE]);
        assert_eq!(unit.distance_squared(Vec3::new(3.0, 0.5, 0.5)), 4.0);
        let enter = |origin: Vec3, direction: Vec3| unit.enter(origin, 1.0 / direction, f32::INFINITY);
        assert_eq!(enter(Vec3::new(-1.0, 0.5, 0.5), Vec3::X), Some(1.0));
        assert_eq!(enter(Vec3::splat(0.5), Vec3::X), Some(0.0));
        assert_eq!(enter(Vec3::new(-1.0, 2.0, 0.5), Vec3::X), None);
    }
}
