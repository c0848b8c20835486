//! All solid bodies that were drawn, and remain where they are while they are out of the picture.

use std::cell::{Cell, OnceCell};

use glam::{DAffine3, DMat4, DVec3};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Step};
use super::clip::Clip;
use super::direct::{self, Direct};
use super::names::spaced;
use super::pairs::{Drawn, pair};
use super::placing::Unproject;
use super::shapes::Hit;
use super::tree::{Ray, Tree};
use crate::evidence::clearance::Untested;
use crate::evidence::recorder::Chosen;
use crate::gl::command::ImageId;
use crate::gl::observe::{DrawKey, ObservedDraw, ObservedFrame, OtherKind};
use crate::scene::{ClippedObject, FrameScene, ObjectInfo, ObjectNumber, Subject};

/// What the camera may touch, and what it follows.
#[derive(Debug)]
pub struct Patterns {
    pub harmless: Option<Regex>,
    pub solid: Option<Regex>,
    /// `harmless` goes before `solid`.
    pub harmless_first: bool,
    pub drone: Option<Regex>,
}

/// What is known of an object.
#[derive(Clone, Debug)]
struct Known {
    label: String,
    class: Class,
    batched: bool,
    /// Drawn with holes, when last seen.
    cut_out: bool,
    see_through: bool,
    /// See-through, and no name says anything of it.
    may_be_particle: bool,
    /// When last seen it was small, and left no depth.
    particle: bool,
    drone: bool,
    sprite: bool,
    /// It hangs on a camera.
    on_camera: bool,
    /// A name says that it may be touched.
    harmless: bool,
    /// Its own name, or its material's, says that it may not.
    solid: bool,
}

/// How an object counts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Class {
    Solid,
    /// May be touched, because of a name: which.
    Waived(String),
    /// Nothing that could be touched: a sprite that is not named solid, a line, the sky.
    Nothing,
}

/// Bodies by draw.
#[derive(Debug)]
pub struct World {
    patterns: Patterns,
    known: FxHashMap<ObjectNumber, Known>,
    bodies: Vec<Body>,
    /// What the last frame showed no more.
    gone: Vec<Body>,
    /// The scene of the last frame's picture.
    scene: Option<ObjectNumber>,
    /// Several are instances in a batch.
    places: FxHashMap<DrawKey, Vec<usize>>,
    keys: Vec<DrawKey>,
    /// The bodies of the last frame's draws, in order.
    drawn: Vec<usize>,
    /// Where the frame's objects are, as checksums.
    shown: FxHashMap<ObjectNumber, f64>,
    /// Where objects are, as last told.
    matrices: FxHashMap<ObjectNumber, DAffine3>,
    /// Over all bodies, as they are.
    tree: OnceCell<Tree>,
    /// What is smaller may be a particle; scene units.
    particle: f32,
    untested: Untested,
}

/// A surface a ray met.
#[derive(Clone, Copy, Debug)]
pub struct Met {
    pub hit: Hit,
    pub object: ObjectNumber,
    pub two_sided: bool,
    /// Its number among the bodies.
    pub body: usize,
}

/// Small planes of smoke, dust, sparks; metres. Panes are larger.
const PARTICLE: f64 = 0.5;

/// Kinds that three.js' add-ons call themselves (`isWater`, `isSky`, `isLensflare`); patterns hold for them as for names.
const ADD_ONS: [&str; 3] = ["Water", "Sky", "Lensflare"];

impl World {
    pub fn new(patterns: Patterns, metres_per_unit: f64) -> Self {
        Self {
            patterns,
            known: FxHashMap::default(),
            bodies: Vec::new(),
            gone: Vec::new(),
            scene: None,
            places: FxHashMap::default(),
            keys: Vec::new(),
            drawn: Vec::new(),
            shown: FxHashMap::default(),
            matrices: FxHashMap::default(),
            tree: OnceCell::new(),
            particle: (PARTICLE / metres_per_unit) as f32,
            untested: Untested::default(),
        }
    }

    /// Learns of objects seen for the first time, and where they are.
    pub fn meet(&mut self, scene: &FrameScene) {
        for object in &scene.objects {
            let known = self.judge(object);
            self.known.insert(object.number, known);
        }
        let places = scene.moved.iter().map(|(object, matrix)| (*object, DMat4::from_cols_array(matrix)));
        self.matrices.extend(places.map(|(object, matrix)| (object, DAffine3::from_mat4(matrix))));
    }

