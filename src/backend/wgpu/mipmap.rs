//! Mip levels by drawing, each from the level before.

use super::blit::{BlitDraw, Place};
use super::clear::InternalDraw;
use super::context::WgpuBackend;
use super::format::{TexelKind, texel_kind};
use super::internal::{InternalKey, InternalShader};
use super::pass::Op;
use super::texture::ImageSlot;
use crate::gl::backend::BackendError;
use crate::gl::command::{Filter, ImageId, Rect, SamplerDesc, WrapMode};

const LINEAR_CLAMP: SamplerDesc = SamplerDesc {
    wrap: [WrapMode::ClampToEdge; 3],
    mag: Filter::Linear,
    min: Filter::Linear,
    mip: None,
    lod_min_milli: 0,
    lod_max_milli: 0,
    max_anisotropy: 1,
    compare: None,
};

impl WgpuBackend {
    pub(super) fn generate_mipmaps(&mut self, id: ImageId, base: u32, last: u32) -> Result<(), BackendError> {
        let slot = self.images.slot(id)?;
        self.close_pass_using(slot)?;
        let image = self.images.get(slot)?;
        if texel_kind(image.format) != TexelKind::Float {
            return Err(BackendError::Internal(format!("mipmaps of {:?} cannot be made", image.format)));
        }
        let usage = image.texture.usage();
        if !usage.contains(wgpu::TextureUsages::RENDER_ATTACHMENT) {
            return Err(BackendError::Internal(format!("{:?} cannot be rendered to for mipmaps", image.format)));
        }
        let filterable = image.format.sample_type(None, Some(self.device.features))
            == Some(wgpu::TextureSampleType::Float { filterable: true });
        let is_3d = image.is_3d();
        for level in base..last.min(image.desc.levels.saturating_sub(1)) {
            let layers = self.images.get(slot)?.level_size(level + 1)[2];
            for layer in 0..layers {
                match (is_3d, filterable) {
                    (true, _) => self.mip_volume(slot, level, layer)?,
                    (false, true) => self.mip_flat(slot, level, layer)?,
                    (false, false) => self.mip_unfilterable(slot, level, layer)?,
                }
            }
        }
        Ok(())
    }

    fn mip_flat(&mut self, slot: ImageSlot, level: u32, layer: u32) -> Result<(), BackendError> {
        let size = self.images.get(slot)?.level_size(level + 1);
        let params = [1.0 / size[0] as f32, 1.0 / size[1] as f32];
        let view = self.load_view(slot, level, layer, wgpu::TextureAspect::All)?;
        let sampler = self.sampler(LINEAR_CLAMP);
        self.mip_pass(slot, level, layer, InternalShader::Mipmap, bytemuck::bytes_of(&params), &view, Some(sampler))
    }

    fn mip_volume(&mut self, slot: ImageSlot, level: u32, slice: u32) -> Result<(), BackendError> {
        let image = self.images.get(slot)?;
        let (from, to) = (image.level_size(level), image.level_size(level + 1));
        let scale = |axis: usize| (from[axis] as f32 / to[axis] as f32).to_bits();
        let params = [scale(0), scale(1), scale(2), slice];
        let view = self.load_view(slot, level, 0, wgpu::TextureAspect::All)?;
        self.mip_pass(slot, level, slice, InternalShader::MipmapVolume, bytemuck::bytes_of(&params), &view, None)
    }

    fn mip_unfilterable(&mut self, slot: ImageSlot, level: u32, layer: u32) -> Result<(), BackendError> {
        let image = self.images.get(slot)?;
        let whole = |level| {
            let size = image.level_size(level);
            [0, 0, size[0] as i32, size[1] as i32]
        };
        let draw = BlitDraw {
            src: Place { image: slot, level, layer },
            dst: Place { image: slot, level: level + 1, layer },
            src_rect: whole(level),
            dst_rect: whole(level + 1),
            scissor: None,
            linear: true,
            mask: 0xf,
        };
        self.draw_blit_color(&draw)
    }

    #[expect(clippy::too_many_arguments, reason = "one call for both shaders")]
    fn mip_pass(
        &mut self,
        slot: ImageSlot,
        level: u32,
        layer: u32,
        shader: InternalShader,
        params: &[u8],
        view: &wgpu::TextureView,
        sampler: Option<u32>,
    ) -> Result<(), BackendError> {
        let image = self.images.get(slot)?;
        let (format, size) = (image.format, image.level_size(level + 1));
        let key = InternalKey { shader, colors: vec![Some((format, 0xf))], depth: None, samples: 1 };
        let (pipeline, layout) = self.internal_pipeline(key);
        let place = self.ring.push(&self.device.device, params);
        let group = self.internal_group(&layout, place, view, sampler)?;
        let attachment = self.attachment_of(slot, level + 1, layer, true)?;
        let mut pass = self.target_pass(Some(attachment), None, size);
        // Every texel is drawn: nothing to load.
        pass.colors.iter_mut().flatten().for_each(|color| color.clear = Some(wgpu::Color::TRANSPARENT));
        let scissor = Rect { x: 0, y: 0, width: size[0], height: size[1] };
        pass.push_internal(InternalDraw {
            pipeline,
            group,
            offset: place.offset,
            scissor,
            stencil_reference: None,
            fit: false,
        });
        self.push_before_pass(Op::Pass(Box::new(pass)));
        Ok(())
    }

    /// Group 0 of an internal draw that reads a texture; good until the next flush.
    pub(super) fn internal_group(
        &mut self,
        layout: &super::program::GroupLayout,
        params: super::bind::UniformPlace,
        view: &wgpu::TextureView,
        sampler: Option<u32>,
    ) -> Result<u32, BackendError> {
        let buffer = self.ring.buffer(params.chunk);
        let buffer = buffer.ok_or_else(|| BackendError::Internal("no uniform memory".into()))?;
        let mut entries = vec![
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer,
                    offset: 0,
                    size: std::num::NonZeroU64::new(params.len.into()),
                }),
            },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(view) },
        ];
        if let Some(sampler) = sampler.and_then(|id| self.samplers.get(id)) {
            entries.push(wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(sampler) });
        }
        let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout.layout,
            entries: &entries,
        });
        let uid = self.next_uid();
        Ok(self.groups.insert_once(uid, group))
    }
}
