use super::Fixture;
use crate::gl::ParameterValue;
use crate::gl::constants as c;

/// The first error stays until asked for (ES 3.0 §2.5).
#[test]
fn the_first_error_wins() {
    let mut f = Fixture::new();
    f.gl.enable(c::TEXTURE_2D);
    f.gl.viewport(0, 0, -1, 0);
    assert_eq!(f.gl.get_error(), c::INVALID_ENUM);
    assert_eq!(f.gl.get_error(), c::NO_ERROR);
    assert_eq!(f.gl.errors_mut().take_log().len(), 2);
}

#[test]
fn initial_state() {
    let mut f = Fixture::new();
    let mut get = |name| f.gl.get_parameter(name);
    // ES 3.0 tables 6.5–6.12.
    assert_eq!(get(c::VIEWPORT), ParameterValue::IntArray(vec![0, 0, 64, 32]));
    assert_eq!(get(c::SCISSOR_BOX), ParameterValue::IntArray(vec![0, 0, 64, 32]));
    assert_eq!(get(c::DEPTH_RANGE), ParameterValue::FloatArray(vec![0.0, 1.0]));
    assert_eq!(get(c::BLEND_SRC_RGB), ParameterValue::Uint(c::ONE));
    assert_eq!(get(c::BLEND_DST_ALPHA), ParameterValue::Uint(c::ZERO));
    assert_eq!(get(c::DEPTH_FUNC), ParameterValue::Uint(c::LESS));
    assert_eq!(get(c::STENCIL_WRITEMASK), ParameterValue::Uint(u32::MAX));
    assert_eq!(get(c::STENCIL_BACK_FUNC), ParameterValue::Uint(c::ALWAYS));
    assert_eq!(get(c::DITHER), ParameterValue::Bool(true));
    assert_eq!(get(c::COLOR_WRITEMASK), ParameterValue::BoolArray(vec![true; 4]));
    assert_eq!(get(c::CULL_FACE_MODE), ParameterValue::Uint(c::BACK));
    assert_eq!(get(c::FRONT_FACE), ParameterValue::Uint(c::CCW));
    assert_eq!(get(c::ACTIVE_TEXTURE), ParameterValue::Uint(c::TEXTURE0));
    assert_eq!(get(c::SAMPLE_COVERAGE_VALUE), ParameterValue::Float(1.0));
    assert_eq!(get(c::UNPACK_ALIGNMENT), ParameterValue::Int(4));
    assert_eq!(get(c::DRAW_BUFFER0), ParameterValue::Uint(c::BACK));
    assert_eq!(get(c::MAX_CLIENT_WAIT_TIMEOUT_WEBGL), ParameterValue::Int64(0));
    f.expect_ok();
}

