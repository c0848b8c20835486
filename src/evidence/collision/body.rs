//! One object's triangles in world space, as one draw made them.

use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};

use super::shapes::{Bounds, Hit, Triangle, ray_triangle};
use crate::gl::command::Face;
use crate::gl::observe::ObservedDraw;

/// Triangles that share a box. Neighbours in a draw are neighbours in space nearly always.
const CHUNK: usize = 32;

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
    fn clip(&self, [x, y, z, w]: [f32; 4]) -> DVec3 {
        if w == 0.0 && (x == 0.0 && y == 0.0 || !self.perspective) {
            return DVec3::NAN;
        }
        let third = if self.perspective { w } else { z };
        let scale = if self.perspective { 1.0 } else { f64::from(w) };
        DVec3::new(x.into(), y.into(), third.into()) / scale
    }

    fn point(&self, position: [f32; 4]) -> Vec3 {
        (self.matrix * (self.clip(position) - self.before) + self.after).as_vec3()
    }

    /// The clip coordinates of a point of the world.
    fn project(&self, world: DVec3) -> DVec3 {
        self.inverse * (world - self.after) + self.before
    }
}

/// How vertices make triangles.
#[derive(Clone, Debug)]
enum Topology {
    Plain,
    List(Arc<[u32]>),
    /// From a strip.
    Triangles(Arc<[u32]>, Vec<[u32; 3]>),
}

/// Triangles of one draw.
#[derive(Debug)]
pub struct Body {
    pub object: u32,
    /// It may be touched because of a name: it is no collision, but told.
    pub waived: bool,
    /// What is behind it shows through.
    pub see_through: bool,
    /// Both sides are drawn.
    pub two_sided: bool,
    /// The frame in which it was last drawn.
    pub drawn: u64,
    /// It was there in the frame before, in the same place.
    pub still: bool,
    /// Where its object was then, as a checksum of its matrix.
    pub place: Option<f64>,
    /// Counter-clockwise from behind: the visible side is the other one.
    flipped: bool,
    topology: Topology,
    /// Triangles an instance has.
    each: usize,
    vertices: usize,
    instances: usize,
    points: Vec<Vec3>,
    /// The same points a frame before; empty if there were none or others.
    before: Vec<Vec3>,
    chunks: Vec<Bounds>,
    /// Chunks with the way they came; empty if nothing moved.
    ways: Vec<Bounds>,
    pub bounds: Bounds,
    /// The camera carries it along.
    pub carried: bool,
    /// Some of the points, in clip space and in the world, as they were.
    samples: Vec<(DVec3, DVec3)>,
}

/// One frame's step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub frame: u64,
    /// The camera.
    pub eye: Vec3,
    /// No triangle moves further in a frame: what did was put there.
    pub leap: f32,
}

/// Positions by which a body that is carried along is known.
const SAMPLES: usize = 12;

/// Motion below this part of the distance is rounding.
const STILL: f32 = 1e-5;

impl Body {
    pub fn new(draw: &ObservedDraw) -> Self {
        Self {
            object: draw.subject.object,
            waived: false,
            see_through: false,
            two_sided: false,
            drawn: 0,
            still: false,
            place: None,
            flipped: false,
            topology: Topology::Plain,
            each: 0,
            vertices: 0,
            instances: 0,
            points: Vec::new(),
            before: Vec::new(),
            chunks: Vec::new(),
            ways: Vec::new(),
            bounds: Bounds::EMPTY,
            carried: false,
            samples: Vec::new(),
        }
    }

    /// Takes a frame's draw.
    pub fn update(&mut self, draw: &ObservedDraw, positions: &[[f32; 4]], unproject: &Unproject, step: &Step) {
        let Step { frame, eye, leap } = *step;
        self.two_sided = draw.cull.is_none();
        let ccw = draw.front_face_ccw == (draw.cull != Some(Face::Front));
        self.flipped = ccw != unproject.keeps_winding;
        self.set_topology(draw);
        let (vertices, instances) = (draw.vertices as usize, draw.instances as usize);
        let same = (self.vertices, self.instances) == (vertices, instances) && self.drawn + 1 == frame;
        (self.vertices, self.instances) = (vertices, instances);
        std::mem::swap(&mut self.points, &mut self.before);
        self.points.clear();
        self.points.extend(positions.iter().map(|position| unproject.point(*position)));
        self.see(positions, unproject, self.drawn + 1 == frame);
        let mut moved = false;
        if same && self.before.len() == self.points.len() {
            let still = |(now, before): (&Vec3, &Vec3)| {
                let limit = STILL * (1.0 + (*now - eye).abs().max_element());
                (*now - *before).abs().max_element() < limit
            };
            moved = !self.points.iter().zip(&self.before).all(still);
        }
        self.still = same && !moved;
        if !moved {
            self.before.clear();
        }
        self.measure(leap);
        self.drawn = frame;
    }

