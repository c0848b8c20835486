use super::{Fixture, reflection};
use crate::gl::WebGlVersion;
use crate::gl::command::{Command, Draw, DrawIndexed, IndexFormat, StepMode, Topology, VertexFormat};
use crate::gl::constants as c;
use crate::shader::hir::Scalar;
use crate::shader::{FeedbackVarying, VariableType};

fn draw(topology: Topology, first: u32, count: u32) -> Draw {
    Draw { topology, first, count, first_instance: 0, instances: 1 }
}

#[test]
fn a_draw_sends_state_once() {
    let mut f = Fixture::new();
    f.ready();
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect_ok();
    let commands = f.commands();
    let first_state = commands.iter().position(|c| {
        !matches!(
            c,
            Command::CreateBuffer { .. }
                | Command::WriteBuffer { .. }
                | Command::CreateImage { .. }
                | Command::CreateProgram { .. }
                | Command::WriteImage { .. }
                | Command::Clear(_)
        )
    });
    assert!(matches!(commands[first_state.expect("state")], Command::SetRenderTargets(_)), "{commands:#?}");
    assert!(matches!(commands.last(), Some(Command::Draw(d)) if *d == draw(Topology::TriangleList, 0, 3)));
    f.gl.draw_arrays(c::TRIANGLES, 1, 3);
    assert!(matches!(f.commands()[..], [Command::Draw(_)]));
    // State that comes back to what it was is not sent.
    f.gl.enable(c::DEPTH_TEST);
    f.gl.disable(c::DEPTH_TEST);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    assert!(matches!(f.commands()[..], [Command::Draw(_)]));
    f.gl.enable(c::DEPTH_TEST);
    f.gl.viewport(0, 0, 8, 8);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    assert!(matches!(f.commands()[..], [Command::SetViewport(_), Command::SetDepthStencil(_), Command::Draw(_)]));
}

#[test]
fn arguments() {
    let mut f = Fixture::new();
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION); // no program
    f.ready();
    f.gl.draw_arrays(7, 0, 3);
    f.expect(c::INVALID_ENUM);
    f.gl.draw_arrays(c::TRIANGLES, -1, 3);
    f.expect(c::INVALID_VALUE);
    f.gl.draw_arrays(c::TRIANGLES, 0, -3);
    f.expect(c::INVALID_VALUE);
    f.gl.draw_arrays_instanced(c::TRIANGLES, 0, 3, -1);
    f.expect(c::INVALID_VALUE);
    f.gl.draw_arrays(c::TRIANGLES, i32::MAX, i32::MAX);
    f.expect(c::INVALID_OPERATION);
    // Four vertices are there (WebGL 1 §6.6).
    f.gl.draw_arrays(c::TRIANGLE_STRIP, 0, 4);
    f.expect_ok();
    f.gl.draw_arrays(c::TRIANGLE_STRIP, 0, 5);
    f.expect(c::INVALID_OPERATION);
    f.gl.draw_arrays(c::TRIANGLE_STRIP, 5, 0);
    f.expect_ok();
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 0);
    f.expect(c::INVALID_OPERATION); // no element array
}

#[test]
fn element_ranges() {
    let mut f = Fixture::new();
    f.ready();
    f.buffer(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&[0u16, 1, 2, 3, 4, 0xffff]));
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 0);
    f.expect_ok();
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 4);
    f.expect(c::INVALID_OPERATION); // index 4 of four vertices
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 1);
    f.expect(c::INVALID_OPERATION); // offset not a multiple
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 8);
    f.expect(c::INVALID_OPERATION); // past the end of the buffer
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, -2);
    f.expect(c::INVALID_VALUE);
    f.gl.draw_elements(c::TRIANGLES, 3, c::FLOAT, 0);
    f.expect(c::INVALID_ENUM);
    f.gl.draw_range_elements(c::TRIANGLES, 2, 1, 3, c::UNSIGNED_SHORT, 0);
    f.expect(c::INVALID_VALUE);
    // The scan follows the content.
    f.gl.buffer_sub_data(c::ELEMENT_ARRAY_BUFFER, 0, bytemuck::cast_slice(&[9u16]));
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_SHORT, 0);
    f.expect(c::INVALID_OPERATION);

    let mut one = Fixture::webgl1();
    one.ready();
    one.buffer(c::ELEMENT_ARRAY_BUFFER, &[0; 12]);
    one.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_INT, 0);
    one.expect(c::INVALID_ENUM);
    one.gl.get_extension("OES_element_index_uint");
    one.gl.draw_elements(c::POINTS, 3, c::UNSIGNED_INT, 0);
    one.expect_ok();
}

