//! How near the camera came to what was drawn, frame by frame.
//!
//! In: what a back end observed of the draws ([`ObservedFrame`]) and what three.js' objects told ([`FrameScene`]), in
//! frame order. Out: a [`Clearance`] a frame, some frames later: whether a jump is a cut shows only then. Must not know:
//! GPU APIs, scripts. Triangles are those the program's own vertex shaders made, so whatever moves them is in them.

mod body;
mod boxes;
mod clip;
mod direct;
mod hop;
mod judge;
mod names;
mod pairs;
mod placing;
mod shapes;
mod sight;
mod topology;
mod tree;
mod turn;
mod view;
mod world;

use std::collections::VecDeque;

use glam::{DAffine3, DMat4, DQuat, DVec3};

use super::clearance::{Clearance, Contact, Untested};
use super::cut::{Cut, CutFinder, Placement};
use super::motion::Sighting;
use super::people::{self, Eye};
use super::recorder::Chosen;
use super::topdown::{HeightMap, TopDown};
use super::up::{Up, turned, turned_back};
use crate::gl::observe::{ObservedDepth, ObservedFrame};
use crate::scene::{CameraState, FrameScene};
use body::Step;
use hop::Heading;
pub use hop::LONGEST as LONGEST_HOP;
use judge::{Crossed, Found, Grid, Limits, Way, look, origin_near};
use placing::Unproject;
use view::View;
pub use world::Patterns;
use world::World;

/// What counts as near. Lengths in metres.
#[derive(Debug)]
pub struct Settings {
    pub radius: f64,
    pub near: f64,
    pub metres_per_unit: f64,
    /// Seconds from frame to frame.
    pub interval: f64,
    pub patterns: Patterns,
    /// As set; else the first camera tells.
    pub up: Option<Up>,
    /// Keep each frame's depths for [`Collision::take_depths`].
    pub keep_depths: bool,
}

/// How far ahead what a picture shows is, in scene units; rows from the bottom up. Not finite where nothing was drawn.
#[derive(Clone, Debug)]
pub struct Depths {
    pub width: u32,
    pub height: u32,
    pub values: Vec<f32>,
}

/// Nothing moves faster, in metres a second: what does was put there. A fast train makes 100.
const FASTEST: f64 = 150.0;

/// Part of its distance within which a depth is a surface's own.
const SAME_DEPTH: f64 = 0.02;

/// Judges frame after frame.
#[derive(Debug)]
pub struct Collision {
    limits: Limits,
    metres_per_unit: f64,
    up: Option<Up>,
    world: World,
    origin: Option<DVec3>,
    last: Option<DVec3>,
    /// The camera of the last frame whose surfaces are known.
    camera: Option<DAffine3>,
    /// The way it went and looked then.
    heading: Option<Heading>,
    cuts: CutFinder,
    /// Not yet known whether they begin a shot.
    open: VecDeque<Open>,
    /// The last ways before those.
    ways: VecDeque<Heading>,
    frames: u64,
    /// Of these, those whose surfaces are known.
    steps: u64,
    /// Frames since the last of those.
    gap: u32,
    keep_depths: bool,
    depths: Option<Depths>,
    sighting: Option<Sighting>,
    ground: TopDown,
    /// Frames from one look at the ground to the next: a second of the film.
    ground_step: u64,
}

#[derive(Debug)]
struct Open {
    frame: u64,
    found: Option<Found>,
    /// The way to it.
    heading: Option<Heading>,
    depth: Option<(f64, f64)>,
    untested: Untested,
}

impl Collision {
    pub fn new(settings: Settings) -> Self {
        let units = 1.0 / settings.metres_per_unit;
        Self {
            limits: Limits {
                radius: settings.radius * units,
                near: settings.near * units,
                leap: FASTEST * settings.interval * units,
                hop: hop::LONGEST * units,
            },
            metres_per_unit: settings.metres_per_unit,
            up: settings.up,
            world: World::new(settings.patterns, settings.metres_per_unit),
            origin: None,
            last: None,
            camera: None,
            heading: None,
            cuts: CutFinder::default(),
            open: VecDeque::new(),
            ways: VecDeque::new(),
            frames: 0,
            steps: 0,
            gap: 0,
            keep_depths: settings.keep_depths,
            depths: None,
            sighting: None,
            ground: TopDown::new(settings.metres_per_unit),
            ground_step: (1.0 / settings.interval).round().clamp(1.0, 1e6) as u64,
        }
    }

    /// Learns of the objects of a frame that does not count.
    pub fn meet(&mut self, scene: &FrameScene) {
        self.world.meet(scene);
    }

