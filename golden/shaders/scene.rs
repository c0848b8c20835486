//! A draw with resources: uniform blocks, textures of every sampler type, transform feedback.

use replay::shader::hir::{SamplerDimension, SamplerType, Scalar};
use replay::shader::{
    CompileOptions, GROUP_BLOCKS, GROUP_FEEDBACK, GROUP_TEXTURES, GROUP_UNIFORMS, LinkLimits, LinkOptions,
    LinkedProgram, ProgramCode, Stage, Variant, compile, link,
};

use super::gpu::{Gpu, SIZE};

/// An image with all its levels (level after level, layers inside a level one after the other) and its sampler.
#[derive(Clone)]
pub struct Image {
    pub format: wgpu::TextureFormat,
    pub dimension: wgpu::TextureViewDimension,
    pub size: [u32; 3],
    pub levels: Vec<Vec<u8>>,
    pub address: wgpu::AddressMode,
    pub compare: Option<wgpu::CompareFunction>,
}

#[derive(Default)]
pub struct Scene<'s> {
    pub vertex: &'s str,
    pub fragment: &'s str,
    pub webgl1: bool,
    /// Bytes of uniforms in place: name and little-endian words of the first element.
    pub uniforms: Vec<(&'s str, Vec<u32>)>,
    pub blocks: Vec<(&'s str, Vec<u8>)>,
    pub images: Vec<(&'s str, Image)>,
    pub feedback: Vec<&'s str>,
    pub feedback_separate: bool,
    pub topology: wgpu::PrimitiveTopology,
    pub vertices: u32,
    pub instances: u32,
    pub variant: Variant,
    /// `LinkLimits::max_flat_rows`.
    pub flat_rows: u32,
}

pub struct Picture {
    /// Row 0 is the first row in memory.
    pub pixels: Vec<[u8; 4]>,
    /// Contents of the feedback buffers.
    pub feedback: Vec<Vec<u32>>,
}

impl Picture {
    pub fn at(&self, x: usize, row: usize) -> [u8; 4] {
        self.pixels[row * SIZE as usize + x]
    }
}

/// Words a feedback buffer has.
const FEEDBACK_WORDS: usize = 256;

impl Scene<'_> {
    pub fn link(&self) -> Result<LinkedProgram, String> {
        let options = CompileOptions { webgl2: !self.webgl1, ..Default::default() };
        let vertex = compile(Stage::Vertex, self.vertex, &options).map_err(|log| log.to_string())?;
        let fragment = compile(Stage::Fragment, self.fragment, &options).map_err(|log| log.to_string())?;
        let options = LinkOptions {
            webgl2: !self.webgl1,
            feedback_varyings: self.feedback.iter().map(|s| s.to_string()).collect(),
            feedback_separate: self.feedback_separate,
            limits: LinkLimits { max_flat_rows: self.flat_rows, ..Default::default() },
            ..Default::default()
        };
        link(&vertex, &fragment, &options).map_err(|log| log.to_string())
    }

    pub fn draw(&self, gpu: &Gpu) -> Result<Picture, String> {
        let program = self.link()?;
        let code = program.emit(self.variant).map_err(|error| error.to_string())?;
        for words in [&code.vertex, &code.fragment] {
            super::corpus::spirv_val(words)?;
        }
        let (uniform_layout, uniform_group) = self.uniforms(gpu, &program, &code);
        let (texture_layout, texture_group) = self.textures(gpu, &program, &code)?;
        let (block_layout, block_group) = self.blocks(gpu, &program, &code);
        let (feedback_layout, feedback_group, feedback_buffers) = self.feedback(gpu, &code);
        let layouts = [&uniform_layout, &texture_layout, &block_layout, &feedback_layout].map(Some);
        let primitive =
            wgpu::PrimitiveState { topology: self.topology, front_face: wgpu::FrontFace::Cw, ..Default::default() };
        let pipeline = gpu.pipeline(&code, &layouts, &[], primitive);
        let target = gpu.target();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = Gpu::pass(&mut encoder, &target, wgpu::Color::BLACK);
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(GROUP_UNIFORMS, &uniform_group, &[]);
            pass.set_bind_group(GROUP_TEXTURES, &texture_group, &[]);
            pass.set_bind_group(GROUP_BLOCKS, &block_group, &[]);
            pass.set_bind_group(GROUP_FEEDBACK, &feedback_group, &[]);
            pass.draw(0..self.vertices.max(3), 0..self.instances.max(1));
        }
        gpu.queue.submit([encoder.finish()]);
        let pixels = gpu.read_pixels(&target)?;
        let mut feedback = Vec::new();
        for buffer in &feedback_buffers {
            feedback.push(gpu.read_words(buffer, FEEDBACK_WORDS)?);
        }
        Ok(Picture { pixels, feedback })
    }

    fn uniforms(
        &self,
        gpu: &Gpu,
        program: &LinkedProgram,
        code: &ProgramCode,
    ) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        let mut vertex = vec![0u8; code.layout.vertex_block as usize];
        let mut fragment = vec![0u8; code.layout.fragment_block as usize];
        for (name, words) in &self.uniforms {
            let uniform = program.reflection.uniforms.iter().find(|u| u.name == *name);
            let uniform = uniform.unwrap_or_else(|| panic!("no uniform {name}: {:?}", program.reflection.uniforms));
            for (bytes, place) in [(&mut vertex, uniform.vertex), (&mut fragment, uniform.fragment)] {
                if let Some(place) = place {
                    for (i, word) in words.iter().enumerate() {
                        let at = place.offset as usize + 4 * i;
                        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
        let mut contents: Vec<Vec<u8>> = [vertex, fragment].into_iter().filter(|b| !b.is_empty()).collect();
        if code.layout.driver_block {
            let driver = replay::shader::DriverBlock {
                depth_range: [0.25, 0.75, 0.5, 0.0],
                feedback_vertices: self.vertices as i32,
                ..Default::default()
            };
            contents.push(bytemuck::bytes_of(&driver).to_vec());
        }
        gpu.uniform_group(&contents)
    }

    fn blocks(
        &self,
        gpu: &Gpu,
        program: &LinkedProgram,
        code: &ProgramCode,
    ) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        assert_eq!(code.layout.uniform_blocks.len(), program.reflection.uniform_blocks.len());
        let contents: Vec<Vec<u8>> = program
            .reflection
            .uniform_blocks
            .iter()
            .map(|block| {
                let found = self.blocks.iter().find(|(name, _)| *name == block.name);
                let mut bytes = found.map(|(_, bytes)| bytes.clone()).unwrap_or_default();
                bytes.resize(block.size as usize, 0);
                bytes
            })
            .collect();
        gpu.uniform_group(&contents)
    }

    fn feedback(&self, gpu: &Gpu, code: &ProgramCode) -> (wgpu::BindGroupLayout, wgpu::BindGroup, Vec<wgpu::Buffer>) {
        let buffers: Vec<_> = (0..code.layout.feedback_buffers)
            .map(|_| {
                gpu.buffer(&[0xFF; 4 * FEEDBACK_WORDS], wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC)
            })
            .collect();
        let ty = wgpu::BufferBindingType::Storage { read_only: false };
        let (layout, group) = gpu.group(&buffers, ty, wgpu::ShaderStages::VERTEX);
        (layout, group, buffers)
    }

    fn textures(
        &self,
        gpu: &Gpu,
        program: &LinkedProgram,
        code: &ProgramCode,
    ) -> Result<(wgpu::BindGroupLayout, wgpu::BindGroup), String> {
        let mut layout = Vec::new();
        let mut made = Vec::new();
        for (slot, texture) in code.layout.textures.iter().enumerate() {
            let binding = 2 * slot as u32;
            layout.extend(entries(binding, texture.sampler));
            let name = program.reflection.uniforms.iter().find_map(|uniform| {
                let base = uniform.texture_slot?;
                let element = (slot as u32).checked_sub(base).filter(|i| *i < uniform.size)?;
                Some(match uniform.is_array {
                    true => format!("{}[{element}]", uniform.name.trim_end_matches("[0]")),
                    false => uniform.name.clone(),
                })
            });
            let name = name.ok_or("texture slot without uniform")?;
            let image = self.images.iter().find(|(n, _)| *n == name).map(|(_, image)| image);
            made.push(image.ok_or_else(|| format!("no image for {name}"))?.upload(gpu));
        }
        let layout =
            gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &layout });
        let entries: Vec<_> = made
            .iter()
            .enumerate()
            .flat_map(|(slot, (view, sampler))| {
                let binding = 2 * slot as u32;
                [
                    wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::TextureView(view) },
                    wgpu::BindGroupEntry { binding: binding + 1, resource: wgpu::BindingResource::Sampler(sampler) },
                ]
            })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let group = gpu.device.create_bind_group(&descriptor);
        Ok((layout, group))
    }
}

