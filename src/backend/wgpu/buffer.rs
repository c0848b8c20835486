//! Buffers: storage, ordered writes, copies.
//!
//! A write to a buffer that the open pass does not use goes before the pass. If the pass uses it, a small buffer gets new
//! storage (the old one stays for the draws already recorded); a large one ends the pass.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::context::WgpuBackend;
use super::device::{MemoryTicket, WgpuDevice};
use super::pass::Op;
use crate::gl::backend::BackendError;
use crate::gl::command::BufferId;

/// Index into the buffer table; stable until the flush after the buffer's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferSlot(pub u32);

/// Buffers up to this size are renamed rather than splitting a pass.
const RENAME_LIMIT: u64 = 1 << 20;

#[derive(Debug)]
struct Record {
    gpu: wgpu::Buffer,
    /// Names this storage for ever, for caches.
    uid: u64,
    size: u64,
    last_pass: u64,
    /// Names the contents: new whenever a byte may have changed.
    version: u64,
    _memory: MemoryTicket,
}

/// All buffers of a context.
#[derive(Debug, Default)]
pub struct BufferTable {
    records: Vec<Option<Record>>,
    free: Vec<u32>,
    ids: FxHashMap<BufferId, BufferSlot>,
    /// Slots whose buffer is gone for the program but not for recorded work.
    retired: Vec<u32>,
}

impl BufferTable {
    pub fn slot(&self, id: BufferId) -> Result<BufferSlot, BackendError> {
        self.ids.get(&id).copied().ok_or_else(|| BackendError::Internal(format!("{id:?} does not exist")))
    }

    pub fn gpu(&self, slot: BufferSlot) -> Option<&wgpu::Buffer> {
        self.records.get(slot.0 as usize)?.as_ref().map(|record| &record.gpu)
    }

    fn record(&self, slot: BufferSlot) -> Result<&Record, BackendError> {
        let record = self.records.get(slot.0 as usize).and_then(Option::as_ref);
        record.ok_or_else(|| BackendError::Internal(format!("{slot:?} is empty")))
    }

    /// Name of the storage and size of the buffer.
    pub fn identity(&self, slot: BufferSlot) -> Result<(u64, u64), BackendError> {
        self.record(slot).map(|record| (record.uid, record.gpu.size()))
    }

    pub fn mark(&mut self, slot: BufferSlot, pass: u64) {
        if let Some(Some(record)) = self.records.get_mut(slot.0 as usize) {
            record.last_pass = pass;
        }
    }

    pub fn last_pass(&self, slot: BufferSlot) -> u64 {
        self.record(slot).map_or(0, |record| record.last_pass)
    }

    pub fn version(&self, slot: BufferSlot) -> u64 {
        self.record(slot).map_or(0, |record| record.version)
    }

    pub fn renew(&mut self, slot: BufferSlot, version: u64) {
        if let Some(Some(record)) = self.records.get_mut(slot.0 as usize) {
            record.version = version;
        }
    }

    fn insert(&mut self, record: Record) -> BufferSlot {
        match self.free.pop() {
            Some(index) => {
                self.records[index as usize] = Some(record);
                BufferSlot(index)
            }
            None => {
                self.records.push(Some(record));
                BufferSlot(self.records.len() as u32 - 1)
            }
        }
    }

    /// Drops what recorded work no longer needs; gives the names of the storage dropped to `dead`.
    pub fn release_retired(&mut self, mut dead: impl FnMut(u64)) {
        for index in self.retired.drain(..) {
            if let Some(record) = self.records[index as usize].take() {
                dead(record.uid);
                self.free.push(index);
            }
        }
    }
}

fn allocate(device: &Arc<WgpuDevice>, size: u64, uid: u64) -> Result<Record, BackendError> {
    // wgpu copies in words and binds nothing empty; a multiple of 16 lets any std140 block fit its buffer.
    let padded = size.max(16).checked_next_multiple_of(16).filter(|padded| *padded <= device.limits.max_buffer_size);
    let padded = padded
        .ok_or_else(|| BackendError::OutOfMemory(format!("a buffer of {size} bytes is more than the GPU allows")))?;
    let memory = device.reserve(padded, "a buffer")?;
    let mut usage = wgpu::BufferUsages::VERTEX
        | wgpu::BufferUsages::INDEX
        | wgpu::BufferUsages::UNIFORM
        | wgpu::BufferUsages::COPY_SRC
        | wgpu::BufferUsages::COPY_DST;
    if device.features.contains(wgpu::Features::VERTEX_WRITABLE_STORAGE) {
        usage |= wgpu::BufferUsages::STORAGE;
    }
    let gpu = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: padded,
        usage,
        mapped_at_creation: false,
    });
    Ok(Record { gpu, uid, size, last_pass: 0, version: uid, _memory: memory })
}