    /// The next frame; gives the oldest one that is decided. `chosen` is the camera behind its picture. Without it, or
    /// anything `seen`, nothing can be said.
    pub fn frame(
        &mut self,
        frame: u64,
        seen: Option<&ObservedFrame>,
        scene: &FrameScene,
        chosen: Option<&Chosen>,
    ) -> Option<Clearance> {
        self.meet(scene);
        self.sighting = None;
        let mut open = Open { frame, found: None, heading: None, depth: None, untested: Untested::default() };
        let mut placement = None;
        let fallback = own_call(scene);
        self.frames += 1;
        self.up = self.up.or(chosen.map(|chosen| chosen.up));
        if let Some(seen) = seen
            && let Some(chosen) = chosen.filter(|chosen| !covers_picture(&chosen.camera)).or(fallback.as_ref())
            && let Some((found, eye, depth)) = self.look(seen, scene, chosen)
        {
            placement = self.placement(&chosen.camera, eye);
            (open.found, open.depth) = (Some(found), depth);
            // Where nothing was drawn, what stood there before stands still, and the way past it is not known yet.
            if self.gap == 0 {
                open.heading = self.heading;
                open.untested = self.world.untested();
                open.untested.turning = open.found.as_ref().map_or(0, |found| found.turning);
                self.last = Some(eye);
                self.look_down(eye);
            }
        } else {
            self.gap = self.gap.saturating_add(1);
        }
        self.open.push_back(open);
        let decided = self.cuts.push(placement);
        decided.and_then(|(_, cut)| self.close(cut))
    }

    /// The depths of the frame given last, if they are kept and could be read.
    pub fn take_depths(&mut self) -> Option<Depths> {
        self.depths.take()
    }

    /// What stands still and the camera of the frame given last sees, if it alone made the picture.
    pub fn take_sighting(&mut self) -> Option<Sighting> {
        self.sighting.take()
    }

    /// Takes the surfaces of what stands still, as far as it is in this frame.
    fn look_down(&mut self, eye: DVec3) {
        let up = self.up.unwrap_or_default();
        let eye = turned(up, eye);
        let eye = [eye.x, eye.z];
        self.ground.pass(eye);
        // Whether something moves shows in the second frame.
        if self.frames != 2 && !self.frames.is_multiple_of(self.ground_step) {
            return;
        }
        let ground = &mut self.ground;
        let frame = self.steps;
        for body in self.world.bodies_mut().filter(|body| body.drawn == frame && body.still) {
            if ground.knows(body.mapped, eye) {
                continue;
            }
            let take =
                |triangle: shapes::Triangle| ground.add(triangle.map(|corner| turned(up, corner).to_array()), eye);
            body.visit(DVec3::ZERO, |_| true, take);
            let bounds = body.exact_bounds(false);
            let [low, high] = [bounds.min, bounds.max].map(|corner| turned(up, corner.as_dvec3())).map(|c| [c.x, c.z]);
            body.mapped = ground.taken([low, high], eye);
        }
    }

    /// The ground from above, as far as it was gathered; a second time there is none.
    pub fn top_down(&mut self) -> Option<HeightMap> {
        let ground = std::mem::replace(&mut self.ground, TopDown::new(self.metres_per_unit));
        ground.finish(turned(self.up.unwrap_or_default(), self.origin?).to_array())
    }

    /// The frames still open, when no more come.
    pub fn finish(mut self) -> Vec<Clearance> {
        let decided = std::mem::take(&mut self.cuts).finish();
        decided.into_iter().filter_map(|(_, cut)| self.close(cut)).collect()
    }

    fn close(&mut self, cut: Cut) -> Option<Clearance> {
        let open = self.open.pop_front()?;
        // A view that turns at once hides no way that goes on.
        let goes_on = match cut {
            Cut::No => !self.cuts(&open),
            Cut::Turn => self.steps_on(&open),
            Cut::First | Cut::Jump => false,
        };
        let hop = if goes_on { None } else { self.hop(&open) };
        self.ways.extend(open.heading);
        if self.ways.len() > hop::STEPS {
            self.ways.pop_front();
        }
        let Some(mut found) = open.found else { return Some(unknown(open.frame)) };
        let mut cut_through = None;
        let mut untested = open.untested;
        if !goes_on && hop.is_none() {
            cut_through = found.crossed.first.filter(|_| found.straight_on);
            (found.swept, found.crossed) = (None, Crossed::default());
            untested.turning = 0;
            found.touched.retain(|_, touch| touch.distance < self.limits.radius || touch.around);
            for touch in found.touched.values_mut() {
                (touch.swept, touch.passed) = (touch.distance, false);
            }
        }
        // Over a jump nobody knows what stood between.
        if let Some(object) = found.gone_crossed.first.filter(|_| goes_on) {
            found.crossed.add(found.gone_crossed);
            found.swept = Some((0.0, object));
        }
        let world = &self.world;
        let mut record = found.record(open.frame, self.limits, world);
        record.cut_through = cut_through.map(|object| world.label(object));
        record.hop = hop;
        record.untested = untested;
        if (untested.solid() > 0 || found.nowhere) && record.verdict == Contact::Clear {
            record.verdict = Contact::Unknown;
        }
        if let Some((nearest, share)) = open.depth {
            (record.depth_nearest, record.depth_near_share) = (Some(nearest), Some(share));
        }
        Some(record)
    }

