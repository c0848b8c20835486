//! Looks at what is drawn, for evidence: runs the vertex shaders of the watched camera's draws once more, storing
//! their positions, and takes the depth of the passes they are in. Pictures do not change by it.
//!
//! The captures of a render pass are a pass of points of their own, recorded ahead of it: same buffers, same groups,
//! each vertex once. What they store is copied out with the frame's pixels and handed over with them.

mod capture;
mod deliver;
mod depth;
mod indices;
mod inputs;

use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::context::WgpuBackend;
use super::draw::Call;
use super::pass::Pass;
use super::program::Program;
use super::texture::ImageSlot;
use crate::gl::backend::BackendError;
use crate::gl::command::{BlendFactor, Face, ImageDesc, ImageDimension, ImageId, Topology};
use crate::gl::format::StorageFormat;
use crate::gl::observe::{DrawKey, NamedMatrices, ObservedDraw, ObserverSink, OtherDraw, OtherKind};
use crate::scene::{ObjectNumber, Subject};
use crate::shader::program::DriverBlock;
use crate::shader::{UniformHome, UniformPlace};
pub use capture::capture_entries;
pub use deliver::PendingObservation;
use depth::DepthNow;
use indices::{IndexKey, IndexNew, Indices};
use inputs::{Found, Known};

/// Bytes of a piece of memory for positions or indices; a draw that needs more gets its own.
const CHUNK: u64 = 1 << 20;
/// Bytes of a position.
const RECORD: u64 = 16;
/// Frames after which what no draw used is forgotten.
const KEEP: u64 = 60;

/// Positions that are there when the frame that stored them has come out.
type Shared = Arc<OnceLock<Arc<[[f32; 4]]>>>;

/// What the observer keeps between draws and frames.
pub struct Observer {
    sink: ObserverSink,
    /// Every how many pixels depth is looked at; 0 for never, 1 for all; more, of large pictures, from 2 on.
    depth_step: u32,
    subject: Subject,
    /// Draws for other cameras are not looked at; 0: all are.
    watched: ObjectNumber,
    /// Captures of the open pass.
    pass: Option<Pass>,
    target: Option<ImageSlot>,
    /// The last draw of the open pass that was looked at.
    in_pass: Option<Subject>,
    store: Vec<Chunk>,
    draws: Vec<Seen>,
    known: Known,
    news: Vec<CaptureNew>,
    /// Draws of this frame that are too large to be kept: passes may draw a scene again.
    large: FxHashSet<PartKey>,
    /// How often each draw of no object came in this frame: a program may draw one shape in many places.
    times: FxHashMap<DrawKey, i32>,
    indices: FxHashMap<IndexKey, Indices>,
    index_reads: Vec<Chunk>,
    index_news: Vec<IndexNew>,
    depths: Vec<DepthNow>,
    others: Vec<OtherDraw>,
    depth_images: Vec<(u32, u32, ImageSlot)>,
    spare: Vec<wgpu::Buffer>,
    now: u64,
}

impl std::fmt::Debug for Observer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Observer").field("watched", &self.watched).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Chunk {
    buffer: wgpu::Buffer,
    uid: u64,
    used: u64,
}

#[derive(Debug)]
struct Seen {
    draw: ObservedDraw,
    positions: Shared,
    indices: Option<IndexKey>,
}

/// Positions being stored.
#[derive(Debug)]
struct CaptureNew {
    positions: Shared,
    /// What the same draw had before.
    before: Option<Shared>,
    chunk: usize,
    /// First record in the chunk.
    record: u64,
    records: u64,
}

/// A draw of a frame: camera, key, and which part of a multi-draw it is, where the program asks (`gl_DrawID`); of no object,
/// which of the draws with this key.
type PartKey = (ObjectNumber, DrawKey, i32);

/// The vertices of a draw.
struct Range {
    first: u32,
    vertices: u32,
    first_instance: u32,
    instances: u32,
}

