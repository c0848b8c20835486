//! What a draw's stored positions depend on, to know when they need not be stored again.
//!
//! The whole contents are compared (bytes of uniforms, versions of buffers and images), never hashes of them.

use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

use super::super::context::WgpuBackend;
use super::super::draw::Call;
use super::super::program::{CaptureStage, Program};
use super::{PartKey, Range, Shared};

/// Positions of draws as they were stored last.
#[derive(Debug, Default)]
pub(super) struct Known {
    draws: Vec<Stored>,
    places: FxHashMap<PartKey, usize>,
    /// Of the last frame's draws in order, and of this frame's so far: they nearly always come again as they came.
    before: Vec<usize>,
    now: Vec<usize>,
    turn: u64,
    scratch: Vec<u8>,
}

#[derive(Debug)]
struct Stored {
    key: PartKey,
    inputs: Vec<u8>,
    positions: Shared,
    used: u64,
    /// The last [`Known::turn`] in which it was drawn.
    turn: u64,
}

/// Positions to use, and whether they have to be stored first.
pub(super) enum Found {
    Same(Shared),
    /// With what was stored before.
    New(Shared, Option<Shared>),
}

impl Known {
    /// A frame begins.
    pub(super) fn begin(&mut self) {
        self.turn += 1;
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
    }

    /// Forgets what no draw used for `keep` frames.
    pub(super) fn sweep(&mut self, now: u64, keep: u64) {
        let count = self.draws.len();
        self.draws.retain(|stored| stored.used + keep > now);
        if self.draws.len() < count {
            self.places = self.draws.iter().enumerate().map(|(at, stored)| (stored.key, at)).collect();
            self.before.clear();
            self.now.clear();
        }
    }

    /// Where a draw is kept.
    pub(super) fn place(&self, key: &PartKey) -> Option<usize> {
        let next = self.before.get(self.now.len()).copied();
        let is_it = |at: &usize| self.draws.get(*at).is_some_and(|stored| stored.key == *key);
        next.filter(is_it).or_else(|| self.places.get(key).copied())
    }

    /// Was what is kept there drawn in this frame already?
    pub(super) fn comes_twice(&self, place: Option<usize>) -> bool {
        place.and_then(|at| self.draws.get(at)).is_some_and(|stored| stored.turn == self.turn)
    }

    fn find(&mut self, (key, place): (PartKey, Option<usize>), now: u64) -> Found {
        let turn = self.turn;
        let at = place.unwrap_or(self.draws.len());
        self.now.push(at);
        let Some(stored) = self.draws.get_mut(at) else {
            let positions: Shared = Arc::new(OnceLock::new());
            let inputs = self.scratch.clone();
            self.draws.push(Stored { key, inputs, positions: positions.clone(), used: now, turn });
            self.places.insert(key, at);
            return Found::New(positions, None);
        };
        (stored.used, stored.turn) = (now, turn);
        // On its way, or there; what was stored for a frame that was not presented never comes.
        let comes = stored.positions.get().is_some() || Arc::strong_count(&stored.positions) > 1;
        if comes && stored.inputs == self.scratch {
            return Found::Same(stored.positions.clone());
        }
        stored.inputs.clone_from(&self.scratch);
        let positions: Shared = Arc::new(OnceLock::new());
        Found::New(positions.clone(), Some(std::mem::replace(&mut stored.positions, positions)))
    }
}

impl WgpuBackend {
    /// Finds the positions of a draw that is bound, by everything they depend on; `key` is with where it is kept.
    pub(super) fn find_positions(
        &mut self,
        program: &Program,
        capture: &CaptureStage,
        call: &Call,
        key: (PartKey, Option<usize>),
        range: &Range,
    ) -> Option<Found> {
        let mut scratch = std::mem::take(&mut self.observer.as_mut()?.known.scratch);
        scratch.clear();
        self.write_inputs(program, capture, call, range, &mut scratch);
        let observer = self.observer.as_mut()?;
        observer.known.scratch = scratch;
        Some(observer.known.find(key, observer.now))
    }

    fn write_inputs(&self, program: &Program, capture: &CaptureStage, call: &Call, range: &Range, out: &mut Vec<u8>) {
        let mut words = |words: &[u64]| out.extend_from_slice(bytemuck::cast_slice(words));
        words(&[u64::from(program.uid), u64::from(self.key_now.vertex)]);
        words(&[u64::from(range.first), u64::from(range.vertices)]);
        words(&[u64::from(range.first_instance), u64::from(range.instances)]);
        // gl_BaseVertex and the like are in the driver block; without one nothing asks.
        let base = match call {
            Call::Arrays(_) => 0,
            Call::Indexed(draw) => draw.base_vertex,
        };
        words(&[u64::from(base.cast_unsigned())]);
        let slots = self.parts.vertex.get(self.key_now.vertex).map_or(0, Vec::len);
        for bound in self.bound.vertex.iter().take(slots).flatten() {
            words(&[self.buffers.version(bound.0), bound.1]);
        }
        let inputs = &capture.inputs;
        for slot in &inputs.textures {
            let Some(now) = self.textures_now.get(*slot as usize).copied().flatten() else {
                words(&[u64::MAX]);
                continue;
            };
            let version = self.images.get(now.image).map_or(u64::MAX, |image| image.version);
            words(&[now.view, u64::from(now.sampler), version]);
        }
        for slot in &inputs.blocks {
            let Some(bound) = self.state.blocks.get(*slot as usize).copied().flatten() else { continue };
            let version = self.buffers.slot(bound.id).map_or(u64::MAX, |slot| self.buffers.version(slot));
            words(&[version, bound.offset]);
        }
        if let Some(place) = self.state.uniforms[0] {
            let bytes = self.ring.bytes(place);
            for part in &inputs.uniforms {
                let end = part.offset.saturating_add(part.size) as usize;
                out.extend_from_slice(bytes.get(part.offset as usize..end).unwrap_or_default());
            }
        }
        if program.layout.driver_block
            && let Some(place) = self.state.uniforms[2]
        {
            out.extend_from_slice(self.ring.bytes(place));
        }
    }

    /// The product of the matrices that stored positions are without, column-major.
    pub(super) fn clip_matrix(&self, capture: &CaptureStage) -> [f64; 16] {
        let bytes = self.state.uniforms[0].map_or(&[][..], |place| self.ring.bytes(place));
        let matrices = capture.inputs.matrices.iter().map(|offset| {
            let bytes = bytes.get(*offset as usize..).and_then(|rest| rest.first_chunk::<64>());
            // Blocks are sent whole: nothing is missing.
            bytes.map_or([0.0; 16], |bytes| bytemuck::pod_read_unaligned::<[f32; 16]>(bytes))
        });
        let mut product = IDENTITY;
        for matrix in matrices {
            product = multiply(&product, &matrix.map(f64::from));
        }
        product
    }
}

const IDENTITY: [f64; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];

fn multiply(a: &[f64; 16], b: &[f64; 16]) -> [f64; 16] {
    std::array::from_fn(|at| {
        let (column, row) = (at / 4, at % 4);
        (0..4).map(|k| a[k * 4 + row] * b[column * 4 + k]).sum()
    })
}
