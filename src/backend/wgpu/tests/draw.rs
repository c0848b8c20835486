use super::*;
use crate::shader::program::BlockSlot;

#[test]
fn a_triangle_covers_the_lower_left_half() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(8, 8));
    let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    rig.target(image, [8, 8]);
    rig.clear_color(ClearColor::Float([0.0, 0.0, 1.0, 1.0]));
    rig.push(Command::SetProgram(program));
    rig.positions(&[[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]);
    rig.draw(Topology::TriangleList, 3);
    let pixels = rig.read(image, [8, 8]);
    for y in 0..8usize {
        for x in 0..8usize {
            let pixel = &pixels[(y * 8 + x) * 4..][..4];
            // Pixel centres on the hypotenuse (x + y = 7) belong to either side.
            match x + y {
                0..7 => assert_eq!(pixel, RED, "{x} {y}"),
                7 => {}
                _ => assert_eq!(pixel, BLUE, "{x} {y}"),
            }
        }
    }
}

#[test]
fn indices_select_vertices_and_bases_shift_them() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(4, 4));
    let program = color_program(&mut rig);
    rig.target(image, [4, 4]);
    rig.clear_color(ClearColor::Float([0.0; 4]));
    rig.push(Command::SetProgram(program));
    // A left and a right quad; the second is reached by base vertex 4.
    let quad = |x: f32| [[x, -1.0], [x + 1.0, -1.0], [x + 1.0, 1.0], [x, 1.0]];
    let positions: Vec<_> = quad(-1.0).into_iter().chain(quad(0.0)).collect();
    rig.positions(&positions);
    let indices = rig.buffer(&[9u16, 9, 0, 1, 2, 0, 2, 3]);
    rig.push(Command::SetIndexBuffer { id: indices, format: IndexFormat::Uint16 });
    for (base_vertex, color) in [(0, [1.0f32, 0.0, 0.0, 1.0]), (4, [0.0, 1.0, 0.0, 1.0])] {
        rig.uniforms(ShaderStage::Fragment, &color);
        rig.push(Command::DrawIndexed(DrawIndexed {
            topology: Topology::TriangleList,
            first_index: 2,
            count: 6,
            range: (0, 3),
            base_vertex,
            first_instance: 0,
            instances: 1,
        }));
    }
    assert_eq!(rig.texel(image, 1, 2), RED);
    assert_eq!(rig.texel(image, 2, 2), GREEN);
}

#[test]
fn every_draw_keeps_its_own_uniforms() {
    let mut rig = Rig::new();
    let (width, height) = (64, 64);
    let image = rig.image(rgba8(width, height));
    let program = color_program(&mut rig);
    rig.target(image, [width, height]);
    rig.clear_color(ClearColor::Float([0.0; 4]));
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    // 4096 draws of one pixel each: more uniform memory than one chunk at 256-byte alignment.
    for y in 0..height {
        for x in 0..width {
            rig.push(Command::SetScissor(Some(Rect { x, y, width: 1, height: 1 })));
            rig.uniforms(ShaderStage::Fragment, &[x as f32 / 255.0, y as f32 / 255.0, 1.0, 1.0]);
            rig.draw(Topology::TriangleList, 3);
        }
    }
    let pixels = rig.read(image, [width, height]);
    for (index, pixel) in pixels.chunks_exact(4).enumerate() {
        let (x, y) = (index as u32 % width, index as u32 / width);
        assert_eq!(pixel, [x as u8, y as u8, 255, 255]);
    }
}

#[test]
fn points_have_their_size() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(16, 16));
    assert!(rig.backend.caps().max_point_size >= 64.0, "largePoints is on");
    let vertex = "struct Out { @builtin(position) p: vec4<f32>, @location(15) size: f32 }
        @vertex fn main(@location(0) p: vec2<f32>) -> Out { return Out(vec4<f32>(p.x, -p.y, 0.0, 1.0), 6.0); }";
    let program = rig.program(vertex, &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    rig.target(image, [16, 16]);
    rig.push(Command::SetProgram(program));
    rig.positions(&[[0.0, 0.0]]);
    rig.draw(Topology::PointList, 1);
    let pixels = rig.read(image, [16, 16]);
    assert_eq!(pixels.chunks_exact(4).filter(|pixel| *pixel == RED).count(), 36);
}

