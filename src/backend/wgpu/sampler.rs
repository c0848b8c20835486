//! Samplers, by value.

use rustc_hash::FxHashMap;

use super::context::WgpuBackend;
use super::format::{compare, wrap};
use crate::gl::command::{Filter, SamplerDesc};

/// Samplers made so far; an id stands for a description for ever.
#[derive(Debug, Default)]
pub struct SamplerTable {
    ids: FxHashMap<SamplerDesc, u32>,
    samplers: Vec<wgpu::Sampler>,
}

impl SamplerTable {
    pub fn get(&self, id: u32) -> Option<&wgpu::Sampler> {
        self.samplers.get(id as usize)
    }
}

/// `desc` for an image that cannot be filtered: every filter becomes nearest.
pub fn unfiltered(desc: SamplerDesc) -> SamplerDesc {
    SamplerDesc {
        mag: Filter::Nearest,
        min: Filter::Nearest,
        mip: desc.mip.map(|_| Filter::Nearest),
        max_anisotropy: 1,
        ..desc
    }
}

impl WgpuBackend {
    pub(super) fn sampler(&mut self, desc: SamplerDesc) -> u32 {
        if let Some(id) = self.samplers.ids.get(&desc) {
            return *id;
        }
        let filter = |filter| match filter {
            Filter::Nearest => wgpu::FilterMode::Nearest,
            Filter::Linear => wgpu::FilterMode::Linear,
        };
        let lod = |milli: i32| (milli as f32 / 1000.0).clamp(0.0, 1000.0);
        let min_lod = lod(desc.lod_min_milli);
        let max_lod = lod(desc.lod_max_milli).max(min_lod);
        // Without mip filtering Vulkan still needs to choose between minification and magnification:
        // its specification gives [0, 0.25] with nearest mips for GL's unmipmapped filters.
        let (min_lod, max_lod) = if desc.mip.is_some() { (min_lod, max_lod) } else { (0.0, 0.25) };
        let all_linear = desc.mag == Filter::Linear && desc.min == Filter::Linear && desc.mip == Some(Filter::Linear);
        let sampler = self.device.device.create_sampler(&wgpu::SamplerDescriptor {
            label: None,
            address_mode_u: wrap(desc.wrap[0]),
            address_mode_v: wrap(desc.wrap[1]),
            address_mode_w: wrap(desc.wrap[2]),
            mag_filter: filter(desc.mag),
            min_filter: filter(desc.min),
            mipmap_filter: match desc.mip {
                Some(Filter::Linear) => wgpu::MipmapFilterMode::Linear,
                _ => wgpu::MipmapFilterMode::Nearest,
            },
            lod_min_clamp: min_lod,
            lod_max_clamp: max_lod,
            compare: desc.compare.map(compare),
            anisotropy_clamp: if all_linear {
                desc.max_anisotropy.clamp(1, self.device.caps.max_anisotropy)
            } else {
                1
            },
            border_color: None,
        });
        let id = self.samplers.samplers.len() as u32;
        self.samplers.samplers.push(sampler);
        self.samplers.ids.insert(desc, id);
        id
    }
}