impl WgpuBackend {
    pub(super) fn create_buffer(&mut self, id: BufferId, size: u64) -> Result<(), BackendError> {
        let uid = self.next_uid();
        let record = allocate(&self.device, size, uid)?;
        let slot = self.buffers.insert(record);
        if let Some(old) = self.buffers.ids.insert(id, slot) {
            self.buffers.retired.push(old.0);
        }
        Ok(())
    }

    pub(super) fn delete_buffer(&mut self, id: BufferId) {
        if let Some(slot) = self.buffers.ids.remove(&id) {
            self.buffers.retired.push(slot.0);
        }
    }

    pub(super) fn write_buffer(&mut self, id: BufferId, offset: u64, bytes: &[u8]) -> Result<(), BackendError> {
        if bytes.is_empty() {
            return Ok(());
        }
        let slot = self.prepare_buffer_write(id, offset, bytes.len() as u64)?;
        let version = self.next_uid();
        self.buffers.renew(slot, version);
        let dst = self.buffers.record(slot)?.gpu.clone();
        let size = (bytes.len() as u64).next_multiple_of(4);
        let (src, src_offset) = self.stage(size, |staged| staged.copy_from(0, bytes))?;
        self.push_before_pass(Op::CopyBuffer { src, src_offset, dst, dst_offset: offset, size });
        Ok(())
    }

    /// Makes sure that a write of this range may go before the open pass.
    fn prepare_buffer_write(&mut self, id: BufferId, offset: u64, size: u64) -> Result<BufferSlot, BackendError> {
        let slot = self.buffers.slot(id)?;
        let record = self.buffers.record(slot)?;
        let end = offset.checked_add(size).filter(|end| *end <= record.gpu.size());
        end.ok_or_else(|| {
            BackendError::Internal(format!("write of {size} bytes at {offset} of a buffer of {} bytes", record.size))
        })?;
        if !self.in_open_pass(record.last_pass) {
            return Ok(slot);
        }
        let (whole, old_size) = (offset == 0 && size >= record.size, record.size);
        if record.gpu.size() > RENAME_LIMIT {
            self.close_pass();
            return Ok(slot);
        }
        let old = record.gpu.clone();
        let uid = self.next_uid();
        let renamed = allocate(&self.device, old_size, uid)?;
        let new = renamed.gpu.clone();
        let new_slot = self.buffers.insert(renamed);
        self.buffers.retired.push(slot.0);
        self.buffers.ids.insert(id, new_slot);
        if !whole {
            let size = old.size();
            self.push_before_pass(Op::CopyBuffer { src: old, src_offset: 0, dst: new, dst_offset: 0, size });
        }
        // Sticky bindings name the buffer by id: look them up again.
        self.state.dirty.buffers_renamed();
        Ok(new_slot)
    }

    pub(super) fn copy_buffer(
        &mut self,
        src: BufferId,
        src_offset: u64,
        dst: BufferId,
        dst_offset: u64,
        size: u64,
    ) -> Result<(), BackendError> {
        if size == 0 {
            return Ok(());
        }
        let src_slot = self.buffers.slot(src)?;
        let dst_slot = self.buffers.slot(dst)?;
        if self.in_open_pass(self.buffers.last_pass(src_slot)) || self.in_open_pass(self.buffers.last_pass(dst_slot)) {
            self.close_pass();
        }
        let version = self.next_uid();
        self.buffers.renew(dst_slot, version);
        let src_gpu = self.buffers.record(src_slot)?.gpu.clone();
        let dst_gpu = self.buffers.record(dst_slot)?.gpu.clone();
        if src_slot != dst_slot {
            self.push_before_pass(Op::CopyBuffer { src: src_gpu, src_offset, dst: dst_gpu, dst_offset, size });
            return Ok(());
        }
        // wgpu copies between different buffers only.
        let temporary = self.device.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.push_before_pass(Op::CopyBuffer { src: src_gpu, src_offset, dst: temporary.clone(), dst_offset: 0, size });
        self.push_before_pass(Op::CopyBuffer { src: temporary, src_offset: 0, dst: dst_gpu, dst_offset, size });
        Ok(())
    }
}
