//! From the positions a draw stored to the world, and whether a draw's place is still the same.

use glam::{DAffine3, DMat3, DMat4, DVec3, DVec4, Vec3, Vec4};

use super::shapes::Bounds;

/// Motion below this part of the distance is rounding.
pub const STILL: f32 = 1e-5;

/// From GL clip space back to the world: the inverse of projection and view, from the rows that keep their precision
/// (x, y and w; z where w says nothing), so that no depth convention matters.
#[derive(Clone, Copy, Debug)]
pub struct Unproject {
    matrix: DMat3,
    inverse: DMat3,
    /// Of the clip coordinates, taken away first.
    before: DVec3,
    after: DVec3,
    perspective: bool,
    /// The two together keep the sense of rotation.
    pub keeps_winding: bool,
}

impl Unproject {
    /// `world` and `projection` are a camera's matrices, column-major; `origin` is what world space is told from.
    /// `None` if they cannot be inverted.
    pub fn new(world: &[f64; 16], projection: &[f64; 16], origin: DVec3) -> Option<Self> {
        let row = |r: usize| DVec3::new(projection[r], projection[4 + r], projection[8 + r]);
        let perspective = row(3).length() > 0.0;
        let third = if perspective { 3 } else { 2 };
        let inverse = DMat3::from_cols(row(0), row(1), row(third)).transpose();
        if inverse.determinant().abs() < 1e-30 || !inverse.determinant().is_finite() {
            return None;
        }
        let axes = DMat3::from_cols(
            DVec3::new(world[0], world[1], world[2]),
            DVec3::new(world[4], world[5], world[6]),
            DVec3::new(world[8], world[9], world[10]),
        );
        let after = DVec3::new(world[12], world[13], world[14]) - origin;
        let matrix = axes * inverse.inverse();
        let area = projection[0] * projection[5] - projection[1] * projection[4];
        let finite = matrix.to_cols_array().iter().all(|v| v.is_finite()) && after.is_finite();
        finite.then_some(Self {
            matrix,
            inverse: matrix.inverse(),
            before: DVec3::new(projection[12], projection[13], projection[12 + third]),
            after,
            perspective,
            keeps_winding: (area > 0.0) == (axes.determinant() > 0.0),
        })
    }

    /// The clip coordinates that tell. Not finite for what is nowhere: vertices that a shader puts away.
    fn clip(&self, position: DVec4) -> DVec3 {
        let DVec4 { x, y, z, w } = position;
        if w == 0.0 && (x == 0.0 && y == 0.0 || !self.perspective) {
            return DVec3::NAN;
        }
        if self.perspective { DVec3::new(x, y, w) } else { DVec3::new(x, y, z) / w }
    }

    fn world(&self, clip: DVec3) -> DVec3 {
        self.matrix * (clip - self.before) + self.after
    }

    /// Is a point of the world well inside the picture, nearer than `far`? A camera without perspective does not say.
    pub fn shows(&self, world: DVec3, far: f64) -> bool {
        let clip = self.project(world);
        let limit = clip.z * 0.98;
        self.perspective && clip.z > 0.0 && clip.x.abs() < limit && clip.y.abs() < limit && clip.z < far * 0.98
    }

    /// The clip coordinates of a point of the world.
    pub fn project(&self, world: DVec3) -> DVec3 {
        self.inverse * (world - self.after) + self.before
    }
}

/// From a draw's stored positions to the world.
#[derive(Clone, Copy, Debug)]
pub struct Placing {
    pub unproject: Unproject,
    to_clip: DMat4,
    /// Where positions are straight images of the world: world = columns · position + constant.
    columns: [DVec3; 4],
    constant: DVec3,
    /// Clip space's w is the position's own.
    affine: bool,
}

impl Placing {
    pub fn new(unproject: &Unproject, to_clip: &[f64; 16]) -> Self {
        let to_clip = DMat4::from_cols_array(to_clip);
        let third = if unproject.perspective { 3 } else { 2 };
        let column = |at: usize| {
            let column = to_clip.col(at);
            unproject.matrix * DVec3::new(column.x, column.y, column[third])
        };
        Self {
            unproject: *unproject,
            to_clip,
            columns: [0, 1, 2, 3].map(column),
            constant: unproject.after - unproject.matrix * unproject.before,
            affine: to_clip.row(3) == DVec4::W,
        }
    }

