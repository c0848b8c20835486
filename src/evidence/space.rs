//! Rigid transformations as cameras have them: decomposed, inverted, compared, projected.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

/// A matrix from three.js' or GL's column-major entries.
pub fn matrix(entries: &[f64; 16]) -> DMat4 {
    DMat4::from_cols_array(entries)
}

/// The same from single precision.
pub fn widen(entries: &[f32; 16]) -> [f64; 16] {
    entries.map(f64::from)
}

/// The inverse; `None` if there is none.
pub fn inverse(m: &DMat4) -> Option<DMat4> {
    let determinant = m.determinant();
    let inverse = m.inverse();
    (determinant != 0.0 && inverse.is_finite()).then_some(inverse)
}

/// The rotation of a transformation with scale, as three.js' `decompose` has it; w is not negative.
pub fn rotation(m: &DMat4) -> DQuat {
    let turn = DMat3::from_mat4(*m);
    let mut x = turn.x_axis.normalize_or_zero();
    if turn.determinant() < 0.0 {
        x = -x;
    }
    let q = DQuat::from_mat3(&DMat3::from_cols(x, turn.y_axis.normalize_or_zero(), turn.z_axis.normalize_or_zero()));
    let q = if q.is_finite() && q.length_squared() > 0.0 { q.normalize() } else { DQuat::IDENTITY };
    if q.w < 0.0 { -q } else { q }
}

/// Degrees between two rotations, exact for small ones too.
pub fn angle(a: DQuat, b: DQuat) -> f64 {
    let d = a.inverse() * b;
    2.0 * DVec3::new(d.x, d.y, d.z).length().atan2(d.w.abs()).to_degrees()
}

/// Largest difference of what two projections do to x, y and w, in parts of the largest entry. How they spread depth
/// (near and far, reversed or not) moves no point on the picture and is left out.
pub fn projection_difference(a: &[f64; 16], b: &[f64; 16]) -> f64 {
    let mut difference = 0.0_f64;
    let mut largest = 0.0_f64;
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        if i % 4 != 2 {
            difference = difference.max((x - y).abs());
            largest = largest.max(x.abs()).max(y.abs());
        }
    }
    if largest > 0.0 { difference / largest } else { 0.0 }
}

/// Is a point inside the view's pyramid, near and far included?
pub fn in_view(view_projection: &DMat4, point: DVec3) -> bool {
    let p = *view_projection * point.extend(1.0);
    p.w > 0.0 && p.x.abs() <= p.w && p.y.abs() <= p.w
}

/// Left, top, right, bottom on the picture (0 to 1 from the top left, cut to it) of a box of `bounds` that `place`
/// puts in the world; `None` if nothing of it is in front of the camera and inside the picture.
pub fn box_on_screen(view_projection: &DMat4, place: &DMat4, bounds: &([f64; 3], [f64; 3])) -> Option<[f64; 4]> {
    let all = *view_projection * *place;
    let (min, max) = bounds;
    let corner = |i: usize| {
        let pick = |axis: usize, bit: usize| if i >> bit & 1 == 1 { max.get(axis) } else { min.get(axis) };
        let at = |axis, bit| pick(axis, bit).copied().unwrap_or(0.0);
        all * DVec4::new(at(0, 0), at(1, 1), at(2, 2), 1.0)
    };
    let corners: [DVec4; 8] = std::array::from_fn(corner);
    let mut extent = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let mut take = |p: DVec4| {
        let (x, y) = (p.x / p.w, p.y / p.w);
        extent = [extent[0].min(x), extent[1].min(y), extent[2].max(x), extent[3].max(y)];
    };
    // Just in front of the eye; an orthographic camera's w is 1 throughout.
    const FRONT: f64 = 1e-6;
    for (i, a) in corners.iter().enumerate() {
        if a.w >= FRONT {
            take(*a);
        }
        for b in corners.iter().enumerate().filter(|(j, _)| (i ^ j).is_power_of_two() && *j > i).map(|(_, b)| b) {
            if (a.w < FRONT) != (b.w < FRONT) {
                take(a.lerp(*b, (FRONT - a.w) / (b.w - a.w)));
            }
        }
    }
    let [x0, y0, x1, y1] = extent.map(|v| v.clamp(-1.0, 1.0));
    if !(x0 < x1 && y0 < y1) {
        return None;
    }
    Some([(x0 + 1.0) / 2.0, (1.0 - y1) / 2.0, (x1 + 1.0) / 2.0, (1.0 - y0) / 2.0])
}

/// OpenGL's `gluPerspective`, the angle in radians.
#[cfg(test)]
pub fn perspective(fov: f64, aspect: f64, near: f64, far: f64) -> DMat4 {
    let f = 1.0 / (fov / 2.0).tan();
    DMat4::from_cols(
        DVec4::new(f / aspect, 0.0, 0.0, 0.0),
        DVec4::new(0.0, f, 0.0, 0.0),
        DVec4::new(0.0, 0.0, (far + near) / (near - far), -1.0),
        DVec4::new(0.0, 0.0, 2.0 * far * near / (near - far), 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_before_the_eye_lands_where_similar_triangles_say() {
        // 90° wide, square: x' = x / -z.
        let projection = perspective(90_f64.to_radians(), 1.0, 0.1, 100.0);
        let unit = ([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]);
        let at = |z| DMat4::from_translation(DVec3::new(0.0, 0.0, z));
        // Its near face at 4 spans ±1/4 of the half picture.
        let [l, t, r, b] = box_on_screen(&projection, &at(-5.0), &unit).unwrap();
        assert!((l - 0.375).abs() < 1e-12 && (r - 0.625).abs() < 1e-12, "{l} {r}");
        assert!((t - 0.375).abs() < 1e-12 && (b - 0.625).abs() < 1e-12, "{t} {b}");
        assert_eq!(box_on_screen(&projection, &at(5.0), &unit), None, "behind");
        let around = box_on_screen(&projection, &at(0.0), &unit).unwrap();
        assert_eq!(around, [0.0, 0.0, 1.0, 1.0], "the eye is inside");
    }

    #[test]
    fn small_angles_keep_their_digits() {
        let turn = |degrees: f64| DQuat::from_rotation_y(degrees.to_radians());
        assert!((angle(turn(10.0), turn(10.00001)) - 1e-5).abs() < 1e-12);
        assert!((angle(turn(-170.0), turn(170.0)) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn depth_is_no_difference_of_projections() {
        let a = perspective(1.0, 1.0, 0.1, 100.0).to_cols_array();
        let b = perspective(1.0, 1.0, 0.5, 900.0).to_cols_array();
        let c = perspective(1.1, 1.0, 0.1, 100.0).to_cols_array();
        assert_eq!(projection_difference(&a, &b), 0.0);
        assert!(projection_difference(&a, &c) > 0.05);
    }
}