    fn judge(&self, object: &ObjectInfo) -> Known {
        let (name, material) = (&object.name, &object.material);
        let kind = if object.kind.is_empty() { "object" } else { &object.kind };
        let label = if name.is_empty() { format!("{kind} {}", object.number) } else { name.clone() };
        let is = |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_some_and(|pattern| pattern.is_match(text));
        // The nearest name that says something decides.
        let own = [(name, "its own name"), (&object.material.name, "its material's name")];
        // Add-ons say by a flag what they are; their objects have no name unless the program gives one.
        let add_on = ADD_ONS.contains(&object.kind.as_str()).then_some((&object.kind, "its kind"));
        let groups = object.ancestors.iter().map(|name| (name, "the name of a group it is in"));
        let names = own.into_iter().chain(add_on).chain(groups);
        let says = |(name, of): (&String, &str)| {
            let words = spaced(name);
            let solid = is(&self.patterns.solid, &words);
            let harmless =
                || is(&self.patterns.harmless, &words).then(|| Class::Waived(format!("{of}, `{name}`, is harmless")));
            let solid = solid.then_some(Class::Solid);
            if self.patterns.harmless_first { harmless().or(solid) } else { solid.or_else(harmless) }
        };
        let named = names.into_iter().find_map(says);
        let unnamed = named.is_none();
        let named = named.unwrap_or(Class::Solid);
        let harmless = matches!(named, Class::Waived(_));
        let sprite = object.kind.contains("Sprite");
        let solid =
            [name, &material.name].into_iter().find_map(|name| says((name, ""))).is_some_and(|c| c == Class::Solid);
        // Of a sprite its own name or its material's must say it: smoke over a house is none.
        let solid_sprite = sprite && solid && material.depth_write;
        let drone = std::iter::once(name).chain(&object.ancestors).any(|name| is(&self.patterns.drone, name));
        let flat = ["Sprite", "Points", "Line"].iter().any(|kind| object.kind.contains(kind));
        let sky = material.back_side && !material.depth_write;
        let class = match named {
            _ if flat && !solid_sprite || sky => Class::Nothing,
            _ if object.on_camera => Class::Waived("it hangs on a camera, which carries it along".to_owned()),
            _ if drone => Class::Waived("it is the drone, by its name or a group's".to_owned()),
            named => named,
        };
        Known {
            label,
            class,
            batched: object.kind == "BatchedMesh",
            cut_out: false,
            see_through: material.transparent,
            may_be_particle: unnamed && name.is_empty() && material.transparent,
            particle: false,
            drone,
            sprite,
            on_camera: object.on_camera,
            harmless,
            solid,
        }
    }

    /// What an object is called.
    pub fn label(&self, object: ObjectNumber) -> String {
        let unknown = || if object == 0 { DIRECT.to_owned() } else { format!("object {object}") };
        self.known.get(&object).map_or_else(unknown, |known| known.label.clone())
    }

    /// Is it drawn with holes?
    pub fn is_cut_out(&self, object: ObjectNumber) -> bool {
        self.known.get(&object).is_some_and(|known| known.cut_out)
    }

    /// Which name lets this object be touched.
    pub fn why_waived(&self, object: ObjectNumber) -> String {
        match self.known.get(&object).map(|known| &known.class) {
            Some(Class::Waived(why)) => why.clone(),
            _ if self.known.get(&object).is_some_and(|known| known.particle) => {
                "it is small, see-through and leaves no depth, as particles do".to_owned()
            }
            _ => "the camera carries it along: it stays in its place of the picture".to_owned(),
        }
    }

    /// Does the camera carry it along, whatever its name?
    pub fn rides(&self, body: &Body) -> bool {
        body.carried && !body.waived || self.known.get(&body.object).is_some_and(|known| known.on_camera)
    }

    /// Counts a draw that is no body.
    fn leave(&mut self, subject: Subject, kind: OtherKind) {
        let known = self.known.get(&subject.object);
        if known.is_some_and(|known| known.harmless || known.drone) {
            return;
        }
        let untested = &mut self.untested;
        let count = match kind {
            OtherKind::Points => &mut untested.points,
            OtherKind::Lines => &mut untested.lines,
            OtherKind::Faint => &mut untested.faint,
            // What nobody could touch if it were read.
            OtherKind::Unreadable if known.is_some_and(|known| known.class == Class::Nothing) => return,
            OtherKind::Unreadable => &mut untested.unreadable,
        };
        *count = count.saturating_add(1);
    }

    /// What the last frame had beside bodies.
    pub fn untested(&self) -> Untested {
        self.untested
    }