#[test]
fn culling_follows_gls_winding() {
    for (front_face_ccw, cull, drawn) in [
        (true, Some(Face::Back), true),
        (true, Some(Face::Front), false),
        (false, Some(Face::Back), false),
        (false, Some(Face::Front), true),
        (true, None, true),
    ] {
        let mut rig = Rig::new();
        let image = rig.image(rgba8(1, 1));
        let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
        rig.target(image, [1, 1]);
        rig.push(Command::SetRaster(RasterState { front_face_ccw, cull, ..plain_raster() }));
        rig.push(Command::SetProgram(program));
        // Counter-clockwise with y up.
        rig.positions(&WHOLE);
        rig.draw(Topology::TriangleList, 3);
        assert_eq!(rig.texel(image, 0, 0) == RED, drawn, "{front_face_ccw} {cull:?}");
    }
}

#[test]
fn depth_test_keeps_the_nearer() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let depth = rig.image(desc(StorageFormat::Depth24Plus, 1, 1));
    let near = rig.program(&flat_vertex(0.25), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    let far = rig.program(&flat_vertex(0.75), &flat_fragment("0.0, 1.0, 0.0, 1.0"), layout());
    rig.targets(&[image], Some(depth), [1, 1], 1);
    rig.push(Command::Clear(Clear { depth: Some(1.0), ..no_clear() }));
    rig.push(Command::SetDepthStencil(DepthStencilState {
        depth: Some(CompareFunction::Less),
        depth_write: true,
        stencil: None,
    }));
    rig.positions(&WHOLE);
    for program in [near, far] {
        rig.push(Command::SetProgram(program));
        rig.draw(Topology::TriangleList, 3);
    }
    assert_eq!(rig.texel(image, 0, 0), RED);
    let bytes = rig.read(depth, [1, 1]);
    let value = f32::from_le_bytes(bytes.try_into().expect("one float"));
    assert!((value - 0.25).abs() < 1e-6, "{value}");
}

#[test]
fn stencil_masks_later_draws() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    let depth = rig.image(desc(StorageFormat::Depth24PlusStencil8, 2, 1));
    let program = rig.program(&flat_vertex(0.5), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    rig.targets(&[image], Some(depth), [2, 1], 1);
    rig.push(Command::Clear(Clear { stencil: Some((0x30, 0xff)), ..no_clear() }));
    let face =
        |compare, pass| StencilFace { compare, fail: StencilOperation::Keep, depth_fail: StencilOperation::Keep, pass };
    let stencil = |face, write_mask| {
        Command::SetDepthStencil(DepthStencilState {
            depth: None,
            depth_write: false,
            stencil: Some(StencilState { front: face, back: face, read_mask: 0xff, write_mask }),
        })
    };
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    // Mark the left pixel: 0x30 becomes 0x35 under write mask 0x0f.
    rig.push(stencil(face(CompareFunction::Always, StencilOperation::Replace), 0x0f));
    rig.push(Command::SetStencilReference(0xf5));
    rig.push(Command::SetScissor(Some(Rect { x: 0, y: 0, width: 1, height: 1 })));
    rig.push(Command::SetBlend([BlendState { blend: None, write_mask: 0 }; MAX_COLOR_ATTACHMENTS]));
    rig.draw(Topology::TriangleList, 3);
    // Draw where it is 0x35.
    rig.push(stencil(face(CompareFunction::Equal, StencilOperation::Keep), 0xff));
    rig.push(Command::SetStencilReference(0x35));
    rig.push(Command::SetScissor(None));
    rig.push(Command::SetBlend([plain_blend(); MAX_COLOR_ATTACHMENTS]));
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(rig.read(image, [2, 1]), [RED, NOTHING].concat());
    let region = ImageRegion { aspect: Aspect::Stencil, ..whole_level(0, 0, 2, 1) };
    assert_eq!(rig.read_region(depth, region), [0x35, 0x30]);
}