    /// Is it carried along? Then it stays in one place of the picture although the camera moves so far that what stands
    /// still would not. Where the camera hardly moves, nothing is learnt.
    fn see(&mut self, positions: &[[f32; 4]], unproject: &Unproject, follows: bool) {
        let every = (positions.len() / SAMPLES).max(1);
        let now: Vec<DVec3> =
            positions.iter().step_by(every).take(SAMPLES).map(|position| unproject.clip(*position)).collect();
        if follows && now.len() == self.samples.len() {
            let (mut telling, mut carried) = (0, 0);
            for (now, (before, world)) in now.iter().zip(&self.samples) {
                let still = (unproject.project(*world) - *before).length();
                if still > 1e-4 * (before.length() + 1e-3) {
                    telling += 1;
                    carried += usize::from((*now - *before).length() < 0.05 * still);
                }
            }
            if telling * 2 > now.len() {
                self.carried = carried == telling;
            }
        } else {
            self.carried = false;
        }
        let world = self.points.iter().step_by(every).map(|point| point.as_dvec3());
        self.samples = now.into_iter().zip(world).collect();
    }

    fn set_topology(&mut self, draw: &ObservedDraw) {
        let vertices = draw.vertices as usize;
        let same = |old: &Arc<[u32]>| draw.indices.as_ref().is_some_and(|new| Arc::ptr_eq(old, new));
        match (&self.topology, &draw.indices) {
            (Topology::List(old), Some(_)) if !draw.strip && same(old) => return,
            (Topology::Triangles(old, _), Some(_)) if draw.strip && same(old) && self.vertices == vertices => return,
            _ => {}
        }
        (self.topology, self.each) = match (&draw.indices, draw.strip) {
            (None, false) => (Topology::Plain, vertices / 3),
            (Some(indices), false) => (Topology::List(indices.clone()), indices.len() / 3),
            (indices, true) => {
                let all: Vec<u32>;
                let source: &[u32] = match indices {
                    Some(indices) => indices,
                    None => {
                        all = (0..draw.vertices).collect();
                        &all
                    }
                };
                let mut triangles = Vec::with_capacity(source.len());
                for run in source.split(|index| *index as usize >= vertices) {
                    for (at, three) in run.windows(3).enumerate() {
                        if let [a, b, c] = *three {
                            triangles.push(if at % 2 == 0 { [a, b, c] } else { [b, a, c] });
                        }
                    }
                }
                let each = triangles.len();
                (Topology::Triangles(indices.clone().unwrap_or_default(), triangles), each)
            }
        };
    }