#[test]
fn fans_loops_and_bytes_are_lowered() {
    let mut f = Fixture::new();
    f.ready();
    f.gl.draw_arrays(c::TRIANGLE_FAN, 0, 4);
    let fan = DrawIndexed {
        topology: Topology::TriangleList,
        first_index: 0,
        count: 6,
        range: (0, 3),
        base_vertex: 0,
        first_instance: 0,
        instances: 1,
    };
    assert!(matches!(f.draws()[..], [Command::DrawIndexed(d)] if d == fan));
    f.gl.draw_arrays(c::LINE_LOOP, 1, 3);
    let line_loop = DrawIndexed { topology: Topology::LineList, range: (0, 2), base_vertex: 1, ..fan };
    assert!(matches!(f.draws()[..], [Command::DrawIndexed(d)] if d == line_loop));
    f.buffer(c::ELEMENT_ARRAY_BUFFER, &[0, 1, 2, 3]);
    f.gl.draw_elements(c::TRIANGLES, 3, c::UNSIGNED_BYTE, 1);
    f.gl.submit();
    let record = f.record.lock().expect("no panic held it");
    let stream = record.streams.last().expect("the draw");
    let written = stream.commands.iter().rev().find_map(|command| match command {
        Command::WriteBuffer { data, .. } => Some(stream.bytes(*data)),
        _ => None,
    });
    assert_eq!(written, Some(&[1, 0, 2, 0, 3, 0, 0, 0][..]));
    assert!(stream.commands.iter().any(|c| matches!(c, Command::SetIndexBuffer { format: IndexFormat::Uint16, .. })));
}

/// WebGL 2: primitive restart is always on; lists must not restart on the GPU.
#[test]
fn restart_in_lists_is_taken_out() {
    let mut f = Fixture::new();
    f.ready();
    f.buffer(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&[0u16, 1, 0xffff, 0, 1, 2]));
    f.gl.draw_elements(c::TRIANGLES, 6, c::UNSIGNED_SHORT, 0);
    f.expect_ok();
    assert!(matches!(f.draws()[..], [Command::DrawIndexed(DrawIndexed { count: 3, .. })]));
    f.gl.draw_elements(c::TRIANGLE_STRIP, 6, c::UNSIGNED_SHORT, 0);
    f.expect_ok();
    assert!(matches!(
        f.draws()[..],
        [Command::DrawIndexed(DrawIndexed { count: 6, topology: Topology::TriangleStrip, .. })]
    ));
}

#[test]
fn vertex_arrays_must_be_there_and_fit() {
    let mut f = Fixture::new();
    f.ready();
    f.gl.enable_vertex_attrib_array(5);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION); // enabled without a buffer, though unused
    f.gl.disable_vertex_attrib_array(5);
    f.gl.vertex_attrib_i4i(1, 0, 0, 0, 0);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION); // integers for a float input
    f.gl.vertex_attrib_1f(1, 0.0);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect_ok();
    f.gl.bind_buffer(c::ARRAY_BUFFER, 0);
    let buffer = f.gl.get_vertex_attrib(0, c::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING);
    let crate::gl::ParameterValue::Object(_, buffer) = buffer else { panic!("{buffer:?}") };
    f.gl.bind_buffer(c::ARRAY_BUFFER, buffer);
    f.gl.buffer_data(c::ARRAY_BUFFER, &[0; 24], c::STATIC_DRAW);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION); // the buffer shrank
}

#[test]
fn arrays_the_gpu_cannot_read_are_rewritten() {
    let mut f = Fixture::new();
    f.ready();
    f.buffer(c::ARRAY_BUFFER, &[10, 20, 30, 11, 21, 31, 12, 22, 32]);
    f.gl.vertex_attrib_pointer(0, 3, c::UNSIGNED_BYTE, true, 3, 0);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect_ok();
    let input = |commands: &[Command]| {
        commands.iter().rev().find_map(|command| match command {
            Command::SetVertexInput(input) => Some(input.clone()),
            _ => None,
        })
    };
    let sent = input(&f.commands()).expect("vertex input is sent");
    assert_eq!(sent.attributes.len(), 2);
    let position = sent.attributes[0];
    assert_eq!((position.format, position.stride, position.step), (VertexFormat::Unorm8x4, 4, StepMode::Vertex));
    assert_eq!((sent.attributes[1].format, sent.attributes[1].step), (VertexFormat::Float32x4, StepMode::Constant));
    // New content is rewritten into the same buffer: the input itself does not change.
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, 0, &[99]);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    let commands = f.commands();
    assert_eq!(input(&commands), None);
    assert!(commands.iter().any(|c| matches!(c, Command::WriteBuffer { id, .. } if *id == position.buffer)));
}

