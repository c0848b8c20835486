//! Uniform memory and bind groups.
//!
//! Default blocks of all draws lie one after another in a few large buffers, written once per flush; a draw says where by
//! dynamic offsets. Bind groups are cached by what they bind.

use rustc_hash::{FxHashMap, FxHashSet};

use super::buffer::BufferSlot;
use super::context::WgpuBackend;
use super::pass::Item;
use super::program::{DRIVER_BLOCK, Program, default_blocks};
use super::texture::ImageSlot;
use crate::gl::backend::BackendError;
use crate::shader::program::{DriverBlock, GROUP_BLOCKS, GROUP_FEEDBACK, GROUP_TEXTURES, GROUP_UNIFORMS};

/// Bytes of a chunk that data may start in; the buffer is larger by the largest block.
const CHUNK: usize = 1 << 20;
/// The largest uniform binding any program has.
const TAIL: usize = 64 << 10;
/// Flushes after which an unused bind group goes.
const KEEP: u64 = 240;

/// Where a block lies in uniform memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformPlace {
    pub chunk: u32,
    pub offset: u32,
    pub len: u32,
}

#[derive(Debug)]
struct Chunk {
    buffer: wgpu::Buffer,
    bytes: Vec<u8>,
}

/// Uniform memory of the work since the last flush.
#[derive(Debug)]
pub struct UniformRing {
    alignment: usize,
    chunks: Vec<Chunk>,
    current: usize,
}

impl UniformRing {
    pub fn new(alignment: u32) -> Self {
        Self { alignment: alignment.max(16) as usize, chunks: Vec::new(), current: 0 }
    }

    /// Copies `bytes` to fresh memory.
    pub fn push(&mut self, device: &wgpu::Device, bytes: &[u8]) -> UniformPlace {
        if self.chunks.get(self.current).is_some_and(|chunk| chunk.bytes.len() + self.alignment > CHUNK) {
            self.current += 1;
        }
        if self.current == self.chunks.len() {
            self.chunks.push(Chunk {
                buffer: device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("uniforms"),
                    size: (CHUNK + TAIL * 2) as u64,
                    usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                    mapped_at_creation: false,
                }),
                bytes: Vec::with_capacity(CHUNK),
            });
        }
        let chunk = &mut self.chunks[self.current];
        let offset = chunk.bytes.len().next_multiple_of(self.alignment);
        chunk.bytes.resize(offset, 0);
        chunk.bytes.extend_from_slice(&bytes[..bytes.len().min(TAIL)]);
        UniformPlace { chunk: self.current as u32, offset: offset as u32, len: bytes.len() as u32 }
    }

    /// What `push` was given for `place`.
    pub fn bytes(&self, place: UniformPlace) -> &[u8] {
        let chunk = self.chunks.get(place.chunk as usize);
        chunk
            .and_then(|chunk| chunk.bytes.get(place.offset as usize..(place.offset + place.len) as usize))
            .unwrap_or(&[])
    }

    /// `size` bytes at `offset` of a chunk.
    pub fn slice(&self, chunk: u32, offset: u32, size: u32) -> Option<&[u8]> {
        self.chunks.get(chunk as usize)?.bytes.get(offset as usize..offset as usize + size as usize)
    }

    pub fn buffer(&self, chunk: u32) -> Option<&wgpu::Buffer> {
        self.chunks.get(chunk as usize).map(|chunk| &chunk.buffer)
    }

    /// Sends everything to the GPU and starts anew, keeping `sticky` alive at new places.
    pub fn flush(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, sticky: &mut [Option<UniformPlace>]) {
        let kept: Vec<Option<Vec<u8>>> =
            sticky.iter().map(|place| place.map(|place| self.bytes(place).to_vec())).collect();
        for chunk in &mut self.chunks {
            if !chunk.bytes.is_empty() {
                chunk.bytes.resize(chunk.bytes.len().next_multiple_of(4), 0);
                queue.write_buffer(&chunk.buffer, 0, &chunk.bytes);
                chunk.bytes.clear();
            }
        }
        self.current = 0;
        for (place, bytes) in sticky.iter_mut().zip(kept) {
            *place = bytes.map(|bytes| self.push(device, &bytes));
        }
    }
}

