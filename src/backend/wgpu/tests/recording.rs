//! What is recorded, kept, dropped, and when it goes to the GPU.

use super::*;

#[test]
fn uniforms_outlive_a_flush() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    let program = color_program(&mut rig);
    rig.target(image, [2, 1]);
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.uniforms(ShaderStage::Fragment, &[0.0f32, 1.0, 0.0, 1.0]);
    rig.push(Command::SetScissor(Some(Rect { x: 0, y: 0, width: 1, height: 1 })));
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(rig.texel(image, 0, 0), GREEN);
    rig.push(Command::SetScissor(Some(Rect { x: 1, y: 0, width: 1, height: 1 })));
    rig.draw(Topology::TriangleList, 3);
    assert_eq!(rig.texel(image, 1, 0), GREEN);
    assert_eq!(rig.texel(image, 0, 0), GREEN);
}

#[test]
fn buffer_writes_between_draws_reach_only_later_draws() {
    // Small buffers are renamed, large ones split the pass; the picture is the same.
    for padding in [0usize, 1 << 19] {
        let mut rig = Rig::new();
        let image = rig.image(rgba8(4, 1));
        let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
        rig.target(image, [4, 1]);
        rig.clear_color(ClearColor::Float([0.0; 4]));
        rig.push(Command::SetProgram(program));
        let point = |column: usize| {
            let x = (column as f32 + 0.5) / 2.0 - 1.0;
            [[x, 0.0f32]]
        };
        let mut data = vec![[0.0f32; 2]; 1 + padding];
        data[0] = point(0)[0];
        let buffer = rig.buffer(&data);
        rig.attributes(vec![attribute(0, VertexFormat::Float32x2, buffer, 0, 8)]);
        rig.draw(Topology::PointList, 1);
        rig.write_buffer(buffer, 0, &point(2));
        rig.draw(Topology::PointList, 1);
        rig.write_buffer(buffer, 0, &point(3)[0][..1]);
        rig.draw(Topology::PointList, 1);
        let pixels = rig.read(image, [4, 1]);
        assert_eq!(pixels, [RED, NOTHING, RED, RED].concat(), "padding {padding}");
        let stored = rig.backend.read_buffer(buffer, 0, 8).expect("the buffer can be read");
        assert_eq!(stored, bytemuck::cast_slice::<_, u8>(&point(3)));
    }
}

#[test]
fn frames_come_out_in_order_top_row_first() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(3, 2));
    rig.target(image, [3, 2]);
    for frame in 0..5u64 {
        rig.clear_color(ClearColor::Float([frame as f32 / 255.0, 0.0, 0.0, 0.5]));
        rig.push(Command::SetScissor(Some(Rect { x: 0, y: 1, width: 3, height: 1 })));
        rig.clear_color(ClearColor::Float([0.0, frame as f32 / 255.0, 0.0, 0.5]));
        rig.push(Command::SetScissor(None));
        rig.push(Command::Present { image, frame, opaque: true, premultiplied: true });
        rig.run();
    }
    rig.backend.finish().expect("all frames come");
    let frames = rig.frames.lock().expect("no panic");
    assert_eq!(frames.iter().map(|frame| frame.frame).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    for frame in frames.iter() {
        let value = frame.frame as u8;
        let expected = [[[0, value, 0, 255]; 3], [[value, 0, 0, 255]; 3]].concat().concat();
        assert_eq!((frame.width, frame.height, &frame.rgba), (3, 2, &expected));
    }
}

#[test]
fn a_draw_that_never_ends_loses_the_device() {
    let options = DeviceOptions { time_limit: std::time::Duration::from_millis(300), ..DeviceOptions::default() };
    let mut rig = Rig::on(WgpuDevice::open(&options).expect("a Vulkan adapter"));
    // lavapipe leaves a loop after 65,536 rounds: many pixels make it long enough.
    let image = rig.image(rgba8(1024, 1024));
    let fragment = "@group(0) @binding(0) var<uniform> color: vec4<f32>;
        @fragment fn main() -> @location(0) vec4<f32> {
            var x = color.x;
            for (var i = 0u; i < 60000u; i++) { x = fract(x * 1.7 + 0.1); }
            return vec4<f32>(x);
        }";
    let program = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { fragment_block: 16, ..layout() });
    rig.target(image, [1024, 1024]);
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.uniforms(ShaderStage::Fragment, &[0.5f32; 4]);
    rig.draw(Topology::TriangleList, 3);
    rig.run();
    let error = rig.backend.read_image(image, whole_level(0, 0, 1, 1)).expect_err("it cannot finish in time");
    assert!(matches!(&error, crate::gl::backend::BackendError::DeviceLost(text) if text.contains("did not finish")));
}

