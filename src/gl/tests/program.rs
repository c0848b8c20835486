use super::Fixture;
use crate::gl::ParameterValue;
use crate::gl::constants as c;
use crate::gl::entry::reflection::ActiveInfo;

#[test]
fn shaders_and_logs() {
    let mut f = Fixture::new();
    assert_eq!(f.gl.create_shader(c::TEXTURE_2D), 0);
    f.expect(c::INVALID_ENUM);
    let shader = f.gl.create_shader(c::FRAGMENT_SHADER);
    f.gl.shader_source(shader, "#error");
    f.gl.compile_shader(shader);
    assert_eq!(f.gl.get_shader_parameter(shader, c::COMPILE_STATUS), ParameterValue::Bool(false));
    assert_eq!(f.gl.get_shader_info_log(shader).as_deref(), Some("ERROR: 0:1: '#error'\n"));
    assert_eq!(f.gl.get_shader_source(shader).as_deref(), Some("#error"));
    assert_eq!(f.gl.get_shader_parameter(shader, c::SHADER_TYPE), ParameterValue::Uint(c::FRAGMENT_SHADER));
    f.gl.delete_shader(shader);
    assert!(!f.gl.is_shader(shader));
    f.gl.compile_shader(shader);
    f.expect(c::INVALID_VALUE);
    assert_eq!(f.gl.get_shader_precision_format(c::VERTEX_SHADER, c::HIGH_FLOAT), Some([127, 127, 23]));
    assert_eq!(f.gl.get_shader_precision_format(c::VERTEX_SHADER, c::HIGH_INT), Some([31, 30, 0]));
}

#[test]
fn attaching() {
    let mut f = Fixture::new();
    let program = f.gl.create_program();
    let vertex = f.gl.create_shader(c::VERTEX_SHADER);
    let second = f.gl.create_shader(c::VERTEX_SHADER);
    f.gl.attach_shader(program, vertex);
    f.expect_ok();
    f.gl.attach_shader(program, second);
    f.expect(c::INVALID_OPERATION);
    f.gl.detach_shader(program, second);
    f.expect(c::INVALID_OPERATION);
    assert_eq!(f.gl.get_attached_shaders(program), Some(vec![vertex]));
    // A deleted shader lives on while attached.
    f.gl.delete_shader(vertex);
    assert_eq!(f.gl.get_shader_parameter(vertex, c::DELETE_STATUS), ParameterValue::Bool(true));
    f.gl.detach_shader(program, vertex);
    f.expect_ok();
    f.gl.get_shader_parameter(vertex, c::DELETE_STATUS);
    f.expect(c::INVALID_VALUE);
}

#[test]
fn linking_and_using() {
    let mut f = Fixture::new();
    let program = f.gl.create_program();
    f.gl.link_program(program);
    assert_eq!(f.gl.get_program_parameter(program, c::LINK_STATUS), ParameterValue::Bool(false));
    assert_eq!(f.gl.get_program_info_log(program).as_deref(), Some("Missing vertex shader."));
    f.gl.use_program(program);
    f.expect(c::INVALID_OPERATION);
    f.gl.get_uniform_location(program, "color");
    f.expect(c::INVALID_OPERATION);
    let program = f.program();
    f.expect_ok();
    // Deletion of the current program is put off until it is no longer current.
    f.gl.delete_program(program);
    // As Chromium has it: it exists as long as it is current.
    assert!(f.gl.is_program(program));
    assert_eq!(f.gl.get_program_parameter(program, c::DELETE_STATUS), ParameterValue::Bool(true));
    f.gl.use_program(0);
    assert!(!f.gl.is_program(program));
    f.expect_ok();
    f.gl.get_program_parameter(program, c::DELETE_STATUS);
    f.expect(c::INVALID_VALUE);
}

#[test]
fn tables_for_script() {
    let mut f = Fixture::new();
    let program = f.program();
    assert_eq!(f.gl.get_program_parameter(program, c::ACTIVE_UNIFORMS), ParameterValue::Int(5));
    assert_eq!(f.gl.get_program_parameter(program, c::ACTIVE_ATTRIBUTES), ParameterValue::Int(2));
    assert_eq!(f.gl.get_program_parameter(program, c::ACTIVE_UNIFORM_BLOCKS), ParameterValue::Int(1));
    assert_eq!(
        f.gl.get_active_uniform(program, 1),
        Some(ActiveInfo { name: "lights[0]".into(), size: 4, ty: c::FLOAT_VEC3 })
    );
    assert_eq!(f.gl.get_active_uniform(program, 4).map(|info| info.ty), Some(c::SAMPLER_2D));
    assert_eq!(f.gl.get_active_uniform(program, 5), None);
    f.expect(c::INVALID_VALUE);
    assert_eq!(f.gl.get_attrib_location(program, "offset"), 1);
    assert_eq!(f.gl.get_attrib_location(program, "gl_VertexID"), -1);
    assert_eq!(f.gl.get_attrib_location(program, "none"), -1);
    assert_eq!(f.gl.get_uniform_block_index(program, "Camera"), 0);
    assert_eq!(f.gl.get_uniform_block_index(program, "None"), c::INVALID_INDEX);
    assert_eq!(
        f.gl.get_active_uniform_block_parameter(program, 0, c::UNIFORM_BLOCK_DATA_SIZE),
        ParameterValue::Uint(64)
    );
    assert_eq!(f.gl.get_frag_data_location(program, "outColor"), 0);
    f.expect_ok();
    f.gl.uniform_block_binding(program, 1, 0);
    f.expect(c::INVALID_VALUE);
    f.gl.uniform_block_binding(program, 0, 1000);
    f.expect(c::INVALID_VALUE);
    f.gl.bind_attrib_location(program, 16, "a");
    f.expect(c::INVALID_VALUE);
    f.gl.bind_attrib_location(program, 0, "gl_a");
    f.expect(c::INVALID_OPERATION);
}
