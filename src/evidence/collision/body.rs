//! One object's triangles in world space, as one draw made them.
//!
//! Where they are is worked out only for what something comes near: of the rest a box is known that holds it, from the least and
//! greatest of its positions.

use std::cell::{Cell, OnceCell};
use std::sync::Arc;

use glam::{DAffine3, DVec3, Vec3, Vec4};

use super::boxes::Boxes;
use super::clip::{self, Clip};
use super::placing::{Placing, STILL, Unproject, extent};
use super::shapes::{Bounds, Hit, Triangle, ray_triangle};
use super::topology::Topology;
use super::tree::{Ray, Tree};
use super::turn::Turn;
use crate::gl::command::Face;
use crate::gl::observe::ObservedDraw;

/// Triangles that share a box. Neighbours in a draw are neighbours in space nearly always; instances are not, so that a
/// box holds parts of one, or a few that have hardly any triangles.
const CHUNK: usize = 32;
const FEW: usize = 8;
/// Groups that are asked one by one.
const LIST: usize = 8;

/// Triangles of one draw.
#[derive(Debug)]
pub struct Body {
    pub object: u32,
    /// It may be touched because of a name: it is no collision, but told.
    pub waived: bool,
    /// What is behind it shows through.
    pub see_through: bool,
    /// It counts for nothing where it is small and leaves no depth.
    pub may_be_particle: bool,
    /// What parts of it are cut away.
    pub clip: Option<Box<Clip>>,
    /// Both sides are drawn.
    pub two_sided: bool,
    /// The frame in which it was last drawn.
    pub drawn: u64,
    /// The last one in which it is known where it was.
    placed: u64,
    /// It was there in the frame before, in the same place.
    pub still: bool,
    /// Where its object was then, as a checksum of its matrix; and that matrix.
    pub place: Option<f64>,
    pub matrix: Option<DAffine3>,
    /// Counter-clockwise from behind: the visible side is the other one.
    flipped: bool,
    topology: Topology,
    instances: usize,
    /// As they were drawn, and how they came to the world.
    now: Option<Placed>,
    /// The same a frame before; only if they moved.
    before: Option<Placed>,
    /// Instances that share boxes.
    groups: Vec<Group>,
    tree: OnceCell<Tree>,
    /// Holds all of it, perhaps more.
    pub bounds: Bounds,
    /// Holds also the way it came.
    pub reach: Bounds,
    /// The camera carries it along.
    pub carried: bool,
    /// All of it is on the map of the ground, as it is now.
    pub mapped: bool,
    /// Some of the points, in clip space and in the world, as they were.
    samples: Vec<(DVec3, DVec3)>,
    leap: f32,
    jump: f32,
    largest: OnceCell<f32>,
}

/// Positions, and where they are.
#[derive(Clone, Debug)]
struct Placed {
    positions: Arc<[[f32; 4]]>,
    placing: Placing,
}

#[derive(Debug)]
struct Group {
    /// Least and greatest of the positions.
    extent: (Vec4, Vec4),
    /// Holds all of it, perhaps more; and the way it came.
    bounds: Bounds,
    reach: Bounds,
    fine: OnceCell<Box<Fine>>,
}

/// A group's triangles.
#[derive(Debug)]
struct Fine {
    points: Vec<Vec3>,
    chunks: Boxes,
    ways: OnceCell<Ways>,
}

/// The same a frame before.
#[derive(Debug)]
struct Ways {
    before: Vec<Vec3>,
    /// Chunks with the way they came.
    chunks: Boxes,
    /// How each instance turned, where that is more than straight lines tell.
    turns: OnceCell<Vec<Option<Turn>>>,
}

/// The camera's way.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    pub from: DVec3,
    pub to: DVec3,
    pub radius: f64,
    /// Around the way; what stays out of it is of no interest.
    pub path: &'a Bounds,
}

/// A piece of a triangle's way, straight, told from the end of the camera's.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    pub before: Triangle,
    pub now: Triangle,
    /// Of the frame's time, 0 to 1.
    pub times: [f64; 2],
    /// So long a way that it may have been put there.
    pub jumps: bool,
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
    /// Nor is anybody sure of what was put less far.
    pub jump: f32,
}

/// Positions by which a body that is carried along is known.
const SAMPLES: usize = 12;

