//! Uniform blocks, as far as cameras lie in them: the bytes of small buffers, and which of them each slot has.

use rustc_hash::FxHashMap;

use super::matrices::Transform;
use crate::gl::command::BufferId;
use crate::shader::{CameraUniforms, UniformHome};

/// Buffers up to this size are kept: a camera's block has some hundred bytes.
const LARGEST: u64 = 4096;

#[derive(Clone, Debug, Default)]
struct Buffer {
    size: u64,
    /// Empty until written, and for large ones.
    bytes: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct Blocks {
    buffers: FxHashMap<BufferId, Buffer>,
    slots: Vec<Option<(BufferId, u64)>>,
    pub bytes: u64,
}

impl Blocks {
    pub fn len(&self) -> usize {
        self.buffers.len()
    }

    pub fn create(&mut self, id: BufferId, size: u64) {
        self.bytes = self.bytes.saturating_add(size);
        self.buffers.insert(id, Buffer { size, bytes: Vec::new() });
    }

    pub fn delete(&mut self, id: BufferId) {
        if let Some(buffer) = self.buffers.remove(&id) {
            self.bytes = self.bytes.saturating_sub(buffer.size);
        }
    }

    pub fn write(&mut self, id: BufferId, offset: u64, data: &[u8]) {
        let Some(buffer) = self.buffers.get_mut(&id).filter(|buffer| buffer.size <= LARGEST) else { return };
        buffer.bytes.resize(buffer.size as usize, 0);
        let place = usize::try_from(offset).ok().and_then(|at| buffer.bytes.get_mut(at..)?.get_mut(..data.len()));
        if let Some(place) = place {
            place.copy_from_slice(data);
        }
    }

    pub fn bind(&mut self, slot: u32, id: BufferId, offset: u64) {
        let slot = slot as usize;
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        if let Some(bound) = self.slots.get_mut(slot) {
            *bound = Some((id, offset));
        }
    }

    /// Takes what the bound blocks hold of the camera.
    pub fn read(&self, places: &CameraUniforms, transform: &mut Transform) {
        for (slot, bound) in self.slots.iter().enumerate() {
            let Some((id, offset)) = bound else { continue };
            let bytes = self.buffers.get(id).and_then(|buffer| buffer.bytes.get(usize::try_from(*offset).ok()?..));
            if let Some(bytes) = bytes {
                transform.read(places, UniformHome::Block(u32::try_from(slot).unwrap_or(u32::MAX)), bytes);
            }
        }
    }
}