/// What a group binds.
#[derive(Debug, Default)]
pub struct Binds {
    /// Names of buffers and views: the group goes when one of them goes.
    pub parts: Vec<u64>,
    /// Chunk and size of default blocks; their offsets are dynamic.
    pub uniforms: Vec<(u32, u32)>,
    pub buffers: Vec<BufferSlot>,
    pub images: Vec<ImageSlot>,
    /// For one use only: nobody keeps track of what is in it.
    pub once: bool,
}

/// A group's contents, to compare passes by.
#[derive(Clone, Copy, Debug)]
pub struct GroupContent<'a> {
    pub layout: u64,
    pub key: &'a [u64],
    pub uniforms: &'a [(u32, u32)],
    pub buffers: &'a [BufferSlot],
    pub images: &'a [ImageSlot],
}

#[derive(Debug)]
struct Entry {
    group: wgpu::BindGroup,
    key: Box<[u64]>,
    binds: Binds,
    last_used: u64,
}

/// Bind groups by content. An id is good until the next sweep.
#[derive(Debug, Default)]
pub struct GroupCache {
    ids: FxHashMap<Box<[u64]>, u32>,
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    dead: FxHashSet<u64>,
    now: u64,
}

impl GroupCache {
    pub fn get(&self, id: u32) -> Option<&wgpu::BindGroup> {
        self.entries.get(id as usize)?.as_ref().map(|entry| &entry.group)
    }

    pub fn find(&mut self, key: &[u64]) -> Option<u32> {
        let id = *self.ids.get(key)?;
        if let Some(Some(entry)) = self.entries.get_mut(id as usize) {
            entry.last_used = self.now;
        }
        Some(id)
    }

    /// What the group binds, unless it is for one use.
    pub fn content(&self, id: u32) -> Option<GroupContent<'_>> {
        let entry = self.entries.get(id as usize)?.as_ref().filter(|entry| !entry.binds.once)?;
        Some(GroupContent {
            layout: *entry.key.first()?,
            key: &entry.key,
            uniforms: &entry.binds.uniforms,
            buffers: &entry.binds.buffers,
            images: &entry.binds.images,
        })
    }

    pub fn insert(&mut self, key: &[u64], binds: Binds, group: wgpu::BindGroup) -> u32 {
        let entry = Entry { group, key: key.into(), binds, last_used: self.now };
        let id = match self.free.pop() {
            Some(id) => {
                self.entries[id as usize] = Some(entry);
                id
            }
            None => {
                self.entries.push(Some(entry));
                self.entries.len() as u32 - 1
            }
        };
        self.ids.insert(key.into(), id);
        id
    }

    /// A group for one use, dropped at the next sweep.
    pub fn insert_once(&mut self, uid: u64, group: wgpu::BindGroup) -> u32 {
        self.dead.insert(uid);
        let binds = Binds { parts: vec![uid], once: true, ..Binds::default() };
        self.insert(&[u64::MAX, uid], binds, group)
    }

    /// Groups that bind `part` go at the next sweep.
    pub fn mark_dead(&mut self, part: u64) {
        self.dead.insert(part);
    }

    /// Drops groups of dead parts, and now and then those long unused. Only when no recorded work is left.
    pub fn sweep(&mut self) {
        self.now += 1;
        let old = self.now.is_multiple_of(KEEP);
        if self.dead.is_empty() && !old {
            return;
        }
        for (id, slot) in self.entries.iter_mut().enumerate() {
            let goes = slot.as_ref().is_some_and(|entry| {
                entry.binds.parts.iter().any(|part| self.dead.contains(part))
                    || (old && entry.last_used + KEEP < self.now)
            });
            if goes && let Some(entry) = slot.take() {
                self.ids.remove(&entry.key);
                self.free.push(id as u32);
            }
        }
        self.dead.clear();
    }
}

impl WgpuBackend {
    /// The group that binds default blocks (`size` bytes, from `chunk`) in order.
    pub(super) fn uniform_group(
        &mut self,
        layout: &super::program::GroupLayout,
        blocks: &[(u32, u32)],
    ) -> Result<u32, BackendError> {
        self.key.clear();
        self.key.push(layout.uid);
        self.key.extend(blocks.iter().map(|(chunk, size)| (u64::from(*chunk) << 32) | u64::from(*size)));
        if let Some(id) = self.groups.find(&self.key) {
            return Ok(id);
        }
        let mut entries = Vec::with_capacity(blocks.len());
        for (binding, (chunk, size)) in blocks.iter().enumerate() {
            let buffer = self.ring.buffer(*chunk);
            let buffer = buffer.ok_or_else(|| BackendError::Internal("no uniform memory".into()))?;
            entries.push(wgpu::BindGroupEntry {
                binding: binding as u32,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: 0,
                    size: std::num::NonZeroU64::new(u64::from(*size)),
                }),
            });
        }
        let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout.layout,
            entries: &entries,
        });
        let binds = Binds { uniforms: blocks.to_vec(), ..Binds::default() };
        Ok(self.groups.insert(&self.key, binds, group))
    }
}