impl Body {
    pub fn new(object: u32) -> Self {
        Self {
            object,
            waived: false,
            see_through: false,
            may_be_particle: false,
            clip: None,
            largest: OnceCell::new(),
            two_sided: false,
            drawn: 0,
            placed: 0,
            still: false,
            place: None,
            matrix: None,
            flipped: false,
            topology: Topology::default(),
            instances: 0,
            now: None,
            before: None,
            groups: Vec::new(),
            tree: OnceCell::new(),
            bounds: Bounds::EMPTY,
            reach: Bounds::EMPTY,
            carried: false,
            mapped: false,
            samples: Vec::new(),
            leap: 0.0,
            jump: 0.0,
        }
    }

    /// Takes a frame's draw; is it anywhere else than before?
    pub fn update(&mut self, draw: &ObservedDraw, unproject: &Unproject, step: &Step) -> bool {
        let Step { frame, eye, leap, jump, .. } = *step;
        (self.leap, self.jump) = (leap, jump);
        self.two_sided = draw.cull.is_none();
        let ccw = draw.front_face_ccw == (draw.cull != Some(Face::Front));
        self.flipped = ccw != unproject.keeps_winding;
        let (vertices, instances) = (draw.vertices as usize, draw.instances as usize);
        let alike = (self.topology.vertices, self.instances) == (vertices, instances);
        let follows = self.placed + 1 == frame;
        let drawn_before = self.drawn + 1 == frame;
        let triangles = self.topology.take(draw);
        self.instances = instances;
        (self.drawn, self.placed) = (frame, frame);
        let placing = Placing::new(unproject, &draw.to_clip);
        let same = alike && self.is_from_these(&draw.positions);
        if same && !triangles && self.stays(&placing, eye) {
            self.see(&placing, eye, drawn_before, false);
            self.still = follows;
            self.rest();
            return false;
        }
        self.mapped = false;
        let positions = draw.positions.clone();
        let old = self.now.replace(Placed { positions, placing });
        self.see(&placing, eye, drawn_before, true);
        let moved = match (&self.now, &old) {
            (Some(now), Some(old)) if alike && follows => now.moved_from(old, eye),
            _ => false,
        };
        self.still = alike && follows && !moved;
        self.before = old.filter(|_| moved);
        self.measure(!same || triangles);
        true
    }

    /// It is not drawn, and known to be where it was.
    pub fn stay(&mut self, frame: u64) {
        self.placed = frame;
        self.rest();
    }

    /// It is not drawn, and its object went on by `motion`.
    pub fn go_on(&mut self, motion: &DAffine3, step: &Step) {
        let Some(old) = self.now.take() else { return };
        (self.leap, self.jump) = (step.leap, step.jump);
        (self.mapped, self.still, self.placed) = (false, false, step.frame);
        self.samples.clear();
        self.now = Some(Placed { positions: old.positions.clone(), placing: old.placing.moved(motion) });
        self.before = Some(old);
        self.measure(false);
    }

    /// It stands where it came to.
    fn rest(&mut self) {
        if self.before.take().is_some() {
            self.forget_ways();
        }
    }

    fn is_from_these(&self, positions: &Arc<[[f32; 4]]>) -> bool {
        self.now.as_ref().is_some_and(|now| Arc::ptr_eq(&now.positions, positions))
    }

    /// Was it drawn from these very positions, or from ones of the same values?
    pub fn is_from(&self, positions: &Arc<[[f32; 4]]>) -> bool {
        self.is_from_these(positions) || self.now.as_ref().is_some_and(|now| now.positions == *positions)
    }

    /// The first of its positions, bit by bit.
    pub fn first_position(&self) -> Option<[u32; 4]> {
        self.now.as_ref()?.positions.first().map(|position| position.map(f32::to_bits))
    }

    /// Where its first point is.
    pub fn first_point(&self) -> Option<Vec3> {
        self.points().next()
    }

    /// Every corner of every instance.
    pub fn points(&self) -> impl Iterator<Item = Vec3> {
        self.now.iter().flat_map(|now| now.positions.iter().map(|position| now.placing.point(*position)))
    }

    /// How many those are.
    pub fn point_count(&self) -> usize {
        self.now.as_ref().map_or(0, |now| now.positions.len())
    }