impl Observer {
    pub fn new(sink: ObserverSink, depth_step: u32) -> Self {
        Self {
            sink,
            depth_step,
            subject: Subject::default(),
            watched: 0,
            pass: None,
            target: None,
            in_pass: None,
            store: Vec::new(),
            draws: Vec::new(),
            known: Known::default(),
            news: Vec::new(),
            large: FxHashSet::default(),
            times: FxHashMap::default(),
            indices: FxHashMap::default(),
            index_reads: Vec::new(),
            index_news: Vec::new(),
            depths: Vec::new(),
            others: Vec::new(),
            depth_images: Vec::new(),
            spare: Vec::new(),
            now: 0,
        }
    }

    pub fn set_subject(&mut self, subject: Subject) {
        self.subject = subject;
    }

    /// A frame begins, and only draws for `camera` count in it; what was not presented before is forgotten.
    pub fn watch(&mut self, camera: ObjectNumber) {
        self.watched = camera;
        self.draws.clear();
        self.news.clear();
        self.large.clear();
        self.known.begin();
        self.times.clear();
        self.depths.clear();
        self.others.clear();
        self.store.iter_mut().for_each(|chunk| chunk.used = 0);
    }

    fn wants(&self) -> bool {
        // Draws outside of any render call have no camera of three.js.
        self.subject.render == 0 || self.watched == 0 || self.watched == self.subject.camera
    }
}

/// First vertex and number of vertices of a draw.
fn vertices_of(call: &Call) -> Option<(i64, u32)> {
    match call {
        Call::Arrays(draw) => Some((draw.first.into(), draw.count)),
        Call::Indexed(draw) => {
            let (min, max) = draw.range;
            let first = i64::from(min) + i64::from(draw.base_vertex);
            (first >= 0).then_some((first, max.checked_sub(min)?.checked_add(1)?))
        }
    }
}

impl WgpuBackend {
    /// Takes note of a draw that is bound and about to be recorded in the open pass.
    pub(super) fn observe_draw(&mut self, program: &Program, call: &Call) -> Result<(), BackendError> {
        let Some(observer) = &self.observer else { return Ok(()) };
        if !observer.wants() {
            return Ok(());
        }
        let targets = self.state.targets;
        let colored = targets.is_some_and(|targets| targets.colors.iter().any(Option::is_some));
        if !colored || self.state.blend.iter().all(|blend| blend.write_mask & 7 == 0) {
            return Ok(());
        }
        let target = targets.and_then(|targets| Some(targets.colors.iter().flatten().next()?.image));
        let depth = self.state.depth_stencil;
        let (depth_test, depth_write) = (depth.depth.is_some(), depth.depth.is_some() && depth.depth_write);
        let object = observer.subject.object;
        let other = match call.topology() {
            Topology::PointList => Some(OtherKind::Points),
            Topology::LineList | Topology::LineStrip => Some(OtherKind::Lines),
            // Passes over whole pictures, skies: what neither tests nor writes depth is no thing among others.
            _ if object == 0 && !depth_test => return Ok(()),
            _ if object == 0 && !depth_write => Some(OtherKind::Faint),
            _ if program.capture.is_none() => Some(OtherKind::Unreadable),
            _ => None,
        };
        if let Some(kind) = other {
            self.note_other(kind, target);
            return Ok(());
        }
        let Some(capture) = &program.capture else { return Ok(()) };
        let key = self.draw_key(call);
        let Some((first, vertices)) = vertices_of(call) else { return Ok(()) };
        let (first_instance, instances) = match call {
            Call::Arrays(draw) => (draw.first_instance, draw.instances),
            Call::Indexed(draw) => (draw.first_instance, draw.instances),
        };
        let records = u64::from(vertices) * u64::from(instances);
        let part = self.draw_id(program);
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let part = if object == 0 {
            let times = observer.times.entry(key).or_insert(0);
            *times = times.saturating_add(1);
            *times
        } else {
            part
        };
        let part: PartKey = (observer.subject.camera, key, part);
        let place = observer.known.place(&part);
        // Passes may draw a scene again.
        if records == 0 || observer.known.comes_twice(place) {
            return Ok(());
        }
        // One draw at a time must fit a binding.
        let limit = self.device.limits.max_storage_buffer_binding_size.min(self.device.limits.max_buffer_size);
        if records * RECORD > limit || records > i32::MAX as u64 {
            if observer.large.insert(part) {
                self.note_other(OtherKind::Unreadable, target);
            }
            return Ok(());
        }
        let range = Range { first: first as u32, vertices, first_instance, instances };
        let positions = match self.find_positions(program, capture, call, (part, place), &range) {
            Some(Found::Same(positions)) => positions,
            Some(Found::New(positions, before)) => {
                self.store_positions(program, capture, &range, (positions.clone(), before))?;
                positions
            }
            None => return Ok(()),
        };
        let indices = self.observe_indices(call)?;
        let to_clip = self.clip_matrix(capture);
        let named = if object == 0 { self.named_matrices(program) } else { NamedMatrices::default() };

        let raster = self.state.raster;
        let blend = self.state.blend[0].blend;
        let additive = blend.is_some_and(|(color, _)| color.dst == BlendFactor::One);
        let Some(observer) = &mut self.observer else { return Ok(()) };
        // The pass is that of its three.js objects, if it has any.
        if object != 0 || observer.in_pass.is_none() {
            observer.in_pass = Some(observer.subject);
        }
        observer.draws.push(Seen {
            draw: ObservedDraw {
                subject: observer.subject,
                key,
                positions: Arc::default(),
                to_clip,
                vertices,
                instances,
                indices: None,
                strip: call.topology() == Topology::TriangleStrip,
                front_face_ccw: raster.front_face_ccw,
                cull: raster.cull,
                depth_test,
                depth_write,
                additive,
                target,
                named,
                cut_out: program.layout.discards || self.state.multisample.alpha_to_coverage,
            },
            positions,
            indices,
        });
        Ok(())
    }

