//! A device, and what every draw over a small target needs: buffers, groups, the pipeline, reading back.

use replay::shader::ProgramCode;

/// Pixels of the target's sides.
pub const SIZE: u32 = 8;
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

    pub fn target(&self) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    }

    /// Buffers of one kind as a group: binding by binding.
    pub fn group(
        &self,
        buffers: &[wgpu::Buffer],
        ty: wgpu::BufferBindingType,
        visibility: wgpu::ShaderStages,
    ) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        let entries: Vec<_> = (0..buffers.len() as u32)
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding,
                visibility,
                ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
                count: None,
            })
            .collect();
        let layout =
            self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let entries: Vec<_> = buffers
            .iter()
            .enumerate()
            .map(|(i, b)| wgpu::BindGroupEntry { binding: i as u32, resource: b.as_entire_binding() })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let group = self.device.create_bind_group(&descriptor);
        (layout, group)
    }

    /// A group of uniform buffers with these contents.
    pub fn uniform_group(&self, contents: &[Vec<u8>]) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        let buffers: Vec<_> = contents.iter().map(|bytes| self.buffer(bytes, wgpu::BufferUsages::UNIFORM)).collect();
        self.group(&buffers, wgpu::BufferBindingType::Uniform, wgpu::ShaderStages::VERTEX_FRAGMENT)
    }

    /// A pipeline that draws into [`Gpu::target`].
    pub fn pipeline(
        &self,
        code: &ProgramCode,
        groups: &[Option<&wgpu::BindGroupLayout>],
        buffers: &[Option<wgpu::VertexBufferLayout<'_>>],
        primitive: wgpu::PrimitiveState,
    ) -> wgpu::RenderPipeline {
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: groups,
            immediate_size: 0,
        });
        let vertex = self.module(&code.vertex);
        let fragment = self.module(&code.fragment);
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &vertex,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                buffers,
            },
            primitive,
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

    /// A pass that clears the target.
    pub fn pass<'e>(
        encoder: &'e mut wgpu::CommandEncoder,
        target: &wgpu::Texture,
        clear: wgpu::Color,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.create_view(&wgpu::TextureViewDescriptor::default()),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        })
    }

    pub fn read_words(&self, source: &wgpu::Buffer, count: usize) -> Result<Vec<u32>, String> {
        let size = 4 * count as u64;
        let readback = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(source, 0, &readback, 0, size);
        self.queue.submit([encoder.finish()]);
        let bytes = self.map(&readback)?;
        Ok(bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    fn map(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, String> {
        buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| error.to_string())?;
        let data = buffer.get_mapped_range(..).map_err(|error| error.to_string())?;
        Ok(data.to_vec())
    }

    pub fn read_pixels(&self, target: &wgpu::Texture) -> Result<Vec<[u8; 4]>, String> {
        let readback = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(ROW * SIZE),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &readback,
                layout: wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(ROW), rows_per_image: Some(SIZE) },
            },
            wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
        );
        self.queue.submit([encoder.finish()]);
        let data = self.map(&readback)?;
        Ok((0..SIZE as usize)
            .flat_map(|y| data[y * ROW as usize..][..4 * SIZE as usize].chunks(4))
            .map(|p| [p[0], p[1], p[2], p[3]])
            .collect())
    }
}
