//! One frame's evidence, from the bodies and the camera's way.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glam::DVec3;

use super::body::{Body, Leg, Sweep, Ways};
use super::hop::Heading;
use super::shapes::{Bounds, Triangle, crosses, nearest_on_triangle, reaches_into, segment_to_triangle};
use super::sight;
use super::view::View;
use super::world::{Met, World};
use crate::evidence::clearance::{Clearance, Contact, InsideBy, Waived};
use crate::evidence::up::turned_back;
use crate::scene::{ObjectNumber, Up};

/// Rays across the picture, each way.
const GRID: u32 = 16;
/// Rays all around the camera.
const AROUND: u32 = 48;
/// Of those, the least share that must meet backs for the camera to be inside.
const ENCLOSED: f64 = 0.95;
/// A moving triangle's distance to the moving camera is taken at so many times.
const INSTANTS: u32 = 8;

/// Lengths in scene units.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub radius: f64,
    pub near: f64,
    /// Furthest that anything moves in a frame.
    pub leap: f64,
    /// Longest jump that is no cut where the flight goes on.
    pub hop: f64,
}

/// What is seen of the surroundings in one frame.
#[derive(Debug, Default)]
pub struct Found {
    pub distance: Option<(f64, ObjectNumber)>,
    pub swept: Option<(f64, ObjectNumber)>,
    pub crossed: Crossed,
    /// The same of what was there before and is no more.
    pub gone_crossed: Crossed,
    /// Things that turn so fast that nobody can tell which way they went round, where they may meet the camera; or that jumped
    /// through it.
    pub turning: u32,
    /// The camera's place says nothing of what it sees.
    pub nowhere: bool,
    pub cut: u32,
    /// Of these, surfaces that are drawn from one side: what is behind them shows.
    pub cut_open: Option<ObjectNumber>,
    pub back_faces: f64,
    pub enclosed: Option<ObjectNumber>,
    pub ground: Option<f64>,
    pub drone_ground: Option<f64>,
    pub drone_visible: Option<f64>,
    pub pedestrians_unhidden: Option<f64>,
    /// The way here goes on as the way before did: by direction and by where the camera looks.
    pub straight_on: bool,
    /// What was touched that may be: by object.
    pub touched: BTreeMap<ObjectNumber, Touch>,
    /// Picture position and depth ahead of the surfaces that the picture's rays met.
    pub surfaces: Vec<(f64, f64, f64)>,
    /// Which of these stand still, and where in the world.
    pub standing: Vec<(usize, DVec3)>,
}

/// Surfaces that the camera went through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Crossed {
    pub count: u32,
    pub first: Option<ObjectNumber>,
}

impl Crossed {
    pub fn add(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.first = self.first.or(other.first);
    }
}

/// How near something came.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    /// In this frame.
    pub distance: f64,
    /// On the way to it.
    pub swept: f64,
    pub passed: bool,
    /// It goes along with the camera, all around it.
    pub around: bool,
}

/// The camera: where it looks from, where it came from, and the drone.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    pub frame: u64,
    pub view: View,
    pub from: Option<DVec3>,
    /// The way that it went and looked the frame before.
    pub before: Option<Heading>,
    pub drone: Option<DVec3>,
    pub up: Up,
    /// Columns and rows of the picture that are looked through.
    pub grid: [Grid; 2],
}

/// Where the rays lie along one side of the picture: in the middle of pixels that depth was taken of.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Pixels of the picture, and of them taken.
    pub pixels: u32,
    pub taken: u32,
}

impl Grid {
    /// −1 to 1.
    fn place(self, number: u32) -> f64 {
        let (pixels, taken) = (f64::from(self.pixels.max(1)), f64::from(self.taken.max(1)));
        let sample = ((f64::from(number) + 0.5) / f64::from(GRID) * taken).floor();
        let pixel = ((sample + 0.5) * pixels / taken).floor();
        (pixel + 0.5) / pixels * 2.0 - 1.0
    }
}

impl Default for Grid {
    fn default() -> Self {
        Self { pixels: GRID, taken: GRID }
    }
}

