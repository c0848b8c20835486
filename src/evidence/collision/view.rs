//! What the camera looks through: rays of the picture, the near plane, depths in scene units.

use glam::{DMat3, DMat4, DVec3};

use crate::gl::observe::ObservedDepth;
use crate::scene::CameraState;

/// A camera in world space told from some origin.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub eye: DVec3,
    axes: DMat3,
    projection: [f64; 16],
    pub near: f64,
    far: f64,
    pub perspective: bool,
}

impl View {
    /// `None` if the matrices are no camera's.
    pub fn new(camera: &CameraState, origin: DVec3) -> Option<Self> {
        let m = &camera.matrix_world;
        let axes =
            DMat3::from_cols(DVec3::new(m[0], m[1], m[2]), DVec3::new(m[4], m[5], m[6]), DVec3::new(m[8], m[9], m[10]));
        let p = camera.projection;
        let view = Self {
            eye: DVec3::new(m[12], m[13], m[14]) - origin,
            axes,
            projection: p,
            near: camera.near,
            far: camera.far,
            perspective: DVec3::new(p[3], p[7], p[11]).length() > 0.0,
        };
        let finite = view.eye.is_finite() && axes.determinant().abs() > 1e-12 && p.iter().all(|v| v.is_finite());
        finite.then_some(view)
    }

    /// The point of the camera's own space that is seen at (x, y) (−1 to 1) at depth z (negative ahead).
    fn seen(&self, x: f64, y: f64, z: f64) -> DVec3 {
        let p = &self.projection;
        let w = p[11] * z + p[15];
        // Rows x and y without what z and 1 give, as two equations for x and y.
        let (u, v) = (x * w - p[8] * z - p[12], y * w - p[9] * z - p[13]);
        let area = p[0] * p[5] - p[1] * p[4];
        DVec3::new((u * p[5] - v * p[4]) / area, (v * p[0] - u * p[1]) / area, z)
    }

    /// Origin and direction of the ray through (x, y), from the near plane on; one length of the direction is a unit
    /// of depth.
    pub fn ray(&self, x: f64, y: f64) -> (DVec3, DVec3) {
        let (a, b) = (self.seen(x, y, -self.near), self.seen(x, y, -self.near - 1.0));
        (self.eye + self.axes * a, self.axes * (b - a))
    }

    /// Where it looks, a unit long.
    pub fn ahead(&self) -> DVec3 {
        -self.axes.z_axis.normalize_or_zero()
    }

    /// From the world to clip space.
    pub fn view_projection(&self) -> DMat4 {
        let to_world = DMat4::from_translation(self.eye) * DMat4::from_mat3(self.axes);
        DMat4::from_cols_array(&self.projection) * to_world.inverse()
    }

    /// Does a point of the world lie inside the picture, beyond the near plane?
    pub fn shows(&self, point: DVec3) -> bool {
        let p = &self.projection;
        let at = self.axes.inverse() * (point - self.eye);
        let row = |r: usize| p[r] * at.x + p[4 + r] * at.y + p[8 + r] * at.z + p[12 + r];
        let w = row(3);
        w > 0.0 && row(0).abs() <= w && row(1).abs() <= w && -at.z >= self.near
    }

    /// Where the line of sight to a point begins: on the near plane.
    pub fn foremost(&self, point: DVec3) -> DVec3 {
        let at = self.axes.inverse() * (point - self.eye);
        let near = if self.perspective {
            at * if at.z < 0.0 { (self.near / -at.z).min(1.0) } else { 0.0 }
        } else {
            DVec3::new(at.x, at.y, -self.near)
        };
        self.eye + self.axes * near
    }

    /// Planes around what the near plane cuts away in front of the eye, relative to the eye. For a camera without
    /// perspective: the sides of the picture, around the near plane's slice.
    pub fn near_planes(&self) -> Vec<(DVec3, f64)> {
        let corner = |x: f64, y: f64, z: f64| self.axes * self.seen(x, y, z);
        let ahead = -self.axes.z_axis.normalize_or_zero();
        let depth = self.near * self.axes.z_axis.length();
        let mut planes = vec![(-ahead, -depth)];
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let middle = corner(0.0, 0.0, -self.near);
        let back = if self.perspective { 0.0 } else { -self.near + self.near.abs().max(1.0) * 1e-6 };
        if !self.perspective {
            planes.push((ahead, -back));
        }
        for (i, &(x, y)) in corners.iter().enumerate() {
            let (nx, ny) = corners.get(i + 1).or(corners.first()).copied().unwrap_or((x, y));
            let (a, b) = (corner(x, y, -self.near), corner(nx, ny, -self.near));
            let rim = if self.perspective { DVec3::ZERO } else { a + ahead };
            let normal = (b - a).cross(rim - a).normalize_or_zero();
            let normal = if normal.dot(middle - a) < 0.0 { -normal } else { normal };
            planes.push((normal, normal.dot(a)));
        }
        planes
    }

