use super::Fixture;
use crate::gl::ParameterValue;
use crate::gl::command::Command;
use crate::gl::constants as c;

#[test]
fn a_name_becomes_a_buffer_when_bound() {
    let mut f = Fixture::new();
    let buffer = f.gl.create_buffer();
    assert!(!f.gl.is_buffer(buffer));
    f.gl.bind_buffer(c::ARRAY_BUFFER, buffer);
    assert!(f.gl.is_buffer(buffer));
    f.gl.delete_buffer(buffer);
    assert!(!f.gl.is_buffer(buffer));
    f.gl.bind_buffer(c::ARRAY_BUFFER, buffer);
    f.expect(c::INVALID_OPERATION);
}

/// WebGL 1 §6.1, WebGL 2 §5.1.
#[test]
fn element_arrays_do_not_mix_with_other_uses() {
    let mut f = Fixture::new();
    let indices = f.gl.create_buffer();
    f.gl.bind_buffer(c::ELEMENT_ARRAY_BUFFER, indices);
    f.gl.bind_buffer(c::ARRAY_BUFFER, indices);
    f.expect(c::INVALID_OPERATION);
    f.gl.bind_buffer(c::COPY_READ_BUFFER, indices);
    f.expect_ok();
    let vertices = f.gl.create_buffer();
    f.gl.bind_buffer(c::UNIFORM_BUFFER, vertices);
    f.gl.bind_buffer(c::ELEMENT_ARRAY_BUFFER, vertices);
    f.expect(c::INVALID_OPERATION);
    let copied = f.gl.create_buffer();
    f.gl.bind_buffer(c::COPY_WRITE_BUFFER, copied);
    f.gl.bind_buffer(c::ELEMENT_ARRAY_BUFFER, copied);
    f.expect_ok();
}

#[test]
fn arguments_of_data_calls() {
    let mut f = Fixture::new();
    f.gl.buffer_data(c::ARRAY_BUFFER, &[0], c::STATIC_DRAW);
    f.expect(c::INVALID_OPERATION);
    f.buffer(c::ARRAY_BUFFER, &[0; 8]);
    f.gl.buffer_data(c::TEXTURE_2D, &[0], c::STATIC_DRAW);
    f.expect(c::INVALID_ENUM);
    f.gl.buffer_data(c::ARRAY_BUFFER, &[0], c::TEXTURE_2D);
    f.expect(c::INVALID_ENUM);
    f.gl.buffer_data_size(c::ARRAY_BUFFER, -1, c::STATIC_DRAW);
    f.expect(c::INVALID_VALUE);
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, -1, &[0]);
    f.expect(c::INVALID_VALUE);
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, 7, &[0, 0]);
    f.expect(c::INVALID_VALUE);
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, i64::MAX, &[0, 0]);
    f.expect(c::INVALID_VALUE);
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, 8, &[]);
    f.expect_ok();
}

#[test]
fn webgl1_has_two_targets_and_three_usages() {
    let mut f = Fixture::webgl1();
    let buffer = f.gl.create_buffer();
    f.gl.bind_buffer(c::UNIFORM_BUFFER, buffer);
    f.expect(c::INVALID_ENUM);
    f.gl.bind_buffer(c::ARRAY_BUFFER, buffer);
    f.gl.buffer_data(c::ARRAY_BUFFER, &[0], c::STREAM_READ);
    f.expect(c::INVALID_ENUM);
}

#[test]
fn contents_come_back() {
    let mut f = Fixture::new();
    f.buffer(c::ARRAY_BUFFER, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, 3, &[30, 40]);
    let mut out = [0; 5];
    f.gl.get_buffer_sub_data(c::ARRAY_BUFFER, 1, &mut out);
    assert_eq!(out, [1, 2, 30, 40, 5]);
    f.gl.get_buffer_sub_data(c::ARRAY_BUFFER, 8, &mut out);
    f.expect(c::INVALID_VALUE);
    assert_eq!(f.gl.get_buffer_parameter(c::ARRAY_BUFFER, c::BUFFER_SIZE), ParameterValue::Int64(10));
    assert_eq!(f.gl.get_buffer_parameter(c::ARRAY_BUFFER, c::BUFFER_USAGE), ParameterValue::Uint(c::STATIC_DRAW));
    f.gl.get_buffer_parameter(c::ARRAY_BUFFER, c::TEXTURE_2D);
    f.expect(c::INVALID_ENUM);
}