fn entries(binding: u32, sampler: SamplerType) -> [wgpu::BindGroupLayoutEntry; 2] {
    let view_dimension = match sampler.dimension {
        SamplerDimension::D2 => wgpu::TextureViewDimension::D2,
        SamplerDimension::D3 => wgpu::TextureViewDimension::D3,
        SamplerDimension::Cube => wgpu::TextureViewDimension::Cube,
        SamplerDimension::D2Array => wgpu::TextureViewDimension::D2Array,
    };
    let (sample_type, sampler_type) = match sampler {
        SamplerType { shadow: true, .. } => (wgpu::TextureSampleType::Depth, wgpu::SamplerBindingType::Comparison),
        SamplerType { sampled: Scalar::Int, .. } => {
            (wgpu::TextureSampleType::Sint, wgpu::SamplerBindingType::NonFiltering)
        }
        SamplerType { sampled: Scalar::Uint, .. } => {
            (wgpu::TextureSampleType::Uint, wgpu::SamplerBindingType::NonFiltering)
        }
        _ => (wgpu::TextureSampleType::Float { filterable: true }, wgpu::SamplerBindingType::Filtering),
    };
    let visibility = wgpu::ShaderStages::VERTEX_FRAGMENT;
    [
        wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: wgpu::BindingType::Texture { sample_type, view_dimension, multisampled: false },
            count: None,
        },
        wgpu::BindGroupLayoutEntry {
            binding: binding + 1,
            visibility,
            ty: wgpu::BindingType::Sampler(sampler_type),
            count: None,
        },
    ]
}