    /// Takes a frame's draws for the camera of its picture; `unproject` knows each render call's matrices, all told from `origin`.
    /// `false`: nothing was drawn of anything, so that nothing is learnt.
    pub fn update(
        &mut self,
        seen: &ObservedFrame,
        scene: &FrameScene,
        chosen: &Chosen,
        unproject: impl Fn(u32) -> Option<Unproject>,
        step: &Step,
        origin: DVec3,
    ) -> bool {
        let frame = step.frame;
        self.shown.clear();
        self.shown.extend(scene.shown.iter().copied());
        // By render call: those of one come one after another.
        let mut views: Vec<Unproject> = Vec::new();
        let mut last: Option<(u32, Option<usize>)> = None;
        let mut draws: Vec<(&ObservedDraw, usize)> = Vec::with_capacity(seen.draws.len());
        self.untested = Untested::default();
        let faint: FxHashSet<ObjectNumber> = scene.faint.iter().copied().collect();
        let in_picture = |subject: Subject, target: Option<ImageId>| {
            if subject.render == 0 {
                target.is_some_and(|target| chosen.direct.contains(&target))
            } else {
                subject.camera == chosen.camera.number
            }
        };
        for other in seen.others.iter().filter(|other| in_picture(other.subject, other.target)) {
            self.leave(other.subject, other.kind);
        }
        for draw in seen.draws.iter().filter(|draw| in_picture(draw.subject, draw.target)) {
            let (object, render) = (draw.subject.object, draw.subject.render);
            let mut known = self.known.get_mut(&object);
            if faint.contains(&object) {
                continue;
            }
            // Light and what lies over the picture, unless they say that they are a wall: of light only what leaves depth.
            let backdrop = !draw.depth_test && !draw.depth_write;
            let solid = known.as_ref().is_some_and(|known| known.solid) && (backdrop || draw.depth_write);
            let nothing = known.as_ref().is_some_and(|known| known.class == Class::Nothing);
            if (backdrop || draw.additive) && !solid || nothing {
                let sprite = known.is_some_and(|known| known.sprite && !known.harmless && !known.drone);
                self.untested.sprites += u32::from(sprite);
                continue;
            }
            if object == 0 {
                match direct::judge(draw, &chosen.camera) {
                    Direct::Backdrop => continue,
                    Direct::Nowhere => {
                        self.untested.direct += 1;
                        continue;
                    }
                    Direct::InWorld => {}
                }
            }
            let view = match last {
                Some((of, known)) if of == render => known,
                _ => unproject(render).map(|view| {
                    views.push(view);
                    views.len() - 1
                }),
            };
            last = Some((render, view));
            let Some(view) = view else { continue };
            if let Some(known) = &mut known {
                known.cut_out = draw.cut_out;
            }
            draws.push((draw, view));
        }
        let is_shown = |body: &Body| self.shown.contains_key(&body.object);
        if draws.is_empty() && !self.bodies.is_empty() && !self.bodies.iter().any(is_shown) {
            return false;
        }
        let draws: Vec<Drawn<'_>> = draws.iter().filter_map(|(draw, view)| Some((*draw, views.get(*view)?))).collect();
        let clips: FxHashMap<ObjectNumber, &ClippedObject> =
            scene.clips.iter().map(|clip| (clip.object, clip)).collect();
        let pairs = if self.comes_again(&draws) {
            self.drawn.iter().copied().map(Some).collect()
        } else {
            pair(&draws, &self.bodies, &self.places, step)
        };
        let mut changed = false;
        self.bodies.reserve(pairs.iter().filter(|at| at.is_none()).count());
        self.drawn.clear();
        self.gone.clear();
        let picture = scene.renders.iter().find(|call| call.number == chosen.render).map(|call| call.scene);
        let same_scene = std::mem::replace(&mut self.scene, picture) == picture;
        for ((draw, unproject), at) in draws.iter().zip(pairs) {
            let at = at.unwrap_or_else(|| {
                let mut body = Body::new(draw.subject.object);
                if let Some(known) = self.known.get(&draw.subject.object) {
                    body.waived = known.class != Class::Solid;
                    body.see_through = known.see_through;
                    body.may_be_particle = known.may_be_particle;
                }
                self.bodies.push(body);
                self.keys.push(draw.key);
                self.places.entry(draw.key).or_default().push(self.bodies.len() - 1);
                self.bodies.len() - 1
            });
            self.drawn.push(at);
            if let Some(body) = self.bodies.get_mut(at) {
                if same_scene && body.is_another(draw, frame) {
                    self.gone.push(body.leave());
                }
                changed |= body.update(draw, unproject, step);
                if body.may_be_particle {
                    let particle = !draw.depth_write && body.largest_instance() < self.particle;
                    body.waived = particle || self.known.get(&body.object).is_some_and(|k| k.class != Class::Solid);
                    if let Some(known) = self.known.get_mut(&body.object) {
                        known.particle = particle;
                    }
                }
                body.clip = clips.get(&body.object).map(|clip| Box::new(Clip::new(clip, origin)));
                let place = self.shown.get(&draw.subject.object).copied();
                if body.matrix.is_none() || body.place != place {
                    body.matrix = self.matrices.get(&draw.subject.object).copied();
                }
                body.place = place;
            }
        }
        if changed {
            self.tree = OnceCell::new();
        }
        if self.bodies.iter().all(|body| body.drawn == frame) {
            return true;
        }
        let drawn: FxHashSet<ObjectNumber> = draws.iter().map(|(draw, _)| draw.subject.object).collect();
        let view = last.and_then(|(_, view)| views.get(view?));
        // What was not drawn stays if it is still there, or goes where its object goes: out of the picture is not out of the way.
        let (shown, matrices, known) = (&self.shown, &self.matrices, &self.known);
        let mut went = false;
        let mut stays = |body: &mut Body| {
            if body.drawn == frame {
                return true;
            }
            // It is still there, and nobody can see it.
            if faint.contains(&body.object) {
                return false;
            }
            if drawn.contains(&body.object) {
                // An instance that the picture would show has gone.
                let gone = view.is_some_and(|view| body.is_in_view(view, step.far));
                let stays = !gone && known.get(&body.object).is_some_and(|known| known.batched);
                if stays {
                    body.stay(frame);
                }
                return stays;
            }
            let Some(place) = shown.get(&body.object).copied() else { return false };
            if body.place == Some(place) {
                body.stay(frame);
                return true;
            }
            let (Some(before), Some(now)) = (body.matrix, matrices.get(&body.object).copied()) else { return false };
            let from_origin = DAffine3::from_translation(origin);
            let motion = from_origin.inverse() * now * before.inverse() * from_origin;
            if !motion.is_finite() {
                return false;
            }
            body.go_on(&motion, step);
            (body.place, body.matrix) = (Some(place), Some(now));
            went = true;
            true
        };
        let keep: Vec<bool> = self.bodies.iter_mut().map(&mut stays).collect();
        if went {
            self.tree = OnceCell::new();
        }
        if keep.iter().all(|keep| *keep) {
            return true;
        }
        self.tree = OnceCell::new();
        self.drawn.clear();
        let bodies = std::mem::take(&mut self.bodies);
        for (body, keep) in bodies.into_iter().zip(&keep) {
            if *keep {
                self.bodies.push(body);
            } else if same_scene {
                self.gone.push(body);
            }
        }
        let mut flags = keep.iter();
        self.keys.retain(|_| flags.next().copied().unwrap_or(true));
        self.places.clear();
        for (at, key) in self.keys.iter().enumerate() {
            self.places.entry(*key).or_default().push(at);
        }
        true
    }

