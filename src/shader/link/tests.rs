//! Link rules and reflection, on real sources. Expected values are those of the OpenGL ES 3.0 and WebGL
//! specifications (names, locations, limits) and of ANGLE's messages.

use super::*;
use crate::shader::hir::{Scalar, Shader};
use crate::shader::program::{AttributeSlot, VariableType};
use crate::shader::{CompileOptions, ExtensionSet, Stage, compile};

fn shader(stage: Stage, source: &str, webgl2: bool) -> Arc<Shader> {
    let options = CompileOptions { webgl2, extensions: ExtensionSet::all(), ..Default::default() };
    compile(stage, source, &options).unwrap_or_else(|log| panic!("{log}"))
}

fn options() -> LinkOptions {
    LinkOptions { webgl2: true, ..Default::default() }
}

fn try_link(vertex: &str, fragment: &str, options: &LinkOptions) -> Result<LinkedProgram, InfoLog> {
    let vertex = shader(Stage::Vertex, &format!("#version 300 es\n{vertex}"), true);
    let head = "#version 300 es\nprecision highp float; precision highp int;\n";
    let fragment = shader(Stage::Fragment, &format!("{head}{fragment}"), true);
    link(&vertex, &fragment, options)
}

fn linked(vertex: &str, fragment: &str) -> LinkedProgram {
    try_link(vertex, fragment, &options()).unwrap_or_else(|log| panic!("{log}"))
}

fn fails(vertex: &str, fragment: &str, options: &LinkOptions, message: &str) {
    let log = try_link(vertex, fragment, options).expect_err("links");
    assert!(log.as_str().contains(message), "log is: {log}");
}

const PLAIN_VERTEX: &str = "void main() { gl_Position = vec4(0.0); }";
const PLAIN_FRAGMENT: &str = "out vec4 c; void main() { c = vec4(1.0); }";

fn location(program: &LinkedProgram, name: &str) -> i32 {
    let found = program.reflection.attributes.iter().find(|a| a.name == name);
    found.unwrap_or_else(|| panic!("no attribute {name}")).location
}

#[test]
fn attribute_locations_come_from_layout_then_binding_then_free_places() {
    let vertex = "layout(location = 2) in vec4 a; in vec4 b; in mat3 m; in vec2 unused; in float f;
        void main() { gl_Position = a + b * f + vec4(m[1], 1.0) + float(gl_VertexID); }";
    let mut options = options();
    options.attribute_bindings.insert("a".into(), 9);
    options.attribute_bindings.insert("b".into(), 0);
    let program = try_link(vertex, PLAIN_FRAGMENT, &options).unwrap();
    assert_eq!(location(&program, "a"), 2);
    assert_eq!(location(&program, "b"), 0);
    // Three places in a row are free from 3 on.
    assert_eq!(location(&program, "m"), 3);
    assert_eq!(location(&program, "f"), 1);
    assert_eq!(location(&program, "gl_VertexID"), -1);
    assert!(!program.reflection.attributes.iter().any(|a| a.name == "unused"));
}

#[test]
fn attributes_may_not_alias_or_leave_the_range() {
    let vertex = "in vec4 a; in vec4 b; void main() { gl_Position = a + b; }";
    let mut both = options();
    both.attribute_bindings.insert("a".into(), 1);
    both.attribute_bindings.insert("b".into(), 1);
    fails(vertex, PLAIN_FRAGMENT, &both, "alias");
    let mut far = options();
    far.attribute_bindings.insert("a".into(), 15);
    let matrix = "in mat4 a; void main() { gl_Position = a[0]; }";
    fails(matrix, PLAIN_FRAGMENT, &far, "too big to fit");
}

#[test]
fn uniforms_are_enumerated_as_gl_does() {
    let fragment = "struct L { vec3 d; float k[2]; }; uniform L lights[2]; uniform sampler2D maps[3]; uniform mat2 m;
        uniform float unused; out vec4 c;
        void main() { c = texture(maps[1], lights[1].d.xy) * lights[0].k[1] * m[0].x; }";
    let program = linked(PLAIN_VERTEX, fragment);
    let names: Vec<_> = program.reflection.uniforms.iter().map(|u| (u.name.as_str(), u.size, u.location)).collect();
    assert_eq!(
        names,
        [
            ("lights[0].d", 1, 0),
            ("lights[0].k[0]", 2, 1),
            ("lights[1].d", 1, 3),
            ("lights[1].k[0]", 2, 4),
            ("maps[0]", 3, 6),
            ("m", 1, 9),
        ]
    );
    // std140: vec3 at 0, float[2] at 16 with stride 16; the struct takes 48.
    let place = |i: usize| program.reflection.uniforms[i].fragment.unwrap();
    assert_eq!((place(1).offset, place(1).array_stride), (16, 16));
    assert_eq!(place(2).offset, 48);
    assert_eq!((place(5).offset, place(5).matrix_stride), (96, 16));
    assert_eq!(program.reflection.uniforms[4].texture_slot, Some(0));
    assert_eq!(program.reflection.uniforms[4].fragment, None);
    let code = program.emit(Variant::default()).unwrap();
    assert_eq!((code.layout.vertex_block, code.layout.fragment_block), (0, 128));
    assert_eq!(code.layout.textures.len(), 3);
}

