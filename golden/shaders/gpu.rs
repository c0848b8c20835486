//! Draws a linked program over a small target and reads the pixels: enough of a GL to run the text cases.

use replay::shader::hir::Scalar;
use replay::shader::program::LOOP_FLAGS;
use replay::shader::{GROUP_FEEDBACK, GROUP_UNIFORMS, LinkedProgram, ProgramCode, Stage, VariableType, Variant};

use super::case::{Storage, Value, kind, shape};

const SIZE: u32 = 8;
/// Bytes a row takes in a copy to a buffer.
const ROW: u32 = 256;

pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    pub fn open() -> Option<Gpu> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::VULKAN;
        descriptor.flags = wgpu::InstanceFlags::empty().with_env();
        let instance = wgpu::Instance::new(descriptor);
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).ok()?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_features: wgpu::Features::PASSTHROUGH_SHADERS | wgpu::Features::VERTEX_WRITABLE_STORAGE,
            required_limits: adapter.limits(),
            ..Default::default()
        }))
        .ok()?;
        device.set_device_lost_callback(|reason, message| eprintln!("device lost ({reason:?}): {message}"));
        Some(Gpu { device, queue })
    }

    pub fn module(&self, words: &[u32]) -> wgpu::ShaderModule {
        // SAFETY: the words were written by naga for a module its validator accepted.
        unsafe {
            self.device.create_shader_module_passthrough(wgpu::ShaderModuleDescriptorPassthrough {
                entry_points: vec![wgpu::PassthroughShaderEntryPoint {
                    name: "main".into(),
                    workgroup_size: (0, 0, 0),
                }]
                .into(),
                spirv: Some(words.into()),
                ..Default::default()
            })
        }
    }

    pub fn buffer(&self, bytes: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: (bytes.len() as u64).max(16),
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, bytes);
        buffer
    }

    /// Draws every sub-case of a block of values; the numbers of those whose pixels are not all white.
    pub fn run(&self, program: &LinkedProgram, block: &[Value], fragment_only: bool) -> Result<Vec<usize>, String> {
        let code = program.emit(Variant::default()).map_err(|error| error.to_string())?;
        if !code.layout.textures.is_empty() || !code.layout.uniform_blocks.is_empty() {
            return Err("the harness has no textures and uniform blocks".into());
        }
        let passes = block.iter().map(|v| v.elements.len()).max().unwrap_or(1);
        let group_layout = self.uniform_layout(&code);
        let flags = self.flags(&code);
        let pipeline = self.pipeline(&code, &group_layout, flags.as_ref().map(|flags| &flags.0));
        let target = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = target.create_view(&wgpu::TextureViewDescriptor::default());
        let bytes = u64::from(ROW * SIZE);
        let readback = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes * passes as u64,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for pass_number in 0..passes {
            let group = self.uniforms(program, &code, &group_layout, block, pass_number);
            let buffers = self.attributes(program, &code, block, pass_number, fragment_only);
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r: 0.125, g: 0.25, b: 0.5, a: 1.0 }),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(GROUP_UNIFORMS, &group, &[]);
            if let Some((_, flags)) = &flags {
                pass.set_bind_group(GROUP_FEEDBACK, flags, &[]);
            }
            for (slot, buffer) in buffers.iter().enumerate() {
                pass.set_vertex_buffer(slot as u32, buffer.slice(..));
            }
            pass.draw(0..4, 0..1);
            drop(pass);
            encoder.copy_texture_to_buffer(
                target.as_image_copy(),
                wgpu::TexelCopyBufferInfo {
                    buffer: &readback,
                    layout: wgpu::TexelCopyBufferLayout {
                        offset: bytes * pass_number as u64,
                        bytes_per_row: Some(ROW),
                        rows_per_image: Some(SIZE),
                    },
                },
                wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
            );
        }
        self.queue.submit([encoder.finish()]);
        readback.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| error.to_string())?;
        let data = readback.get_mapped_range(..).map_err(|error| error.to_string())?;
        let failed = (0..passes)
            .filter(|pass| {
                let image = &data[pass * bytes as usize..(pass + 1) * bytes as usize];
                !(0..SIZE as usize).all(|y| {
                    image[y * ROW as usize..][..4 * SIZE as usize].chunks(4).all(|p| p[..3] == [255, 255, 255])
                })
            })
            .collect();
        Ok(failed)
    }

    /// Where the program's counted loops raise their flags.
    fn flags(&self, code: &ProgramCode) -> Option<(wgpu::BindGroupLayout, wgpu::BindGroup)> {
        if code.layout.loops.is_empty() {
            return None;
        }
        let visible = |stage| code.layout.loops.iter().any(|site| site.stage == stage);
        let mut visibility = wgpu::ShaderStages::NONE;
        visibility.set(wgpu::ShaderStages::VERTEX, visible(Stage::Vertex));
        visibility.set(wgpu::ShaderStages::FRAGMENT, visible(Stage::Fragment));
        let entry = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout =
            self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &[entry] });
        let words = self.buffer(&[0; 4 * LOOP_FLAGS as usize], wgpu::BufferUsages::STORAGE);
        let entry = wgpu::BindGroupEntry { binding: 0, resource: words.as_entire_binding() };
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &[entry],
        });
        Some((layout, group))
    }

    fn uniform_layout(&self, code: &ProgramCode) -> wgpu::BindGroupLayout {
        let count = u32::from(code.layout.vertex_block > 0)
            + u32::from(code.layout.fragment_block > 0)
            + u32::from(code.layout.driver_block);
        let entries: Vec<_> = (0..count)
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
    }

    fn uniforms(
        &self,
        program: &LinkedProgram,
        code: &ProgramCode,
        layout: &wgpu::BindGroupLayout,
        block: &[Value],
        pass: usize,
    ) -> wgpu::BindGroup {
        let mut vertex = vec![0u8; code.layout.vertex_block as usize];
        let mut fragment = vec![0u8; code.layout.fragment_block as usize];
        for value in block.iter().filter(|v| v.storage != Storage::Input) {
            let name = match value.storage {
                Storage::Output => format!("ref_{}", value.name),
                _ => value.name.clone(),
            };
            // `a[2]` is element 2 of the uniform `a[0]`.
            let (base, element) = match name.rsplit_once('[') {
                Some((base, rest)) if rest.ends_with(']') => {
                    (format!("{base}[0]"), rest.trim_end_matches(']').parse().unwrap_or(0u32))
                }
                _ => (name.clone(), 0),
            };
            let uniform = program.reflection.uniforms.iter().find(|u| u.name == base || u.name == format!("{base}[0]"));
            let Some(uniform) = uniform else { continue };
            let scalars = element_of(value, pass);
            for (bytes, place) in [(&mut vertex, uniform.vertex), (&mut fragment, uniform.fragment)] {
                let Some(place) = place else { continue };
                let start = (place.offset + element * place.array_stride) as usize;
                let (columns, rows) = shape(&value.ty);
                for column in 0..columns {
                    for row in 0..rows {
                        let at = start + column * place.matrix_stride as usize + 4 * row;
                        let word = word(scalars[column * rows + row], uniform.ty);
                        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
        let mut buffers = Vec::new();
        for bytes in [&vertex, &fragment] {
            if !bytes.is_empty() {
                buffers.push(self.buffer(bytes, wgpu::BufferUsages::UNIFORM));
            }
        }
        if code.layout.driver_block {
            let driver = replay::shader::DriverBlock { depth_range: [0.0, 1.0, 1.0, 0.0], ..Default::default() };
            buffers.push(self.buffer(bytemuck::bytes_of(&driver), wgpu::BufferUsages::UNIFORM));
        }
        let entries: Vec<_> = buffers
            .iter()
            .enumerate()
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: binding as u32,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }

    /// One buffer per location. All attributes of the cases are floats.
    fn attributes(
        &self,
        program: &LinkedProgram,
        code: &ProgramCode,
        block: &[Value],
        pass: usize,
        fragment_only: bool,
    ) -> Vec<wgpu::Buffer> {
        let quad: [[f32; 4]; 4] =
            [[-1.0, -1.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]];
        let mut by_location = std::collections::BTreeMap::new();
        for attribute in &program.reflection.attributes {
            if attribute.name == "dEQP_Position" {
                by_location.insert(attribute.location as u32, quad.to_vec());
                continue;
            }
            let value = block.iter().filter(|v| v.storage == Storage::Input).find(|v| {
                let prefixed = fragment_only || kind(&v.ty) != 'f';
                attribute.name == if prefixed { format!("a_{}", v.name) } else { v.name.clone() }
            });
            let Some(value) = value else { continue };
            let scalars = element_of(value, pass);
            let (columns, rows) = shape(&value.ty);
            for column in 0..columns {
                let mut vertex = [0.0f32; 4];
                for row in 0..rows {
                    vertex[row] = scalars[column * rows + row] as f32;
                }
                by_location.insert(attribute.location as u32 + column as u32, vec![vertex; 4]);
            }
        }
        code.layout
            .attributes
            .iter()
            .map(|slot| {
                let vertices = by_location.get(&slot.location).cloned().unwrap_or(vec![[0.0; 4]; 4]);
                let bytes: Vec<u8> = vertices.iter().flatten().flat_map(|v| v.to_le_bytes()).collect();
                self.buffer(&bytes, wgpu::BufferUsages::VERTEX)
            })
            .collect()
    }

    fn pipeline(
        &self,
        code: &ProgramCode,
        group: &wgpu::BindGroupLayout,
        flags: Option<&wgpu::BindGroupLayout>,
    ) -> wgpu::RenderPipeline {
        let groups = [Some(group), None, None, flags];
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: if flags.is_some() { &groups } else { &groups[..1] },
            immediate_size: 0,
        });
        let attributes: Vec<[wgpu::VertexAttribute; 1]> = code
            .layout
            .attributes
            .iter()
            .map(|slot| {
                let format = match (slot.kind, slot.components) {
                    (Scalar::Float, 1) => wgpu::VertexFormat::Float32,
                    (Scalar::Float, 2) => wgpu::VertexFormat::Float32x2,
                    (Scalar::Float, 3) => wgpu::VertexFormat::Float32x3,
                    _ => wgpu::VertexFormat::Float32x4,
                };
                [wgpu::VertexAttribute { format, offset: 0, shader_location: slot.location }]
            })
            .collect();
        let buffers: Vec<_> = attributes
            .iter()
            .map(|attributes| {
                Some(wgpu::VertexBufferLayout { array_stride: 16, step_mode: wgpu::VertexStepMode::Vertex, attributes })
            })
            .collect();
        let vertex = self.module(&code.vertex);
        let fragment = self.module(&code.fragment);
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &vertex,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &fragment,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::TextureFormat::Rgba8Unorm.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

fn element_of(value: &Value, pass: usize) -> &[f64] {
    value.elements.get(pass).unwrap_or(&value.elements[0])
}

fn word(value: f64, ty: VariableType) -> u32 {
    let scalar = match ty {
        VariableType::Scalar(scalar) | VariableType::Vector(scalar, _) => scalar,
        _ => Scalar::Float,
    };
    match scalar {
        Scalar::Float => (value as f32).to_bits(),
        Scalar::Int => value as i64 as u32,
        Scalar::Uint => value as u32,
        Scalar::Bool => u32::from(value != 0.0),
    }
}
