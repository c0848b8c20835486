//! Which camera made the presented picture.
//!
//! # The rule
//!
//! 1. What counts are the shots behind the picture ([`super::observer`]), of the newest frame that drew any. Cameras of
//!    shadow maps are none: three.js draws those without a scene, so that no render call names them, and elsewhere they
//!    draw into targets without colour. Mirrors, cube cameras and portals are not among the shots: their pictures are
//!    only sampled by other shots that have a camera of their own.
//! 2. Shots of one camera in one pose are taken together, over passes and render calls.
//! 3. Each camera gets a weight: the share of the picture's pixels its shots may fill, times their substance (the root
//!    of draws times triangles; what does not both test and write depth counts a tenth), times 100 if it is a perspective
//!    one. So the world outweighs sky and weapon layers, and a heads-up display's orthographic camera over it. What came
//!    through a pass counts half where a camera of some substance drew into the picture itself: a map in a corner.
//! 4. Where cameras lie side by side (split screen, parts of an array camera), the one with the largest area is taken,
//!    of equal ones the first; the frame is flagged as having several cameras, as it is for a picture in the picture and
//!    for two like cameras blended over each other.
//! 5. What hides what is not known. Where a second camera in another pose drew over as much of the picture, the frame is
//!    flagged if it drew the same scene, or as much, or a world of many solid things. Less is a layer: a sky, a weapon.

use std::collections::BTreeMap;

use super::observer::{Part, Picture};
use super::space;
use crate::scene::{CameraState, RenderCall};

/// Render calls of the last frames, by number.
pub type Calls = BTreeMap<u32, RenderCall>;

/// What a perspective camera counts more than another.
const PERSPECTIVE: f64 = 100.0;
/// Part of the picture from which on a second camera is worth a flag.
const NOTICEABLE: f64 = 0.125;
/// Part of the picture from which on a camera's is all of it.
const WHOLE: f64 = 0.98;
/// Part of the main camera's pixels from which on another's may hide them all.
const FULL: f64 = 0.7;
/// Solid draws that make more than a layer.
const WORLD: u64 = 8;
/// Difference of two views' entries, relative to the largest, that single precision and a camera copied make.
const SAME: f64 = 1e-5;

/// A camera with all its shots behind the picture.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// As three.js says; `None` for draws outside of its render calls.
    pub camera: Option<&'a CameraState>,
    pub call: Option<&'a RenderCall>,
    pub parts: Vec<&'a Part>,
    weight: f64,
    perspective: bool,
    /// All its shots are overlays or passes.
    flat: bool,
    /// Region of its weightiest part.
    region: [f32; 4],
    order: u32,
    best: f64,
    /// Draws that test and write depth.
    solid: u64,
}

/// The camera behind the picture, and whether others share it.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    pub main: Candidate<'a>,
    pub several: bool,
    /// One of them, in another pose, drew over all that the main one shows.
    pub overlaid: bool,
}