    /// How far ahead, in scene units, each depth lies under one reading of the depth buffer.
    fn distance(&self, reading: Reading, depth: f64) -> f64 {
        let p = &self.projection;
        let linear = |ndc: f64| {
            if self.perspective { p[14] / (p[10] + ndc) } else { (p[14] - ndc) / p[10] }
        };
        match reading {
            Reading::Signed => linear(2.0 * depth - 1.0),
            Reading::Unsigned => linear(depth),
            // three.js: log2(1 + w) / log2(1 + far).
            Reading::Logarithmic => libm::pow(1.0 + self.far, depth) - 1.0,
            // The projection as three.js tells it, while the one it draws with is reversed.
            Reading::Reversed => linear(1.0 - 2.0 * depth),
        }
    }

    /// How a pass's depths are read as distances ahead, if some reading of them fits `known`: picture position (−1 to 1) and
    /// depth ahead of a few surfaces. Rows from the bottom up.
    pub fn reading(&self, depth: &ObservedDepth, known: &[(f64, f64, f64)]) -> Option<Depth<'_>> {
        let span = f64::from(depth.range[1]) - f64::from(depth.range[0]);
        if span <= 0.0 {
            return None;
        }
        let unit = |value: f32| (f64::from(value) - f64::from(depth.range[0])) / span;
        let plain = if depth.zero_to_one { Reading::Unsigned } else { Reading::Signed };
        let readings = [plain, Reading::Logarithmic, Reading::Reversed];
        let wrong = |reading: Reading| {
            let mut off: Vec<f64> = known
                .iter()
                .filter_map(|&(x, y, z)| Some((self.distance(reading, unit(depth.at(x, y)?)) - z).abs() / z.max(1e-9)))
                .map(|off| if off.is_finite() { off } else { f64::MAX })
                .collect();
            off.sort_by(f64::total_cmp);
            off.get(off.len() / 2).copied().unwrap_or(0.0)
        };
        let best = readings.into_iter().min_by(|a, b| wrong(*a).total_cmp(&wrong(*b)))?;
        if wrong(best) > 0.05 {
            return None;
        }
        // What was cleared and never drawn over.
        let empty = match best {
            Reading::Reversed => 0.0,
            Reading::Unsigned if self.distance(best, 0.0) > self.distance(best, 1.0) => 0.0,
            _ => 1.0,
        };
        Some(Depth { view: self, reading: best, empty, low: depth.range[0].into(), span })
    }
}

/// How depths are read.
#[derive(Clone, Copy, Debug)]
pub struct Depth<'a> {
    view: &'a View,
    reading: Reading,
    /// What was cleared and never drawn over.
    empty: f64,
    low: f64,
    span: f64,
}