#[test]
fn blending_and_missing_alpha() {
    let mut rig = Rig::new();
    let program = color_program(&mut rig);
    let over = |src, dst| {
        let component = BlendComponent { operation: BlendOperation::Add, src, dst };
        BlendState { blend: Some((component, component)), write_mask: 0xf }
    };
    for (has_alpha, factor, expected) in [
        // 0.4 · Ad + 0: Ad is 0.2 where stored, 1 where the format has no alpha.
        (true, BlendFactor::DstAlpha, [20, 20, 20, 20]),
        (false, BlendFactor::DstAlpha, [102, 102, 102, 255]),
        (true, BlendFactor::OneMinusDstAlpha, [82, 82, 82, 82]),
        (false, BlendFactor::OneMinusDstAlpha, [0, 0, 0, 255]),
    ] {
        let image = rig.image(rgba8(1, 1));
        let mut colors = [None; MAX_COLOR_ATTACHMENTS];
        colors[0] = Some(Attachment { image, level: 0, layer: 0, has_alpha });
        rig.target(image, [1, 1]);
        rig.push(Command::SetRenderTargets(RenderTargets {
            colors,
            depth: None,
            stencil: None,
            width: 1,
            height: 1,
            samples: 1,
        }));
        rig.clear_color(ClearColor::Float([0.5, 0.5, 0.5, 0.2]));
        rig.push(Command::SetBlend([over(factor, BlendFactor::Zero); MAX_COLOR_ATTACHMENTS]));
        rig.push(Command::SetProgram(program));
        rig.positions(&WHOLE);
        rig.uniforms(ShaderStage::Fragment, &[0.4f32; 4]);
        rig.draw(Topology::TriangleList, 3);
        let got = rig.texel(image, 0, 0);
        let near = got.iter().zip(expected).all(|(got, expected): (&u8, i32)| (i32::from(*got) - expected).abs() <= 1);
        assert!(near, "{has_alpha} {factor:?}: {got:?} is not {expected:?}");
    }
}

#[test]
fn uniform_blocks_bind_at_offsets() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    let fragment = "@group(2) @binding(0) var<uniform> a: vec4<f32>;
        @group(2) @binding(1) var<uniform> b: vec4<f32>;
        @fragment fn main() -> @location(0) vec4<f32> { return a + b; }";
    let block = BlockSlot { size: 16, vertex: false, fragment: true };
    let blocks = vec![block.clone(), block];
    let program = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { uniform_blocks: blocks, ..layout() });
    let step = rig.backend.caps().uniform_buffer_offset_alignment as usize / 4;
    let mut floats = vec![0.0f32; step * 2 + 4];
    floats[0] = 1.0;
    floats[step + 1] = 1.0;
    floats[step * 2 + 2] = 1.0;
    let buffer = rig.buffer(&floats);
    rig.target(image, [2, 1]);
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    let at = |slot: u32, index: usize| Command::SetUniformBuffer {
        slot,
        id: buffer,
        offset: (index * step * 4) as u64,
        size: 16,
    };
    rig.push(at(0, 0));
    rig.push(at(1, 1));
    rig.draw(Topology::TriangleList, 3);
    rig.push(at(1, 2));
    rig.push(Command::SetScissor(Some(Rect { x: 1, y: 0, width: 1, height: 1 })));
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(rig.read(image, [2, 1]), [[255, 255, 0, 0], [255, 0, 255, 0]].concat());
}

#[test]
fn instances_step_and_constants_stand() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(4, 1));
    let vertex = "struct Out { @builtin(position) p: vec4<f32>, @location(0) c: vec4<f32> }
        @vertex fn main(@location(0) p: vec2<f32>, @location(1) x: f32, @location(2) c: vec4<f32>) -> Out {
            return Out(vec4<f32>(p.x + x, -p.y, 0.0, 1.0), c);
        }";
    let fragment = "@fragment fn main(@location(0) c: vec4<f32>) -> @location(0) vec4<f32> { return c; }";
    let slot = |location, components| AttributeSlot { location, kind: Scalar::Float, components };
    let attributes = vec![slot(0, 2), slot(1, 1), slot(2, 4)];
    let program = rig.program(vertex, fragment, ProgramLayout { attributes, ..layout() });
    let points = rig.buffer(&[[-0.75f32, 0.0]]);
    let steps = rig.buffer(&[0.0f32, 1.0]);
    let color = rig.buffer(&[0.0f32, 1.0, 0.0, 1.0]);
    rig.target(image, [4, 1]);
    rig.push(Command::SetProgram(program));
    rig.attributes(vec![
        attribute(0, VertexFormat::Float32x2, points, 0, 8),
        VertexAttribute { step: StepMode::Instance, ..attribute(1, VertexFormat::Float32, steps, 0, 4) },
        VertexAttribute { step: StepMode::Constant, ..attribute(2, VertexFormat::Float32x4, color, 0, 0) },
    ]);
    rig.push(Command::Draw(Draw {
        topology: Topology::PointList,
        first: 0,
        count: 1,
        first_instance: 0,
        instances: 2,
    }));
    assert_eq!(rig.read(image, [4, 1]), [GREEN, NOTHING, GREEN, NOTHING].concat());
}