    /// Does the picture show all of the space around it, so that it would have been drawn?
    pub fn is_in_view(&self, view: &Unproject, far: f64) -> bool {
        let Bounds { min, max } = self.exact_bounds(true);
        (0..8).all(|corner| {
            let side = |axis: usize| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] };
            view.shows(Vec3::new(side(0), side(1), side(2)).as_dvec3(), far)
        })
    }

    /// Are the points where they are if the same positions are placed anew?
    fn stays(&self, now: &Placing, eye: Vec3) -> bool {
        let Some(old) = &self.now else { return false };
        let (low, high) = self.extent();
        old.placing.agrees(now, (low.as_dvec4(), high.as_dvec4()), eye.as_dvec3())
    }

    fn extent(&self) -> (Vec4, Vec4) {
        let none = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let extents = self.groups.iter().map(|group| group.extent);
        extents.fold(none, |all, (low, high)| (all.0.min(low), all.1.max(high)))
    }

    /// Is it carried along? Then it stays in one place of the picture although the camera moves so far that what stands
    /// still would not. Where the camera hardly moves, nothing is learnt. `anew`: it was placed anew.
    fn see(&mut self, placing: &Placing, eye: Vec3, follows: bool, anew: bool) {
        let Some(placed) = &self.now else { return };
        let every = (placed.positions.len() / SAMPLES).max(1);
        let positions = placed.positions.iter().step_by(every).take(SAMPLES);
        let mut now = [DVec3::ZERO; SAMPLES];
        let mut count = 0;
        for (place, position) in now.iter_mut().zip(positions.clone()) {
            *place = placing.clip(*position);
            count += 1;
        }
        let unproject = &placing.unproject;
        // What stands, not right before the eye, is not carried along by a camera that moves.
        let stands = !anew && !self.carried && self.bounds.distance_squared(eye) > 1.0;
        if follows && count == self.samples.len() {
            if stands {
                self.samples.iter_mut().zip(now).for_each(|(sample, now)| sample.0 = now);
                return;
            }
            let (mut telling, mut carried) = (0, 0);
            for (now, (before, world)) in now.iter().zip(&self.samples) {
                let still = (unproject.project(*world) - *before).length();
                if still > 1e-4 * (before.length() + 1e-3) {
                    telling += 1;
                    carried += usize::from((*now - *before).length() < 0.05 * still);
                }
            }
            if telling * 2 > count {
                self.carried = carried == telling;
            }
        } else {
            self.carried = false;
        }
        if !anew && count == self.samples.len() {
            self.samples.iter_mut().zip(now).for_each(|(sample, now)| sample.0 = now);
            return;
        }
        self.samples.clear();
        let world = positions.map(|position| placed.placing.point(*position).as_dvec3());
        self.samples.extend(now.into_iter().zip(world));
    }

    /// Instances in a group.
    fn grouped(&self) -> usize {
        (FEW / self.topology.each.max(1)).max(1)
    }

    /// The positions of a group.
    fn part<'a>(&self, positions: &'a [[f32; 4]], number: usize) -> &'a [[f32; 4]] {
        let size = self.grouped() * self.topology.vertices;
        let first = number.saturating_mul(size).min(positions.len());
        positions.get(first..(first + size).min(positions.len())).unwrap_or_default()
    }

    /// Boxes of what is now placed anew; `new`: from other positions or with other triangles.
    fn measure(&mut self, new: bool) {
        let Some(now) = self.now.take() else { return };
        let mut groups = std::mem::take(&mut self.groups);
        if new {
            let count = if self.topology.each == 0 { 0 } else { self.instances.div_ceil(self.grouped()) };
            groups.resize_with(count, Group::default);
        }
        (self.bounds, self.reach) = (Bounds::EMPTY, Bounds::EMPTY);
        for (number, group) in groups.iter_mut().enumerate() {
            let positions = self.part(&now.positions, number);
            if new {
                group.extent = extent(positions);
            }
            let before = std::mem::replace(&mut group.bounds, now.bounds(positions, group.extent));
            group.reach = if self.before.is_some() { group.bounds.union(before) } else { group.bounds };
            group.fine = OnceCell::new();
            self.bounds = self.bounds.union(group.bounds);
            self.reach = self.reach.union(group.reach);
        }
        (self.now, self.groups, self.tree) = (Some(now), groups, OnceCell::new());
        self.largest = OnceCell::new();
    }

    fn forget_ways(&mut self) {
        self.reach = self.bounds;
        for group in &mut self.groups {
            group.reach = group.bounds;
            if let Some(fine) = group.fine.get_mut() {
                fine.ways = OnceCell::new();
            }
        }
    }

    /// The longest side of a box around an instance, of the largest one.
    pub fn largest_instance(&self) -> f32 {
        let Some(now) = &self.now else { return 0.0 };
        *self.largest.get_or_init(|| {
            let size = |positions: &[[f32; 4]]| {
                let bounds = now.bounds(positions, extent(positions));
                (bounds.max - bounds.min).max_element().max(0.0)
            };
            now.positions.chunks(self.topology.vertices.max(1)).map(size).fold(0.0, f32::max)
        })
    }

    /// No larger than it is; also of the way it came, if wanted.
    pub fn exact_bounds(&self, ways: bool) -> Bounds {
        let parts = (0..self.groups.len()).filter_map(|number| {
            let fine = self.fine(number)?;
            let ways = self.ways(number, fine).filter(|_| ways);
            Some(fine.chunks.all().union(ways.map_or(Bounds::EMPTY, |ways| ways.chunks.all())))
        });
        parts.fold(Bounds::EMPTY, Bounds::union)
    }

    fn fine(&self, number: usize) -> Option<&Fine> {
        let (group, now) = (self.groups.get(number)?, self.now.as_ref()?);
        Some(group.fine.get_or_init(|| {
            let points = now.points(self.part(&now.positions, number));
            let mut chunks = Boxes::default();
            for triangles in self.chunks(number) {
                let corners = triangles.filter_map(|triangle| self.at(&points, triangle));
                chunks.push(corners.flatten().fold(Bounds::EMPTY, Bounds::with));
            }
            Box::new(Fine { points, chunks, ways: OnceCell::new() })
        }))
    }

    fn ways<'a>(&self, number: usize, fine: &'a Fine) -> Option<&'a Ways> {
        let before = self.before.as_ref()?;
        Some(fine.ways.get_or_init(|| {
            let points = before.points(self.part(&before.positions, number));
            let mut ways = Ways { before: points, chunks: Boxes::default(), turns: OnceCell::new() };
            for (chunk, triangles) in self.chunks(number).enumerate() {
                let came = triangles.filter_map(|triangle| {
                    let now = self.at(&fine.points, triangle)?;
                    self.moved(&ways, triangle, now, self.leap.max(self.jump))
                });
                let way = came.flatten().fold(Bounds::EMPTY, Bounds::with);
                ways.chunks.push(fine.chunks.get(chunk).union(way));
            }
            ways
        }))
    }

    /// Triangles of a group, by the boxes they share.
    fn chunks(&self, number: usize) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let count = self.group_triangles(number);
        (0..count.div_ceil(CHUNK)).map(move |chunk| chunk * CHUNK..((chunk + 1) * CHUNK).min(count))
    }

    fn chunk(&self, number: usize, chunk: usize) -> std::ops::Range<usize> {
        let count = self.group_triangles(number);
        (chunk * CHUNK).min(count)..((chunk + 1) * CHUNK).min(count)
    }

    fn group_triangles(&self, number: usize) -> usize {
        let size = self.grouped();
        self.instances.saturating_sub(number * size).min(size) * self.topology.each
    }

    /// A triangle of a group in f32, if it is one.
    fn at(&self, points: &[Vec3], triangle: usize) -> Option<[Vec3; 3]> {
        let each = self.topology.each.max(1);
        let (instance, triangle) = if triangle < each { (0, triangle) } else { (triangle / each, triangle % each) };
        let base = instance * self.topology.vertices;
        let [a, b, c] = self.topology.corners(triangle)?.map(|corner| base + corner);
        let corners = [*points.get(a)?, *points.get(b)?, *points.get(c)?];
        let [a, b, c] = corners;
        ((a + b + c).is_finite() && a != b && b != c && c != a).then_some(corners)
    }

    /// Where a triangle was a frame before, if that is no further away than `leap`.
    fn moved(&self, ways: &Ways, triangle: usize, now: [Vec3; 3], leap: f32) -> Option<[Vec3; 3]> {
        let before = self.at(&ways.before, triangle)?;
        now.iter().zip(&before).all(|(a, b)| a.distance_squared(*b) <= leap * leap).then_some(before)
    }

    fn exact(&self, corners: [Vec3; 3], from: DVec3) -> Triangle {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - from);
        if self.flipped { [a, c, b] } else { [a, b, c] }
    }

    /// Calls `visit` with every triangle of chunks that `near` lets through, relative to `from`. What it keeps out of a box, it
    /// keeps out of every box inside.
    pub fn visit(&self, from: DVec3, near: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(Triangle)) {
        for (number, group) in self.groups.iter().enumerate() {
            let Some(fine) = Some(group).filter(|group| near(&group.bounds)).and_then(|_| self.fine(number)) else {
                continue;
            };
            fine.chunks.visit(&near, |chunk| {
                let corners = self.chunk(number, chunk).filter_map(|triangle| self.at(&fine.points, triangle));
                corners.for_each(|corners| match &self.clip {
                    None => visit(self.exact(corners, from)),
                    Some(clip) => {
                        let whole = self.exact(corners, from);
                        clip.pieces(self.exact(corners, DVec3::ZERO), |piece| visit(piece.map(|p| clip::at(p, whole))));
                    }
                });
            });
        }
    }

    /// May it come into `path` on its way?
    pub fn comes_into(&self, path: &Bounds) -> bool {
        self.reach_on_arcs(&self.reach).meets(path)
    }

    /// What moves may turn: an arc lies off its chord by 0.384 of it at most, if it goes no further round than [`Turn`] follows.
    fn reach_on_arcs(&self, reach: &Bounds) -> Bounds {
        if self.before.is_none() { *reach } else { reach.grown((reach.max - reach.min).length() * 0.4) }
    }

    /// Calls `visit` with every triangle whose way may meet `sweep`'s path: as it was and as it is, in steps where it turns.
    /// How many turning instances it cannot tell the way of comes back.
    pub fn visit_ways(&self, sweep: &Sweep<'_>, mut visit: impl FnMut(Leg)) -> u32 {
        let mut untold = 0;
        for (number, group) in self.groups.iter().enumerate() {
            let near = self.reach_on_arcs(&group.reach).meets(sweep.path);
            let Some(fine) = Some(group).filter(|_| near).and_then(|_| self.fine(number)) else { continue };
            let ways = self.ways(number, fine);
            let Some(ways) = ways else {
                fine.chunks.visit(
                    |chunk| chunk.meets(sweep.path),
                    |chunk| {
                        for triangle in self.chunk(number, chunk) {
                            let Some(now) = self.at(&fine.points, triangle) else { continue };
                            self.legs(sweep, (now, now), None, false, &mut visit);
                        }
                    },
                );
                continue;
            };
            let turns = self.turns(fine, ways, sweep.radius);
            let bulge = turns.iter().flatten().map(Turn::bulge).fold(0.0, f64::max) as f32;
            untold += turns.iter().flatten().filter(|turn| self.is_untold(turn, sweep)).count() as u32;
            ways.chunks.visit(
                |way| if bulge > 0.0 { way.grown(bulge).meets(sweep.path) } else { way.meets(sweep.path) },
                |chunk| {
                    for triangle in self.chunk(number, chunk) {
                        let Some(now) = self.at(&fine.points, triangle) else { continue };
                        let turn = turns.get(triangle / self.topology.each.max(1)).and_then(Option::as_ref);
                        let turn = turn.filter(|turn| turn.steps(sweep.radius).is_some());
                        let before = match turn {
                            Some(_) => self.at(&ways.before, triangle),
                            None => self.moved(ways, triangle, now, self.leap),
                        };
                        if before.is_none()
                            && let Some(before) = self.moved(ways, triangle, now, self.jump)
                        {
                            self.legs(sweep, (before, now), None, true, &mut visit);
                        }
                        self.legs(sweep, (before.unwrap_or(now), now), turn, false, &mut visit);
                    }
                },
            );
        }
        untold
    }

    fn is_untold(&self, turn: &Turn, sweep: &Sweep<'_>) -> bool {
        let met = |point: DVec3| turn.sweeps(point, sweep.radius);
        turn.steps(sweep.radius).is_none() && (met(sweep.from) || met(sweep.to))
    }

    /// How each instance of a group turned, where that matters.
    fn turns<'a>(&self, fine: &Fine, ways: &'a Ways, radius: f64) -> &'a [Option<Turn>] {
        ways.turns.get_or_init(|| {
            let each = self.topology.vertices.max(1);
            let pairs = fine.points.chunks(each).zip(ways.before.chunks(each));
            let turn = |(now, before)| {
                let turn = Turn::of(before, now)?;
                (!turn.is_flat(radius) && turn.is_way(self.leap.into())).then_some(turn)
            };
            pairs.map(turn).collect()
        })
    }

    /// A triangle's way in steps short enough to be straight.
    fn legs(
        &self,
        sweep: &Sweep<'_>,
        (before, now): ([Vec3; 3], [Vec3; 3]),
        turn: Option<&Turn>,
        jumps: bool,
        visit: &mut impl FnMut(Leg),
    ) {
        let (from, to) = (self.exact(before, DVec3::ZERO), self.exact(now, DVec3::ZERO));
        let steps = turn.and_then(|turn| turn.steps(sweep.radius)).unwrap_or(1);
        let place = |step: u32| match turn {
            _ if step == steps => to,
            Some(turn) if step > 0 => from.map(|corner| turn.at(corner, f64::from(step) / f64::from(steps))),
            _ => from,
        };
        for step in 0..steps {
            let times = [step, step + 1].map(|step| f64::from(step) / f64::from(steps));
            let [before, now] = [step, step + 1].map(|step| place(step).map(|corner| corner - sweep.to));
            match &self.clip {
                None => visit(Leg { before, now, times, jumps }),
                Some(clip) => clip.pieces(place(step + 1), |piece| {
                    let [before, now] = [before, now].map(|triangle| piece.map(|shares| clip::at(shares, triangle)));
                    visit(Leg { before, now, times, jumps });
                }),
            }
        }
    }

    /// The nearest triangle that a ray from `from` meets before `limit`; of several the first.
    pub fn hit(&self, from: DVec3, direction: DVec3, inverse: Vec3, limit: f64) -> Option<Hit> {
        let ray = Ray { origin: from.as_vec3(), inverse };
        let best: Cell<Option<(Hit, (usize, usize))>> = Cell::new(None);
        let reach = || best.get().map_or(limit, |(hit, _)| hit.at);
        let look = |number: usize| {
            let Some(group) = self.groups.get(number) else { return };
            if ray.enter(&group.bounds, reach()).is_none() {
                return;
            }
            let Some(fine) = self.fine(number) else { return };
            fine.chunks.along(ray, reach, |chunk| {
                for triangle in self.chunk(number, chunk) {
                    let Some(corners) = self.at(&fine.points, triangle) else { continue };
                    let hit = ray_triangle(DVec3::ZERO, direction, self.exact(corners, from));
                    let there = |hit: &Hit| self.clip.as_ref().is_none_or(|clip| clip.keeps(from + direction * hit.at));
                    let order = (number, triangle);
                    let first = |hit: &Hit| best.get().is_some_and(|(old, of)| hit.at == old.at && order < of);
                    if let Some(hit) = hit.filter(|hit| (hit.at < reach() || first(hit)) && there(hit)) {
                        best.set(Some((hit, order)));
                    }
                }
            });
        };
        if self.groups.len() <= LIST {
            (0..self.groups.len()).for_each(look);
        } else {
            let tree = || Tree::new(self.groups.iter().map(|group| group.bounds));
            self.tree.get_or_init(tree).along(ray, reach, look);
        }
        best.get().map(|(hit, _)| hit)
    }
}

