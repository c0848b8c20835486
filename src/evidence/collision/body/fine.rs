//! A body's triangles in groups and chunks of them: boxes first, and what is in them only where somebody looks.

use std::cell::OnceCell;

use glam::{DVec3, Vec3, Vec4};

use super::slots::{Came, Slots};
use super::{Body, Placed};
use crate::evidence::collision::boxes::Boxes;
use crate::evidence::collision::placing::extent;
use crate::evidence::collision::shapes::{Bounds, Triangle};
use crate::evidence::collision::turn::Turn;

/// Triangles that share a box. Neighbours in a draw are neighbours in space nearly always; instances are not, so that a
/// box holds parts of one, or a few that have hardly any triangles.
const CHUNK: usize = 32;
const FEW: usize = 8;

#[derive(Debug)]
pub(super) struct Group {
    /// Least and greatest of the positions.
    pub(super) extent: (Vec4, Vec4),
    /// Holds all of it, perhaps more; and the way it came.
    pub(super) bounds: Bounds,
    pub(super) reach: Bounds,
    fine: OnceCell<Box<Fine>>,
}

/// A group's triangles.
#[derive(Debug)]
pub(super) struct Fine {
    pub(super) points: Vec<Vec3>,
    pub(super) chunks: Boxes,
    ways: OnceCell<Ways>,
}

/// The same a frame before.
#[derive(Debug)]
pub(super) struct Ways {
    pub(super) before: Vec<Vec3>,
    /// Those of the instances of the same numbers, where they differ; and which of these left their places.
    pub(super) own: Vec<Vec3>,
    pub(super) left: Vec<bool>,
    /// Chunks with the way they came.
    pub(super) chunks: Boxes,
    /// How each instance turned, where that is more than straight lines tell.
    turns: OnceCell<Vec<Option<Turn>>>,
}

impl Default for Group {
    fn default() -> Self {
        let extent = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        Self { extent, bounds: Bounds::EMPTY, reach: Bounds::EMPTY, fine: OnceCell::new() }
    }
}

impl Body {
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
    pub(super) fn measure(&mut self, new: bool) {
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
            // Instances may have changed places.
            if let Some(before) = self.before.as_ref().filter(|_| new && self.instances > 1) {
                group.reach = group.reach.union(before.bounds(positions, group.extent));
            }
            group.fine = OnceCell::new();
            self.bounds = self.bounds.union(group.bounds);
            self.reach = self.reach.union(group.reach);
        }
        (self.now, self.groups, self.tree) = (Some(now), groups, OnceCell::new());
        self.slots = OnceCell::new();
        self.largest = OnceCell::new();
    }

    pub(super) fn forget_ways(&mut self) {
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

    pub(super) fn fine(&self, number: usize) -> Option<&Fine> {
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

    pub(super) fn ways<'a>(&self, number: usize, fine: &'a Fine) -> Option<&'a Ways> {
        let before = self.before.as_ref()?;
        Some(fine.ways.get_or_init(|| {
            let (points, left) = self.came(before, number);
            let own = before.points(self.part(&before.positions, number));
            let mut ways = Ways { before: points, own, left, chunks: Boxes::default(), turns: OnceCell::new() };
            for (chunk, triangles) in self.chunks(number).enumerate() {
                let came = triangles.filter_map(|triangle| {
                    let now = self.at(&fine.points, triangle)?;
                    self.moved(&ways, triangle, now, self.leap.max(self.jump))
                });
                let was = self.chunk(number, chunk).filter_map(|triangle| self.at(&ways.own, triangle));
                let way = came.chain(was).flatten().fold(Bounds::EMPTY, Bounds::with);
                ways.chunks.push(fine.chunks.get(chunk).union(way));
            }
            ways
        }))
    }

    /// Where a group's points were. Programs sort and refill instances as they like: one that is now where another was
    /// stands still, and where the one in its own place came from nobody can tell if that one is drawn elsewhere.
    fn came(&self, before: &Placed, number: usize) -> (Vec<Vec3>, Vec<bool>) {
        let (size, first) = (self.topology.vertices.max(1), number * self.grouped());
        let own = self.part(&before.positions, number);
        let Some(now) = self.now.as_ref().filter(|_| self.instances > 1) else {
            return (before.points(own), Vec::new());
        };
        let slots = self.slots.get_or_init(|| Slots::new(&before.positions, &now.positions, size));
        let pairs = self.part(&now.positions, number).chunks(size).zip(own.chunks(size));
        let (mut points, mut left) = (Vec::with_capacity(own.len()), Vec::new());
        for ((now, own), instance) in pairs.zip(first..) {
            let came = slots.came(now, own, instance);
            match came {
                Came::Own => points.extend(before.points(own)),
                Came::There { .. } => points.extend(before.points(now)),
                Came::Unknown => points.extend(own.iter().map(|_| Vec3::NAN)),
            }
            left.push(came == Came::There { left: true });
        }
        (points, left)
    }

    /// Triangles of a group, by the boxes they share.
    fn chunks(&self, number: usize) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let count = self.group_triangles(number);
        (0..count.div_ceil(CHUNK)).map(move |chunk| chunk * CHUNK..((chunk + 1) * CHUNK).min(count))
    }

    pub(super) fn chunk(&self, number: usize, chunk: usize) -> std::ops::Range<usize> {
        let count = self.group_triangles(number);
        (chunk * CHUNK).min(count)..((chunk + 1) * CHUNK).min(count)
    }

    fn group_triangles(&self, number: usize) -> usize {
        let size = self.grouped();
        self.instances.saturating_sub(number * size).min(size) * self.topology.each
    }

    /// A triangle of a group in f32, if it is one.
    pub(super) fn at(&self, points: &[Vec3], triangle: usize) -> Option<[Vec3; 3]> {
        let each = self.topology.each.max(1);
        let (instance, triangle) = if triangle < each { (0, triangle) } else { (triangle / each, triangle % each) };
        let base = instance * self.topology.vertices;
        let [a, b, c] = self.topology.corners(triangle)?.map(|corner| base + corner);
        let corners = [*points.get(a)?, *points.get(b)?, *points.get(c)?];
        let [a, b, c] = corners;
        ((a + b + c).is_finite() && a != b && b != c && c != a).then_some(corners)
    }

    /// Where a triangle was a frame before, if that is no further away than `leap`.
    pub(super) fn moved(&self, ways: &Ways, triangle: usize, now: [Vec3; 3], leap: f32) -> Option<[Vec3; 3]> {
        let before = self.at(&ways.before, triangle)?;
        now.iter().zip(&before).all(|(a, b)| a.distance_squared(*b) <= leap * leap).then_some(before)
    }

    pub(super) fn exact(&self, corners: [Vec3; 3], from: DVec3) -> Triangle {
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - from);
        if self.flipped { [a, c, b] } else { [a, b, c] }
    }

    /// How each instance of a group turned, where that matters.
    pub(super) fn turns<'a>(&self, fine: &Fine, ways: &'a Ways, radius: f64) -> &'a [Option<Turn>] {
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
}