#[test]
fn interleaved_attributes_share_a_slot_and_strips_restart() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(3, 1));
    let vertex = "struct Out { @builtin(position) p: vec4<f32>, @location(0) c: vec4<f32> }
        @vertex fn main(@location(0) p: vec2<f32>, @location(1) c: vec4<f32>) -> Out {
            return Out(vec4<f32>(p.x, -p.y, 0.0, 1.0), c);
        }";
    let fragment = "@fragment fn main(@location(0) c: vec4<f32>) -> @location(0) vec4<f32> { return c; }";
    let slot = |location, components| AttributeSlot { location, kind: Scalar::Float, components };
    let attributes = vec![slot(0, 2), slot(1, 4)];
    let program = rig.program(vertex, fragment, ProgramLayout { attributes, ..layout() });
    // x, y as floats and a colour as bytes: two quads with a gap of one pixel.
    let mut bytes = Vec::new();
    let third = 2.0f32 / 3.0;
    for x in [-1.0, -1.0 + third, 1.0 - third, 1.0] {
        for y in [-1.0f32, 1.0] {
            bytes.extend_from_slice(bytemuck::bytes_of(&[x, y]));
            bytes.extend_from_slice(&[0, 255, 0, 255]);
        }
    }
    let buffer = rig.buffer(&bytes);
    let indices = rig.buffer(&[0u16, 1, 2, 3, 0xffff, 4, 5, 6, 7, 0xffff]);
    rig.target(image, [3, 1]);
    rig.push(Command::SetProgram(program));
    rig.attributes(vec![
        attribute(0, VertexFormat::Float32x2, buffer, 0, 12),
        attribute(1, VertexFormat::Unorm8x4, buffer, 8, 12),
    ]);
    rig.push(Command::SetIndexBuffer { id: indices, format: IndexFormat::Uint16 });
    rig.push(Command::DrawIndexed(DrawIndexed {
        topology: Topology::TriangleStrip,
        first_index: 0,
        count: 9,
        range: (0, 8),
        base_vertex: 0,
        first_instance: 0,
        instances: 1,
    }));
    assert_eq!(rig.read(image, [3, 1]), [GREEN, NOTHING, GREEN].concat());
}

#[test]
fn a_new_vertex_layout_gets_its_own_pipeline() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    rig.target(image, [2, 1]);
    rig.push(Command::SetProgram(program));
    rig.positions(&[[-0.5, 0.0]]);
    rig.draw(Topology::PointList, 1);
    // The right pixel, as 16-bit norms.
    let buffer = rig.buffer(&[16384i16, 0]);
    rig.attributes(vec![attribute(0, VertexFormat::Snorm16x2, buffer, 0, 4)]);
    rig.draw(Topology::PointList, 1);
    assert_eq!(rig.read(image, [2, 1]), [RED, RED].concat());
}

#[test]
fn several_targets_and_outputs_that_do_not_match() {
    let mut rig = Rig::new();
    let images = [0, 1, 2].map(|_| rig.image(rgba8(1, 1)));
    // Writes locations 0 and 2; 1 stays as cleared.
    let fragment = "struct Out { @location(0) a: vec4<f32>, @location(2) b: vec4<f32> }
        @fragment fn main() -> Out { return Out(vec4<f32>(1.0, 0.0, 0.0, 1.0), vec4<f32>(0.0, 1.0, 0.0, 1.0)); }";
    let outputs = [0, 2].map(|location| OutputSlot { location, kind: Scalar::Float }).to_vec();
    let program = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { outputs, ..layout() });
    rig.targets(&images, None, [1, 1], 1);
    rig.push(Command::Clear(Clear {
        colors: [Some(ClearColor::Float([0.0, 0.0, 1.0, 1.0])); MAX_COLOR_ATTACHMENTS],
        ..no_clear()
    }));
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(images.map(|image| rig.texel(image, 0, 0)), [RED, BLUE, GREEN]);
}