impl WgpuBackend {
    /// Binds what the program reads and the open pass does not have yet.
    pub(super) fn bind_groups(&mut self, program: &Program) -> Result<(), BackendError> {
        if program.groups[GROUP_FEEDBACK as usize].is_none() {
            self.driver_override = None;
        } else if self.state.dirty.feedback {
            self.bind_feedback(program)?;
            self.state.dirty.uniforms |= program.layout.feedback_buffers > 0;
        }
        let dirty = self.state.dirty;
        if dirty.uniforms && program.groups[GROUP_UNIFORMS as usize].is_some() {
            self.bind_uniforms(program)?;
        }
        if dirty.textures && program.groups[GROUP_TEXTURES as usize].is_some() {
            self.bind_textures(program)?;
        }
        if dirty.blocks && program.groups[GROUP_BLOCKS as usize].is_some() {
            self.bind_blocks(program)?;
        }
        Ok(())
    }

    /// Records the group unless the pass has just that one bound.
    pub(super) fn push_group(&mut self, index: u32, group: u32, offsets: &[u32]) {
        let Some(pass) = self.open.as_mut() else { return };
        let bound = &mut self.bound.groups[index as usize];
        let same = bound.is_some_and(|(have, first, count)| {
            have == group && pass.offsets.get(first as usize..(first + count) as usize) == Some(offsets)
        });
        if !same {
            pass.push_group(index, group, offsets);
            if let Some(Item::BindGroup { first, count, .. }) = pass.items.last() {
                *bound = Some((group, *first, *count));
            }
        }
    }

    fn bind_uniforms(&mut self, program: &Program) -> Result<(), BackendError> {
        let Some(layout) = &program.groups[GROUP_UNIFORMS as usize] else { return Ok(()) };
        let mut blocks = [(0, 0); 3];
        let mut offsets = [0; 3];
        let mut count = 0;
        for (stage, size) in default_blocks(&program.layout).into_iter().enumerate() {
            if size == 0 {
                continue;
            }
            let place = self.driver_override.filter(|_| stage == 2).or(self.state.uniforms[stage]);
            let place = place.filter(|place| place.len >= size);
            let place = place.ok_or_else(|| {
                BackendError::Internal(format!("uniform block {stage} of {size} bytes was not sent whole"))
            })?;
            blocks[count] = (place.chunk, size);
            offsets[count] = place.offset;
            count += 1;
        }
        let group = self.uniform_group(layout, &blocks[..count])?;
        self.push_group(GROUP_UNIFORMS, group, &offsets[..count]);
        Ok(())
    }

    fn bind_blocks(&mut self, program: &Program) -> Result<(), BackendError> {
        let Some(layout) = &program.groups[GROUP_BLOCKS as usize] else { return Ok(()) };
        let serial = self.serial;
        self.key.clear();
        self.key.push(layout.uid);
        let mut offsets = std::mem::take(&mut self.offsets);
        offsets.clear();
        for (slot, block) in program.layout.uniform_blocks.iter().enumerate() {
            let range = self.state.blocks.get(slot).copied().flatten();
            let range = range.filter(|range| range.size >= u64::from(block.size)).ok_or_else(|| {
                BackendError::Internal(format!("uniform block {slot} needs a range of {} bytes", block.size))
            })?;
            let buffer = self.buffers.slot(range.id)?;
            self.buffers.mark(buffer, serial);
            let (uid, _) = self.buffers.identity(buffer)?;
            self.key.extend([uid, u64::from(block.size)]);
            if program.dynamic_blocks {
                offsets.push(range.offset as u32);
            } else {
                self.key.push(range.offset);
            }
        }
        let group = match self.groups.find(&self.key) {
            Some(group) => group,
            None => self.new_block_group(program, layout)?,
        };
        self.push_group(GROUP_BLOCKS, group, &offsets);
        self.offsets = offsets;
        Ok(())
    }

