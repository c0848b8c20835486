use super::Fixture;
use crate::gl::ParameterValue;
use crate::gl::command::{Command, ShaderStage};
use crate::gl::constants as c;

#[test]
fn values_come_back_by_location() {
    let mut f = Fixture::new();
    let program = f.program();
    let lights = f.gl.get_uniform_location(program, "lights");
    assert_eq!(f.gl.get_uniform_location(program, "lights[0]"), lights);
    let third = f.gl.get_uniform_location(program, "lights[2]");
    assert_eq!(f.gl.get_uniform_location(program, "lights[4]"), -1);
    assert_eq!(f.gl.get_uniform_location(program, "lights[02]"), -1);
    assert_eq!(f.gl.get_uniform_location(program, "color[0]"), -1);
    f.gl.uniform_3fv(program, lights, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(f.gl.get_uniform(program, program, third), ParameterValue::FloatArray(vec![7.0, 8.0, 9.0]));
    let flag = f.gl.get_uniform_location(program, "flag");
    f.gl.uniform_1f(program, flag, -0.0);
    assert_eq!(f.gl.get_uniform(program, program, flag), ParameterValue::Bool(false));
    f.gl.uniform_1i(program, flag, 7);
    assert_eq!(f.gl.get_uniform(program, program, flag), ParameterValue::Bool(true));
    f.expect_ok();
}

/// Values beyond the end of an array are ignored (ES 3.0 §2.12.6).
#[test]
fn arrays_are_cut_at_their_end() {
    let mut f = Fixture::new();
    let program = f.program();
    let last = f.gl.get_uniform_location(program, "lights[3]");
    f.gl.uniform_3fv(program, last, &[1.0; 12]);
    f.expect_ok();
    let color = f.gl.get_uniform_location(program, "color");
    assert_eq!(f.gl.get_uniform(program, program, color), ParameterValue::FloatArray(vec![0.0; 4]));
}

#[test]
fn matrices_and_transposes() {
    let mut f = Fixture::new();
    let program = f.program();
    let model = f.gl.get_uniform_location(program, "model");
    let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    f.gl.uniform_matrix_3fv(program, model, false, &rows);
    assert_eq!(f.gl.get_uniform(program, program, model), ParameterValue::FloatArray(rows.to_vec()));
    f.gl.uniform_matrix_3fv(program, model, true, &rows);
    let columns = vec![1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0];
    assert_eq!(f.gl.get_uniform(program, program, model), ParameterValue::FloatArray(columns));
    f.gl.uniform_matrix_4fv(program, model, false, &[0.0; 16]);
    f.expect(c::INVALID_OPERATION);
    f.gl.uniform_matrix_3fv(program, model, false, &[0.0; 8]);
    f.expect(c::INVALID_VALUE);
    f.gl.uniform_matrix_3fv(program, model, false, &[0.0; 18]);
    f.expect(c::INVALID_OPERATION);

    let mut one = Fixture::webgl1();
    let program = one.program();
    let model = one.gl.get_uniform_location(program, "model");
    one.gl.uniform_matrix_3fv(program, model, true, &rows);
    one.expect(c::INVALID_VALUE);
}

#[test]
fn types_locations_and_programs_must_fit() {
    let mut f = Fixture::new();
    let program = f.program();
    let color = f.gl.get_uniform_location(program, "color");
    let map = f.gl.get_uniform_location(program, "map");
    f.gl.uniform_3f(program, color, 0.0, 0.0, 0.0);
    f.expect(c::INVALID_OPERATION);
    f.gl.uniform_4i(program, color, 0, 0, 0, 0);
    f.expect(c::INVALID_OPERATION);
    f.gl.uniform_4fv(program, color, &[0.0; 8]);
    f.expect(c::INVALID_OPERATION);
    f.gl.uniform_4fv(program, color, &[0.0; 3]);
    f.expect(c::INVALID_VALUE);
    f.gl.uniform_4fv(program, color, &[]);
    f.expect(c::INVALID_VALUE);
    // Null locations are ignored (WebGL 1 §5.14.10).
    f.gl.uniform_4fv(program, -1, &[0.0; 3]);
    f.expect_ok();
    f.gl.uniform_1f(program, map, 0.0);
    f.expect(c::INVALID_OPERATION);
    f.gl.uniform_1i(program, map, 32);
    f.expect(c::INVALID_VALUE);
    f.gl.uniform_1i(program, map, -1);
    f.expect(c::INVALID_VALUE);
    f.gl.uniform_1i(program, map, 31);
    assert_eq!(f.gl.get_uniform(program, program, map), ParameterValue::Int(31));
    f.expect_ok();

    let other = f.program();
    f.gl.uniform_4f(program, color, 0.0, 0.0, 0.0, 0.0);
    f.expect(c::INVALID_OPERATION);
    f.gl.get_uniform(other, program, color);
    f.expect(c::INVALID_OPERATION);
    // A location dies with the link it came from.
    let old = f.gl.get_uniform_location(other, "color");
    f.gl.link_program(other);
    f.gl.uniform_4f(other, old, 0.0, 0.0, 0.0, 0.0);
    f.expect(c::INVALID_OPERATION);
}

/// Blocks are sent whole, when changed, and again when another program's were sent in between.
#[test]
fn blocks_are_sent_only_when_changed() {
    let mut f = Fixture::new();
    let program = f.ready();
    let sent = |f: &mut Fixture| -> Vec<ShaderStage> {
        f.gl.draw_arrays(c::TRIANGLES, 0, 3);
        f.expect_ok();
        let stage = |command| match command {
            Command::SetUniforms { stage, .. } => Some(stage),
            _ => None,
        };
        f.commands().into_iter().filter_map(stage).collect()
    };
    assert_eq!(sent(&mut f), [ShaderStage::Vertex, ShaderStage::Fragment]);
    assert_eq!(sent(&mut f), []);
    let flag = f.gl.get_uniform_location(program, "flag");
    f.gl.uniform_1i(program, flag, 1);
    assert_eq!(sent(&mut f), [ShaderStage::Fragment]);
    f.gl.uniform_1i(program, flag, 2);
    assert_eq!(sent(&mut f), [], "both are true");
    let second = f.program();
    assert_eq!(sent(&mut f), [ShaderStage::Vertex, ShaderStage::Fragment]);
    f.gl.use_program(program);
    assert_eq!(sent(&mut f), [ShaderStage::Vertex, ShaderStage::Fragment]);
    f.gl.use_program(second);
    f.gl.use_program(program);
    assert_eq!(sent(&mut f), [], "nothing was drawn with the other");
}

#[test]
fn std140_places_are_honoured() {
    let mut f = Fixture::new();
    let program = f.ready();
    let model = f.gl.get_uniform_location(program, "model");
    f.gl.uniform_matrix_3fv(program, model, false, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let lights = f.gl.get_uniform_location(program, "lights");
    f.gl.uniform_3fv(program, lights, &[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]);
    f.gl.draw_arrays(c::TRIANGLES, 0, 3);
    f.gl.submit();
    let record = f.record.lock().expect("no panic held it");
    let stream = record.streams.last().expect("the draw");
    let block = stream.commands.iter().find_map(|command| match command {
        Command::SetUniforms { stage: ShaderStage::Vertex, data } => Some(stream.bytes(*data)),
        _ => None,
    });
    let floats: Vec<f32> = block.expect("sent").as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    assert_eq!(floats.len(), 32);
    assert_eq!(floats[..12], [1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0, 7.0, 8.0, 9.0, 0.0]);
    assert_eq!(floats[12..20], [10.0, 11.0, 12.0, 0.0, 13.0, 14.0, 15.0, 0.0]);
}