    fn note_other(&mut self, kind: OtherKind, target: Option<ImageId>) {
        if let Some(observer) = &mut self.observer {
            observer.others.push(OtherDraw { subject: observer.subject, target, kind });
        }
    }

    /// The camera's matrices in the vertex stage's default block.
    fn named_matrices(&self, program: &Program) -> NamedMatrices {
        let bytes = self.state.uniforms[0].map_or(&[][..], |place| self.ring.bytes(place));
        let read = |place: Option<UniformPlace>| {
            let place = place.filter(|place| place.home == UniformHome::Vertex)?;
            let bytes = bytes.get(place.offset as usize..)?.first_chunk::<64>()?;
            Some(bytemuck::pod_read_unaligned::<[f32; 16]>(bytes))
        };
        NamedMatrices { view: read(program.camera.view), projection: read(program.camera.projection) }
    }

    fn draw_id(&self, program: &Program) -> i32 {
        let block = self.state.uniforms[2].filter(|_| program.layout.driver_block).map(|place| self.ring.bytes(place));
        let block = block.and_then(|bytes| bytes.first_chunk::<{ size_of::<DriverBlock>() }>());
        block.map_or(0, |bytes| bytemuck::pod_read_unaligned::<DriverBlock>(bytes).draw_id)
    }

    fn draw_key(&self, call: &Call) -> DrawKey {
        let object = self.observer.as_ref().map_or(0, |observer| observer.subject.object);
        let vertex_buffer = self.state.vertex.attributes.first().map(|attribute| attribute.buffer);
        let cull = self.state.raster.cull.map(|face| face == Face::Front);
        match *call {
            Call::Arrays(draw) => DrawKey {
                object,
                vertex_buffer,
                index_buffer: None,
                first: draw.first,
                count: draw.count,
                base_vertex: 0,
                first_instance: draw.first_instance,
                cull,
            },
            Call::Indexed(draw) => DrawKey {
                object,
                vertex_buffer,
                index_buffer: self.state.index.map(|(id, _)| id),
                first: draw.first_index,
                count: draw.count,
                base_vertex: draw.base_vertex,
                first_instance: draw.first_instance,
                cull,
            },
        }
    }
}

fn plane(format: StorageFormat, width: u32, height: u32) -> ImageDesc {
    ImageDesc {
        dimension: ImageDimension::D2,
        format,
        width,
        height,
        depth: 1,
        levels: 1,
        samples: 1,
        renderable: true,
    }
}