    /// Are these the draws of the frame before, each with a body of its own?
    fn comes_again(&self, draws: &[Drawn<'_>]) -> bool {
        let same = |((draw, _), at): (&Drawn<'_>, &usize)| self.keys.get(*at) == Some(&draw.key);
        draws.len() == self.drawn.len()
            && self.places.len() == self.bodies.len()
            && draws.iter().zip(&self.drawn).all(same)
    }

    /// What must not be touched: all but what is harmless, and what the camera carries along.
    pub fn bodies(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| !body.waived && !body.carried)
    }

    /// What may be touched, because of a name or because the camera carries it along.
    pub fn waived(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().filter(|body| body.waived || body.carried)
    }

    /// The drone's parts that were drawn in this frame.
    pub fn drone(&self, frame: u64) -> impl Iterator<Item = &Body> {
        let is_drone = |object: ObjectNumber| self.known.get(&object).is_some_and(|known| known.drone);
        self.bodies.iter().filter(move |body| body.drawn == frame && is_drone(body.object))
    }

    /// Is some part of the drone made of lines, points or sprites?
    pub fn drone_has_no_surface(&self) -> bool {
        self.known.values().any(|known| known.drone && known.class == Class::Nothing)
    }

    /// Does anything keep the end of a ray, `limit` lengths of `direction` away, from being seen?
    pub fn hides(&self, from: DVec3, direction: DVec3, limit: f64) -> bool {
        let direction = sound(direction);
        let ray = Ray { origin: from.as_vec3(), inverse: direction.as_vec3().recip() };
        let blocks = |body: &Body| {
            // A back that is not drawn hides nothing: what is behind it may.
            let mut passed = 0.0;
            for _ in 0..MOST_BACKS {
                let start = from + direction * passed;
                let Some(hit) = body.hit(start, direction, ray.inverse, limit - passed) else { return false };
                if hit.front || body.two_sided {
                    return true;
                }
                passed += hit.at + limit * 1e-6;
            }
            false
        };
        let hidden = Cell::new(false);
        // What the camera carries along hides as well as anything.
        self.along(
            ray,
            || if hidden.get() { f64::NEG_INFINITY } else { limit },
            |_, body| {
                if !body.waived && !body.see_through && ray.enter(&body.bounds, limit).is_some() && blocks(body) {
                    hidden.set(true);
                }
            },
        );
        hidden.get()
    }

    /// Calls `visit` with bodies that the ray may enter before `limit()`, in any order.
    fn along(&self, ray: Ray, limit: impl Fn() -> f64, mut visit: impl FnMut(usize, &Body)) {
        let look = |number: usize| {
            if let Some(body) = self.bodies.get(number).filter(|body| ray.enter(&body.bounds, limit()).is_some()) {
                visit(number, body);
            }
        };
        if self.bodies.len() <= LIST {
            (0..self.bodies.len()).for_each(look);
        } else {
            self.tree.get_or_init(|| Tree::new(self.bodies.iter().map(|body| body.bounds))).along(ray, &limit, look);
        }
    }

    /// The same, to be changed.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Body> {
        self.bodies.iter_mut().filter(|body| !body.waived && !body.carried)
    }

