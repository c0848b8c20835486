//! Constant expressions: values from the specification or closed forms.

use super::support::{accepts, close, floats, fold};
use crate::shader::hir::Constant::{Bool, Int, Uint};

#[test]
fn integer_arithmetic_truncates_and_wraps() {
    assert_eq!(fold("int", "7 / 2"), [Int(3)]);
    assert_eq!(fold("int", "-7 / 2"), [Int(-3)]);
    assert_eq!(fold("int", "7 % 3"), [Int(1)]);
    assert_eq!(fold("int", "2147483647 + 1"), [Int(i32::MIN)]);
    assert_eq!(fold("uint", "0u - 1u"), [Uint(u32::MAX)]);
    assert_eq!(fold("int", "0xFFFFFFFF"), [Int(-1)]);
    assert_eq!(fold("int", "010"), [Int(8)]);
    assert_eq!(fold("int", "~5 & 0xF"), [Int(10)]);
    assert_eq!(fold("int", "-8 >> 1"), [Int(-4)]);
    assert_eq!(fold("uint", "1u << 31"), [Uint(0x8000_0000)]);
    assert_eq!(fold("ivec2", "ivec2(1, 2) << ivec2(3u, 1)"), [Int(8), Int(4)]);
}

#[test]
fn precedence_is_that_of_the_language() {
    assert_eq!(fold("int", "1 + 2 * 3"), [Int(7)]);
    assert_eq!(fold("int", "1 << 2 + 1"), [Int(8)]);
    assert_eq!(fold("int", "1 | 2 ^ 3 & 1"), [Int(3)]);
    assert_eq!(fold("bool", "true || false && false"), [Bool(true)]);
    assert_eq!(fold("bool", "true ^^ true || true"), [Bool(true)]);
    assert_eq!(fold("int", "false ? 1 : true ? 2 : 3"), [Int(2)]);
    assert_eq!(fold("int", "10 - 4 - 3"), [Int(3)]);
}

#[test]
fn conversions_follow_section_5_4() {
    assert_eq!(fold("int", "int(-1.9)"), [Int(-1)]);
    assert_eq!(fold("uint", "uint(-1)"), [Uint(u32::MAX)]);
    assert_eq!(fold("float", "float(true)"), floats(&[1.0]));
    assert_eq!(fold("bvec3", "bvec3(0.0, 2, 0u)"), [Bool(false), Bool(true), Bool(false)]);
    assert_eq!(fold("vec4", "vec4(vec3(1, 2, 3), 4)"), floats(&[1.0, 2.0, 3.0, 4.0]));
    assert_eq!(fold("vec3", "vec3(2)"), floats(&[2.0, 2.0, 2.0]));
    assert_eq!(fold("vec2", "vec2(vec4(1, 2, 3, 4))"), floats(&[1.0, 2.0]));
    assert_eq!(fold("mat2", "mat2(3)"), floats(&[3.0, 0.0, 0.0, 3.0]));
    assert_eq!(fold("mat3", "mat3(mat2(1, 2, 3, 4))"), floats(&[1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 0.0, 0.0, 1.0]));
    assert_eq!(fold("mat2x3", "mat2x3(mat4(5))"), floats(&[5.0, 0.0, 0.0, 0.0, 5.0, 0.0]));
}

