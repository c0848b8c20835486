//! Image copies and the uploads that wgpu has no copy for (depth, parts of stencil).

use super::blit::{BlitDraw, Place};
use super::context::WgpuBackend;
use super::pass::Op;
use super::texture::ImageSlot;
use crate::gl::backend::BackendError;
use crate::gl::command::{Aspect, ImageDesc, ImageDimension, ImageId, ImageRegion};
use crate::gl::format::StorageFormat;

impl WgpuBackend {
    pub(super) fn copy_image(
        &mut self,
        src: ImageId,
        src_region: ImageRegion,
        dst: ImageId,
        dst_region: ImageRegion,
    ) -> Result<(), BackendError> {
        if src_region.extent.contains(&0) {
            return Ok(());
        }
        let (src, dst) = (self.images.slot(src)?, self.images.slot(dst)?);
        self.close_pass_using(src)?;
        self.close_pass_using(dst)?;
        self.renew_image(dst);
        let (src_image, dst_image) = (self.images.get(src)?, self.images.get(dst)?);
        let whole = src_region.extent[..2] == src_image.level_size(src_region.level)[..2]
            && src_region.extent[..2] == dst_image.level_size(dst_region.level)[..2]
            && src_region.aspect == Aspect::All;
        if src_image.format.is_depth_stencil_format() && !whole {
            return self.copy_depth_stencil(src, src_region, dst, dst_region);
        }
        let op = Op::CopyTexture {
            src: src_image.place(src_region),
            dst: dst_image.place(dst_region),
            extent: extent(src_region.extent),
        };
        self.push_before_pass(op);
        Ok(())
    }

    fn copy_depth_stencil(
        &mut self,
        src: ImageSlot,
        src_region: ImageRegion,
        dst: ImageSlot,
        dst_region: ImageRegion,
    ) -> Result<(), BackendError> {
        let format = self.images.get(src)?.format;
        for layer in 0..src_region.extent[2] {
            let draw = BlitDraw {
                src: Place { image: src, level: src_region.level, layer: src_region.origin[2] + layer },
                dst: Place { image: dst, level: dst_region.level, layer: dst_region.origin[2] + layer },
                src_rect: rect(src_region),
                dst_rect: rect(ImageRegion { extent: src_region.extent, ..dst_region }),
                scissor: None,
                linear: false,
                mask: 0xf,
            };
            if format.has_depth_aspect() && src_region.aspect != Aspect::Stencil {
                self.draw_blit_depth(&draw)?;
            }
            if format.has_stencil_aspect() && src_region.aspect != Aspect::Depth {
                self.draw_blit_stencil(&draw)?;
            }
        }
        Ok(())
    }

    /// Writes depth by a draw from an R32Float image.
    pub(super) fn write_depth(
        &mut self,
        slot: ImageSlot,
        region: ImageRegion,
        bytes: &[u8],
    ) -> Result<(), BackendError> {
        if self.images.get(slot)?.format != wgpu::TextureFormat::Depth16Unorm {
            return self.write_by_draw(slot, region, bytes, StorageFormat::R32Float);
        }
        let floats: Vec<u8> = bytes
            .as_chunks::<2>()
            .0
            .iter()
            .flat_map(|pair| (f32::from(u16::from_le_bytes(*pair)) / 65535.0).to_le_bytes())
            .collect();
        self.write_by_draw(slot, region, &floats, StorageFormat::R32Float)
    }

    /// Writes stencil by draws from an R8Uint image.
    pub(super) fn write_stencil(
        &mut self,
        slot: ImageSlot,
        region: ImageRegion,
        bytes: &[u8],
    ) -> Result<(), BackendError> {
        self.write_by_draw(slot, region, bytes, StorageFormat::R8Uint)
    }

    fn write_by_draw(
        &mut self,
        slot: ImageSlot,
        region: ImageRegion,
        bytes: &[u8],
        format: StorageFormat,
    ) -> Result<(), BackendError> {
        let temporary = self.new_image(ImageDesc {
            dimension: ImageDimension::D2Array,
            format,
            width: region.extent[0],
            height: region.extent[1],
            depth: region.extent[2],
            levels: 1,
            samples: 1,
            renderable: false,
        })?;
        self.images.retire(temporary);
        let upload = ImageRegion { level: 0, origin: [0; 3], extent: region.extent, aspect: Aspect::All };
        self.upload(temporary, upload, bytes, false)?;
        for layer in 0..region.extent[2] {
            let draw = BlitDraw {
                src: Place { image: temporary, level: 0, layer },
                dst: Place { image: slot, level: region.level, layer: region.origin[2] + layer },
                src_rect: rect(upload),
                dst_rect: rect(region),
                scissor: None,
                linear: false,
                mask: 0xf,
            };
            match format {
                StorageFormat::R8Uint => self.draw_blit_stencil(&draw)?,
                _ => self.draw_blit_depth(&draw)?,
            }
        }
        Ok(())
    }
}

/// The corners of a region's rectangle.
pub fn rect(region: ImageRegion) -> [i32; 4] {
    let (x, y) = (region.origin[0] as i32, region.origin[1] as i32);
    [x, y, x.saturating_add(region.extent[0] as i32), y.saturating_add(region.extent[1] as i32)]
}

pub fn extent([width, height, depth_or_array_layers]: [u32; 3]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers }
}
