//! What three.js' own objects say: the ops behind `js_shims/11_evidence*.js`.
//!
//! In: numbers of the render call, camera and object that draws now, names and types of objects, a log of numbers a
//! frame. Out: the [`Subject`] that WebGL contexts put before their draws, and a [`FrameScene`] a frame. Must not
//! know: GL, what is made of it.

mod log;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use deno_core::{GarbageCollected, OpState, op2, v8};
use regex::Regex;

use super::webgl::bytes::{ViewKind, with_bytes};
use crate::project::EvidenceSettings;
use crate::scene::{FrameScene, MaterialInfo, ObjectInfo, ObjectNumber, Subject};
use log::Log;

/// Bits that `op_evidence_match` answers with.
const DRONE: u32 = 1;
const PEDESTRIAN: u32 = 2;

/// A person's size in metres: parts of a crowd further apart belong to different people.
const BODY: f64 = 2.5;

/// What is kept of an object for the cameras and tracked objects of later frames.
#[derive(Clone, Debug, Default)]
struct Label {
    name: String,
    kind: String,
}

#[derive(Debug, Default)]
struct Seen {
    labels: BTreeMap<ObjectNumber, Label>,
    /// Told since the last frame.
    objects: Vec<ObjectInfo>,
    log: Log,
    scene: FrameScene,
}

/// The watch over a page's three.js objects.
#[derive(Debug)]
pub struct Watch {
    subject: Rc<Cell<Subject>>,
    drone: Option<Regex>,
    pedestrians: Option<Regex>,
    body: f64,
    seen: RefCell<Seen>,
}

/// The watch, if evidence is wanted; lives in `OpState`.
#[derive(Clone, Debug, Default)]
pub struct Evidence(pub Option<Rc<Watch>>);

impl Evidence {
    /// # Errors
    /// A pattern is no regular expression.
    pub fn new(settings: Option<&EvidenceSettings>) -> Result<Self, regex::Error> {
        let Some(settings) = settings else { return Ok(Self(None)) };
        Ok(Self(Some(Rc::new(Watch {
            subject: Rc::default(),
            drone: settings.drone_pattern()?,
            pedestrians: settings.pedestrians_pattern()?,
            body: BODY / settings.metres_per_unit,
            seen: RefCell::default(),
        }))))
    }

    /// What draws now, for a context to follow.
    pub fn subject(&self) -> Option<Rc<Cell<Subject>>> {
        self.0.as_ref().map(|watch| watch.subject.clone())
    }

    /// What was seen since the last call, as frame `frame`; `None` without a watch.
    pub fn take(&self, frame: u64) -> Option<FrameScene> {
        let mut seen = self.0.as_ref()?.seen.borrow_mut();
        let objects = std::mem::take(&mut seen.objects);
        let scene = std::mem::take(&mut seen.scene);
        Some(FrameScene { frame, objects, ..scene })
    }
}

/// What the shims hold of the watch.
pub struct EvidenceWatch(Rc<Watch>);

// SAFETY: holds no V8 handles, so there is nothing to trace.
unsafe impl GarbageCollected for EvidenceWatch {
    fn trace(&self, _visitor: &mut v8::cppgc::Visitor) {}

    fn get_name(&self) -> &'static std::ffi::CStr {
        c"EvidenceWatch"
    }
}

/// The watch, or null.
#[op2]
#[cppgc]
pub fn op_evidence_open(state: &mut OpState) -> Option<EvidenceWatch> {
    state.borrow::<Evidence>().0.clone().map(EvidenceWatch)
}

/// Whose draws come now.
#[op2(fast)]
pub fn op_evidence_subject(#[cppgc] watch: &EvidenceWatch, render: u32, camera: u32, object: u32, faint: bool) {
    watch.0.subject.set(Subject { render, camera, object, faint });
}

/// What a name matches: bit 0 the drone, bit 1 pedestrians.
#[op2(fast)]
pub fn op_evidence_match(#[cppgc] watch: &EvidenceWatch, #[string] name: &str) -> u32 {
    let bit = |pattern: &Option<Regex>, bit| if pattern.as_ref().is_some_and(|p| p.is_match(name)) { bit } else { 0 };
    bit(&watch.0.drone, DRONE) | bit(&watch.0.pedestrians, PEDESTRIAN)
}

/// Most that two parts of one person may lie apart, in scene units.
#[op2(fast)]
pub fn op_evidence_body_size(#[cppgc] watch: &EvidenceWatch) -> f64 {
    watch.0.body
}