impl Depth<'_> {
    /// How far ahead, in scene units, each of `values` lies; not finite where nothing was drawn.
    pub fn read(&self, values: &[f32], out: &mut [f32]) {
        let (view, p) = (self.view, &self.view.projection);
        let (a, b) = (p[10], p[14]);
        match (self.reading, view.perspective) {
            (Reading::Signed, true) => self.fill(values, out, |depth| b / (a + (2.0 * depth - 1.0))),
            (Reading::Unsigned, true) => self.fill(values, out, |depth| b / (a + depth)),
            (Reading::Reversed, true) => self.fill(values, out, |depth| b / (a + (1.0 - 2.0 * depth))),
            (reading, _) => self.fill(values, out, |depth| view.distance(reading, depth)),
        }
    }

    /// The stored value that lies nearest of all, where one end of what is stored is near, the other far, and what is empty lies
    /// at the far one: how far ahead it is then. `None` where each has to be looked at.
    pub fn nearest(&self, values: &[f32]) -> Option<f32> {
        let (view, p) = (self.view, &self.view.projection);
        let ndc = |depth: f64| match self.reading {
            Reading::Signed => Some(2.0 * depth - 1.0),
            Reading::Unsigned => Some(depth),
            Reading::Reversed => Some(1.0 - 2.0 * depth),
            Reading::Logarithmic => None,
        };
        let (first, last) = (p[10] + ndc(0.0)?, p[10] + ndc(1.0)?);
        if !view.perspective || self.low != 0.0 || self.span != 1.0 || first * last <= 0.0 {
            return None;
        }
        let (low, high) = values.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| {
            (if *value < low { *value } else { low }, if *value > high { *value } else { high })
        });
        let (near, far) = (view.distance(self.reading, 0.0), view.distance(self.reading, 1.0));
        let value = if near < far && self.empty == 1.0 {
            low
        } else if near > far && self.empty == 0.0 {
            high
        } else {
            return None;
        };
        if !(low >= 0.0 && high <= 1.0) {
            return None;
        }
        let mut nearest = [0.0];
        self.read(&[value], &mut nearest);
        let [nearest] = nearest;
        // A distance that is not finite does not count, and others might.
        (nearest.is_finite() || f64::from(value) == self.empty).then_some(nearest)
    }

    fn fill(&self, values: &[f32], out: &mut [f32], distance: impl Fn(f64) -> f64) {
        let ahead = |depth: f64| if depth == self.empty { f32::INFINITY } else { distance(depth) as f32 };
        if self.low == 0.0 && self.span == 1.0 {
            out.iter_mut().zip(values).for_each(|(out, value)| *out = ahead(f64::from(*value)));
        } else {
            let unit = |value: f32| (f64::from(value) - self.low) / self.span;
            out.iter_mut().zip(values).for_each(|(out, value)| *out = ahead(unit(*value)));
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Reading {
    Signed,
    Unsigned,
    Logarithmic,
    Reversed,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 90° with an aspect of 2 at (5, 6, 7), looking along −z; the near plane is 0.1 ahead.
    #[test]
    fn rays_and_the_near_plane_of_a_camera() {
        let (p, q) = (-1000.1 / 999.9, -200.0 / 999.9);
        let camera = CameraState {
            number: 1,
            name: String::new(),
            kind: String::new(),
            matrix_world: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 5., 6., 7., 1.],
            projection: [0.5, 0., 0., 0., 0., 1., 0., 0., 0., 0., p, -1., 0., 0., q, 0.],
            view: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., -5., -6., -7., 1.],
            fov: Some(90.0),
            near: 0.1,
            far: 1000.0,
            layers: 1,
            up: Default::default(),
        };
        let view = View::new(&camera, DVec3::ZERO).expect("a camera");
        let (origin, direction) = view.ray(0.5, -0.5);
        assert!((origin - DVec3::new(5.1, 5.95, 6.9)).length() < 1e-9, "{origin}");
        assert!((direction - DVec3::new(1.0, -0.5, -1.0)).length() < 1e-9, "{direction}");
        let planes = view.near_planes();
        let cut =
            |x: f64, y: f64, z: f64| planes.iter().all(|(normal, offset)| normal.dot(DVec3::new(x, y, z)) >= *offset);
        assert!(cut(0.0, 0.0, -0.05) && cut(0.09, 0.04, -0.05));
        assert!(!cut(0.0, 0.0, -0.11) && !cut(0.0, 0.0, 0.05) && !cut(0.11, 0.04, -0.05));
    }

    /// Depths as OpenGL, EXT_clip_control and three.js' logarithmic and reversed buffers store 1, 10 and 100 ahead.
    #[test]
    fn depths_are_read_in_whatever_way_fits_the_surfaces() {
        let (near, far) = (0.1, 1000.0);
        let matrix = |p: f64, q: f64| [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., p, -1., 0., 0., q, 0.];
        let usual = matrix(-(far + near) / (far - near), -2.0 * far * near / (far - near));
        let reversed = matrix(near / (far - near), far * near / (far - near));
        let signed = |d: f64| ((far + near) / (far - near) - 2.0 * far * near / (far - near) / d) / 2.0 + 0.5;
        let unsigned = |d: f64| near / (far - near) * (far / d - 1.0);
        let logarithmic = |d: f64| libm::log2(1.0 + d) / libm::log2(1.0 + far);
        let cases: [(_, _, bool, &dyn Fn(f64) -> f64); 4] = [
            ("usual", usual, false, &signed),
            ("logarithmic", usual, false, &logarithmic),
            ("reversed, told", reversed, true, &unsigned),
            ("reversed, not told", usual, true, &unsigned),
        ];
        for (name, projection, zero_to_one, store) in cases {
            let camera = CameraState {
                number: 1,
                name: String::new(),
                kind: String::new(),
                matrix_world: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.],
                projection,
                view: [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.],
                fov: None,
                near,
                far,
                layers: 1,
                up: Default::default(),
            };
            let view = View::new(&camera, DVec3::ZERO).expect("a camera");
            let depth = ObservedDepth {
                subject: Default::default(),
                width: 3,
                height: 1,
                pixels: [3, 1],
                values: [1.0, 10.0, 100.0].map(|d| store(d) as f32).to_vec(),
                range: [0.0, 1.0],
                zero_to_one,
            };
            let known = [(-0.6, 0.0, 1.0), (0.0, 0.0, 10.0), (0.6, 0.0, 100.0)];
            let reading = view.reading(&depth, &known).unwrap_or_else(|| panic!("{name}: nothing fits"));
            let mut found = [0.0; 3];
            reading.read(&depth.values, &mut found);
            for (found, distance) in found.iter().zip([1.0_f32, 10.0, 100.0]) {
                assert!((found / distance - 1.0).abs() < 0.01, "{name}: {found} is not {distance}");
            }
            if let Some(nearest) = reading.nearest(&depth.values) {
                assert_eq!(nearest, found[0], "{name}");
            }
            assert!(view.reading(&depth, &[(-0.6, 0.0, 50.0), (0.0, 0.0, 50.0)]).is_none(), "{name}");
        }
    }
}