pub fn look(world: &World, way: &Way, limits: Limits) -> Found {
    let mut found = Found::default();
    let eye = way.view.eye;
    // A camera without perspective whose near plane is behind it is nowhere in particular.
    found.nowhere = !way.view.perspective && way.view.near < 0.0;
    if !found.nowhere {
        found.distance = nearest(world.bodies(), eye);
        found.ground = drop_from(world, eye, way.up);
        found.enclosed = enclosure(world, eye, way.up);
        if let Some(from) = way.from {
            sweep(world, from, eye, limits, &mut found);
            let now = Heading { step: eye - from, ahead: way.view.ahead() };
            found.straight_on = way.before.is_some_and(|before| before.leads_to(&now));
        }
        touch(world, way.from.unwrap_or(eye), eye, (limits, way.up), &mut found.touched);
    }
    cut(world, &way.view, &mut found);
    picture(world, way, &mut found);
    found.drone_ground = way.drone.and_then(|drone| drop_from(world, drone, way.up));
    found.drone_visible = way.drone.and_then(|_| sight::visible(world, &way.view, way.frame));
    found
}

fn nearest<'a>(bodies: impl Iterator<Item = &'a Body>, eye: DVec3) -> Option<(f64, ObjectNumber)> {
    let point = eye.as_vec3();
    let bodies: Vec<&Body> = bodies.collect();
    // What is not negative has the order of its bits.
    let bound = |body: &&Body| body.bounds.distance_squared(point).to_bits();
    let order: Vec<_> = bodies.iter().map(bound).zip(0_usize..).map(Reverse).collect();
    let mut order = BinaryHeap::from(order);
    let mut best: Option<(f64, ObjectNumber)> = None;
    while let Some((bound, body)) =
        order.pop().and_then(|Reverse((bound, at))| Some((f32::from_bits(bound), bodies.get(at)?)))
    {
        let limit = best.map_or(f64::INFINITY, |(distance, _)| distance * distance);
        // A bound in f32 may be a little too large.
        if f64::from(bound) * 0.9999 > limit || bound.is_infinite() {
            break;
        }
        let reach = std::cell::Cell::new(limit);
        body.visit(
            eye,
            |chunk| f64::from(chunk.distance_squared(point)) * 0.9999 <= reach.get(),
            |triangle| {
                let squared = nearest_on_triangle(DVec3::ZERO, triangle).length_squared();
                if squared < reach.get() {
                    reach.set(squared);
                    best = Some((squared.sqrt(), body.object));
                }
            },
        );
    }
    best
}

/// The camera's way since the frame before, against everything's way.
fn sweep(world: &World, from: DVec3, to: DVec3, limits: Limits, found: &mut Found) {
    let path = Bounds::of([from.as_vec3(), to.as_vec3()]);
    // What is nearer than the warning distance matters, and what moves may come from further.
    let reach = path.grown((limits.near.max(limits.radius) * 1.001) as f32);
    let there = world.bodies().filter(|body| body.comes_into(&reach)).map(|body| (body, false));
    // What is gone in this frame was in the way till then: hidden, removed, unloaded behind the camera.
    let gone = world.gone().filter(|body| body.bounds.meets(&reach)).map(|body| (body, true));
    for (body, gone) in there.chain(gone) {
        let Passing { distance, crossings, untold } = if gone {
            pass_by(body, &Sweep { from, to, radius: limits.radius, path: &reach, ways: Ways::Stand })
        } else {
            pass(world, body, (from, to), &reach, limits)
        };
        let crossed = Crossed { count: crossings, first: (crossings > 0).then_some(body.object) };
        if gone {
            found.gone_crossed.add(crossed);
            continue;
        }
        found.turning = found.turning.saturating_add(untold);
        found.crossed.add(crossed);
        let distance = if crossings > 0 { 0.0 } else { distance };
        if distance.is_finite() && found.swept.is_none_or(|(best, _)| distance < best || crossings > 0) {
            found.swept = Some((distance, body.object));
        }
    }
}

/// How the camera came past one body.
#[derive(Clone, Copy, Debug)]
struct Passing {
    /// The least.
    distance: f64,
    /// Surfaces gone through.
    crossings: u32,
    /// Turning parts whose way nobody can tell.
    untold: u32,
}