/// Tells of an object; `flags` as in `11_evidence_objects.js`.
#[op2(fast)]
pub fn op_evidence_object(
    #[cppgc] watch: &EvidenceWatch,
    number: u32,
    #[string] name: String,
    #[string] kind: String,
    #[string] material_name: String,
    #[string] material_kind: String,
    flags: u32,
) {
    let mut seen = watch.0.seen.borrow_mut();
    // Cameras, and what may be tracked by name; a program may make any number of others.
    if !name.is_empty() || kind.contains("Camera") {
        seen.labels.insert(number, Label { name: name.clone(), kind: kind.clone() });
    }
    let flag = |bit: u32| flags & bit != 0;
    let material = MaterialInfo {
        name: material_name,
        kind: material_kind,
        transparent: flag(1),
        depth_write: flag(2),
        depth_test: flag(4),
        double_sided: flag(8),
        back_side: flag(16),
    };
    seen.objects.push(ObjectInfo { number, name, ancestors: Vec::new(), kind, material, on_camera: flag(32) });
}

/// The next named ancestor of the object told of last.
#[op2(fast)]
pub fn op_evidence_ancestor(#[cppgc] watch: &EvidenceWatch, number: u32, #[string] name: String) {
    let mut seen = watch.0.seen.borrow_mut();
    if let Some(object) = seen.objects.last_mut().filter(|object| object.number == number) {
        object.ancestors.push(name);
    }
}

/// The places of the instances of an InstancedMesh or a BatchedMesh: `matrices` is a Float32Array of 16 numbers each; `there`, a
/// Uint8Array, has 0 for those that are not drawn, if it is given.
#[op2(fast)]
pub fn op_evidence_instances(
    #[cppgc] watch: &EvidenceWatch,
    number: u32,
    matrices: v8::Local<v8::Value>,
    count: u32,
    there: v8::Local<v8::Value>,
) {
    if ViewKind::of(matrices) != ViewKind::Float32 {
        return;
    }
    let there = (ViewKind::of(there) == ViewKind::Uint8).then(|| with_bytes(there, <[u8]>::to_vec)).flatten();
    let is_there = |n: usize| there.as_ref().is_none_or(|there| there.get(n).is_some_and(|byte| *byte != 0));
    let places = with_bytes(matrices, |bytes| {
        let (matrices, _) = bytes.as_chunks::<64>();
        let float = |bytes: &[u8; 64], at: usize| {
            let word = bytes.get(at * 4..).and_then(|rest| rest.first_chunk::<4>());
            word.map_or(0.0, |word| f32::from_le_bytes(*word))
        };
        // Squeezed to a line or a point it has nothing to draw; a flat card still has.
        let length = |matrix: &[u8; 64], axis: usize| {
            let [x, y, z] = [0, 1, 2].map(|row| float(matrix, axis * 4 + row));
            (x * x + y * y + z * z).sqrt()
        };
        let place = |matrix: &[u8; 64]| {
            let axes = [0, 1, 2].map(|axis| length(matrix, axis));
            match axes.iter().filter(|length| **length > THINNEST).count() {
                0 | 1 => [f32::NAN; 4],
                _ => [float(matrix, 12), float(matrix, 13), float(matrix, 14), axes.into_iter().fold(0.0, f32::max)],
            }
        };
        let one = |(n, matrix)| if is_there(n) { place(matrix) } else { [f32::NAN; 4] };
        matrices.iter().take(count as usize).enumerate().map(one).collect::<Vec<_>>()
    });
    if let Some(places) = places {
        watch.0.seen.borrow_mut().log.places(number, places);
    }
}

/// An instance's scale along an axis below which it has no extent there.
const THINNEST: f32 = 1e-4;

/// The frame's log: the first `words` numbers of `bytes`.
#[op2(fast)]
pub fn op_evidence_flush(#[cppgc] watch: &EvidenceWatch, #[buffer] bytes: &[u8], words: u32) {
    let (numbers, _) = bytes.as_chunks::<8>();
    let numbers = numbers.iter().take(words as usize).map(|word| f64::from_le_bytes(*word));
    let mut seen = watch.0.seen.borrow_mut();
    let Seen { labels, log, scene, .. } = &mut *seen;
    let label =
        |number: ObjectNumber| labels.get(&number).map(|l| (l.name.clone(), l.kind.clone())).unwrap_or_default();
    log.read(numbers, &label, scene);
}
