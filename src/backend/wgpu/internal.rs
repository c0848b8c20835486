//! Pipelines of the back end's own draws, made from the WGSL in `/shaders`.

use super::context::WgpuBackend;
use super::format::TexelKind;
use super::program::GroupLayout;

const BLIT: &str = include_str!("../../../shaders/blit.wgsl");
const CLEAR: &str = include_str!("../../../shaders/clear.wgsl");
const MIPMAP: &str = include_str!("../../../shaders/mipmap.wgsl");
const MIPMAP_VOLUME: &str = include_str!("../../../shaders/mipmap_volume.wgsl");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlitSource {
    Flat,
    Volume,
    Multisampled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlitOutput {
    Color,
    Depth,
    /// Passes where the bit is set; the stencil state does the writing.
    StencilBit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InternalShader {
    Blit {
        source: BlitSource,
        kind: TexelKind,
        linear: bool,
        output: BlitOutput,
    },
    /// Colour output at a location with a kind, or none.
    Clear {
        output: Option<(u32, TexelKind)>,
    },
    Mipmap,
    MipmapVolume,
}

/// What tells internal pipelines apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InternalKey {
    pub shader: InternalShader,
    /// Formats and write masks.
    pub colors: Vec<Option<(wgpu::TextureFormat, u8)>>,
    /// Format, depth written, stencil write mask.
    pub depth: Option<(wgpu::TextureFormat, bool, u8)>,
    pub samples: u32,
}

impl InternalShader {
    fn source(self) -> String {
        match self {
            InternalShader::Blit { source, kind, linear, output } => blit_source(source, kind, linear, output),
            InternalShader::Clear { output } => {
                let scalar = output.map_or("f32", |(_, kind)| kind.wgsl_scalar());
                let body = match output {
                    Some((location, _)) => {
                        format!("@fragment fn fs() -> @location({location}) vec4<{scalar}> {{ return params.color; }}")
                    }
                    None => "@fragment fn fs() {}".to_string(),
                };
                format!("{}\n{body}\n", CLEAR.replace("SCALAR", scalar))
            }
            InternalShader::Mipmap => MIPMAP.to_string(),
            InternalShader::MipmapVolume => MIPMAP_VOLUME.to_string(),
        }
    }

    /// Entries of group 0: parameters, source texture, sampler.
    fn entries(self) -> Vec<wgpu::BindGroupLayoutEntry> {
        let params_size = match self {
            InternalShader::Blit { .. } => 48,
            InternalShader::Clear { .. } | InternalShader::MipmapVolume => 16,
            InternalShader::Mipmap => 8,
        };
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        };
        let texture = |sample_type, view_dimension, multisampled| wgpu::BindingType::Texture {
            sample_type,
            view_dimension,
            multisampled,
        };
        let params_size = if matches!(self, InternalShader::Clear { .. }) { 32 } else { params_size };
        let mut entries = vec![entry(
            0,
            wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: true,
                min_binding_size: std::num::NonZeroU64::new(params_size),
            },
        )];
        let unfilterable = wgpu::TextureSampleType::Float { filterable: false };
        match self {
            InternalShader::Blit { source, kind, .. } => {
                let sample_type = match kind {
                    TexelKind::Float | TexelKind::Depth => unfilterable,
                    TexelKind::Sint => wgpu::TextureSampleType::Sint,
                    TexelKind::Uint | TexelKind::Stencil => wgpu::TextureSampleType::Uint,
                };
                let dimension = match source {
                    BlitSource::Volume => wgpu::TextureViewDimension::D3,
                    _ => wgpu::TextureViewDimension::D2,
                };
                entries.push(entry(1, texture(sample_type, dimension, source == BlitSource::Multisampled)));
            }
            InternalShader::Mipmap => {
                let filterable = wgpu::TextureSampleType::Float { filterable: true };
                entries.push(entry(1, texture(filterable, wgpu::TextureViewDimension::D2, false)));
                entries.push(entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)));
            }
            InternalShader::MipmapVolume => {
                entries.push(entry(1, texture(unfilterable, wgpu::TextureViewDimension::D3, false)));
            }
            InternalShader::Clear { .. } => {}
        }
        entries
    }
}

