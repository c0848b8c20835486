//! What clipping planes leave of a triangle.

use glam::DVec3;

use super::shapes::Triangle;
use crate::scene::ClippedObject;

/// A plane: what lies at `normal · p + constant < 0` is beyond it.
type Plane = (DVec3, f64);

/// Planes that cut parts of a body away.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// What is beyond any of these is not there.
    all: Vec<Plane>,
    /// What is beyond all of these is not there, if there are any.
    some: Vec<Plane>,
}

/// Corners of a piece of a triangle, each as shares of the triangle's corners.
pub type Piece = [DVec3; 3];

impl Clip {
    /// `origin` is what places of the world are told from.
    pub fn new(told: &ClippedObject, origin: DVec3) -> Self {
        let plane = |[x, y, z, constant]: &[f64; 4]| {
            let normal = DVec3::new(*x, *y, *z);
            (normal, constant + normal.dot(origin))
        };
        Self { all: told.all.iter().map(plane).collect(), some: told.some.iter().map(plane).collect() }
    }

    pub fn keeps(&self, point: DVec3) -> bool {
        let here = |(normal, constant): &Plane| normal.dot(point) + constant >= 0.0;
        self.all.iter().all(here) && (self.some.is_empty() || self.some.iter().any(here))
    }

    /// Calls `visit` with the pieces that are there.
    pub fn pieces(&self, triangle: Triangle, mut visit: impl FnMut(Piece)) {
        let whole = vec![DVec3::X, DVec3::Y, DVec3::Z];
        let mut rest = self.all.iter().fold(whole, |rest, plane| part(&rest, &triangle, *plane));
        let mut fan = |polygon: &[DVec3]| {
            if let [first, others @ ..] = polygon {
                others.windows(2).for_each(|pair| visit([*first, pair[0], pair[1]]));
            }
        };
        if self.some.is_empty() {
            return fan(&rest);
        }
        for (normal, constant) in &self.some {
            fan(&part(&rest, &triangle, (*normal, *constant)));
            rest = part(&rest, &triangle, (-*normal, -constant));
        }
    }
}

/// Where a share of a triangle's corners lies.
pub fn at(shares: DVec3, [a, b, c]: Triangle) -> DVec3 {
    a * shares.x + b * shares.y + c * shares.z
}

/// The part of a polygon on this side of a plane (Sutherland and Hodgman 1974).
fn part(polygon: &[DVec3], triangle: &Triangle, (normal, constant): Plane) -> Vec<DVec3> {
    let height = |shares: DVec3| normal.dot(at(shares, *triangle)) + constant;
    let mut part = Vec::with_capacity(polygon.len() + 1);
    for (number, here) in polygon.iter().enumerate() {
        let Some(there) = polygon.get(number + 1).or(polygon.first()) else { break };
        let (a, b) = (height(*here), height(*there));
        if a >= 0.0 {
            part.push(*here);
        }
        if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
            part.push(here.lerp(*there, a / (a - b)));
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square's half, 4 by 4, cut at x = 1 and z = 1: areas by hand.
    #[test]
    fn what_is_left_has_the_right_area() {
        let triangle = [DVec3::ZERO, DVec3::new(0.0, 0.0, 4.0), DVec3::new(4.0, 0.0, 0.0)];
        let left = |all: &[[f64; 4]], some: &[[f64; 4]]| {
            let told = ClippedObject { object: 1, all: all.to_vec(), some: some.to_vec() };
            // Told from elsewhere.
            let origin = DVec3::new(0.0, 7.0, -3.0);
            let clip = Clip::new(&told, origin);
            let mut area = 0.0;
            clip.pieces(triangle.map(|corner| corner - origin), |piece| {
                let [a, b, c] = piece.map(|shares| at(shares, triangle));
                area += (b - a).cross(c - a).length() / 2.0;
                assert!(clip.keeps((a + b + c) / 3.0 - origin));
            });
            area
        };
        let (right, near) = ([1.0, 0.0, 0.0, -1.0], [0.0, 0.0, -1.0, 1.0]);
        assert!((left(&[], &[]) - 8.0).abs() < 1e-12);
        // x ≥ 1: a corner of sides 3.
        assert!((left(&[right], &[]) - 4.5).abs() < 1e-12);
        // z ≤ 1 of it: without the corner of sides 2 above.
        assert!((left(&[right, near], &[]) - 2.5).abs() < 1e-12);
        // x ≥ 1 or z ≤ 1: all but x < 1 and z > 1, which is 3 by 1 less half a unit square.
        assert!((left(&[], &[right, near]) - 5.5).abs() < 1e-12);
    }
}
