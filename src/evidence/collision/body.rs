//! One object's triangles in world space, as one draw made them.

use std::cell::Cell;
use std::sync::Arc;

use glam::{DVec3, DVec4, Vec3};

use super::boxes::Boxes;
use super::placing::{Placing, STILL, Unproject, extent};
use super::shapes::{Bounds, Hit, Triangle, ray_triangle};
use crate::gl::command::Face;
use crate::gl::observe::ObservedDraw;

/// Triangles that share a box. Neighbours in a draw are neighbours in space nearly always; instances are not, so that a
/// box holds parts of one, or a few that have hardly any triangles.
const CHUNK: usize = 32;
const FEW: usize = 8;

/// How vertices make triangles.
#[derive(Clone, Debug)]
enum Topology {
    Plain,
    List(Arc<[u32]>),
    /// From a strip.
    Triangles(Option<Arc<[u32]>>, Vec<[u32; 3]>),
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
    /// As they were drawn, and how they came to the world.
    positions: Arc<[[f32; 4]]>,
    placing: Option<Placing>,
    /// Least and greatest of the positions; only once they were drawn twice.
    extent: Option<(DVec4, DVec4)>,
    points: Vec<Vec3>,
    /// The same points a frame before; empty if there were none or others.
    before: Vec<Vec3>,
    chunks: Boxes,
    /// Chunks with the way they came; empty if nothing moved.
    ways: Boxes,
    pub bounds: Bounds,
    /// The camera carries it along.
    pub carried: bool,
    /// All of it is on the map of the ground, as it is now.
    pub mapped: bool,
    /// Some of the points, in clip space and in the world, as they were.
    samples: Vec<(DVec3, DVec3)>,
}

/// One frame's step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub frame: u64,
    /// The camera.
    pub eye: Vec3,
    /// How far ahead it sees.
    pub far: f64,
    /// No triangle moves further in a frame: what did was put there.
    pub leap: f32,
}

/// Positions by which a body that is carried along is known.
const SAMPLES: usize = 12;

impl Body {
    pub fn new(object: u32) -> Self {
        Self {
            object,
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
            positions: Arc::default(),
            placing: None,
            extent: None,
            points: Vec::new(),
            before: Vec::new(),
            chunks: Boxes::default(),
            ways: Boxes::default(),
            bounds: Bounds::EMPTY,
            carried: false,
            mapped: false,
            samples: Vec::new(),
        }
    }

    /// Takes a frame's draw.
    pub fn update(&mut self, draw: &ObservedDraw, unproject: &Unproject, step: &Step) {
        let Step { frame, eye, leap, .. } = *step;
        self.two_sided = draw.cull.is_none();
        let ccw = draw.front_face_ccw == (draw.cull != Some(Face::Front));
        self.flipped = ccw != unproject.keeps_winding;
        let (vertices, instances) = (draw.vertices as usize, draw.instances as usize);
        let alike = (self.vertices, self.instances) == (vertices, instances);
        let follows = self.drawn + 1 == frame;
        let triangles = self.set_topology(draw);
        (self.vertices, self.instances) = (vertices, instances);
        self.drawn = frame;
        let placing = Placing::new(unproject, &draw.to_clip);
        let same = alike && Arc::ptr_eq(&self.positions, &draw.positions);
        if same && !triangles && self.stays(&placing, eye) {
            self.see(&placing, follows);
            self.still = follows;
            if !self.before.is_empty() {
                self.before.clear();
                self.ways.clear();
                self.bounds = self.chunks.all();
            }
            return;
        }
        if !same {
            self.positions = draw.positions.clone();
            self.extent = None;
        }
        self.placing = Some(placing);
        self.mapped = false;
        std::mem::swap(&mut self.points, &mut self.before);
        self.points.clear();
        self.points.extend(self.positions.iter().map(|position| placing.point(*position)));
        self.see(&placing, follows);
        let mut moved = false;
        if alike && follows && self.before.len() == self.points.len() {
            let still = |(now, before): (&Vec3, &Vec3)| {
                let limit = STILL * (1.0 + (*now - eye).abs().max_element());
                (*now - *before).abs().max_element() < limit
            };
            moved = !self.points.iter().zip(&self.before).all(still);
        }
        self.still = alike && follows && !moved;
        if !moved {
            self.before.clear();
        }
        self.measure(leap);
    }

    /// Was it drawn from these very positions, or from ones of the same values?
    pub fn is_from(&self, positions: &Arc<[[f32; 4]]>) -> bool {
        Arc::ptr_eq(&self.positions, positions) || self.positions == *positions
    }

    /// The first of its positions, bit by bit.
    pub fn first_position(&self) -> Option<[u32; 4]> {
        self.positions.first().map(|position| position.map(f32::to_bits))
    }

    /// Where its first point is.
    pub fn first_point(&self) -> Option<Vec3> {
        self.points.first().copied()
    }