    /// The same where all that it places went on by `motion`.
    pub fn moved(&self, motion: &DAffine3) -> Self {
        let matrix = motion.matrix3 * self.unproject.matrix;
        let after = motion.transform_point3(self.unproject.after);
        Self {
            unproject: Unproject { matrix, inverse: matrix.inverse(), after, ..self.unproject },
            columns: self.columns.map(|column| motion.matrix3 * column),
            constant: motion.transform_point3(self.constant),
            ..*self
        }
    }

    /// Where a position is in the world.
    pub fn place(&self, position: [f32; 4]) -> DVec3 {
        self.unproject.world(self.unproject.clip(self.to_clip * DVec4::from(position.map(f64::from))))
    }

    pub fn point(&self, position: [f32; 4]) -> Vec3 {
        self.place(position).as_vec3()
    }

    /// Does `now` put everything between `low` and `high` where `self` does, as far as a camera at `eye` can tell? The two
    /// differ by a linear map; it is small everywhere if it is at the point nearest to the eye and along the edges of the
    /// box.
    pub fn agrees(&self, now: &Self, (low, high): (DVec4, DVec4), eye: DVec3) -> bool {
        let (old, still) = (self, f64::from(STILL));
        let straight =
            |placing: &Placing| placing.unproject.perspective || (placing.affine && low.w == 1.0 && high.w == 1.0);
        if !straight(old) || !straight(now) || !low.is_finite() || !high.is_finite() {
            return false;
        }
        let largest = |v: DVec3| v.abs().max_element();
        let size = high - low;
        let corner = old.linear(low);
        let mut nearest = low;
        for axis in 0..4 {
            let edge = old.columns[axis] * size[axis];
            let along = ((eye - corner).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            if along.is_finite() {
                nearest[axis] += along * size[axis];
            }
            let turned = largest((now.columns[axis] - old.columns[axis]) * size[axis]);
            if turned.is_nan() || turned > still / 4.0 * largest(edge) {
                return false;
            }
        }
        // Matrices come in f32.
        let sizes: f64 = (0..4).map(|axis| largest(old.columns[axis] * nearest[axis])).sum();
        let limit = still * (1.0 + largest(old.linear(nearest) - eye)) + sizes * f64::from(f32::EPSILON) * 2.0;
        largest(now.linear(nearest) - old.linear(nearest)) <= limit
    }

    /// Holds what lies between `low` and `high`, perhaps more, with room for the rounding of [`Self::point`]; `None` where
    /// positions are no straight images of the world.
    pub fn bounds(&self, low: DVec4, high: DVec4) -> Option<Bounds> {
        let straight = self.unproject.perspective || (self.affine && low.w == 1.0 && high.w == 1.0);
        if !straight || !low.is_finite() || !high.is_finite() {
            return None;
        }
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        let (mut size, mut sizes) = (DVec3::ZERO, self.constant.abs());
        for axis in 0..4 {
            let column = self.columns[axis].abs();
            size += column * half[axis];
            sizes += column * (middle[axis].abs() + half[axis]);
        }
        let room = size + sizes * 1e-6 + DVec3::splat(1e-9);
        let middle = self.linear(middle);
        let bounds = Bounds { min: (middle - room).as_vec3(), max: (middle + room).as_vec3() };
        (bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
    }

    fn linear(&self, position: DVec4) -> DVec3 {
        let [x, y, z, w] = self.columns;
        x * position.x + y * position.y + z * position.z + w * position.w + self.constant
    }
}

/// Least and greatest of what is finite.
pub fn extent(positions: &[[f32; 4]]) -> (Vec4, Vec4) {
    let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
    for position in positions {
        let position = Vec4::from(*position);
        if position.is_finite() {
            (low, high) = (low.min(position), high.max(position));
        }
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use glam::{DMat4, DQuat};

    use super::*;

    /// A camera somewhere, in double precision: what it projects comes back, with f32 on the way.
    #[test]
    fn clip_positions_come_back_to_the_world() {
        let world = DMat4::from_rotation_translation(
            DQuat::from_euler(glam::EulerRot::YXZ, 0.7, -0.3, 0.1),
            DVec3::new(458_000.0, 12.0, 5_547_000.0),
        );
        let origin = DVec3::new(458_000.0, 0.0, 5_547_000.0);
        // OpenGL's matrices: 90° with an aspect of 2, 0.1 to 1000; a box of 16 by 10, 1 to 301.
        let (p, q) = (-1000.1 / 999.9, -200.0 / 999.9);
        let perspective = [0.5, 0., 0., 0., 0., 1., 0., 0., 0., 0., p, -1., 0., 0., q, 0.];
        let (o, u) = (-2.0 / 300.0, -302.0 / 300.0);
        let orthographic = [0.125, 0., 0., 0., 0., 0.2, 0., 0., 0., 0., o, 0., 0., 0., u, 1.];
        let [perspective, orthographic] = [perspective, orthographic].map(|m| DMat4::from_cols_array(&m));
        for projection in [perspective, orthographic] {
            let unproject =
                Unproject::new(&world.to_cols_array(), &projection.to_cols_array(), origin).expect("a camera");
            assert!(unproject.keeps_winding);
            for point in [DVec3::new(3.0, 13.0, -8.0), DVec3::new(-20.0, 2.0, -90.0), DVec3::new(0.5, 12.5, 4.0)] {
                let clip = (projection * world.inverse()).project(origin + point);
                let back = unproject.world(unproject.clip(clip)).as_vec3();
                assert!((back.as_dvec3() - point).length() < 1e-4, "{point} {back}");
                assert!((unproject.project(point) - unproject.clip(clip)).length() < 1e-3);
            }
        }
        let mirrored = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0)) * perspective;
        let unproject = Unproject::new(&world.to_cols_array(), &mirrored.to_cols_array(), origin).expect("a camera");
        assert!(!unproject.keeps_winding);
        assert!(Unproject::new(&[0.0; 16], &[0.0; 16], origin).is_none());
    }

    fn placing(world: DMat4, to_clip: DMat4) -> Placing {
        let (p, q) = (-1000.1 / 999.9, -200.0 / 999.9);
        let projection = DMat4::from_cols_array(&[0.5, 0., 0., 0., 0., 1., 0., 0., 0., 0., p, -1., 0., 0., q, 0.]);
        let unproject = Unproject::new(&world.to_cols_array(), &projection.to_cols_array(), DVec3::ZERO);
        // Programs have their matrices in f32.
        let to_clip = (projection.as_mat4().as_dmat4() * to_clip.as_mat4().as_dmat4()).to_cols_array();
        Placing::new(&unproject.expect("a camera"), &to_clip)
    }

    /// Something 3 m across, 10 m from a camera that flies by: it stands, although matrices come in f32; a millimetre's
    /// motion, and a turn by a ten-thousandth, is seen.
    #[test]
    fn what_stands_is_known_from_what_moves_whatever_the_camera_does() {
        let positions: Vec<[f32; 4]> =
            [-1.5f32, 1.5].iter().flat_map(|x| [[*x, 0., -1., 1.], [*x, 2., 1., 1.]]).collect();
        let object = |shift: DVec3, turn: f64| {
            DMat4::from_rotation_translation(DQuat::from_rotation_y(0.4 + turn), DVec3::new(-30.0, 5.0, 26.0) + shift)
        };
        let camera = |at: f64| {
            let eye = DVec3::new(-20.0 - at, 6.0, 30.0 - at);
            DMat4::from_rotation_translation(DQuat::from_euler(glam::EulerRot::YXZ, at, -0.1 * at, 0.0), eye)
        };
        let (low, high) = extent(&positions);
        let stays = |shift: DVec3, turn: f64| {
            let placing = |at: f64, object: DMat4| placing(camera(at), camera(at).inverse() * object);
            let before = placing(0.0, object(DVec3::ZERO, 0.0));
            before.agrees(
                &placing(1.7, object(shift, turn)),
                (low.as_dvec4(), high.as_dvec4()),
                camera(1.7).w_axis.truncate(),
            )
        };
        assert!(stays(DVec3::ZERO, 0.0));
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            assert!(!stays(axis * 0.001, 0.0) && !stays(axis * -0.001, 0.0), "{axis}");
        }
        assert!(!stays(DVec3::ZERO, 1e-4));
    }

    trait Project {
        fn project(&self, point: DVec3) -> DVec4;
    }

    impl Project for DMat4 {
        fn project(&self, point: DVec3) -> DVec4 {
            (*self * point.extend(1.0)).as_vec4().as_dvec4()
        }
    }
}
