//! Programs: SPIR-V modules taken as they are, and the layout their code was emitted for.
//!
//! wgpu does not look into such modules, so what binds where is checked here and by the shader compiler alone.
//! Sampled textures are laid out as unfilterable floats with filtering samplers: that admits depth images as well
//! as colour ones, and Vulkan knows no difference; whether a filter is allowed is decided when a sampler is chosen.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::context::WgpuBackend;
use super::loop_flags::raises_flags;
use crate::gl::backend::BackendError;
use crate::gl::command::ProgramId;
use crate::shader::hir::{SamplerDimension, SamplerType, Scalar, Stage};
use crate::shader::program::{PositionInputs, ProgramLayout};
use crate::shader::{CameraUniforms, ProgramCode};

/// A bind group layout, shared by all programs that have the same one.
#[derive(Clone, Debug)]
pub struct GroupLayout {
    pub uid: u64,
    pub layout: wgpu::BindGroupLayout,
}

/// A program ready for pipelines.
#[derive(Debug)]
pub struct Program {
    pub uid: u32,
    pub vertex: wgpu::ShaderModule,
    pub fragment: wgpu::ShaderModule,
    pub pipeline_layout: wgpu::PipelineLayout,
    pub groups: [Option<GroupLayout>; 4],
    pub layout: ProgramLayout,
    /// Its slot of loop flags, if it counts rounds.
    pub loop_slot: Option<u32>,
    /// Uniform block bindings take dynamic offsets (else offsets are part of the bind group).
    pub dynamic_blocks: bool,
    /// Which uniforms are the camera's.
    pub camera: CameraUniforms,
    /// The stage that stores positions, if somebody observes.
    pub capture: Option<CaptureStage>,
}

/// A vertex stage that stores positions, and its group 3.
#[derive(Debug)]
pub struct CaptureStage {
    pub module: wgpu::ShaderModule,
    pub pipeline_layout: wgpu::PipelineLayout,
    pub group: GroupLayout,
    /// What its positions are made of.
    pub inputs: PositionInputs,
}

/// Programs and the layouts they share.
#[derive(Debug, Default)]
pub struct ProgramTable {
    programs: FxHashMap<ProgramId, Arc<Program>>,
    layouts: FxHashMap<Vec<wgpu::BindGroupLayoutEntry>, GroupLayout>,
    next: u32,
}

impl ProgramTable {
    pub fn get(&self, id: ProgramId) -> Result<&Arc<Program>, BackendError> {
        self.programs.get(&id).ok_or_else(|| BackendError::Internal(format!("{id:?} does not exist")))
    }
}

fn stages(vertex: bool, fragment: bool) -> wgpu::ShaderStages {
    match (vertex, fragment) {
        (true, false) => wgpu::ShaderStages::VERTEX,
        (true, true) => wgpu::ShaderStages::VERTEX_FRAGMENT,
        _ => wgpu::ShaderStages::FRAGMENT,
    }
}

fn uniform(binding: u32, size: u32, visibility: wgpu::ShaderStages, dynamic: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: dynamic,
            min_binding_size: std::num::NonZeroU64::new(size.into()),
        },
        count: None,
    }
}

/// Size of the driver block.
pub const DRIVER_BLOCK: u32 = size_of::<crate::shader::program::DriverBlock>() as u32;

/// Sizes of the default blocks that have a binding, in binding order.
pub fn default_blocks(layout: &ProgramLayout) -> [u32; 3] {
    [layout.vertex_block, layout.fragment_block, if layout.driver_block { DRIVER_BLOCK } else { 0 }]
}

fn uniform_entries(layout: &ProgramLayout) -> Vec<wgpu::BindGroupLayoutEntry> {
    let fragment = stages(layout.fragment_block_in_vertex, true);
    let visible = [wgpu::ShaderStages::VERTEX, fragment, wgpu::ShaderStages::VERTEX_FRAGMENT];
    let blocks = default_blocks(layout).into_iter().zip(visible).filter(|(size, _)| *size > 0);
    blocks.enumerate().map(|(binding, (size, stages))| uniform(binding as u32, size, stages, true)).collect()
}

fn texture_entries(layout: &ProgramLayout) -> Vec<wgpu::BindGroupLayoutEntry> {
    let mut entries = Vec::with_capacity(layout.textures.len() * 2);
    for (slot, texture) in layout.textures.iter().enumerate() {
        let visibility = stages(texture.vertex, texture.fragment);
        entries.push(wgpu::BindGroupLayoutEntry {
            binding: slot as u32 * 2,
            visibility,
            ty: wgpu::BindingType::Texture {
                sample_type: sample_type(texture.sampler),
                view_dimension: sampler_dimension(texture.sampler.dimension),
                multisampled: false,
            },
            count: None,
        });
        entries.push(wgpu::BindGroupLayoutEntry {
            binding: slot as u32 * 2 + 1,
            visibility,
            ty: wgpu::BindingType::Sampler(if texture.sampler.shadow {
                wgpu::SamplerBindingType::Comparison
            } else {
                wgpu::SamplerBindingType::Filtering
            }),
            count: None,
        });
    }
    entries
}

