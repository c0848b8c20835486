//! GPU memory to bytes, waiting for it.

use super::blit::{BlitDraw, Place};
use super::context::WgpuBackend;
use super::copy::{extent, rect};
use super::format::{TexelKind, texel_kind};
use super::pass::Op;
use super::texture::{ImageSlot, RowLayout};
use crate::gl::backend::BackendError;
use crate::gl::command::{Aspect, BufferId, ImageDesc, ImageDimension, ImageId, ImageRegion};
use crate::gl::format::StorageFormat;

impl WgpuBackend {
    pub(super) fn read_image_region(&mut self, id: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        let slot = self.images.slot(id)?;
        if region.extent.contains(&0) {
            return Ok(Vec::new());
        }
        self.close_pass_using(slot)?;
        let image = self.images.get(slot)?;
        let (format, desc) = (image.format, image.desc);
        if !format.is_depth_stencil_format() {
            if desc.samples <= 1 {
                return self.download(slot, region);
            }
            let temporary = self.read_through(slot, region, desc.format, wgpu::TextureAspect::All)?;
            return self.download(temporary, at_origin(region));
        }
        let mut bytes = Vec::new();
        if format.has_depth_aspect() && region.aspect != Aspect::Stencil {
            let copy = self.read_through(slot, region, StorageFormat::R32Float, wgpu::TextureAspect::DepthOnly)?;
            bytes = self.download(copy, at_origin(region))?;
        }
        if format.has_stencil_aspect() && region.aspect != Aspect::Depth {
            let copy = self.read_through(slot, region, StorageFormat::R8Uint, wgpu::TextureAspect::StencilOnly)?;
            bytes.extend(self.download(copy, at_origin(region))?);
        }
        Ok(bytes)
    }

    /// Draws a region to a new single-sampled image that can be copied from.
    fn read_through(
        &mut self,
        slot: ImageSlot,
        region: ImageRegion,
        format: StorageFormat,
        aspect: wgpu::TextureAspect,
    ) -> Result<ImageSlot, BackendError> {
        let temporary = self.new_image(ImageDesc {
            dimension: ImageDimension::D2Array,
            format,
            width: region.extent[0],
            height: region.extent[1],
            depth: region.extent[2],
            levels: 1,
            samples: 1,
            renderable: true,
        })?;
        self.images.retire(temporary);
        for layer in 0..region.extent[2] {
            let draw = BlitDraw {
                src: Place { image: slot, level: region.level, layer: region.origin[2] + layer },
                dst: Place { image: temporary, level: 0, layer },
                src_rect: rect(region),
                dst_rect: rect(at_origin(region)),
                scissor: None,
                linear: false,
                mask: 0xf,
            };
            self.draw_blit_as(&draw, aspect)?;
        }
        Ok(temporary)
    }

    fn download(&mut self, slot: ImageSlot, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        let image = self.images.get(slot)?;
        debug_assert!(!matches!(texel_kind(image.format), TexelKind::Depth | TexelKind::Stencil));
        let layout = RowLayout::new(image.format, false, region.extent);
        let buffer = self.read_buffer_of(layout.padded_size())?;
        let op = Op::Download {
            src: image.place(ImageRegion { aspect: Aspect::All, ..region }),
            dst: layout.place(buffer.clone(), 0),
            extent: extent(region.extent),
        };
        self.push_before_pass(op);
        let padded = self.map_now(&buffer, |bytes| layout.tighten(bytes))?;
        Ok(padded)
    }

    /// A buffer to copy to and read.
    pub(super) fn read_buffer_of(&self, size: u64) -> Result<wgpu::Buffer, BackendError> {
        if size == 0 || size > self.device.limits.max_buffer_size {
            return Err(BackendError::OutOfMemory(format!("cannot read {size} bytes at once")));
        }
        Ok(self.device.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size.next_multiple_of(4),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        }))
    }

    /// Flushes, waits, and gives the buffer's bytes to `read`.
    pub(super) fn map_now<T>(
        &mut self,
        buffer: &wgpu::Buffer,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, BackendError> {
        self.flush()?;
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.wait(self.last_submission.clone())?;
        let view = buffer
            .get_mapped_range(..)
            .map_err(|error| BackendError::Internal(format!("a read buffer cannot be mapped: {error}")))?;
        Ok(read(&view))
    }

    pub(super) fn read_buffer_range(&mut self, id: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let slot = self.buffers.slot(id)?;
        if self.in_open_pass(self.buffers.last_pass(slot)) {
            self.close_pass();
        }
        let (_, len) = self.buffers.identity(slot)?;
        let start = offset & !3;
        let end = offset.checked_add(size).filter(|end| *end <= len).map(|end| end.next_multiple_of(4).min(len));
        let end = end.ok_or_else(|| BackendError::Internal(format!("read of {size} bytes at {offset} of {len}")))?;
        let buffer = self.read_buffer_of(end - start)?;
        let Some(src) = self.buffers.gpu(slot).cloned() else { return Ok(Vec::new()) };
        self.push_before_pass(Op::CopyBuffer {
            src,
            src_offset: start,
            dst: buffer.clone(),
            dst_offset: 0,
            size: end - start,
        });
        let skip = (offset - start) as usize;
        self.map_now(&buffer, |bytes| bytes.get(skip..skip + size as usize).unwrap_or_default().to_vec())
    }
}

/// The region moved to level 0, layer 0, texel (0, 0).
fn at_origin(region: ImageRegion) -> ImageRegion {
    ImageRegion { level: 0, origin: [0; 3], extent: region.extent, aspect: Aspect::All }
}