/// Applies the rule; `None` if no draw is behind the picture.
pub fn choose<'a>(picture: &'a Picture, calls: &'a Calls) -> Option<Choice<'a>> {
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    for (order, part) in picture.parts.iter().enumerate() {
        let key = part.shot.key;
        let call = calls.get(&key.render);
        let camera = call.and_then(|call| call.cameras.iter().find(|camera| camera.number == key.camera));
        if part.shadow || (call.is_some() && camera.is_none()) {
            continue;
        }
        let same = candidates.iter_mut().find(|known| match (known.camera, camera) {
            (Some(a), Some(b)) => a.number == b.number && a.matrix_world == b.matrix_world,
            (None, None) => known.parts.first().is_some_and(|first| same_matrices(first, part)),
            _ => false,
        });
        let perspective = part.shot.is_perspective()
            || part.shot.projections.most().is_none() && !part.shot.is_flat() && camera.is_some_and(is_perspective);
        let weight = part.share * part.shot.substance() * 0.98_f64.powi(part.hops.min(100) as i32);
        match same {
            Some(known) => {
                known.parts.push(part);
                known.weight += weight;
                known.perspective |= perspective;
                known.flat &= part.shot.is_flat();
                known.solid += part.shot.solid.draws;
                if weight > known.best {
                    (known.best, known.region) = (weight, part.region);
                    (known.camera, known.call) = (camera, call);
                }
            }
            None => candidates.push(Candidate {
                camera,
                call,
                parts: vec![part],
                weight,
                perspective,
                flat: part.shot.is_flat(),
                region: part.region,
                order: u32::try_from(order).unwrap_or(u32::MAX),
                best: weight,
                solid: part.shot.solid.draws,
            }),
        }
    }
    let direct =
        candidates.iter().filter(|c| c.perspective && !c.flat && !passed(c)).map(|c| c.weight).fold(0.0, f64::max);
    let score = |c: &Candidate<'_>| {
        let behind = if passed(c) && direct >= c.weight / 8.0 { 0.5 } else { 1.0 };
        c.weight * behind * if c.perspective { PERSPECTIVE } else { 1.0 }
    };
    // Of equal ones the first.
    let top = candidates.iter().rev().max_by(|a, b| score(a).total_cmp(&score(b)))?;
    let beside = |c: &Candidate<'_>| {
        c.perspective == top.perspective && !c.flat && overlap(c.region, top.region) < 0.1 * area(c.region)
    };
    let like = candidates.iter().filter(|c| std::ptr::eq(*c, top) || beside(c));
    let largest = like.clone().map(|c| area(c.region)).fold(0.0, f64::max);
    let main = like.filter(|c| area(c.region) >= 0.98 * largest).min_by_key(|c| c.order).unwrap_or(top);
    let others = || candidates.iter().filter(|other| !main.flat && !std::ptr::eq(*other, main));
    let overlaid = others().any(|other| covers(main, other));
    let several = overlaid || others().any(|other| shares(main, other));
    Some(Choice { main: main.clone(), several, overlaid })
}

impl Candidate<'_> {
    /// Are all its shots overlays or passes?
    pub fn flat(&self) -> bool {
        self.flat
    }

    /// Does it fill the picture?
    pub fn whole(&self) -> bool {
        area(self.region) >= WHOLE
    }
}

/// Did it reach the picture through passes alone?
fn passed(candidate: &Candidate<'_>) -> bool {
    candidate.parts.iter().all(|part| part.hops > 0)
}

fn same_matrices(a: &Part, b: &Part) -> bool {
    let of = |part: &Part| (part.shot.views.most().map(|m| m.0), part.shot.projections.most().map(|m| m.0));
    of(a) == of(b)
}

fn is_perspective(camera: &CameraState) -> bool {
    camera.projection[15] == 0.0
}

/// Does `other` show a part of its own beside or inside `main`'s, or a picture of like weight blended with it?
fn shares(main: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    if other.flat || other.perspective != main.perspective {
        return false;
    }
    let (of_main, of_other) = (area(main.region), area(other.region));
    if of_other < NOTICEABLE {
        return false;
    }
    let apart = overlap(main.region, other.region) < 0.5 * of_main.min(of_other);
    let inside = of_other < 0.9 * of_main;
    let blended = passed(main) && passed(other) && other.weight >= 0.25 * main.weight;
    apart || inside || blended
}

/// Did `other`, in another pose, draw a world over as much of the picture as `main`?
fn covers(main: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    let most = |c: &Candidate<'_>| c.parts.iter().map(|part| part.share).fold(0.0, f64::max);
    if other.flat || other.solid == 0 || most(other) < FULL * most(main) || same_pose(main, other) {
        return false;
    }
    let scene = |c: &Candidate<'_>| c.call.map(|call| call.scene);
    let same_scene = scene(main).is_some() && scene(main) == scene(other);
    same_scene || other.weight >= main.weight || other.solid >= WORLD
}

/// Do both look from one place in one direction, whatever their projection?
fn same_pose(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    let view = |c: &Candidate<'_>| {
        let told = c.camera.map(|camera| camera.view);
        told.or_else(|| c.parts.iter().find_map(|part| Some(space::widen(&part.shot.views.most()?.0))))
    };
    let (Some(a), Some(b)) = (view(a), view(b)) else { return false };
    let reach = a.iter().chain(&b).fold(1.0_f64, |most, entry| most.max(entry.abs()));
    a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= SAME * reach)
}

fn area(r: [f32; 4]) -> f64 {
    f64::from((r[2] - r[0]).max(0.0)) * f64::from((r[3] - r[1]).max(0.0))
}

fn overlap(a: [f32; 4], b: [f32; 4]) -> f64 {
    area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])])
}