fn pass(world: &World, body: &Body, (from, to): (DVec3, DVec3), path: &Bounds, limits: Limits) -> Passing {
    let sweep = Sweep { from, to, radius: limits.radius, path, ways: Ways::Moved };
    let passing = pass_by(body, &sweep);
    let near = passing.crossings > 0 || passing.untold > 0 || passing.distance < limits.radius.max(limits.near);
    // Of several things alike any may be drawn in any place: a pool of trees that is given those ahead.
    let (takes, taken) = if near && body.moves() { world.changes_places(body, to) } else { (false, false) };
    match (takes, taken) {
        (false, false) => passing,
        (_, true) => pass_by(body, &Sweep { ways: Ways::Stand, ..sweep }),
        (true, false) => pass_by(body, &Sweep { ways: Ways::Stood, ..sweep }),
    }
}

fn pass_by(body: &Body, sweep: &Sweep<'_>) -> Passing {
    let (from, to) = (sweep.from, sweep.to);
    // Two triangles passed at once are one surface passed on an edge.
    let mut times: Vec<f64> = Vec::new();
    let mut approach = Approach::default();
    let mut jumped = false;
    let untold = body.visit_ways(sweep, |leg| {
        let Leg { before, now, times: [begins, ends], jumps } = leg;
        let [start, end] =
            [begins, ends].map(|time| if time == 1.0 { DVec3::ZERO } else { (from - to) * (1.0 - time) });
        if jumps {
            jumped |= crosses(start, end, before, now).is_some();
            return;
        }
        approach.add((start, begins == 0.0), (end, ends == 1.0), before, now);
        if let Some(time) = crosses(start, end, before, now) {
            let time = begins + time * (ends - begins);
            if times.iter().all(|other| (other - time).abs() > 1e-7) {
                times.push(time);
            }
        }
    });
    // What went through on its way, or did not: nobody can tell of something put elsewhere.
    let untold = untold.saturating_add(u32::from(jumped && times.is_empty()));
    Passing { distance: approach.distance(), crossings: times.len() as u32, untold }
}

/// What the camera touched, went through or sits in that it may ([`World::waived`]).
fn touch(
    world: &World,
    from: DVec3,
    to: DVec3,
    (limits, up): (Limits, Up),
    touched: &mut BTreeMap<ObjectNumber, Touch>,
) {
    let reach = Bounds::of([from.as_vec3(), to.as_vec3()]).grown((limits.radius * 1.001) as f32);
    for body in world.waived().filter(|body| body.comes_into(&reach)) {
        let distance = nearest(std::iter::once(body), to).map_or(f64::INFINITY, |(distance, _)| distance);
        let Passing { distance: swept, crossings, .. } = pass(world, body, (from, to), &reach, limits);
        let swept = if crossings > 0 { 0.0 } else { swept };
        let around = world.rides(body) && surrounds(body, to, up);
        if distance.min(swept) < limits.radius || crossings > 0 || around {
            let new = Touch { distance, swept, passed: false, around: false };
            let touch = touched.entry(body.object).or_insert(new);
            touch.around |= around;
            touch.distance = touch.distance.min(distance);
            touch.swept = touch.swept.min(swept);
            touch.passed |= crossings > 0;
        }
    }
}

/// Distances of a moving point to the triangles of a moving body: at the start, least, and at the end of the way.
#[derive(Clone, Copy, Debug)]
struct Approach {
    first: f64,
    least: f64,
    last: f64,
}

impl Default for Approach {
    fn default() -> Self {
        Self { first: f64::INFINITY, least: f64::INFINITY, last: f64::INFINITY }
    }
}

impl Approach {
    /// A way from `start` to `end`, and whether those are where the whole way begins and ends.
    fn add(&mut self, (start, begins): (DVec3, bool), (end, ends): (DVec3, bool), before: Triangle, now: Triangle) {
        let at = |t: f64| {
            let [a, b, c] = [0, 1, 2].map(|k| before[k].lerp(now[k], t));
            let point = start.lerp(end, t);
            (nearest_on_triangle(point, [a, b, c]) - point).length()
        };
        let (first, last) = (at(0.0), at(1.0));
        let least = if before == now {
            segment_to_triangle(start, end, now)
        } else {
            (1..INSTANTS).map(|step| at(f64::from(step) / f64::from(INSTANTS))).fold(first.min(last), f64::min)
        };
        self.least = self.least.min(least);
        if begins {
            self.first = self.first.min(first);
        }
        if ends {
            self.last = self.last.min(last);
        }
    }