    fn new_block_group(
        &mut self,
        program: &Program,
        layout: &super::program::GroupLayout,
    ) -> Result<u32, BackendError> {
        let mut entries = Vec::new();
        let mut binds = Binds::default();
        for (slot, block) in program.layout.uniform_blocks.iter().enumerate() {
            let Some(range) = self.state.blocks.get(slot).copied().flatten() else { continue };
            let buffer = self.buffers.slot(range.id)?;
            binds.parts.push(self.buffers.identity(buffer)?.0);
            binds.buffers.push(buffer);
            let Some(buffer) = self.buffers.gpu(buffer) else { continue };
            entries.push(wgpu::BindGroupEntry {
                binding: slot as u32,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: if program.dynamic_blocks { 0 } else { range.offset },
                    size: std::num::NonZeroU64::new(block.size.into()),
                }),
            });
        }
        let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout.layout,
            entries: &entries,
        });
        Ok(self.groups.insert(&self.key, binds, group))
    }

    /// Binds the capture buffers and the loop flags. The buffers' offsets need an alignment that GL does not ask for: the rest of each
    /// offset goes into the driver block's word offsets.
    fn bind_feedback(&mut self, program: &Program) -> Result<(), BackendError> {
        let Some(layout) = &program.groups[GROUP_FEEDBACK as usize] else { return Ok(()) };
        let alignment = u64::from(self.device.limits.min_storage_buffer_offset_alignment.max(4));
        let serial = self.serial;
        let mut words = [0i32; 4];
        let mut bindings = Vec::new();
        let mut parts = Vec::new();
        self.key.clear();
        self.key.push(layout.uid);
        for slot in 0..program.layout.feedback_buffers as usize {
            let range = self.state.feedback.get(slot).copied().flatten();
            let range =
                range.ok_or_else(|| BackendError::Internal(format!("no buffer for transform feedback {slot}")))?;
            let buffer = self.buffers.slot(range.id)?;
            self.buffers.mark(buffer, serial);
            let version = self.next_uid();
            self.buffers.renew(buffer, version);
            let (uid, len) = self.buffers.identity(buffer)?;
            let offset = range.offset / alignment * alignment;
            let size = (range.offset - offset).saturating_add(range.size).next_multiple_of(4);
            let size = size.min(len.saturating_sub(offset) & !3);
            if let Some(word) = words.get_mut(slot) {
                *word = ((range.offset - offset) / 4) as i32;
            }
            self.key.extend([uid, offset, size]);
            parts.push(uid);
            bindings.push((buffer, offset, size));
        }
        self.key.extend(program.loop_slot.map(u64::from));
        let group = match self.groups.find(&self.key) {
            Some(group) => group,
            None => {
                let mut entries = Vec::new();
                if let Some(resource) = program.loop_slot.and_then(|slot| self.loop_flags.binding(slot)) {
                    entries.push(wgpu::BindGroupEntry { binding: program.layout.feedback_buffers, resource });
                }
                for (binding, (slot, offset, size)) in bindings.into_iter().enumerate() {
                    let Some(buffer) = self.buffers.gpu(slot) else { continue };
                    entries.push(wgpu::BindGroupEntry {
                        binding: binding as u32,
                        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                            buffer,
                            offset,
                            size: std::num::NonZeroU64::new(size),
                        }),
                    });
                }
                let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &layout.layout,
                    entries: &entries,
                });
                self.groups.insert(&self.key, Binds { once: !parts.is_empty(), parts, ..Binds::default() }, group)
            }
        };
        self.push_group(GROUP_FEEDBACK, group, &[]);
        self.driver_override = None;
        if words != [0; 4]
            && let Some(place) = self.state.uniforms[2].filter(|place| place.len >= DRIVER_BLOCK)
        {
            let mut block: DriverBlock = bytemuck::pod_read_unaligned(&self.ring.bytes(place)[..DRIVER_BLOCK as usize]);
            for (base, word) in block.feedback_base.iter_mut().zip(words) {
                *base += word;
            }
            block.feedback_base_3 += words[3];
            self.driver_override = Some(self.ring.push(&self.device.device, bytemuck::bytes_of(&block)));
        }
        Ok(())
    }
}