#[test]
fn linear_algebra_is_column_major() {
    // Columns (1,2) and (3,4): M·(5,6) = 5·(1,2) + 6·(3,4).
    assert_eq!(fold("vec2", "mat2(1, 2, 3, 4) * vec2(5, 6)"), floats(&[23.0, 34.0]));
    assert_eq!(fold("vec2", "vec2(5, 6) * mat2(1, 2, 3, 4)"), floats(&[17.0, 39.0]));
    assert_eq!(fold("mat2", "mat2(1, 2, 3, 4) * mat2(0, 1, 1, 0)"), floats(&[3.0, 4.0, 1.0, 2.0]));
    // 2 columns of 3 rows times 3 columns of 2 rows is 3 × 3.
    assert_eq!(
        fold("mat3", "mat2x3(1, 0, 0, 0, 1, 0) * mat3x2(1, 2, 3, 4, 5, 6)"),
        floats(&[1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 5.0, 6.0, 0.0])
    );
    assert_eq!(fold("mat2x3", "outerProduct(vec3(1, 2, 3), vec2(4, 5))"), floats(&[4.0, 8.0, 12.0, 5.0, 10.0, 15.0]));
    assert_eq!(fold("mat3x2", "transpose(mat2x3(1, 2, 3, 4, 5, 6))"), floats(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
    assert_eq!(fold("float", "determinant(mat3(2, 0, 0, 0, 3, 0, 0, 0, 4))"), floats(&[24.0]));
    close(&fold("mat2", "inverse(mat2(4, 2, 7, 6))"), &[0.6, -0.2, -0.7, 0.4], 1e-6);
    assert_eq!(fold("mat2", "matrixCompMult(mat2(1, 2, 3, 4), mat2(2))"), floats(&[2.0, 0.0, 0.0, 8.0]));
}

#[test]
fn built_in_functions_have_their_values() {
    close(&fold("float", "sin(radians(30.0))"), &[0.5], 1e-6);
    close(&fold("float", "atan(1.0, -1.0)"), &[3.0 * std::f32::consts::FRAC_PI_4], 1e-6);
    assert_eq!(fold("float", "mod(-1.0, 3.0)"), floats(&[2.0]));
    assert_eq!(fold("vec2", "fract(vec2(-0.25, 1.5))"), floats(&[0.75, 0.5]));
    assert_eq!(fold("float", "smoothstep(0.0, 2.0, 1.0)"), floats(&[0.5]));
    assert_eq!(fold("vec3", "mix(vec3(0), vec3(10), 0.5)"), floats(&[5.0, 5.0, 5.0]));
    assert_eq!(fold("vec2", "mix(vec2(1, 2), vec2(3, 4), bvec2(true, false))"), floats(&[3.0, 2.0]));
    assert_eq!(fold("vec3", "cross(vec3(1, 0, 0), vec3(0, 1, 0))"), floats(&[0.0, 0.0, 1.0]));
    assert_eq!(fold("float", "length(vec2(3, 4))"), floats(&[5.0]));
    assert_eq!(fold("vec2", "reflect(vec2(1, -1), vec2(0, 1))"), floats(&[1.0, 1.0]));
    assert_eq!(fold("vec2", "refract(vec2(0, -1), vec2(0, 1), 1.0)"), floats(&[0.0, -1.0]));
    assert_eq!(fold("float", "faceforward(1.0, 1.0, 1.0)"), floats(&[-1.0]));
    assert_eq!(fold("vec2", "roundEven(vec2(2.5, 3.5))"), floats(&[2.0, 4.0]));
    assert_eq!(fold("bvec2", "lessThan(ivec2(1, 2), ivec2(2))"), [Bool(true), Bool(false)]);
    assert_eq!(fold("bool", "any(not(bvec2(true, false)))"), [Bool(true)]);
    assert_eq!(fold("ivec2", "clamp(ivec2(-5, 5), 0, 3)"), [Int(0), Int(3)]);
    assert_eq!(fold("int", "floatBitsToInt(1.0)"), [Int(0x3f80_0000)]);
    assert_eq!(fold("uint", "packHalf2x16(vec2(1.0, -2.0))"), [Uint(0xc000_3c00)]);
    assert_eq!(fold("uint", "packUnorm2x16(vec2(1.0, 0.0))"), [Uint(0x0000_ffff)]);
    assert_eq!(fold("vec2", "unpackSnorm2x16(0x80017fffu)"), floats(&[1.0, -1.0]));
    assert_eq!(fold("bool", "isinf(1.0 / 0.0)"), [Bool(true)]);
}

#[test]
fn parts_of_constants_are_constant() {
    assert_eq!(fold("float", "mat2(1, 2, 3, 4)[1][0]"), floats(&[3.0]));
    assert_eq!(fold("vec2", "vec4(1, 2, 3, 4).wz"), floats(&[4.0, 3.0]));
    assert_eq!(fold("int", "int[3](7, 8, 9)[2]"), [Int(9)]);
    assert_eq!(fold("int", "int[](7, 8, 9).length()"), [Int(3)]);
    assert_eq!(fold("bool", "int[2](1, 2) == int[](1, 2)"), [Bool(true)]);
    assert!(accepts("const vec3 v = vec3(1, 2, 3); float a[int(v.z)]; a[2] = 1.0;"));
    assert!(accepts("const int n = int(mod(7.0, 4.0)); float a[n]; a[2] = 1.0;"));
    assert!(!accepts("const int n = int(mod(7.0, 4.0)); float a[n]; a[3] = 1.0;"));
}

#[test]
fn what_is_not_constant_cannot_size_an_array() {
    assert!(!accepts("int n = 3; float a[n];"));
    assert!(!accepts("const int n = (1, 2);"), "GLSL ES 3.00 §12.43: the sequence operator is not constant");
    assert!(!accepts("float a[0];"));
    assert!(!accepts("float a[-1];"));
    assert!(!accepts("float a[2.0];"));
    assert!(accepts("float a[2u];"));
}