#[test]
fn instances_stay_in_their_arrays() {
    let mut f = Fixture::new();
    f.ready();
    f.buffer(c::ARRAY_BUFFER, &[0; 32]);
    f.gl.enable_vertex_attrib_array(1);
    f.gl.vertex_attrib_pointer(1, 4, c::FLOAT, false, 0, 0);
    f.gl.vertex_attrib_divisor(1, 1);
    f.gl.draw_arrays_instanced(c::TRIANGLES, 0, 3, 2);
    f.expect_ok();
    f.gl.draw_arrays_instanced(c::TRIANGLES, 0, 3, 3);
    f.expect(c::INVALID_OPERATION);
    f.gl.vertex_attrib_divisor(1, 2);
    f.gl.draw_arrays_instanced(c::TRIANGLES, 0, 3, 4);
    f.expect_ok();
    f.gl.draw_arrays_instanced(c::TRIANGLES, 0, 3, 5);
    f.expect(c::INVALID_OPERATION);
    f.gl.draw_arrays_instanced(c::TRIANGLES, 0, 3, 0);
    f.expect_ok();
}

/// WebGL 1 §6.11.
#[test]
fn stencil_faces_must_share_masks_and_reference() {
    let mut f = Fixture::new();
    f.ready();
    let draw = |f: &mut Fixture, error| {
        f.gl.draw_arrays(c::TRIANGLES, 0, 3);
        f.expect(error);
    };
    f.gl.stencil_mask_separate(c::FRONT, 1);
    draw(&mut f, c::NO_ERROR); // the test is off
    f.gl.enable(c::STENCIL_TEST);
    draw(&mut f, c::INVALID_OPERATION);
    f.gl.stencil_mask_separate(c::BACK, 0xf01);
    draw(&mut f, c::NO_ERROR); // only the eight bits that exist count
    f.gl.stencil_func_separate(c::BACK, c::EQUAL, 3, u32::MAX);
    draw(&mut f, c::INVALID_OPERATION);
    f.gl.stencil_func_separate(c::FRONT, c::LESS, 3, u32::MAX);
    draw(&mut f, c::NO_ERROR); // functions and operations may differ
}

#[test]
fn uniform_blocks_need_buffers() {
    let mut f = Fixture::new();
    f.ready();
    f.gl.bind_buffer_base(c::UNIFORM_BUFFER, 0, 0);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION);
    let small = f.buffer(c::UNIFORM_BUFFER, &[0; 48]);
    f.gl.bind_buffer_base(c::UNIFORM_BUFFER, 0, small);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION);
    f.gl.buffer_data(c::UNIFORM_BUFFER, &[0; 80], c::DYNAMIC_DRAW);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect_ok();
    f.gl.bind_buffer_range(c::UNIFORM_BUFFER, 0, small, 32, 48);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION);
}

#[test]
fn culling_both_faces_draws_no_triangle() {
    let mut f = Fixture::new();
    f.ready();
    f.gl.enable(c::CULL_FACE);
    f.gl.cull_face(c::FRONT_AND_BACK);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    assert!(f.draws().is_empty());
    f.gl.draw_arrays(c::LINES, 0, 2);
    assert_eq!(f.draws().len(), 1);
}

#[test]
fn multi_draws_count_up() {
    let mut f = Fixture::new();
    f.ready();
    f.gl.multi_draw_arrays(c::TRIANGLES, &[0, 1], &[3, 3]);
    f.expect_ok();
    assert_eq!(f.draws().len(), 2);
    f.gl.multi_draw_arrays(c::TRIANGLES, &[0, -1], &[3, 3]);
    f.expect(c::INVALID_VALUE);
    assert!(f.draws().is_empty(), "one bad argument refuses the whole call");
}