    /// The length of a jump through something solid, if the flight goes on behind it.
    fn hop(&self, open: &Open) -> Option<f64> {
        let through = open.found.as_ref().is_some_and(|found| found.crossed.count > 0);
        let jump = open.heading.filter(|_| through)?;
        let [before, after] = self.ways_beside();
        hop::goes_on(&before, &jump, &after, self.limits.hop).then(|| jump.step.length())
    }

    /// Is the way to it one step more of the ways beside it?
    fn steps_on(&self, open: &Open) -> bool {
        let [before, after] = self.ways_beside();
        open.heading.is_some_and(|heading| hop::steps_on(&before, heading.step, &after, self.limits.radius))
    }

    /// Is the way to it one of many cuts?
    fn cuts(&self, open: &Open) -> bool {
        let [before, after] = self.ways_beside();
        open.heading.is_some_and(|heading| hop::cuts(&before, &heading, &after, self.limits.radius))
    }

    /// The ways before and after the frame that is being closed.
    fn ways_beside(&self) -> [Vec<Heading>; 2] {
        let after = self.open.iter().filter_map(|open| open.heading).take(hop::STEPS);
        [self.ways.iter().copied().collect(), after.collect()]
    }

    fn look(&mut self, seen: &ObservedFrame, scene: &FrameScene, chosen: &Chosen) -> Option<Looked> {
        let camera = &chosen.camera;
        let place = DVec3::new(camera.matrix_world[12], camera.matrix_world[13], camera.matrix_world[14]);
        let origin = *self.origin.get_or_insert_with(|| origin_near(place));
        let view = View::new(camera, origin)?;
        let unproject = |render: u32| {
            let call = scene.renders.iter().find(|call| call.number == render && render != chosen.render);
            let other = call.and_then(|call| call.cameras.iter().find(|c| c.number == camera.number));
            let other = other.map(|other| Chosen::of(render, other).camera);
            let camera = other.as_ref().unwrap_or(camera);
            Unproject::new(&camera.matrix_world, &camera.projection, origin)
        };
        let furthest = self.limits.hop.max(self.limits.leap);
        let leap = (self.limits.leap * f64::from(self.gap.saturating_add(1))).min(furthest) as f32;
        let (frame, eye) = (self.steps + 1, view.eye.as_vec3());
        let now =
            DAffine3::from_translation(-origin) * DAffine3::from_mat4(DMat4::from_cols_array(&camera.matrix_world));
        let along = self.camera.map(|before| now * before.inverse()).filter(|along| along.is_finite());
        let metre = (1.0 / self.metres_per_unit) as f32;
        let step = Step { frame, eye, leap, jump: furthest as f32, far: camera.far, along, metre };
        let drawn = self.world.update(seen, scene, chosen, unproject, &step, origin);
        if drawn {
            (self.steps, self.gap, self.camera) = (frame, 0, Some(now));
        } else {
            self.gap = self.gap.saturating_add(1);
        }
        let drone = scene.drones.iter().find(|drone| drone.shown).map(|drone| {
            let m = &drone.matrix_world;
            DVec3::new(m[12], m[13], m[14]) - origin
        });
        let of_call =
            |depth: &&ObservedDepth| (depth.subject.render, depth.subject.camera) == (chosen.render, camera.number);
        let depth = seen.depths.iter().rev().find(of_call);
        let grid = depth.map_or_else(Default::default, |depth| {
            let [columns, rows] = depth.pixels;
            [Grid { pixels: columns, taken: depth.width }, Grid { pixels: rows, taken: depth.height }]
        });
        let up = self.up.unwrap_or_default();
        let way = Way { frame, view, up, from: self.last, before: self.heading, drone, grid };
        let mut found = if drawn { look(&self.world, &way, self.limits) } else { Found::default() };
        if drawn {
            found.pedestrians_unhidden = self.people_unhidden(&view, camera, scene, origin);
            self.heading = self.last.map(|from| Heading { step: view.eye - from, ahead: view.ahead() });
        }
        self.sighting = depth.filter(|_| chosen.whole).and_then(|depth| sighting(&view, depth, &found));
        let depth = depth.and_then(|depth| self.depth(&view, depth, &found));
        Some((found, view.eye, depth))
    }