#[test]
fn uniforms_must_agree() {
    let vertex = "uniform vec3 u; void main() { gl_Position = vec4(u, 1.0); }";
    let fragment = "uniform vec4 u; out vec4 c; void main() { c = u; }";
    fails(vertex, fragment, &options(), "Types of uniform 'u' differ between VERTEX and FRAGMENT shaders.");
    let fragment = "uniform mediump vec3 u; out vec4 c; void main() { c = vec4(u, 1.0); }";
    fails(vertex, fragment, &options(), "Precisions of uniform 'u' differ");
}

#[test]
fn varyings_must_agree() {
    let vertex = "out vec2 v; void main() { gl_Position = vec4(0.0); v = vec2(0.0); }";
    let fragment = "in vec3 v; out vec4 c; void main() { c = vec4(v, 1.0); }";
    fails(vertex, fragment, &options(), "Types of varying 'v' differ");
    let fragment = "in vec2 w; out vec4 c; void main() { c = vec4(w, 1.0, 1.0); }";
    fails(vertex, fragment, &options(), "FRAGMENT varying w does not match any VERTEX varying");
    let fragment = "flat in vec2 v; out vec4 c; void main() { c = vec4(v, 1.0, 1.0); }";
    fails(vertex, fragment, &options(), "Interpolation types of varying 'v' differ");
    // Declared but not read: no error.
    linked(vertex, "in vec2 w; out vec4 c; void main() { c = vec4(1.0); }");
}

#[test]
fn varyings_are_counted_packed() {
    let declare = |n: usize, direction: &str| (0..n).map(|i| format!("{direction} vec2 v{i};")).collect::<String>();
    let sum = |n: usize| (0..n).map(|i| format!(" + v{i}.x")).collect::<String>();
    let assign = |n: usize| (0..n).map(|i| format!("v{i} = vec2(1.0);")).collect::<String>();
    let pair = |n: usize| {
        (
            format!("{}void main() {{ gl_Position = vec4(0.0); {} }}", declare(n, "out"), assign(n)),
            format!("{}out vec4 c; void main() {{ c = vec4(0.0{}); }}", declare(n, "in"), sum(n)),
        )
    };
    let (vertex, fragment) = pair(30);
    let program = linked(&vertex, &fragment);
    program.emit(Variant::default()).unwrap();
    let (vertex, fragment) = pair(31);
    fails(&vertex, &fragment, &options(), "varying");
}

#[test]
fn blocks_are_enumerated_and_must_agree() {
    let vertex = "uniform A { vec4 a; mat3 m[2]; } named; uniform B { float b; };
        void main() { gl_Position = named.a * b; }";
    let fragment = "uniform B { float b; }; uniform C { vec4 x; } c[2]; out vec4 o; void main() { o = c[1].x * b; }";
    let program = linked(vertex, fragment);
    let blocks: Vec<_> = program
        .reflection
        .uniform_blocks
        .iter()
        .map(|b| (b.name.as_str(), b.size, b.in_vertex, b.in_fragment))
        .collect();
    assert_eq!(
        blocks,
        [("A", 112, true, false), ("B", 16, true, true), ("C[0]", 16, false, true), ("C[1]", 16, false, true)]
    );
    let members: Vec<_> =
        program.reflection.block_uniforms.iter().map(|u| (u.name.as_str(), u.place.offset, u.size)).collect();
    assert_eq!(members, [("A.a", 0, 1), ("A.m[0]", 16, 2), ("b", 0, 1), ("C.x", 0, 1)]);
    let other = "uniform B { vec2 b; }; out vec4 o; void main() { o = b.xyxy; }";
    fails(vertex, other, &options(), "Types of interface block 'B' member differ");
}

#[test]
fn outputs_have_locations() {
    let program = linked(
        PLAIN_VERTEX,
        "layout(location = 1) out uvec4 ids; layout(location = 0) out vec4 c; void main() { c = vec4(1.0); ids = uvec4(1u); }",
    );
    let code = program.emit(Variant::default()).unwrap();
    let slots: Vec<_> = code.layout.outputs.iter().map(|o| (o.location, o.kind)).collect();
    assert_eq!(slots, [(0, Scalar::Float), (1, Scalar::Uint)]);
}

#[test]
fn frag_color_is_broadcast_with_draw_buffers() {
    let vertex = shader(Stage::Vertex, "void main() { gl_Position = vec4(0.0); }", false);
    let source = "#extension GL_EXT_draw_buffers : require\nvoid main() { gl_FragColor = vec4(1.0); }";
    let fragment = shader(Stage::Fragment, source, false);
    let program = link(&vertex, &fragment, &LinkOptions::default()).unwrap();
    assert_eq!(program.emit(Variant::default()).unwrap().layout.outputs.len(), 8);
    let fragment = shader(Stage::Fragment, "void main() { gl_FragColor = vec4(1.0); }", false);
    let program = link(&vertex, &fragment, &LinkOptions::default()).unwrap();
    assert_eq!(program.emit(Variant::default()).unwrap().layout.outputs.len(), 1);
}