/// ES 3.0 table 6.34 and WebGL: least values of WebGL 2.
#[test]
fn limits_reach_the_least_values() {
    let mut f = Fixture::new();
    for (name, least) in [
        (c::MAX_TEXTURE_SIZE, 2048),
        (c::MAX_3D_TEXTURE_SIZE, 256),
        (c::MAX_ARRAY_TEXTURE_LAYERS, 256),
        (c::MAX_VERTEX_ATTRIBS, 16),
        (c::MAX_TEXTURE_IMAGE_UNITS, 16),
        (c::MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
        (c::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 32),
        (c::MAX_VERTEX_UNIFORM_VECTORS, 256),
        (c::MAX_FRAGMENT_UNIFORM_VECTORS, 224),
        (c::MAX_VARYING_VECTORS, 15),
        (c::MAX_UNIFORM_BUFFER_BINDINGS, 24),
        (c::MAX_VERTEX_UNIFORM_BLOCKS, 12),
        (c::MAX_COMBINED_UNIFORM_BLOCKS, 24),
        (c::MAX_DRAW_BUFFERS, 4),
        (c::MAX_SAMPLES, 4),
    ] {
        match f.gl.get_parameter(name) {
            ParameterValue::Int(value) => assert!(value >= least, "{name:#x}: {value} < {least}"),
            other => panic!("{name:#x}: {other:?}"),
        }
    }
    f.gl.get_parameter(c::MAX_TEXTURE_MAX_ANISOTROPY_EXT);
    f.expect(c::INVALID_ENUM);
    assert_eq!(f.gl.get_extension("ext_TEXTURE_filter_anisotropic"), Some("EXT_texture_filter_anisotropic"));
    assert_eq!(f.gl.get_parameter(c::MAX_TEXTURE_MAX_ANISOTROPY_EXT), ParameterValue::Float(16.0));
    assert_eq!(f.gl.get_extension("OES_vertex_array_object"), None, "core in WebGL 2");
}

#[test]
fn arguments_of_state_calls() {
    let mut f = Fixture::new();
    f.gl.depth_func(c::ONE);
    f.expect(c::INVALID_ENUM);
    // WebGL 1 §6.12.
    f.gl.depth_range(0.6, 0.5);
    f.expect(c::INVALID_OPERATION);
    f.gl.scissor(0, 0, 1, -1);
    f.expect(c::INVALID_VALUE);
    f.gl.cull_face(c::CCW);
    f.expect(c::INVALID_ENUM);
    f.gl.front_face(c::FRONT);
    f.expect(c::INVALID_ENUM);
    f.gl.line_width(0.0);
    f.expect(c::INVALID_VALUE);
    f.gl.line_width(f32::NAN);
    f.expect(c::INVALID_VALUE);
    f.gl.blend_equation(c::ONE);
    f.expect(c::INVALID_ENUM);
    // WebGL 1 §6.13.
    f.gl.blend_func(c::CONSTANT_COLOR, c::CONSTANT_ALPHA);
    f.expect(c::INVALID_OPERATION);
    f.gl.blend_func(c::ONE, c::SRC1_COLOR_WEBGL);
    f.expect(c::INVALID_ENUM);
    f.gl.stencil_op(c::KEEP, c::KEEP, c::ONE);
    f.expect(c::INVALID_ENUM);
    f.gl.hint(c::GENERATE_MIPMAP_HINT, c::ONE);
    f.expect(c::INVALID_ENUM);
    f.gl.enable(c::DEPTH_CLAMP_EXT);
    f.expect(c::INVALID_ENUM);
    f.gl.get_parameter(0xffff);
    f.expect(c::INVALID_ENUM);

    let mut one = Fixture::webgl1();
    one.gl.enable(c::RASTERIZER_DISCARD);
    one.expect(c::INVALID_ENUM);
    one.gl.blend_equation(c::MIN);
    one.expect(c::INVALID_ENUM);
    one.gl.get_extension("EXT_blend_minmax");
    one.gl.blend_equation(c::MIN);
    one.expect_ok();
}

/// WebGL 2 §3.7.14: nothing changes within a task.
#[test]
fn syncs_and_queries_answer_in_the_next_task() {
    let mut f = Fixture::new();
    let sync = f.gl.fence_sync(c::SYNC_GPU_COMMANDS_COMPLETE, 0);
    assert_eq!(f.gl.client_wait_sync(sync, 0, 0), c::TIMEOUT_EXPIRED);
    assert_eq!(f.gl.get_sync_parameter(sync, c::SYNC_STATUS), ParameterValue::Uint(c::UNSIGNALED));
    let query = f.gl.create_query();
    f.gl.begin_query(c::ANY_SAMPLES_PASSED, query);
    f.gl.begin_query(c::ANY_SAMPLES_PASSED_CONSERVATIVE, query);
    f.expect(c::INVALID_OPERATION);
    f.gl.get_query_parameter(query, c::QUERY_RESULT);
    f.expect(c::INVALID_OPERATION);
    f.gl.end_query(c::ANY_SAMPLES_PASSED);
    assert_eq!(f.gl.get_query_parameter(query, c::QUERY_RESULT_AVAILABLE), ParameterValue::Bool(false));
    f.gl.next_task();
    assert_eq!(f.gl.client_wait_sync(sync, 0, 0), c::ALREADY_SIGNALED);
    assert_eq!(f.gl.get_query_parameter(query, c::QUERY_RESULT_AVAILABLE), ParameterValue::Bool(true));
    assert_eq!(f.gl.get_query_parameter(query, c::QUERY_RESULT), ParameterValue::Uint(0));
    f.expect_ok();
    f.gl.end_query(c::ANY_SAMPLES_PASSED);
    f.expect(c::INVALID_OPERATION);
    f.gl.client_wait_sync(sync, 0, 1);
    f.expect(c::INVALID_OPERATION);
    f.gl.fence_sync(0, 0);
    f.expect(c::INVALID_ENUM);
}