impl Image {
    fn upload(&self, gpu: &Gpu) -> (wgpu::TextureView, wgpu::Sampler) {
        let [width, height, depth_or_array_layers] = self.size;
        let three = self.dimension == wgpu::TextureViewDimension::D3;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width, height, depth_or_array_layers },
            mip_level_count: self.levels.len() as u32,
            sample_count: 1,
            dimension: if three { wgpu::TextureDimension::D3 } else { wgpu::TextureDimension::D2 },
            format: self.format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, bytes) in self.levels.iter().enumerate() {
            let level_size = |v: u32| (v >> level).max(1);
            let (w, h) = (level_size(width), level_size(height));
            let layers = if three { level_size(depth_or_array_layers) } else { depth_or_array_layers };
            let block = self.format.block_copy_size(None).expect("plain format");
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level: level as u32,
                    origin: wgpu::Origin3d::ZERO,
                    aspect: wgpu::TextureAspect::All,
                },
                bytes,
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(w * block), rows_per_image: Some(h) },
                wgpu::Extent3d { width: w, height: h, depth_or_array_layers: layers },
            );
        }
        let view =
            texture.create_view(&wgpu::TextureViewDescriptor { dimension: Some(self.dimension), ..Default::default() });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: self.address,
            address_mode_v: self.address,
            address_mode_w: self.address,
            compare: self.compare,
            ..Default::default()
        });
        (view, sampler)
    }
}