    /// Does the picture show all of the space around it, so that it would have been drawn?
    pub fn is_in_view(&self, view: &Unproject, far: f64) -> bool {
        let Bounds { min, max } = self.bounds;
        (0..8).all(|corner| {
            let side = |axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
            view.shows(Vec3::new(side(0), side(1), side(2)).as_dvec3(), far)
        })
    }

    /// Are the points where they are if the same positions are placed anew?
    fn stays(&mut self, now: &Placing, eye: Vec3) -> bool {
        let Some(old) = self.placing else { return false };
        let extent = *self.extent.get_or_insert_with(|| extent(&self.positions));
        old.agrees(now, extent, eye.as_dvec3())
    }

    /// Is it carried along? Then it stays in one place of the picture although the camera moves so far that what stands
    /// still would not. Where the camera hardly moves, nothing is learnt.
    fn see(&mut self, placing: &Placing, follows: bool) {
        let every = (self.positions.len() / SAMPLES).max(1);
        let samples = self.positions.iter().step_by(every).take(SAMPLES);
        let now: Vec<DVec3> = samples.map(|position| placing.clip(*position)).collect();
        let unproject = &placing.unproject;
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

    /// Takes how the draw's vertices make triangles; is that new?
    fn set_topology(&mut self, draw: &ObservedDraw) -> bool {
        let vertices = draw.vertices as usize;
        let same = |old: Option<&Arc<[u32]>>| match (old, &draw.indices) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => self.vertices == vertices,
            _ => false,
        };
        let known = match &self.topology {
            Topology::Plain => !draw.strip && same(None),
            Topology::List(old) => !draw.strip && same(Some(old)),
            Topology::Triangles(old, _) => draw.strip && self.vertices == vertices && same(old.as_ref()),
        };
        if known {
            return false;
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
                (Topology::Triangles(indices.clone(), triangles), each)
            }
        };
        true
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
        for number in 0..self.chunk_count() {
            let mut bounds = Bounds::EMPTY;
            let mut way = Bounds::EMPTY;
            for triangle in self.chunk(number) {
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
        self.bounds = chunks.all().union(ways.all());
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

    /// Triangles of as many instances as share boxes, and the boxes they have.
    fn group(&self) -> (usize, usize) {
        let group = self.each * (FEW / self.each.max(1)).max(1);
        (group, group.div_ceil(CHUNK))
    }

    fn chunk_count(&self) -> usize {
        let (group, boxes) = self.group();
        self.triangles().div_ceil(group.max(1)) * boxes
    }

    fn chunk(&self, number: usize) -> std::ops::Range<usize> {
        let (group, boxes) = self.group();
        let (whole, part) = (number / boxes.max(1), number % boxes.max(1));
        let end = ((whole + 1) * group).min(self.triangles());
        let first = (whole * group + part * CHUNK).min(end);
        first..(first + CHUNK).min(end)
    }

    /// Calls `visit` with every triangle of chunks that `near` lets through, relative to `from`.
    pub fn visit(&self, from: DVec3, near: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(Triangle)) {
        self.chunks.visit(near, |number| {
            let corners = self.chunk(number).filter_map(|triangle| self.at(&self.points, triangle));
            corners.for_each(|corners| visit(self.exact(corners, from)));
        });
    }

    /// Calls `visit` with every triangle whose way may meet `path`, as it was and as it is.
    pub fn visit_ways(&self, from: DVec3, path: &Bounds, leap: f32, mut visit: impl FnMut(Triangle, Triangle)) {
        let ways = if self.ways.is_empty() { &self.chunks } else { &self.ways };
        ways.visit(
            |way| way.meets(path),
            |number| {
                for triangle in self.chunk(number) {
                    let Some(now) = self.at(&self.points, triangle) else { continue };
                    let before = self.moved(triangle, now, leap).unwrap_or(now);
                    visit(self.exact(before, from), self.exact(now, from));
                }
            },
        );
    }

    /// The nearest triangle that a ray from `from` meets before `limit`.
    pub fn hit(&self, from: DVec3, direction: DVec3, inverse: Vec3, limit: f64) -> Option<Hit> {
        let origin = from.as_vec3();
        let best: Cell<Option<Hit>> = Cell::new(None);
        let reach = || best.get().map_or(limit, |hit| hit.at);
        self.chunks.visit(
            |chunk| chunk.enter(origin, inverse, reach() as f32 * (1.0 + 1e-5)).is_some(),
            |number| {
                for triangle in self.chunk(number) {
                    let Some(corners) = self.at(&self.points, triangle) else { continue };
                    let hit = ray_triangle(DVec3::ZERO, direction, self.exact(corners, from));
                    if let Some(hit) = hit.filter(|hit| hit.at < reach()) {
                        best.set(Some(hit));
                    }
                }
            },
        );
        best.get()
    }
}
