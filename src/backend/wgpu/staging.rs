//! Upload memory: mapped chunks that are written while recording and reused when the GPU is done with them.

use super::context::WgpuBackend;
use crate::gl::backend::BackendError;

const CHUNK: u64 = 1 << 20;

/// A piece of mapped memory to fill.
pub struct Staged(wgpu::BufferViewMut);

impl std::fmt::Debug for Staged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Staged")
    }
}

impl Staged {
    /// Writes `bytes` at `offset`; what does not fit is a bug of the caller and is left out.
    pub fn copy_from(&mut self, offset: usize, bytes: &[u8]) {
        if offset.checked_add(bytes.len()).is_some_and(|end| end <= self.0.len()) {
            self.0.slice(offset..offset + bytes.len()).copy_from_slice(bytes);
        }
    }
}

/// Chunks of upload memory.
#[derive(Debug)]
pub struct Staging {
    pub(super) belt: wgpu::util::StagingBelt,
    /// Bytes staged since the last flush.
    pub(super) bytes: u64,
}

impl Staging {
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            belt: wgpu::util::StagingBelt::new_with_buffer_usages(device.clone(), CHUNK, wgpu::BufferUsages::COPY_SRC),
            bytes: 0,
        }
    }
}

impl WgpuBackend {
    /// Upload memory of `size` bytes (a multiple of 4), filled by `fill`: its buffer and the offset in it.
    pub(super) fn stage(
        &mut self,
        size: u64,
        fill: impl FnOnce(&mut Staged),
    ) -> Result<(wgpu::Buffer, u64), BackendError> {
        let bytes = std::num::NonZeroU64::new(size).filter(|_| size <= self.device.limits.max_buffer_size);
        let bytes =
            bytes.ok_or_else(|| BackendError::OutOfMemory(format!("an upload of {size} bytes is not possible")))?;
        if size > CHUNK {
            // The belt would keep it for good.
            return self.stage_apart(size, fill);
        }
        // Texture copies want offsets that are multiples of the block size: 16 covers all.
        let alignment = std::num::NonZeroU64::new(16).unwrap_or(bytes);
        let slice = self.staging.belt.allocate(bytes, alignment);
        let place = (slice.buffer().clone(), slice.offset());
        let view = slice
            .get_mapped_range_mut()
            .map_err(|error| BackendError::OutOfMemory(format!("upload memory cannot be mapped: {error}")))?;
        fill(&mut Staged(view));
        self.staging.bytes += size;
        Ok(place)
    }

    /// Upload memory of its own, gone when the GPU is done with it.
    fn stage_apart(&mut self, size: u64, fill: impl FnOnce(&mut Staged)) -> Result<(wgpu::Buffer, u64), BackendError> {
        let buffer = self.device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("upload"),
            size: size.next_multiple_of(4),
            usage: wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: true,
        });
        let view = buffer
            .get_mapped_range_mut(..)
            .map_err(|error| BackendError::OutOfMemory(format!("upload memory cannot be mapped: {error}")))?;
        fill(&mut Staged(view));
        buffer.unmap();
        self.staging.bytes += size;
        Ok((buffer, 0))
    }
}