#[test]
fn versions_may_not_be_mixed() {
    let vertex = shader(Stage::Vertex, "void main() { gl_Position = vec4(0.0); }", true);
    let fragment = shader(
        Stage::Fragment,
        "#version 300 es\nprecision highp float; out vec4 c; void main() { c = vec4(1.0); }",
        true,
    );
    let log = link(&vertex, &fragment, &options()).expect_err("links");
    assert_eq!(log.as_str(), "Versions of linked shaders have to match.\n");
}

#[test]
fn feedback_varyings_are_checked() {
    let vertex =
        "out vec4 a; out float b[3]; void main() { gl_Position = vec4(0.0); a = vec4(1.0); b[0] = b[1] = b[2] = 2.0; }";
    let with = |names: &[&str], separate: bool| LinkOptions {
        feedback_varyings: names.iter().map(|s| s.to_string()).collect(),
        feedback_separate: separate,
        ..options()
    };
    let program = try_link(vertex, PLAIN_FRAGMENT, &with(&["a", "b", "gl_Position"], false)).unwrap();
    let sizes: Vec<_> = program.reflection.feedback_varyings.iter().map(|v| v.size).collect();
    assert_eq!(sizes, [1, 3, 1]);
    assert_eq!(program.reflection.feedback_varyings[1].ty, VariableType::Scalar(Scalar::Float));
    fails(vertex, PLAIN_FRAGMENT, &with(&["missing"], false), "does not exist in the vertex shader");
    fails(vertex, PLAIN_FRAGMENT, &with(&["a", "a"], false), "same output variable");
    fails(vertex, PLAIN_FRAGMENT, &with(&["b[3]"], false), "does not exist");
    let many = with(&["a", "b", "gl_Position", "b[0]", "b[1]"], true);
    fails(vertex, PLAIN_FRAGMENT, &many, "Too many transform feedback varyings");
}

#[test]
fn variants_are_valid_and_say_what_they_bind() {
    let vertex =
        "in vec4 a; in vec2 b; uniform vec4 u; void main() { gl_Position = a + u + float(gl_InstanceID) + b.xyxy; }";
    let program = linked(vertex, "uniform vec4 u; out vec4 c; void main() { c = u; }");
    let plain = program.emit(Variant::default()).unwrap();
    assert!(!plain.layout.driver_block, "plain draws need no driver block");
    let location = location(&program, "a") as u32;
    let variant = Variant { uint_attributes: 1 << location, base_instance: true, ..Default::default() };
    let code = program.emit(variant).unwrap();
    assert!(code.layout.driver_block);
    let slot = AttributeSlot { location, kind: Scalar::Uint, components: 4 };
    assert!(code.layout.attributes.contains(&slot));
    let variant = Variant { sint_attributes: 3, upper_left: true, zero_to_one: true, ..Default::default() };
    let code = program.emit(variant).unwrap();
    assert!(code.layout.attributes.iter().all(|a| a.kind == Scalar::Int));
}

#[test]
fn clip_distances_are_written_for_enabled_planes() {
    let vertex = "#extension GL_ANGLE_clip_cull_distance : require
        out highp float gl_ClipDistance[2]; uniform float d;
        void main() { gl_Position = vec4(0.0); gl_ClipDistance[0] = d; gl_ClipDistance[1] = -d; }";
    let program = linked(vertex, PLAIN_FRAGMENT);
    for bits in [0, 1, 2, 3, 0x80] {
        let variant = Variant { clip_distances: bits, ..Default::default() };
        program.emit(variant).unwrap_or_else(|error| panic!("planes {bits:#b}: {error}"));
    }
}

/// `max_flat_rows` bounds the rows; what is indexed by something computed stays in the block.
#[test]
fn rows_of_uniforms_become_flat_varyings() {
    let fragment = "uniform vec4 a; uniform float b; uniform vec4 c[3]; uniform vec2 d; in vec4 v; out vec4 o;
        void main() { o = a + v * b + c[int(b)] + vec4(d, d); }";
    let vertex = "out vec4 v; void main() { v = vec4(1.0); gl_Position = v; }";
    // a is row 0, b row 1, c rows 2 to 4, d row 5.
    for (max, varyings, rows) in [(0, 31, vec![]), (1, 31, vec![0]), (8, 31, vec![0, 1, 5]), (8, 3, vec![0, 1])] {
        let mut options = options();
        options.limits.max_flat_rows = max;
        options.limits.max_varying_vectors = varyings;
        let program = try_link(vertex, fragment, &options).unwrap();
        assert_eq!(program.linked.flat.rows, rows);
        let code = program.emit(Default::default()).unwrap();
        assert_eq!(code.layout.fragment_block_in_vertex, !rows.is_empty());
    }
}
