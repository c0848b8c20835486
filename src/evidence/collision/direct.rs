//! Draws that no object of three.js is known for: raw WebGL beside three.js, programs without it, three.js too old to announce
//! itself. Where their vertices are is known if they were drawn through the picture's camera; that is checked here.

use glam::{DMat4, DVec3, DVec4};

use crate::evidence::space;
use crate::gl::observe::ObservedDraw;
use crate::scene::CameraState;

/// Vertices looked at.
const SAMPLES: usize = 256;
/// Relative to the largest entry or distance: what matrices of single precision may be apart.
const APART: f64 = 1e-4;
/// The same of a vertex's own depth.
const ROUNDING: f64 = 4e-6;

/// What such a draw is to the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direct {
    /// Nothing that could be touched: it lies on the picture or behind everything.
    Backdrop,
    /// Drawn through the picture's camera: its vertices have a place in the world.
    InWorld,
    /// Like something solid, but nobody knows where.
    Nowhere,
}

/// `camera` is the picture's.
pub fn judge(draw: &ObservedDraw, camera: &CameraState) -> Direct {
    let to_clip = DMat4::from_cols_array(&draw.to_clip);
    let every = draw.positions.len().div_ceil(SAMPLES).max(1);
    let vertices: Vec<DVec4> = (draw.positions.iter().step_by(every))
        .map(|position| to_clip * DVec4::from(position.map(f64::from)))
        .filter(|clip| clip.is_finite())
        .collect();
    let Some(first) = vertices.first() else { return Direct::Backdrop };
    let p = &camera.projection;
    let perspective = p[15].abs() < 1e-6 && p[11].abs() > 1e-6;
    // On the far plane: a sky (gl_Position = position.xyww).
    if vertices.iter().all(|v| v.z >= v.w - 1e-6 * v.w.abs()) {
        return Direct::Backdrop;
    }
    let known = |matrix: &[f32; 16]| Some(space::widen(matrix)).filter(|matrix| matrix.iter().all(|e| e.is_finite()));
    let projection = draw.named.projection.as_ref().and_then(known);
    let view = draw.named.view.as_ref().and_then(known);
    // Depth and w of a vertex that the camera's projection made belong together.
    let belongs = |v: &DVec4| (v.z - (p[14] - p[10] * v.w)).abs() <= 1e-3 * p[14].abs() + ROUNDING * v.w.abs();
    let plain = perspective && p[11] == -1.0 && p[2] == 0.0 && p[6] == 0.0;
    let belongs = plain && vertices.iter().all(belongs);
    // All at one depth, whatever the camera does: a picture over the picture, a head-up display.
    let level = |of: fn(&DVec4) -> f64| vertices.iter().all(|v| (of(v) - of(first)).abs() <= 1e-6 * of(first).abs());
    if !belongs && view.is_none() && level(|v| v.w) && (perspective || level(|v| v.z)) {
        return Direct::Backdrop;
    }
    if projection.is_some_and(|own| space::projection_difference(&own, p) > APART) {
        return Direct::Nowhere;
    }
    if let Some(own) = view {
        let (own, eye) = (DMat4::from_cols_array(&own), DMat4::from_cols_array(&camera.matrix_world));
        let turned = own * eye;
        let straight = (DMat4::from_mat3(glam::DMat3::from_mat4(turned)) - DMat4::IDENTITY).to_cols_array();
        let straight = straight.iter().all(|entry| entry.abs() < APART);
        let far = eye.w_axis.truncate().length();
        // A view that turns and does not move: a sky.
        if straight && own.w_axis.truncate() == DVec3::ZERO && far > 0.0 {
            return Direct::Backdrop;
        }
        if !straight || turned.w_axis.truncate().length() > APART * (1.0 + far) {
            return Direct::Nowhere;
        }
        if projection.is_some() {
            return Direct::InWorld;
        }
    }
    if belongs { Direct::InWorld } else { Direct::Nowhere }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gl::observe::{DrawKey, NamedMatrices};
    use crate::scene::Subject;

    /// OpenGL's perspective matrix: 90°, an aspect of 1.
    fn projection(near: f64, far: f64) -> DMat4 {
        let (p, q) = (-(far + near) / (far - near), -2.0 * far * near / (far - near));
        DMat4::from_cols_array(&[1., 0., 0., 0., 0., 1., 0., 0., 0., 0., p, -1., 0., 0., q, 0.])
    }

    fn eye() -> DMat4 {
        DMat4::from_rotation_translation(glam::DQuat::from_rotation_y(0.4), DVec3::new(3.0, 2.0, 30.0))
    }

    fn draw(to_clip: DMat4, corners: &[[f32; 3]]) -> ObservedDraw {
        let key = DrawKey {
            object: 0,
            vertex_buffer: None,
            index_buffer: None,
            first: 0,
            count: 3,
            base_vertex: 0,
            first_instance: 0,
            cull: None,
        };
        ObservedDraw {
            subject: Subject::default(),
            key,
            positions: corners.iter().map(|[x, y, z]| [*x, *y, *z, 1.0]).collect(),
            to_clip: to_clip.as_mat4().as_dmat4().to_cols_array(),
            vertices: corners.len() as u32,
            instances: 1,
            indices: None,
            strip: false,
            front_face_ccw: true,
            cull: None,
            depth_test: true,
            depth_write: true,
            additive: false,
            cut_out: false,
            target: None,
            named: NamedMatrices::default(),
        }
    }

    #[test]
    fn draws_through_the_pictures_camera_are_told_from_others() {
        let camera = CameraState {
            number: 1,
            name: String::new(),
            kind: String::new(),
            matrix_world: eye().to_cols_array(),
            projection: projection(0.1, 500.0).to_cols_array(),
            view: eye().inverse().to_cols_array(),
            fov: None,
            near: 0.1,
            far: 500.0,
            layers: 1,
            up: Default::default(),
        };
        let corners = [[-1.0, 0.0, 0.0], [1.0, 0.0, -3.0], [0.0, 2.0, 1.0]];
        let world = DMat4::from_scale_rotation_translation(
            DVec3::new(1.0, 2.0, 0.5),
            glam::DQuat::from_rotation_x(0.2),
            DVec3::new(-4.0, 0.0, 5.0),
        );
        let through = |projection: DMat4, eye: DMat4| draw(projection * eye.inverse() * world, &corners);
        let plain = projection(0.1, 500.0);
        assert_eq!(judge(&through(plain, eye()), &camera), Direct::InWorld, "matrices without names");
        assert_eq!(judge(&through(projection(0.5, 500.0), eye()), &camera), Direct::Nowhere, "another near plane");
        assert_eq!(judge(&draw(DMat4::IDENTITY, &corners), &camera), Direct::Backdrop, "a picture over the picture");
        // Straight ahead of the camera all corners are equally far.
        let facing = [[-1.0, 0.0, -7.0], [1.0, 0.0, -7.0], [0.0, 2.0, -7.0]];
        assert_eq!(judge(&draw(plain, &facing), &camera), Direct::InWorld, "a wall that faces the camera");

        let mut named = through(plain, eye());
        let single = |m: DMat4| Some(m.as_mat4().to_cols_array());
        named.named = NamedMatrices { view: single(eye().inverse()), projection: single(plain) };
        assert_eq!(judge(&named, &camera), Direct::InWorld);
        let other = eye() * DMat4::from_translation(DVec3::X);
        named.named.view = single(other.inverse());
        assert_eq!(judge(&named, &camera), Direct::Nowhere, "the eye of somebody else");
        let mut turn = eye().inverse();
        turn.w_axis = DVec4::W;
        named.named.view = single(turn);
        assert_eq!(judge(&named, &camera), Direct::Backdrop, "a sky");

        // As skies are drawn: z is w, behind the camera too.
        let mut sky = draw(DMat4::IDENTITY, &[]);
        sky.positions = corners.iter().map(|[x, y, z]| [*x, *y, 2.0 + z, 2.0 + z]).collect();
        assert_eq!(judge(&sky, &camera), Direct::Backdrop);
    }
}
