//! Flags of loops that ran away: where shaders raise them, and how they come back with every frame.
//!
//! A program with counted loops has a slot of 64 words in one buffer; its shaders write a 1 to the word of the loop
//! that was stopped. The buffer's used part is copied behind each presented frame.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::context::WgpuBackend;
use super::pass::Op;
use crate::gl::backend::{BackendError, RunawayLoop};
use crate::shader::program::{LOOP_FLAGS, LoopSite, POINT_FLAG, ProgramLayout};

/// Bytes of a slot: no device asks for a storage offset alignment beyond it (Vulkan 1.0, table of required limits).
const SLOT: u64 = LOOP_FLAGS as u64 * 4;
/// Programs that are told apart; those beyond share the last slot.
const SLOTS: usize = 1024;

#[derive(Clone, Debug)]
struct Slot {
    sites: Vec<LoopSite>,
    rounds: u32,
}

/// The flags of one context's programs.
#[derive(Debug, Default)]
pub struct LoopFlags {
    buffer: Option<wgpu::Buffer>,
    slots: Vec<Slot>,
    /// 1 + the first frame with a point larger than the device draws them, or 0; shared by all contexts of the device.
    large_points: Arc<AtomicU64>,
}

/// Does a program have flags?
pub fn raises_flags(layout: &ProgramLayout) -> bool {
    !layout.loops.is_empty() || layout.watches_points
}

impl LoopFlags {
    pub fn new(large_points: Arc<AtomicU64>) -> Self {
        Self { large_points, ..Self::default() }
    }

    /// A slot for a program, if it raises flags.
    pub fn add(&mut self, device: &wgpu::Device, layout: &ProgramLayout) -> Option<u32> {
        if !raises_flags(layout) {
            return None;
        }
        self.buffer.get_or_insert_with(|| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("loop flags"),
                size: SLOT * SLOTS as u64,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })
        });
        let slot = Slot { sites: layout.loops.clone(), rounds: layout.max_loop_rounds };
        if self.slots.len() < SLOTS {
            self.slots.push(slot);
        }
        Some(self.slots.len() as u32 - 1)
    }

    /// The buffer range of a slot.
    pub fn binding(&self, slot: u32) -> Option<wgpu::BindingResource<'_>> {
        let (offset, size) = (u64::from(slot) * SLOT, std::num::NonZeroU64::new(SLOT));
        self.buffer.as_ref().map(|buffer| wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size }))
    }

    /// Bytes in use.
    pub fn len(&self) -> u64 {
        self.slots.len() as u64 * SLOT
    }

    /// The copy of all flags to `dst`.
    pub fn copy(&self, dst: &wgpu::Buffer, dst_offset: u64) -> Option<Op> {
        let src = self.buffer.clone().filter(|_| !self.slots.is_empty())?;
        Some(Op::CopyBuffer { src, src_offset: 0, dst: dst.clone(), dst_offset, size: self.len() })
    }

    /// The first flag raised in `bytes`, as [`LoopFlags::copy`] wrote them.
    pub fn check(&self, bytes: &[u8], frame: Option<u64>) -> Result<(), BackendError> {
        for (slot, words) in self.slots.iter().zip(bytes.chunks(SLOT as usize)) {
            let is_raised = |word: &[u8]| word.iter().any(|byte| *byte != 0);
            if words.chunks(4).nth(POINT_FLAG as usize).is_some_and(is_raised) {
                let frame = frame.map_or(u64::MAX, |frame| frame.saturating_add(1));
                let _ = self.large_points.compare_exchange(0, frame, Ordering::Relaxed, Ordering::Relaxed);
            }
            let raised = words.chunks(4).take(POINT_FLAG as usize).position(is_raised);
            // A slot that programs share may not know the site.
            if let Some(site) = raised.and_then(|index| slot.sites.get(index).or(slot.sites.last())) {
                let runaway = RunawayLoop { site: site.clone(), rounds: slot.rounds, frame };
                return Err(BackendError::RunawayLoop(Box::new(runaway)));
            }
        }
        Ok(())
    }
}

impl WgpuBackend {
    /// Waits for all that was drawn, and errs if a loop ran away in it.
    pub(super) fn check_loop_flags(&mut self) -> Result<(), BackendError> {
        let size = self.loop_flags.len();
        if size == 0 {
            return Ok(());
        }
        let buffer = self.read_buffer_of(size)?;
        self.close_pass();
        if let Some(op) = self.loop_flags.copy(&buffer, 0) {
            self.ops.push(op);
        }
        let bytes = self.map_now(&buffer, <[u8]>::to_vec)?;
        self.loop_flags.check(&bytes, None)
    }
}