    /// The least, unless it is the start's: how near they were before was said a frame before.
    fn distance(&self) -> f64 {
        if self.least < self.first * (1.0 - 1e-6) { self.least } else { self.last }
    }
}

/// Height above the first solid surface below.
fn drop_from(world: &World, point: DVec3, up: Up) -> Option<f64> {
    world.first(point, turned_back(up, -DVec3::Y), f64::INFINITY).map(|met| met.hit.at)
}

/// Directions spread evenly over a sphere (a Fibonacci lattice), the first ones straight up, where y is up.
fn direction(number: u32, of: u32) -> DVec3 {
    let y = 1.0 - 2.0 * (f64::from(number) + 0.5) / f64::from(of);
    let r = (1.0 - y * y).max(0.0).sqrt();
    let (sine, cosine) = libm::sincos(f64::from(number) * 2.399_963_229_728_653);
    DVec3::new(r * cosine, y, r * sine)
}

/// The body the camera is inside of. All around, the first surface met is a back: for surfaces drawn from one side, below the
/// horizon does not count (houses stand open on the ground).
fn enclosure(world: &World, eye: DVec3, up: Up) -> Option<ObjectNumber> {
    // Skies drawn by raw WebGL have no name, and both sides. What shows both and has a rim is a tunnel, no body.
    let is_back = |met: Option<Met>| {
        met.filter(|met| !(met.hit.front || met.two_sided && (met.object == 0 || !world.is_closed(met.body))))
    };
    // Nearly always one of the first rays says that it is open above; one may slip through a crack.
    let open = (0..3)
        .filter(|n| is_back(world.first(eye, turned_back(up, direction(*n, AROUND)), f64::INFINITY)).is_none())
        .count();
    if open > 1 {
        return None;
    }
    let (mut all, mut above, mut backs, mut one_sided) = (0.0, 0.0, 0.0, 0.0);
    let mut nearest: Option<(f64, ObjectNumber)> = None;
    for number in 0..AROUND {
        let towards = direction(number, AROUND);
        let back = is_back(world.first(eye, turned_back(up, towards), f64::INFINITY));
        all += 1.0;
        let upper = towards.y > -0.1;
        above += f64::from(u8::from(upper));
        if let Some(met) = back {
            backs += 1.0;
            one_sided += f64::from(u8::from(upper && !met.two_sided));
            if nearest.is_none_or(|(best, _)| met.hit.at < best) {
                nearest = Some((met.hit.at, met.object));
            }
        }
    }
    let inside = backs >= all * ENCLOSED || one_sided >= above * ENCLOSED;
    nearest.filter(|_| inside || buried(world, eye, up)).map(|(_, object)| object)
}

/// Is the camera in the middle of a closed body, whichever side of it is drawn?
fn surrounds(body: &Body, eye: DVec3, up: Up) -> bool {
    let meets = |number: &u32| {
        let towards = turned_back(up, direction(*number, AROUND));
        let towards = DVec3::select(towards.abs().cmplt(DVec3::splat(1e-12)), DVec3::splat(1e-12), towards);
        body.hit(eye, towards, towards.as_vec3().recip(), f64::INFINITY).is_some()
    };
    // Nearly always one of the first rays says that it is open.
    (0..3).filter(meets).count() > 1
        && f64::from((0..AROUND).filter(meets).count() as u32) >= f64::from(AROUND) * ENCLOSED
}

/// Under the ground: straight up a surface that is drawn from above only, straight down nothing.
fn buried(world: &World, eye: DVec3, up: Up) -> bool {
    let above = (0..3).all(|number| {
        let met = world.first(eye, turned_back(up, direction(number, AROUND)), f64::INFINITY);
        met.is_some_and(|met| !met.hit.front && !met.two_sided)
    });
    above && (0..3).all(|number| world.first(eye, turned_back(up, -direction(number, AROUND)), f64::INFINITY).is_none())
}

