//! Texture bindings: the group of textures and samplers a draw reads.

use super::context::WgpuBackend;
use super::format::TexelKind;
use super::program::Program;
use super::sampler::unfiltered;
use super::texture::{ImageSlot, SampledView};
use crate::gl::backend::BackendError;
use crate::gl::command::{Aspect, CompareFunction, ImageDesc, ImageDimension, ImageId, ImageView, SamplerDesc};
use crate::gl::format::StorageFormat;
use crate::shader::hir::{SamplerDimension, SamplerType, Scalar};
use crate::shader::program::{GROUP_TEXTURES, TextureSlot};

/// What a texture slot holds, resolved when it was set.
#[derive(Clone, Copy, Debug)]
pub struct TextureNow {
    pub image: ImageSlot,
    /// Names the view for ever.
    pub view: u64,
    pub sampler: u32,
}

impl WgpuBackend {
    pub(super) fn set_texture(&mut self, slot: u32, view: ImageView, sampler: SamplerDesc) -> Result<(), BackendError> {
        if !super::state::set_slot(&mut self.state.textures, slot, (view, sampler)) {
            return Ok(());
        }
        let sampled = self.sampled_view(view)?;
        let now = TextureNow { image: sampled.image, view: sampled.uid, sampler: self.sampler(sampler) };
        let slot = slot as usize;
        if self.textures_now.len() <= slot {
            self.textures_now.resize(slot + 1, None);
        }
        self.textures_now[slot] = Some(now);
        self.state.dirty.textures = true;
        Ok(())
    }

    pub(super) fn bind_textures(&mut self, program: &Program) -> Result<(), BackendError> {
        let Some(layout) = &program.groups[GROUP_TEXTURES as usize] else { return Ok(()) };
        let serial = self.serial;
        self.key.clear();
        self.key.push(layout.uid);
        for slot in 0..program.layout.textures.len() {
            match self.textures_now.get(slot).copied().flatten() {
                Some(now) => {
                    self.images.mark(now.image, serial);
                    self.key.extend([now.view, u64::from(now.sampler)]);
                }
                None => self.key.extend([u64::MAX, 0]),
            }
        }
        let group = match self.groups.find(&self.key) {
            Some(group) => group,
            None => self.new_texture_group(program, layout)?,
        };
        self.push_group(GROUP_TEXTURES, group, &[]);
        Ok(())
    }

    fn new_texture_group(
        &mut self,
        program: &Program,
        layout: &super::program::GroupLayout,
    ) -> Result<u32, BackendError> {
        let key = std::mem::take(&mut self.key);
        let mut binds = super::bind::Binds::default();
        let mut views = Vec::new();
        for (slot, wanted) in program.layout.textures.iter().enumerate() {
            let set = self.state.textures.get(slot).copied().flatten();
            let view = match set {
                Some((view, _)) => self.sampled_view(view).ok().filter(|view| fits(view, wanted)),
                None => None,
            };
            let view = match view {
                Some(view) => view,
                None => self.fallback_view(wanted.sampler)?,
            };
            let desc = set.map_or(NEAREST, |(_, desc)| desc);
            let desc = match (wanted.sampler.shadow, view.filterable) {
                (true, _) => SamplerDesc { compare: desc.compare.or(Some(CompareFunction::LessEqual)), ..desc },
                (false, true) => SamplerDesc { compare: None, ..desc },
                (false, false) => SamplerDesc { compare: None, ..unfiltered(desc) },
            };
            binds.parts.push(view.uid);
            binds.images.push(view.image);
            let sampler = self.sampler(desc);
            views.push((view.view, sampler));
        }
        let mut entries = Vec::with_capacity(views.len() * 2);
        for (slot, (view, sampler)) in views.iter().enumerate() {
            let Some(sampler) = self.samplers.get(*sampler) else { continue };
            entries.push(wgpu::BindGroupEntry {
                binding: slot as u32 * 2,
                resource: wgpu::BindingResource::TextureView(view),
            });
            entries.push(wgpu::BindGroupEntry {
                binding: slot as u32 * 2 + 1,
                resource: wgpu::BindingResource::Sampler(sampler),
            });
        }
        let group = self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout.layout,
            entries: &entries,
        });
        let id = self.groups.insert(&key, binds, group);
        self.key = key;
        Ok(id)
    }

    /// An image of one texel (0, 0, 0, 1) for a slot with nothing fitting bound: GL lets such reads be anything.
    fn fallback_view(&mut self, sampler: SamplerType) -> Result<SampledView, BackendError> {
        let format = match (sampler.shadow, sampler.sampled) {
            (true, _) => StorageFormat::Depth16Unorm,
            (_, Scalar::Int) => StorageFormat::R8Sint,
            (_, Scalar::Uint) => StorageFormat::R8Uint,
            _ => StorageFormat::R8Unorm,
        };
        let dimension = image_dimension(sampler.dimension);
        let known = self.fallbacks.iter().find(|(key, _)| *key == (dimension, format));
        let slot = match known {
            Some((_, slot)) => *slot,
            None => {
                let slot = self.new_image(ImageDesc {
                    dimension,
                    format,
                    width: 1,
                    height: 1,
                    depth: if dimension == ImageDimension::Cube { 6 } else { 1 },
                    levels: 1,
                    samples: 1,
                    renderable: false,
                })?;
                self.fallbacks.push(((dimension, format), slot));
                slot
            }
        };
        let key = ImageView { image: ImageId(u32::MAX), dimension, base_level: 0, levels: 1, aspect: Aspect::All };
        self.sampled_view_of(slot, key)
    }
}

const NEAREST: SamplerDesc = SamplerDesc {
    wrap: [crate::gl::command::WrapMode::ClampToEdge; 3],
    mag: crate::gl::command::Filter::Nearest,
    min: crate::gl::command::Filter::Nearest,
    mip: None,
    lod_min_milli: 0,
    lod_max_milli: 0,
    max_anisotropy: 1,
    compare: None,
};

fn image_dimension(dimension: SamplerDimension) -> ImageDimension {
    match dimension {
        SamplerDimension::D2 => ImageDimension::D2,
        SamplerDimension::D3 => ImageDimension::D3,
        SamplerDimension::Cube => ImageDimension::Cube,
        SamplerDimension::D2Array => ImageDimension::D2Array,
    }
}

/// Can the slot's shader type read the view?
fn fits(view: &SampledView, wanted: &TextureSlot) -> bool {
    let kind = match (wanted.sampler.shadow, wanted.sampler.sampled) {
        (true, _) => view.kind == TexelKind::Depth,
        (_, Scalar::Int) => view.kind == TexelKind::Sint,
        (_, Scalar::Uint) => matches!(view.kind, TexelKind::Uint | TexelKind::Stencil),
        _ => matches!(view.kind, TexelKind::Float | TexelKind::Depth),
    };
    kind && view.dimension == image_dimension(wanted.sampler.dimension)
}
