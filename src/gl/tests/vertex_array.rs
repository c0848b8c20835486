use super::Fixture;
use crate::gl::ParameterValue;
use crate::gl::constants as c;
use crate::gl::enums::ObjectKind;

#[test]
fn pointer_arguments() {
    let mut f = Fixture::new();
    f.buffer(c::ARRAY_BUFFER, &[0; 64]);
    let mut case = |index, size, ty, stride, offset, error| {
        f.gl.vertex_attrib_pointer(index, size, ty, false, stride, offset);
        f.expect(error);
    };
    case(16, 3, c::FLOAT, 0, 0, c::INVALID_VALUE);
    case(0, 0, c::FLOAT, 0, 0, c::INVALID_VALUE);
    case(0, 5, c::FLOAT, 0, 0, c::INVALID_VALUE);
    case(0, 3, c::TEXTURE_2D, 0, 0, c::INVALID_ENUM);
    case(0, 3, c::FIXED, 0, 0, c::INVALID_ENUM);
    // WebGL 1 §6.6: at most 255; §6.5: multiples of the component size.
    case(0, 3, c::FLOAT, 256, 0, c::INVALID_VALUE);
    case(0, 3, c::FLOAT, -4, 0, c::INVALID_VALUE);
    case(0, 3, c::FLOAT, 0, -4, c::INVALID_VALUE);
    case(0, 3, c::FLOAT, 13, 0, c::INVALID_OPERATION);
    case(0, 3, c::FLOAT, 12, 2, c::INVALID_OPERATION);
    case(0, 3, c::SHORT, 6, 2, c::NO_ERROR);
    case(0, 3, c::INT_2_10_10_10_REV, 0, 0, c::INVALID_OPERATION);
    case(0, 4, c::INT_2_10_10_10_REV, 0, 0, c::NO_ERROR);
    f.gl.bind_buffer(c::ARRAY_BUFFER, 0);
    f.gl.vertex_attrib_pointer(0, 3, c::FLOAT, false, 0, 4);
    f.expect(c::INVALID_OPERATION);
    f.gl.vertex_attrib_i_pointer(0, 3, c::FLOAT, 0, 0);
    f.expect(c::INVALID_ENUM);
}

#[test]
fn webgl1_lacks_integer_and_half_arrays() {
    let mut f = Fixture::webgl1();
    f.buffer(c::ARRAY_BUFFER, &[0; 64]);
    for ty in [c::INT, c::UNSIGNED_INT, c::HALF_FLOAT, c::INT_2_10_10_10_REV] {
        f.gl.vertex_attrib_pointer(0, 4, ty, false, 0, 0);
        f.expect(c::INVALID_ENUM);
    }
}

#[test]
fn vertex_arrays_keep_their_state() {
    let mut f = Fixture::new();
    let buffer = f.buffer(c::ARRAY_BUFFER, &[0; 64]);
    let indices = f.gl.create_buffer();
    let vertex_array = f.gl.create_vertex_array();
    assert!(!f.gl.is_vertex_array(vertex_array));
    f.gl.bind_vertex_array(vertex_array);
    assert!(f.gl.is_vertex_array(vertex_array));
    f.gl.bind_buffer(c::ELEMENT_ARRAY_BUFFER, indices);
    f.gl.enable_vertex_attrib_array(2);
    f.gl.vertex_attrib_pointer(2, 2, c::UNSIGNED_SHORT, true, 8, 4);
    f.gl.vertex_attrib_divisor(2, 3);
    f.gl.bind_vertex_array(0);
    assert_eq!(f.gl.get_parameter(c::ELEMENT_ARRAY_BUFFER_BINDING), ParameterValue::Object(ObjectKind::Buffer, 0));
    assert_eq!(f.gl.get_vertex_attrib(2, c::VERTEX_ATTRIB_ARRAY_ENABLED), ParameterValue::Bool(false));
    f.gl.bind_vertex_array(vertex_array);
    let mut value = |name| f.gl.get_vertex_attrib(2, name);
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_ENABLED), ParameterValue::Bool(true));
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_SIZE), ParameterValue::Int(2));
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_TYPE), ParameterValue::Uint(c::UNSIGNED_SHORT));
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_NORMALIZED), ParameterValue::Bool(true));
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_STRIDE), ParameterValue::Int(8));
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_DIVISOR), ParameterValue::Uint(3));
    assert_eq!(value(c::VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), ParameterValue::Object(ObjectKind::Buffer, buffer));
    assert_eq!(f.gl.get_vertex_attrib_offset(2, c::VERTEX_ATTRIB_ARRAY_POINTER), 4);
    f.gl.delete_vertex_array(vertex_array);
    assert_eq!(f.gl.get_parameter(c::VERTEX_ARRAY_BINDING), ParameterValue::Object(ObjectKind::VertexArray, 0));
    f.gl.bind_vertex_array(vertex_array);
    f.expect(c::INVALID_OPERATION);
}

#[test]
fn generic_values() {
    let mut f = Fixture::new();
    assert_eq!(
        f.gl.get_vertex_attrib(1, c::CURRENT_VERTEX_ATTRIB),
        ParameterValue::FloatArray(vec![0.0, 0.0, 0.0, 1.0])
    );
    f.gl.vertex_attrib_2f(1, 5.0, 6.0);
    assert_eq!(
        f.gl.get_vertex_attrib(1, c::CURRENT_VERTEX_ATTRIB),
        ParameterValue::FloatArray(vec![5.0, 6.0, 0.0, 1.0])
    );
    f.gl.vertex_attrib_i4ui(1, 1, 2, 3, u32::MAX);
    assert_eq!(f.gl.get_vertex_attrib(1, c::CURRENT_VERTEX_ATTRIB), ParameterValue::UintArray(vec![1, 2, 3, u32::MAX]));
    f.gl.vertex_attrib_3fv(1, &[1.0, 2.0]);
    f.expect(c::INVALID_VALUE);
    f.gl.vertex_attrib_1f(16, 1.0);
    f.expect(c::INVALID_VALUE);
}
