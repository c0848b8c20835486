//! Draws the text cases: every sub-case of a block of values over the target, white where it holds.

use std::collections::BTreeMap;

use replay::shader::hir::Scalar;
use replay::shader::program::LOOP_FLAGS;
use replay::shader::{GROUP_FEEDBACK, GROUP_UNIFORMS, LinkedProgram, ProgramCode, Stage, VariableType, Variant};

use super::case::{Storage, Value, kind, shape};
use super::gpu::Gpu;

/// The numbers of the sub-cases whose pixels are not all white.
pub fn failing(gpu: &Gpu, program: &LinkedProgram, block: &[Value], fragment_only: bool) -> Result<Vec<usize>, String> {
    let code = program.emit(Variant::default()).map_err(|error| error.to_string())?;
    if !code.layout.textures.is_empty() || !code.layout.uniform_blocks.is_empty() {
        return Err("the harness has no textures and uniform blocks".into());
    }
    let flags = flags(gpu, &code);
    let (layout, _) = uniforms(gpu, program, &code, block, 0);
    let groups = [Some(&layout), None, None, flags.as_ref().map(|flags| &flags.0)];
    let groups = if flags.is_some() { &groups } else { &groups[..1] };
    let formats: Vec<_> = code
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
    let buffers: Vec<_> = formats
        .iter()
        .map(|attributes| {
            Some(wgpu::VertexBufferLayout { array_stride: 16, step_mode: wgpu::VertexStepMode::Vertex, attributes })
        })
        .collect();
    let strip = wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() };
    let pipeline = gpu.pipeline(&code, groups, &buffers, strip);
    let target = gpu.target();
    let passes = block.iter().map(|v| v.elements.len()).max().unwrap_or(1);
    let mut failing = Vec::new();
    for number in 0..passes {
        let (_, group) = uniforms(gpu, program, &code, block, number);
        let buffers = attributes(gpu, program, &code, block, number, fragment_only);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = Gpu::pass(&mut encoder, &target, wgpu::Color { r: 0.125, g: 0.25, b: 0.5, a: 1.0 });
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
        gpu.queue.submit([encoder.finish()]);
        if !gpu.read_pixels(&target)?.iter().all(|p| p[..3] == [255, 255, 255]) {
            failing.push(number);
        }
    }
    Ok(failing)
}

/// Where the program's counted loops raise their flags.
fn flags(gpu: &Gpu, code: &ProgramCode) -> Option<(wgpu::BindGroupLayout, wgpu::BindGroup)> {
    if code.layout.loops.is_empty() {
        return None;
    }
    let visible = |stage| code.layout.loops.iter().any(|site| site.stage == stage);
    let mut visibility = wgpu::ShaderStages::NONE;
    visibility.set(wgpu::ShaderStages::VERTEX, visible(Stage::Vertex));
    visibility.set(wgpu::ShaderStages::FRAGMENT, visible(Stage::Fragment));
    let words = gpu.buffer(&[0; 4 * LOOP_FLAGS as usize], wgpu::BufferUsages::STORAGE);
    Some(gpu.group(&[words], wgpu::BufferBindingType::Storage { read_only: false }, visibility))
}

fn uniforms(
    gpu: &Gpu,
    program: &LinkedProgram,
    code: &ProgramCode,
    block: &[Value],
    pass: usize,
) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
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
    let mut contents: Vec<Vec<u8>> = [vertex, fragment].into_iter().filter(|b| !b.is_empty()).collect();
    if code.layout.driver_block {
        let driver = replay::shader::DriverBlock { depth_range: [0.0, 1.0, 1.0, 0.0], ..Default::default() };
        contents.push(bytemuck::bytes_of(&driver).to_vec());
    }
    gpu.uniform_group(&contents)
}

/// One buffer per location. All attributes of the cases are floats.
fn attributes(
    gpu: &Gpu,
    program: &LinkedProgram,
    code: &ProgramCode,
    block: &[Value],
    pass: usize,
    fragment_only: bool,
) -> Vec<wgpu::Buffer> {
    let quad: [[f32; 4]; 4] =
        [[-1.0, -1.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]];
    let mut by_location = BTreeMap::new();
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
            gpu.buffer(&bytes, wgpu::BufferUsages::VERTEX)
        })
        .collect()
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