    /// Every corner of every instance.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    pub fn triangles(&self) -> usize {
        self.each * self.instances
    }

    /// Places in `points` of the triangle's corners.
    fn corners(&self, triangle: usize) -> Option<[usize; 3]> {
        let each = self.each.max(1);
        let (instance, at) = (triangle / each, triangle % each);
        let three = match &self.topology {
            Topology::Plain => [at * 3, at * 3 + 1, at * 3 + 2],
            Topology::List(indices) => {
                let [a, b, c] = *indices.as_chunks::<3>().0.get(at)?;
                [a as usize, b as usize, c as usize]
            }
            Topology::Triangles(_, triangles) => triangles.get(at)?.map(|corner| corner as usize),
        };
        let base = instance * self.vertices;
        three.iter().all(|corner| *corner < self.vertices).then(|| three.map(|corner| base + corner))
    }

    /// The triangle in f32, if it is one.
    fn at(&self, points: &[Vec3], triangle: usize) -> Option<[Vec3; 3]> {
        let [a, b, c] = self.corners(triangle)?;
        let corners = [*points.get(a)?, *points.get(b)?, *points.get(c)?];
        let [a, b, c] = corners;
        ((a + b + c).is_finite() && a != b && b != c && c != a).then_some(corners)
    }

    fn measure(&mut self, leap: f32) {
        let mut chunks = std::mem::take(&mut self.chunks);
        let mut ways = std::mem::take(&mut self.ways);
        chunks.clear();
        ways.clear();
        let count = self.triangles();
        for first in (0..count).step_by(CHUNK) {
            let mut bounds = Bounds::EMPTY;
            let mut way = Bounds::EMPTY;
            for triangle in first..(first + CHUNK).min(count) {
                let Some(now) = self.at(&self.points, triangle) else { continue };
                bounds = now.into_iter().fold(bounds, Bounds::with);
                if let Some(before) = self.moved(triangle, now, leap) {
                    way = before.into_iter().fold(way, Bounds::with);
                }
            }
            chunks.push(bounds);
            if !self.before.is_empty() {
                ways.push(bounds.union(way));
            }
        }
        self.bounds = chunks.iter().chain(&ways).fold(Bounds::EMPTY, |all, chunk| all.union(*chunk));
        (self.chunks, self.ways) = (chunks, ways);
    }

    /// Where a triangle was a frame before, if it came from there.
    fn moved(&self, triangle: usize, now: [Vec3; 3], leap: f32) -> Option<[Vec3; 3]> {
        let before = self.at(&self.before, triangle)?;
        now.iter().zip(&before).all(|(a, b)| a.distance_squared(*b) <= leap * leap).then_some(before)
    }

    fn exact(&self, corners: [Vec3; 3], from: DVec3) -> Triangle {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - from);
        if self.flipped { [a, c, b] } else { [a, b, c] }
    }

    /// Calls `visit` with every triangle of chunks that `near` lets through, relative to `from`.
    pub fn visit(&self, from: DVec3, near: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(Triangle)) {
        for (number, chunk) in self.chunks.iter().enumerate() {
            if !near(chunk) {
                continue;
            }
            for triangle in number * CHUNK..((number + 1) * CHUNK).min(self.triangles()) {
                if let Some(corners) = self.at(&self.points, triangle) {
                    visit(self.exact(corners, from));
                }
            }
        }
    }

    /// Calls `visit` with every triangle whose way may meet `path`, as it was and as it is.
    pub fn visit_ways(&self, from: DVec3, path: &Bounds, leap: f32, mut visit: impl FnMut(Triangle, Triangle)) {
        let ways = if self.ways.is_empty() { &self.chunks } else { &self.ways };
        for (number, way) in ways.iter().enumerate() {
            if !way.meets(path) {
                continue;
            }
            for triangle in number * CHUNK..((number + 1) * CHUNK).min(self.triangles()) {
                if let Some(now) = self.at(&self.points, triangle) {
                    let before = self.moved(triangle, now, leap).unwrap_or(now);
                    visit(self.exact(before, from), self.exact(now, from));
                }
            }
        }
    }

    /// The nearest triangle that a ray from `from` meets before `limit`.
    pub fn hit(&self, from: DVec3, direction: DVec3, inverse: Vec3, limit: f64) -> Option<Hit> {
        let origin = from.as_vec3();
        let mut best: Option<Hit> = None;
        for (number, chunk) in self.chunks.iter().enumerate() {
            let reach = best.map_or(limit, |hit| hit.at);
            if chunk.enter(origin, inverse, reach as f32 * (1.0 + 1e-5)).is_none() {
                continue;
            }
            for triangle in number * CHUNK..((number + 1) * CHUNK).min(self.triangles()) {
                let Some(corners) = self.at(&self.points, triangle) else { continue };
                let hit = ray_triangle(DVec3::ZERO, direction, self.exact(corners, from));
                if let Some(hit) = hit.filter(|hit| hit.at < best.map_or(limit, |hit| hit.at)) {
                    best = Some(hit);
                }
            }
        }
        best
    }
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
                let back = unproject.point(clip);
                assert!((back.as_dvec3() - point).length() < 1e-4, "{point} {back}");
                assert!((unproject.project(point) - unproject.clip(clip)).length() < 1e-3);
            }
        }
        let mirrored = DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0)) * perspective;
        let unproject = Unproject::new(&world.to_cols_array(), &mirrored.to_cols_array(), origin).expect("a camera");
        assert!(!unproject.keeps_winding);
        assert!(Unproject::new(&[0.0; 16], &[0.0; 16], origin).is_none());
    }

    trait Project {
        fn project(&self, point: DVec3) -> [f32; 4];
    }

    impl Project for DMat4 {
        fn project(&self, point: DVec3) -> [f32; 4] {
            (*self * point.extend(1.0)).as_vec4().to_array()
        }
    }
}