    /// Has a body that moved taken the place of another one of its shape, and has another one taken its?
    pub fn changes_places(&self, body: &Body, eye: DVec3) -> (bool, bool) {
        let eye = eye.as_vec3();
        let others = || self.bodies.iter().filter(|other| other.moves() && !std::ptr::eq(*other, body));
        (others().any(|other| body.takes_place_of(other, eye)), others().any(|other| other.takes_place_of(body, eye)))
    }

    /// What was there in the frame before, must not be touched, and is there no more.
    pub fn gone(&self) -> impl Iterator<Item = &Body> {
        self.gone.iter().filter(|body| !body.waived && !body.carried)
    }

    /// Is a body that a ray met where it was the frame before, and lets nothing through?
    pub fn stands(&self, body: usize) -> bool {
        self.bodies.get(body).is_some_and(|body| body.still && !body.see_through)
    }

    /// Has the surface of a body that a ray met no rim?
    pub fn is_closed(&self, body: usize) -> bool {
        self.bodies.get(body).is_some_and(Body::is_closed)
    }

    /// The first surface a ray meets before `limit` lengths of `direction`.
    pub fn first(&self, from: DVec3, direction: DVec3, limit: f64) -> Option<Met> {
        let direction = sound(direction);
        let ray = Ray { origin: from.as_vec3(), inverse: direction.as_vec3().recip() };
        let best: Cell<Option<(Met, usize)>> = Cell::new(None);
        let reach = || best.get().map_or(limit, |(met, _)| met.hit.at);
        self.along(ray, reach, |number, body| {
            if body.waived || body.carried {
                return;
            }
            // Of several surfaces in one place, that of the first body.
            let first = best.get().is_some_and(|(_, of)| number < of);
            let reach = if first { reach().next_up() } else { reach() };
            if let Some(hit) = body.hit(from, direction, ray.inverse, reach) {
                let (object, two_sided) = (body.object, body.two_sided);
                best.set(Some((Met { hit, object, two_sided, body: number }, number)));
            }
        });
        best.get().map(|(met, _)| met)
    }
}

/// Bodies that are asked one by one.
const LIST: usize = 8;

/// What draws are called that no object is known for.
const DIRECT: &str = "raw WebGL";

/// Surfaces seen from behind that a ray passes in one body, at most.
const MOST_BACKS: usize = 16;

/// Without zeros: their inverses make no boxes.
fn sound(direction: DVec3) -> DVec3 {
    DVec3::select(direction.abs().cmplt(DVec3::splat(1e-12)), DVec3::splat(1e-12), direction)
}