fn sample_type(sampler: SamplerType) -> wgpu::TextureSampleType {
    match (sampler.shadow, sampler.sampled) {
        (true, _) => wgpu::TextureSampleType::Depth,
        (false, Scalar::Int) => wgpu::TextureSampleType::Sint,
        (false, Scalar::Uint) => wgpu::TextureSampleType::Uint,
        (false, _) => wgpu::TextureSampleType::Float { filterable: false },
    }
}

fn sampler_dimension(dimension: SamplerDimension) -> wgpu::TextureViewDimension {
    match dimension {
        SamplerDimension::D2 => wgpu::TextureViewDimension::D2,
        SamplerDimension::D3 => wgpu::TextureViewDimension::D3,
        SamplerDimension::Cube => wgpu::TextureViewDimension::Cube,
        SamplerDimension::D2Array => wgpu::TextureViewDimension::D2Array,
    }
}

impl WgpuBackend {
    pub(super) fn create_program(&mut self, id: ProgramId, code: &ProgramCode) -> Result<(), BackendError> {
        let layout = &code.layout;
        let limits = &self.device.limits;
        let default_count = default_blocks(layout).iter().filter(|size| **size > 0).count();
        let captures = !code.positions.is_empty();
        let dynamic_blocks = (default_count + layout.uniform_blocks.len() + usize::from(captures)) as u64
            <= u64::from(limits.max_dynamic_uniform_buffers_per_pipeline_layout);
        let block_entries = layout.uniform_blocks.iter().enumerate().map(|(slot, block)| {
            uniform(slot as u32, block.size, stages(block.vertex, block.fragment), dynamic_blocks)
        });
        let feedback_entries = (0..layout.feedback_buffers).map(|binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        });
        let counts = |stage| layout.loops.iter().any(|site| site.stage == stage);
        let flag_entry = raises_flags(layout).then(|| wgpu::BindGroupLayoutEntry {
            binding: layout.feedback_buffers,
            visibility: stages(counts(Stage::Vertex) || layout.watches_points, counts(Stage::Fragment)),
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        });
        let (blocks, feedback) = (block_entries.collect(), feedback_entries.chain(flag_entry).collect());
        let groups = [uniform_entries(layout), texture_entries(layout), blocks, feedback]
            .map(|entries| (!entries.is_empty()).then(|| self.group_layout(entries)));
        let used = groups.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let layouts: Vec<_> = groups[..used].iter().map(|group| group.as_ref().map(|group| &group.layout)).collect();
        let pipeline_layout = self.device.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &layouts,
            immediate_size: 0,
        });
        let capture = captures.then(|| self.capture_stage(&groups, code)).transpose()?;
        let program = Program {
            capture,
            camera: code.camera,
            uid: self.programs.next,
            vertex: self.module(&code.vertex)?,
            fragment: self.module(&code.fragment)?,
            pipeline_layout,
            groups,
            layout: layout.clone(),
            loop_slot: self.loop_flags.add(&self.device.device, layout),
            dynamic_blocks,
        };
        self.programs.next += 1;
        self.programs.programs.insert(id, Arc::new(program));
        Ok(())
    }

    fn capture_stage(
        &mut self,
        groups: &[Option<GroupLayout>; 4],
        code: &ProgramCode,
    ) -> Result<CaptureStage, BackendError> {
        let group = self.group_layout(super::observe::capture_entries());
        let mut layouts: Vec<_> = groups.iter().map(|group| group.as_ref().map(|group| &group.layout)).collect();
        if let Some(last) = layouts.last_mut() {
            *last = Some(&group.layout);
        }
        let pipeline_layout = self.device.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &layouts,
            immediate_size: 0,
        });
        let inputs = code.position_inputs.clone();
        Ok(CaptureStage { module: self.module(&code.positions)?, pipeline_layout, group, inputs })
    }

    fn module(&self, words: &[u32]) -> Result<wgpu::ShaderModule, BackendError> {
        const SPIRV_MAGIC: u32 = 0x0723_0203;
        if words.first() != Some(&SPIRV_MAGIC) {
            return Err(BackendError::Internal("a program's code is not SPIR-V".into()));
        }
        // SAFETY: the words come from naga's SPIR-V writer, which writes valid modules with bounds checks, after
        // naga's validator passed the module.
        Ok(unsafe {
            self.device.device.create_shader_module_passthrough(wgpu::ShaderModuleDescriptorPassthrough {
                label: None,
                entry_points: vec![wgpu::PassthroughShaderEntryPoint {
                    name: "main".into(),
                    workgroup_size: (0, 0, 0),
                }]
                .into(),
                spirv: Some(words.into()),
                ..Default::default()
            })
        })
    }

    /// The layout with these entries, made once.
    pub(super) fn group_layout(&mut self, entries: Vec<wgpu::BindGroupLayoutEntry>) -> GroupLayout {
        let uid = self.next_uid();
        let device = &self.device.device;
        let make = |entries: &[wgpu::BindGroupLayoutEntry]| GroupLayout {
            uid,
            layout: device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries }),
        };
        match self.programs.layouts.get(&entries) {
            Some(layout) => layout.clone(),
            None => {
                let layout = make(&entries);
                self.programs.layouts.insert(entries, layout.clone());
                layout
            }
        }
    }

    pub(super) fn delete_program(&mut self, id: ProgramId) {
        if let Some(program) = self.programs.programs.remove(&id) {
            self.pipelines.retire_program(program.uid);
            self.state.dirty.program = true;
        }
    }
}