fn blit_source(source: BlitSource, kind: TexelKind, linear: bool, output: BlitOutput) -> String {
    let scalar = kind.wgsl_scalar();
    let texture = match source {
        BlitSource::Flat => format!("texture_2d<{scalar}>"),
        BlitSource::Volume => format!("texture_3d<{scalar}>"),
        BlitSource::Multisampled => format!("texture_multisampled_2d<{scalar}>"),
    };
    let load = match source {
        BlitSource::Flat => "return textureLoad(source, place, 0);".to_string(),
        BlitSource::Volume => "return textureLoad(source, vec3<i32>(place, i32(params.slice)), 0);".to_string(),
        // Averages have a meaning for colours only.
        BlitSource::Multisampled if kind == TexelKind::Float => "var sum = vec4<f32>(0.0);
    for (var sample = 0u; sample < params.samples; sample++) { sum += textureLoad(source, place, i32(sample)); }
    return sum / f32(params.samples);"
            .to_string(),
        BlitSource::Multisampled => "return textureLoad(source, place, 0);".to_string(),
    };
    let color = if linear && kind == TexelKind::Float {
        "let place = source_position(position) - 0.5;
    let base = floor(place);
    let weight = place - base;
    let limit = vec2<i32>(params.size) - 1;
    let low = clamp(vec2<i32>(base), vec2<i32>(0), limit);
    let high = clamp(vec2<i32>(base) + 1, vec2<i32>(0), limit);
    let bottom = mix(texel(low), texel(vec2<i32>(high.x, low.y)), weight.x);
    let top = mix(texel(vec2<i32>(low.x, high.y)), texel(high), weight.x);
    return mix(bottom, top, weight.y);"
    } else {
        "return texel(vec2<i32>(floor(source_position(position))));"
    };
    let main = match output {
        BlitOutput::Color => format!(
            "@fragment fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<{scalar}> {{ return color(position); }}"
        ),
        BlitOutput::Depth => "@fragment fn fs(@builtin(position) position: vec4<f32>) -> @builtin(frag_depth) f32 { return clamp(color(position).x, 0.0, 1.0); }".to_string(),
        BlitOutput::StencilBit => "@fragment fn fs(@builtin(position) position: vec4<f32>) { if (u32(color(position).x) & params.bit) == 0u { discard; } }".to_string(),
    };
    format!(
        "{}
fn texel(place: vec2<i32>) -> vec4<{scalar}> {{
    {load}
}}
fn color(position: vec4<f32>) -> vec4<{scalar}> {{
    {color}
}}
{main}
",
        BLIT.replace("SOURCE", &texture)
    )
}

impl WgpuBackend {
    /// The pipeline for `key` and the layout of its group 0.
    pub(super) fn internal_pipeline(&mut self, key: InternalKey) -> (u32, GroupLayout) {
        let layout = self.group_layout(key.shader.entries());
        if let Some(id) = self.pipelines.find_internal(&key) {
            return (id, layout);
        }
        let device = &self.device.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(key.shader.source().into()),
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout.layout)],
            immediate_size: 0,
        });
        let targets: Vec<_> = key
            .colors
            .iter()
            .map(|target| {
                target.map(|(format, mask)| wgpu::ColorTargetState {
                    format,
                    blend: None,
                    write_mask: wgpu::ColorWrites::from_bits_truncate(mask.into()),
                })
            })
            .collect();
        let depth_stencil = key.depth.map(|(format, write, stencil_mask)| {
            let face = wgpu::StencilFaceState {
                compare: wgpu::CompareFunction::Always,
                fail_op: wgpu::StencilOperation::Keep,
                depth_fail_op: wgpu::StencilOperation::Keep,
                pass_op: wgpu::StencilOperation::Replace,
            };
            let stencil =
                wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask: stencil_mask.into() };
            let write = write && format.has_depth_aspect();
            wgpu::DepthStencilState {
                format,
                depth_write_enabled: format.has_depth_aspect().then_some(write),
                depth_compare: format.has_depth_aspect().then_some(wgpu::CompareFunction::Always),
                stencil: if stencil_mask == 0 { wgpu::StencilState::default() } else { stencil },
                bias: wgpu::DepthBiasState::default(),
            }
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&pipeline_layout),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vs"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil,
            multisample: wgpu::MultisampleState { count: key.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fs"),
                compilation_options: Default::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: self.device.cache.cache.as_ref(),
        });
        (self.pipelines.insert_internal(key, pipeline), layout)
    }
}
