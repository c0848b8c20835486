//! All solid bodies that were drawn, and remain where they are while they are out of the picture.

use glam::DVec3;
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Step, Unproject};
use super::names::spaced;
use super::shapes::Hit;
use crate::gl::observe::{DrawKey, ObservedDraw, ObservedFrame};
use crate::scene::{FrameScene, ObjectInfo, ObjectNumber};

/// What the camera may touch, and what it follows.
#[derive(Debug)]
pub struct Patterns {
    pub harmless: Option<Regex>,
    pub solid: Option<Regex>,
    pub drone: Option<Regex>,
}

/// What is known of an object.
#[derive(Clone, Debug)]
struct Known {
    label: String,
    solid: bool,
    batched: bool,
}

/// Bodies by draw.
#[derive(Debug)]
pub struct World {
    patterns: Patterns,
    known: FxHashMap<ObjectNumber, Known>,
    bodies: Vec<Body>,
    places: FxHashMap<DrawKey, usize>,
    keys: Vec<DrawKey>,
}

/// A surface a ray met.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub hit: Hit,
    pub object: ObjectNumber,
    pub two_sided: bool,
}

impl World {
    pub fn new(patterns: Patterns) -> Self {
        Self {
            patterns,
            known: FxHashMap::default(),
            bodies: Vec::new(),
            places: FxHashMap::default(),
            keys: Vec::new(),
        }
    }

    /// Learns of objects seen for the first time.
    pub fn meet(&mut self, objects: &[ObjectInfo]) {
        for object in objects {
            let known = self.judge(object);
            self.known.insert(object.number, known);
        }
    }

    fn judge(&self, object: &ObjectInfo) -> Known {
        let name = &object.name;
        let kind = if object.kind.is_empty() { "object" } else { &object.kind };
        let label = if name.is_empty() { format!("{kind} {}", object.number) } else { name.clone() };
        let is = |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text));
        // The nearest name that says something decides.
        let names = [name, &object.material.name].into_iter().chain(&object.ancestors).map(|name| spaced(name));
        let says = |name: String| {
            let solid = is(&self.patterns.solid, &name);
            (solid || is(&self.patterns.harmless, &name)).then_some(solid)
        };
        let named = names.into_iter().find_map(says).unwrap_or(true);
        let drone = std::iter::once(name).chain(&object.ancestors).any(|name| is(&self.patterns.drone, name));
        let flat = ["Sprite", "Points", "Line"].iter().any(|kind| object.kind.contains(kind));
        let material = &object.material;
        let sky = material.back_side && !material.depth_write;
        Known {
            label,
            solid: named && !drone && !flat && !sky && !object.on_camera,
            batched: object.kind == "BatchedMesh",
        }
    }

    /// What an object is called.
    pub fn label(&self, object: ObjectNumber) -> String {
        self.known.get(&object).map_or_else(|| format!("object {object}"), |known| known.label.clone())
    }

    /// Does the draw show something solid?
    fn is_solid(&self, draw: &ObservedDraw) -> bool {
        let backdrop = !draw.depth_test && !draw.depth_write;
        !backdrop && !draw.additive && self.known.get(&draw.subject.object).is_none_or(|known| known.solid)
    }

    /// Takes a frame's draws for `camera`; `unproject` knows each render call's matrices.
    pub fn update(
        &mut self,
        seen: &ObservedFrame,
        scene: &FrameScene,
        camera: ObjectNumber,
        unproject: impl Fn(u32) -> Option<Unproject>,
        step: &Step,
    ) {
        let frame = step.frame;
        let mut drawn = FxHashSet::default();
        let places: FxHashMap<ObjectNumber, f64> = scene.shown.iter().copied().collect();
        for draw in seen.draws.iter().filter(|draw| draw.subject.camera == camera) {
            if !self.is_solid(draw) {
                continue;
            }
            let (Some(unproject), Some(positions)) =
                (unproject(draw.subject.render), seen.positions.get(draw.positions.clone()))
            else {
                continue;
            };
            drawn.insert(draw.subject.object);
            let at = match self.places.get(&draw.key) {
                Some(at) => *at,
                None => {
                    self.bodies.push(Body::new(draw));
                    self.keys.push(draw.key);
                    self.places.insert(draw.key, self.bodies.len() - 1);
                    self.bodies.len() - 1
                }
            };
            if let Some(body) = self.bodies.get_mut(at) {
                body.update(draw, positions, &unproject, step);
                body.place = places.get(&draw.subject.object).copied();
            }
        }
        // What was not drawn stays if it is still there, unmoved: out of the picture is not out of the way.
        let stays = |body: &Body| {
            if body.drawn == frame {
                return true;
            }
            if drawn.contains(&body.object) {
                return self.known.get(&body.object).is_some_and(|known| known.batched);
            }
            body.place.is_some() && body.place == places.get(&body.object).copied()
        };
        let keep: Vec<bool> = self.bodies.iter().map(stays).collect();
        if keep.iter().all(|keep| *keep) {
            return;
        }
        let mut flags = keep.iter();
        self.bodies.retain(|_| flags.next().copied().unwrap_or(true));
        let mut flags = keep.iter();
        self.keys.retain(|_| flags.next().copied().unwrap_or(true));
        self.places = self.keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    }

    /// What may be touched: all but what the camera carries along.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| !body.carried)
    }

    /// The first surface a ray meets before `limit` lengths of `direction`.
    pub fn first(&self, from: DVec3, direction: DVec3, limit: f64) -> Option<Met> {
        // No zeros: their inverses make no boxes.
        let direction = DVec3::select(direction.abs().cmplt(DVec3::splat(1e-12)), DVec3::splat(1e-12), direction);
        let inverse = direction.as_vec3().recip();
        let origin = from.as_vec3();
        let mut best: Option<Met> = None;
        for body in self.bodies() {
            let reach = best.map_or(limit, |met| met.hit.at);
            if body.bounds.enter(origin, inverse, reach as f32 * (1.0 + 1e-5)).is_none() {
                continue;
            }
            if let Some(hit) = body.hit(from, direction, inverse, reach) {
                best = Some(Met { hit, object: body.object, two_sided: body.two_sided });
            }
        }
        best
    }
}