#[test]
fn memory_beyond_the_limit_is_refused() {
    let options = DeviceOptions { memory_limit: Some(1 << 20), ..DeviceOptions::default() };
    let mut rig = Rig::on(WgpuDevice::open(&options).expect("a Vulkan adapter"));
    rig.image(rgba8(256, 256));
    rig.run();
    rig.image(rgba8(512, 512));
    let stream = std::mem::take(&mut rig.stream);
    let error = rig.backend.submit(stream).expect_err("one MiB is less than 1.25");
    assert!(matches!(error, crate::gl::backend::BackendError::OutOfMemory(_)));
}

#[test]
fn a_pass_that_would_repeat_itself_is_dropped() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let map = rig.image(rgba8(2, 2));
    let fill = color_program(&mut rig);
    let fragment = "@group(1) @binding(0) var t: texture_2d<f32>;
        @group(1) @binding(1) var s: sampler;
        @fragment fn main() -> @location(0) vec4<f32> { return textureSample(t, s, vec2<f32>(0.5)); }";
    let textures = vec![TextureSlot { sampler: sampler_type(false, Scalar::Float), vertex: false, fragment: true }];
    let copy = rig.program(&flat_vertex(0.0), fragment, ProgramLayout { textures, ..layout() });
    let vertices = rig.buffer(&WHOLE);
    rig.attributes(vec![attribute(0, VertexFormat::Float32x2, vertices, 0, 8)]);
    let frame = |rig: &mut Rig, color: [f32; 4], passes: usize, pixel: [u8; 4], what: &str| {
        rig.target(map, [2, 2]);
        rig.clear_color(ClearColor::Float([0.0; 4]));
        rig.push(Command::SetProgram(fill));
        rig.uniforms(ShaderStage::Fragment, &color);
        rig.draw(Topology::TriangleList, 3);
        rig.target(image, [1, 1]);
        rig.push(Command::SetProgram(copy));
        rig.push(Command::SetTexture { slot: 0, view: view(map), sampler: nearest() });
        rig.draw(Topology::TriangleList, 3);
        rig.run();
        assert_eq!(rig.backend.recorded_passes(), passes, "{what}");
        assert_eq!(rig.texel(image, 0, 0), pixel, "{what}");
    };
    let (red, green) = ([1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]);
    frame(&mut rig, red, 2, RED, "first");
    frame(&mut rig, red, 1, RED, "the same again");
    frame(&mut rig, green, 2, GREEN, "other uniforms");
    frame(&mut rig, green, 1, GREEN, "the same again");
    rig.write_image(map, whole_level(0, 0, 2, 2), &[9u8; 16]);
    frame(&mut rig, green, 2, GREEN, "the target was written");
    rig.write_buffer(vertices, 0, &[[-1.0f32, -1.0]]);
    frame(&mut rig, green, 2, GREEN, "the vertices were written");
    rig.target(map, [2, 2]);
    rig.clear_color(ClearColor::Float([0.0; 4]));
    rig.run();
    rig.backend.finish().expect("the clear is done");
    frame(&mut rig, green, 2, GREEN, "the target was cleared");
    frame(&mut rig, green, 1, GREEN, "the same again");
}

#[test]
fn alpha_may_come_and_go_within_a_pass() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    let program = color_program(&mut rig);
    rig.target(image, [1, 1]);
    rig.clear_color(ClearColor::Float([0.0, 0.0, 0.0, 1.0]));
    let mut colors = [None; MAX_COLOR_ATTACHMENTS];
    colors[0] = Some(Attachment { image, level: 0, layer: 0, has_alpha: false });
    rig.push(Command::SetRenderTargets(RenderTargets {
        colors,
        depth: None,
        stencil: None,
        width: 1,
        height: 1,
        samples: 1,
    }));
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    rig.uniforms(ShaderStage::Fragment, &[1.0f32, 0.0, 0.0, 0.0]);
    rig.draw(Topology::TriangleList, 3);
    rig.run();
    assert_eq!(rig.backend.recorded_passes(), 1);
    assert_eq!(rig.texel(image, 0, 0), RED);
}