fn feedback_fixture() -> Fixture {
    let (mut reflection, mut layout) = reflection();
    reflection.feedback_varyings.push(FeedbackVarying {
        name: "v".into(),
        ty: VariableType::Vector(Scalar::Float, 2),
        size: 1,
    });
    layout.feedback_buffers = 1;
    Fixture::with(WebGlVersion::Two, reflection, layout)
}

/// ES 3.0 §2.14.2, §3.9: modes must match, elements may not, room must be there, primitives are counted.
#[test]
fn transform_feedback() {
    let mut f = feedback_fixture();
    f.ready();
    f.gl.begin_transform_feedback(c::POINTS);
    f.expect(c::INVALID_OPERATION); // no buffer
    let target = f.buffer(c::TRANSFORM_FEEDBACK_BUFFER, &[0; 32]);
    f.gl.bind_buffer_base(c::TRANSFORM_FEEDBACK_BUFFER, 0, target);
    f.gl.begin_transform_feedback(c::TRIANGLE_STRIP);
    f.expect(c::INVALID_ENUM);
    let query = f.gl.create_query();
    f.gl.begin_query(c::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    f.gl.begin_transform_feedback(c::POINTS);
    f.expect_ok();
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION);
    f.buffer(c::ELEMENT_ARRAY_BUFFER, &[0; 4]);
    f.gl.draw_elements(c::POINTS, 1, c::UNSIGNED_BYTE, 0);
    f.expect(c::INVALID_OPERATION);
    f.gl.draw_arrays(c::POINTS, 0, 3);
    f.expect_ok();
    f.gl.draw_arrays(c::POINTS, 0, 2);
    f.expect(c::INVALID_OPERATION); // 3 of 4 places are taken
    f.gl.draw_arrays(c::POINTS, 0, 1);
    f.expect_ok();
    f.gl.use_program(0);
    f.expect(c::INVALID_OPERATION);
    f.gl.pause_transform_feedback();
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect_ok();
    f.gl.resume_transform_feedback();
    f.gl.end_transform_feedback();
    f.expect_ok();
    f.gl.end_query(c::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    f.gl.next_task();
    let written = f.gl.get_query_parameter(query, c::QUERY_RESULT);
    assert_eq!(written, crate::gl::ParameterValue::Uint(4));
    assert!(f.commands().iter().any(|c| matches!(c, Command::SetFeedbackBuffer { slot: 0, offset: 0, size: 32, .. })));
}

/// Transform feedback captures whatever the scissor leaves of the picture.
#[test]
fn capture_goes_on_where_nothing_is_seen() {
    let mut f = feedback_fixture();
    f.ready();
    let target = f.buffer(c::TRANSFORM_FEEDBACK_BUFFER, &[0; 32]);
    f.gl.bind_buffer_base(c::TRANSFORM_FEEDBACK_BUFFER, 0, target);
    f.gl.enable(c::SCISSOR_TEST);
    f.gl.scissor(0, 0, 0, 0);
    f.gl.begin_transform_feedback(c::POINTS);
    f.gl.draw_arrays(c::POINTS, 0, 3);
    f.expect_ok();
    let commands = f.commands();
    let raster = commands.iter().rev().find_map(|command| match command {
        Command::SetRaster(raster) => Some(raster.discard),
        _ => None,
    });
    assert_eq!(raster, Some(true));
    assert!(matches!(commands.last(), Some(Command::Draw(_))));
    f.gl.end_transform_feedback();
    f.gl.disable(c::SCISSOR_TEST);
    f.gl.draw_arrays(c::POINTS, 0, 3);
    f.expect_ok();
    assert!(f.commands().iter().any(|command| matches!(command, Command::SetRaster(raster) if !raster.discard)));
}

#[test]
fn a_captured_buffer_may_not_be_read_by_the_draw() {
    let mut f = feedback_fixture();
    f.ready();
    let vertices = f.gl.get_parameter(c::ARRAY_BUFFER_BINDING);
    let crate::gl::ParameterValue::Object(_, vertices) = vertices else { panic!("{vertices:?}") };
    f.gl.bind_buffer_base(c::TRANSFORM_FEEDBACK_BUFFER, 0, vertices);
    f.gl.begin_transform_feedback(c::POINTS);
    f.gl.draw_arrays(c::POINTS, 0, 1);
    f.expect(c::INVALID_OPERATION);
}

/// ES 3.0 §4.4.4.4; WebGL 1 §6.26: sampling what is drawn to is an error.
#[test]
fn incomplete_framebuffers_refuse_draws() {
    let mut f = Fixture::new();
    f.ready();
    let framebuffer = f.gl.create_framebuffer();
    f.gl.bind_framebuffer(c::FRAMEBUFFER, framebuffer);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_FRAMEBUFFER_OPERATION);
    let texture = f.gl.create_texture();
    f.gl.bind_texture(c::TEXTURE_2D, texture);
    f.gl.tex_storage_2d(c::TEXTURE_2D, 1, c::RGBA8, 4, 4);
    f.gl.tex_parameteri(c::TEXTURE_2D, c::TEXTURE_MIN_FILTER, c::NEAREST as i32);
    f.gl.framebuffer_texture_2d(c::FRAMEBUFFER, c::COLOR_ATTACHMENT0, c::TEXTURE_2D, texture, 0);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect(c::INVALID_OPERATION); // the sampler `map` reads unit 0
    f.gl.bind_texture(c::TEXTURE_2D, 0);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.expect_ok();
}