/// Triangles that the near plane cuts.
fn cut(world: &World, view: &View, found: &mut Found) {
    let planes = view.near_planes();
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| view.ray(x, y).0.as_vec3());
    let mut reach = Bounds::of(corners);
    if view.perspective {
        reach = reach.with(view.eye.as_vec3());
    }
    let reach = reach.grown(reach.max.abs().max(reach.min.abs()).max_element() * 1e-6 + 1e-6);
    for body in world.bodies() {
        if !body.bounds.meets(&reach) {
            continue;
        }
        body.visit(
            view.eye,
            |chunk| chunk.meets(&reach),
            |triangle| {
                if reaches_into(triangle, &planes) {
                    found.cut += 1;
                    if !body.two_sided {
                        found.cut_open.get_or_insert(body.object);
                    }
                }
            },
        );
    }
}

/// What a grid of the picture's rays meets first.
fn picture(world: &World, way: &Way, found: &mut Found) {
    let view = &way.view;
    let mut backs = 0.0;
    for row in 0..GRID {
        for column in 0..GRID {
            let [x, y] = [(column, 0), (row, 1)].map(|(n, axis)| way.grid[axis].place(n));
            let (origin, direction) = view.ray(x, y);
            if let Some(met) = world.first(origin, direction, f64::INFINITY) {
                if met.hit.front || met.two_sided {
                    if world.stands(met.body) {
                        found.standing.push((found.surfaces.len(), origin + direction * met.hit.at));
                    }
                    found.surfaces.push((x, y, view.near + met.hit.at));
                } else {
                    backs += 1.0;
                }
            }
        }
    }
    found.back_faces = backs / f64::from(GRID * GRID);
}

impl Found {
    /// The record of a frame; depth is added by who has it.
    pub fn record(&self, frame: u64, limits: Limits, world: &World) -> Clearance {
        let label = |object: ObjectNumber| world.label(object);
        let nearest = [self.distance, self.swept].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0));
        let within = |limit: f64| nearest.filter(|(distance, _)| *distance < limit).map(|(_, object)| object);
        let inside = self.enclosed.or(self.cut_open);
        let (verdict, object) = if self.crossed.count > 0 {
            (Contact::PassedThrough, self.crossed.first)
        } else if inside.is_some() {
            (Contact::Inside, inside)
        } else if let Some(object) = within(limits.radius) {
            (Contact::Glued, Some(object))
        } else if let Some(object) = within(limits.near) {
            (Contact::Near, Some(object))
        } else {
            (Contact::Clear, nearest.map(|(_, object)| object))
        };
        let by = if self.enclosed.is_some() { InsideBy::Enclosed } else { InsideBy::NearPlane };
        let waived = |(object, touch): (&ObjectNumber, &Touch)| Waived {
            object: label(*object),
            verdict: match touch {
                Touch { passed: true, .. } => Contact::PassedThrough,
                Touch { around: true, .. } => Contact::Inside,
                _ => Contact::Glued,
            },
            distance: touch.distance.min(touch.swept),
            why: world.why_waived(*object),
        };
        let cut_out = object.is_some_and(|object| world.is_cut_out(object));
        Clearance {
            frame,
            verdict,
            inside_by: (verdict == Contact::Inside).then_some(by),
            distance: self.distance.map(|(distance, _)| distance),
            object: object.map(label),
            cut_out,
            swept_distance: self.swept.map(|(distance, _)| distance),
            crossings: self.crossed.count,
            near_plane_cut: self.cut,
            back_faces: Some(self.back_faces),
            ground: self.ground,
            drone_ground: self.drone_ground,
            drone_visible: self.drone_visible,
            pedestrians_unhidden: self.pedestrians_unhidden,
            waived: self.touched.iter().map(waived).collect(),
            ..Clearance::default()
        }
    }
}

/// Where world space is told from: whole numbers near the first camera.
pub fn origin_near(eye: DVec3) -> DVec3 {
    let whole = eye.round();
    if whole.is_finite() { whole } else { DVec3::ZERO }
}
