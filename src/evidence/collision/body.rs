//! One object's triangles in world space, as one draw made them.
//!
//! Where they are is worked out only for what something comes near: of the rest a box is known that holds it, from the least and
//! greatest of its positions.

mod ask;
mod carried;
mod closed;
mod fine;
mod slots;

use std::cell::OnceCell;
use std::sync::Arc;

pub use ask::{Leg, Sweep, Ways};
use carried::Ride;
use fine::Group;
use glam::{DAffine3, Vec3, Vec4};
use slots::Slots;

use super::clip::Clip;
use super::placing::{Placing, STILL, Unproject};
use super::shapes::Bounds;
use super::topology::Topology;
use super::tree::Tree;
use crate::evidence::topdown::Mapped;
use crate::gl::command::Face;
use crate::gl::observe::ObservedDraw;

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
    before: Option<Box<Placed>>,
    /// Instances by their positions.
    slots: OnceCell<Slots>,
    /// Its surface has no rim.
    closed: OnceCell<bool>,
    /// Instances that share boxes.
    groups: Vec<Group>,
    tree: OnceCell<Tree>,
    /// Holds all of it, perhaps more.
    pub bounds: Bounds,
    /// Holds also the way it came.
    pub reach: Bounds,
    /// The camera carries it along.
    pub carried: bool,
    ride: Option<Box<Ride>>,
    /// How much of it, as it is now, is on the map of the ground.
    pub mapped: Mapped,
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
    /// The camera's way since the frame before: what it carries along goes so.
    pub along: Option<DAffine3>,
    pub metre: f32,
}

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
            slots: OnceCell::new(),
            closed: OnceCell::new(),
            groups: Vec::new(),
            tree: OnceCell::new(),
            bounds: Bounds::EMPTY,
            reach: Bounds::EMPTY,
            carried: false,
            ride: None,
            mapped: Mapped::No,
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
        let now = Placed { positions: draw.positions.clone(), placing: Placing::new(unproject, &draw.to_clip) };
        let same = alike && self.is_from_these(&draw.positions);
        let stays = same && !triangles && self.stays(&now.placing, eye);
        // What stands, not right before the eye, is not carried along by a camera that moves.
        let stands = stays && !self.carried && self.bounds.distance_squared(eye) > 1.0;
        if drawn_before && !stands {
            self.ride(&now, step);
        } else {
            (self.carried, self.ride) = (false, None);
        }
        if stays {
            self.still = follows;
            self.rest();
            return false;
        }
        self.mapped = Mapped::No;
        let old = self.now.replace(now);
        let moved = match (&self.now, &old) {
            (Some(now), Some(old)) if alike && follows => now.moved_from(old, eye),
            _ => false,
        };
        self.still = alike && follows && !moved;
        self.before = old.filter(|_| moved).map(Box::new);
        if !same || triangles {
            self.closed = OnceCell::new();
        }
        self.measure(!same || triangles);
        true
    }

    /// Does a draw have other parts than the last one, which was a frame before?
    pub fn is_another(&self, draw: &ObservedDraw, frame: u64) -> bool {
        let alike = (self.topology.vertices, self.instances) == (draw.vertices as usize, draw.instances as usize);
        !alike && self.placed + 1 == frame
    }

    /// What it was, where it was, apart from what it will be.
    pub fn leave(&mut self) -> Self {
        let fresh = Self {
            waived: self.waived,
            see_through: self.see_through,
            may_be_particle: self.may_be_particle,
            drawn: self.drawn,
            placed: self.placed,
            place: self.place,
            matrix: self.matrix,
            carried: self.carried,
            ..Self::new(self.object)
        };
        std::mem::replace(self, fresh)
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
        (self.mapped, self.still, self.placed) = (Mapped::No, false, step.frame);
        self.now = Some(Placed { positions: old.positions.clone(), placing: old.placing.moved(motion) });
        self.before = Some(Box::new(old));
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

    /// Did it move since the frame before?
    pub fn moves(&self) -> bool {
        self.before.is_some()
    }

    /// Is it now where `other`, of the same shape, was a frame before, as far as a camera at `eye` can tell?
    pub fn takes_place_of(&self, other: &Self, eye: Vec3) -> bool {
        let alike = self.point_count() == other.point_count() && self.topology.each == other.topology.each;
        match (&self.now, &other.before) {
            (Some(now), Some(before)) => alike && !now.moved_from(before, eye),
            _ => false,
        }
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