/// WebGL 1 has no primitive restart: 0xFFFF is an index, which a GPU strip would take for a restart.
#[test]
fn webgl1_strips_do_not_restart() {
    let mut f = Fixture::webgl1();
    f.ready();
    f.gl.buffer_data_size(c::ARRAY_BUFFER, 0x1_0000 * 12, c::STATIC_DRAW);
    f.buffer(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&[0u16, 1, 0xffff, 2]));
    f.gl.draw_elements(c::TRIANGLE_STRIP, 4, c::UNSIGNED_SHORT, 0);
    f.expect_ok();
    assert!(matches!(
        f.draws()[..],
        [Command::DrawIndexed(DrawIndexed { count: 6, topology: Topology::TriangleList, .. })]
    ));
    let mut two = Fixture::new();
    two.ready();
    two.buffer(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&[0u16, 1, 0xffff, 2]));
    two.gl.draw_elements(c::TRIANGLE_STRIP, 4, c::UNSIGNED_SHORT, 0);
    two.expect_ok();
    assert!(matches!(
        two.draws()[..],
        [Command::DrawIndexed(DrawIndexed { count: 4, topology: Topology::TriangleStrip, .. })]
    ));
}

/// WEBGL_draw_instanced_base_vertex_base_instance: both bases move what is fetched, and what is checked.
#[test]
fn base_vertex_and_base_instance() {
    let mut f = Fixture::new();
    f.ready();
    f.buffer(c::ARRAY_BUFFER, &[0; 64]);
    f.gl.enable_vertex_attrib_array(1);
    f.gl.vertex_attrib_pointer(1, 4, c::FLOAT, false, 0, 0);
    f.gl.vertex_attrib_divisor(1, 1);
    f.buffer(c::ELEMENT_ARRAY_BUFFER, bytemuck::cast_slice(&[0u16, 1, 2]));
    let draw = |f: &mut Fixture, base_vertex, base_instance, error| {
        let (mode, ty) = (c::TRIANGLES, c::UNSIGNED_SHORT);
        f.gl.draw_elements_instanced_base_vertex_base_instance(mode, 3, ty, 0, 2, base_vertex, base_instance);
        f.expect(error);
    };
    draw(&mut f, 2, 0, c::INVALID_OPERATION); // vertices 2, 3, 4 of four
    draw(&mut f, -1, 0, c::INVALID_OPERATION);
    draw(&mut f, 0, 3, c::INVALID_OPERATION); // instances 3, 4 of four
    f.draws();
    draw(&mut f, 1, 2, c::NO_ERROR);
    assert!(matches!(
        f.draws()[..],
        [Command::DrawIndexed(DrawIndexed { base_vertex: 1, first_instance: 2, instances: 2, .. })]
    ));
}

#[test]
fn occlusion_queries_bracket_their_draws() {
    let mut f = Fixture::new();
    f.ready();
    let query = f.gl.create_query();
    f.gl.begin_query(c::ANY_SAMPLES_PASSED_CONSERVATIVE, query);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.gl.end_query(c::ANY_SAMPLES_PASSED_CONSERVATIVE);
    f.expect_ok();
    let order: Vec<u8> = f
        .commands()
        .iter()
        .filter_map(|command| match command {
            Command::BeginQuery { .. } => Some(0),
            Command::Draw(_) => Some(1),
            Command::EndQuery { .. } => Some(2),
            _ => None,
        })
        .collect();
    assert_eq!(order, [0, 1, 2]);
}