    /// Share of the people in view that nothing hides, in a frame a second.
    fn people_unhidden(&self, view: &View, camera: &CameraState, scene: &FrameScene, origin: DVec3) -> Option<f64> {
        if !(self.frames - 1).is_multiple_of(self.ground_step) {
            return None;
        }
        let matrix = DMat4::from_cols_array(&camera.matrix_world).inverse();
        let view_projection = DMat4::from_cols_array(&camera.projection) * matrix;
        let eye = Eye { view_projection, layers: camera.layers };
        let mut people = people::seen(&scene.pedestrians, self.metres_per_unit, &eye);
        people.iter_mut().for_each(|person| person.at -= origin);
        let up = turned_back(self.up.unwrap_or_default(), DVec3::Y);
        sight::unhidden(&self.world, view, &people, up, self.metres_per_unit)
    }

    /// Nearest distance ahead and share of pixels nearer than the radius.
    fn depth(&mut self, view: &View, depth: &ObservedDepth, found: &Found) -> Option<(f64, f64)> {
        let reading = view.reading(depth, &found.surfaces)?;
        let radius = self.limits.radius as f32;
        let least = if self.keep_depths { None } else { reading.nearest(&depth.values) };
        if let Some(nearest) = least.filter(|nearest| *nearest >= radius) {
            return nearest.is_finite().then(|| (nearest.into(), 0.0));
        }
        let (mut nearest, mut near) = (f32::INFINITY, 0_usize);
        let mut kept = Vec::with_capacity(if self.keep_depths { depth.values.len() } else { 0 });
        let mut piece = [0.0_f32; 2048];
        for values in depth.values.chunks(piece.len()) {
            let Some(distances) = piece.get_mut(..values.len()) else { continue };
            reading.read(values, distances);
            nearest = distances.iter().copied().filter(|d| d.is_finite()).fold(nearest, f32::min);
            near += distances.iter().filter(|distance| **distance < radius).count();
            if self.keep_depths {
                kept.extend_from_slice(distances);
            }
        }
        let share = near as f64 / depth.values.len().max(1) as f64;
        if self.keep_depths {
            self.depths = Some(Depths { width: depth.width, height: depth.height, values: kept });
        }
        nearest.is_finite().then(|| (nearest.into(), share))
    }

    fn placement(&self, camera: &CameraState, eye: DVec3) -> Option<Placement> {
        let (_, rotation, _) = DMat4::from_cols_array(&camera.matrix_world).to_scale_rotation_translation();
        let rotation = if rotation.is_finite() { rotation } else { DQuat::IDENTITY };
        Placement::new(eye.to_array(), rotation.to_array(), self.metres_per_unit)
    }
}

/// What stands still, where the depth buffer says that nothing is before it.
fn sighting(view: &View, depth: &ObservedDepth, found: &Found) -> Option<Sighting> {
    let reading = view.reading(depth, &found.surfaces)?;
    let bare = |(at, place): &(usize, DVec3)| {
        let (x, y, ahead) = *found.surfaces.get(*at)?;
        let mut seen = [0.0];
        reading.read(&[depth.at(x, y)?], &mut seen);
        ((f64::from(seen[0]) - ahead).abs() < SAME_DEPTH * ahead).then_some(*place)
    };
    let anchors = found.standing.iter().filter_map(bare).collect();
    Some(Sighting { view_projection: view.view_projection(), anchors })
}

fn unknown(frame: u64) -> Clearance {
    Clearance { frame, ..Clearance::default() }
}

/// The camera of a picture that nothing was drawn to: that of the last render call of its own.
fn own_call(scene: &FrameScene) -> Option<Chosen> {
    let calls = scene.renders.iter().filter(|call| call.parent == 0);
    let cameras = calls.flat_map(|call| call.cameras.iter().map(move |camera| (call, camera)));
    let (call, camera) =
        cameras.filter(|(_, camera)| !covers_picture(camera)).max_by_key(|(call, _)| (!call.to_target, call.number))?;
    Some(Chosen::of(call.number, camera))
}

/// A camera that passes over whole pictures (post-processing) are drawn with: it adds nothing to what it is given.
fn covers_picture(camera: &CameraState) -> bool {
    let p = &camera.projection;
    p[15] == 1.0 && p[11] == 0.0 && p[0] == 1.0 && p[5] == 1.0
}

/// What was found, where the eye was, and the depth buffer's nearest distance and near share.
type Looked = (Found, DVec3, Option<(f64, f64)>);