/// The stream takes multiples of 4 only.
#[test]
fn unaligned_writes_are_widened_from_the_shadow() {
    let mut f = Fixture::new();
    f.buffer(c::ARRAY_BUFFER, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    f.commands();
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, 3, &[30, 40]);
    f.gl.buffer_sub_data(c::ARRAY_BUFFER, 9, &[90]);
    f.gl.submit();
    let record = f.record.lock().expect("no panic held it");
    let stream = &record.streams[0];
    let writes: Vec<(u64, &[u8])> = stream
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::WriteBuffer { offset, data, .. } => Some((*offset, stream.bytes(*data))),
            _ => None,
        })
        .collect();
    assert_eq!(writes, [(0, &[0, 1, 2, 30, 40, 5, 6, 7][..]), (8, &[8, 90, 0, 0][..])]);
}

#[test]
fn copies_between_buffers() {
    let mut f = Fixture::new();
    f.buffer(c::COPY_READ_BUFFER, &[1, 2, 3, 4, 5, 6, 7, 8]);
    f.buffer(c::COPY_WRITE_BUFFER, &[0; 8]);
    f.gl.copy_buffer_sub_data(c::COPY_READ_BUFFER, c::COPY_WRITE_BUFFER, 1, 2, 3);
    let mut out = [0; 8];
    f.gl.get_buffer_sub_data(c::COPY_WRITE_BUFFER, 0, &mut out);
    assert_eq!(out, [0, 0, 2, 3, 4, 0, 0, 0]);
    f.gl.copy_buffer_sub_data(c::COPY_READ_BUFFER, c::COPY_WRITE_BUFFER, 6, 0, 3);
    f.expect(c::INVALID_VALUE);
    f.gl.copy_buffer_sub_data(c::COPY_READ_BUFFER, c::COPY_READ_BUFFER, 0, 2, 3);
    f.expect(c::INVALID_VALUE);
    f.gl.copy_buffer_sub_data(c::COPY_READ_BUFFER, c::COPY_READ_BUFFER, 0, 4, 4);
    f.expect_ok();
}

#[test]
fn indexed_bindings() {
    let mut f = Fixture::new();
    let buffer = f.buffer(c::UNIFORM_BUFFER, &[0; 64]);
    f.gl.bind_buffer_range(c::UNIFORM_BUFFER, 1, buffer, 16, 32);
    f.expect_ok();
    assert_eq!(f.gl.get_indexed_parameter(c::UNIFORM_BUFFER_START, 1), ParameterValue::Int64(16));
    assert_eq!(f.gl.get_indexed_parameter(c::UNIFORM_BUFFER_SIZE, 1), ParameterValue::Int64(32));
    // The null back end has UNIFORM_BUFFER_OFFSET_ALIGNMENT 16.
    f.gl.bind_buffer_range(c::UNIFORM_BUFFER, 1, buffer, 8, 32);
    f.expect(c::INVALID_VALUE);
    f.gl.bind_buffer_range(c::UNIFORM_BUFFER, 1, buffer, 0, 0);
    f.expect(c::INVALID_VALUE);
    f.gl.bind_buffer_base(c::UNIFORM_BUFFER, 10_000, buffer);
    f.expect(c::INVALID_VALUE);
    f.gl.bind_buffer_base(c::ARRAY_BUFFER, 0, buffer);
    f.expect(c::INVALID_ENUM);
    f.gl.bind_buffer_range(c::TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 2, 8);
    f.expect(c::INVALID_VALUE);
}

/// ES 3.0 §D.1.2: a deleted buffer stays alive while a container other than the current one refers to it.
#[test]
fn deletion_waits_for_other_vertex_arrays() {
    let mut f = Fixture::new();
    let buffer = f.buffer(c::ARRAY_BUFFER, &[0; 12]);
    let vertex_array = f.gl.create_vertex_array();
    f.gl.bind_vertex_array(vertex_array);
    f.gl.vertex_attrib_pointer(0, 3, c::FLOAT, false, 0, 0);
    f.gl.bind_vertex_array(0);
    f.gl.delete_buffer(buffer);
    let deleted = |commands: &[Command]| commands.iter().any(|c| matches!(c, Command::DeleteBuffer { .. }));
    assert!(!deleted(&f.commands()));
    f.gl.delete_vertex_array(vertex_array);
    assert!(deleted(&f.commands()));
    f.expect_ok();
}