impl Placed {
    fn points(&self, positions: &[[f32; 4]]) -> Vec<Vec3> {
        positions.iter().map(|position| self.placing.point(*position)).collect()
    }

    /// Holds all of `positions`, which lie between `extent`'s.
    fn bounds(&self, positions: &[[f32; 4]], (low, high): (Vec4, Vec4)) -> Bounds {
        let bounds = self.placing.bounds(low.as_dvec4(), high.as_dvec4());
        let exact = || {
            let points = positions.iter().map(|position| self.placing.point(*position));
            Bounds::of(points.filter(|point| point.is_finite()))
        };
        bounds.unwrap_or_else(exact)
    }

    /// Is some point elsewhere, as far as a camera at `eye` can tell?
    fn moved_from(&self, old: &Self, eye: Vec3) -> bool {
        let still = |(now, before): (&[f32; 4], &[f32; 4])| {
            let (now, before) = (self.placing.point(*now), old.placing.point(*before));
            let limit = STILL * (1.0 + (now - eye).abs().max_element());
            (now - before).abs().max_element() < limit
        };
        self.positions.len() == old.positions.len() && !self.positions.iter().zip(&old.positions[..]).all(still)
    }
}

impl Default for Group {
    fn default() -> Self {
        let extent = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        Self { extent, bounds: Bounds::EMPTY, reach: Bounds::EMPTY, fine: OnceCell::new() }
    }
}
