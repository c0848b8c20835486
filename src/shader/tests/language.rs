//! Rules of the language, one group per concern; sections of GLSL ES 3.00 unless said otherwise.

use super::support::{accepts, fragment100, fragment300, vertex100, vertex300, webgl2};
use crate::shader::hir::{ExprKind, Stmt, Storage};
use crate::shader::{CompileOptions, ExtensionSet, Stage, compile};

#[test]
fn no_implicit_conversions() {
    assert!(!accepts("float x = 1;"));
    assert!(!accepts("vec2 v = vec2(1.0) * 2;"));
    assert!(!accepts("int i = 1u;"));
    assert!(!accepts("if (1) {}"));
    assert!(accepts("float x = float(1);"));
}

/// Empty declarations are legal (§9); §4.1.9 wants a size of every array, as dEQP and ANGLE read it.
#[test]
fn empty_declarations() {
    assert!(accepts("float; int[2]; vec2 v;"));
    assert!(!accepts("int[];"));
    assert!(!accepts("int[-1];"));
}

#[test]
fn overloads_match_exactly() {
    let source = |call: &str| {
        format!("int f(int a) {{ return 1; }} int f(float a) {{ return 2; }} void main() {{ int x = f({call}); }}")
    };
    assert!(fragment300(&source("1.0")).is_ok());
    assert!(fragment300(&source("1u")).is_err());
    let shader = fragment300(&source("1.0")).unwrap();
    let ExprKind::Call { function, .. } = &super::support::initializer(&shader).kind else { panic!("no call") };
    assert_eq!(
        shader.functions[function.0 as usize].locals[0].ty,
        crate::shader::hir::Type::Scalar(crate::shader::hir::Scalar::Float)
    );
    // Unreachable overloads are gone, callees come first.
    assert_eq!(shader.functions.len(), 2);
    assert_eq!(shader.main.0, 1);
}

#[test]
fn functions_differ_by_parameters_only() {
    assert!(fragment300("int f(int a) { return 1; } float f(int a) { return 1.0; } void main() {}").is_err());
    assert!(fragment300("void f(in int a); void f(out int a) { a = 1; } void main() {}").is_err());
    assert!(fragment300("void f(int a); void f(int b) {} void main() { f(1); }").is_ok());
    assert!(fragment300("void f(int a); void main() { f(1); }").is_err(), "§6.1: no definition");
    assert!(fragment300("void f() { f(); } void main() {}").is_err(), "§6.1: recursion, even if unused");
    assert!(fragment300("void g(); void f() { g(); } void g() { f(); } void main() { f(); }").is_err());
    assert!(fragment300("int f() { } void main() {}").is_err());
    assert!(fragment300("void main(int a) {}").is_err());
}

#[test]
fn built_in_functions_cannot_be_redeclared_in_300() {
    assert!(fragment300("float sin(int a) { return 1.0; } void main() {}").is_err());
    assert!(fragment100("float sin(int a) { return 1.0; } void main() {}").is_ok(), "1.00: a new overload");
    assert!(fragment100("float sin(float a) { return 1.0; } void main() {}").is_err());
    assert!(accepts("float sin = 1.0; sin += 1.0;"));
    assert!(!accepts("float sin = 1.0; float y = sin(1.0);"));
}

#[test]
fn lvalues() {
    assert!(accepts("vec4 v; v.xy = vec2(1.0); v.wzyx.xy = vec2(2.0); v[1] = 3.0;"));
    assert!(!accepts("vec4 v; v.xx = vec2(1.0);"));
    assert!(!accepts("const float c = 1.0; c = 2.0;"));
    assert!(!accepts("1.0 = 2.0;"));
    assert!(!accepts("float a, b; (a + b) = 1.0;"));
    assert!(!accepts("float a; (true ? a : a) = 1.0;"));
    assert!(!accepts("float a; +a = 1.0;"));
    assert!(!accepts("gl_FragCoord.x = 1.0;"));
    assert!(fragment300("uniform float u; void main() { u = 1.0; }").is_err());
    assert!(fragment300("in float v; void main() { v = 1.0; }").is_err());
    assert!(fragment300("void f(const in float a) { a = 1.0; } void main() {}").is_err());
    assert!(fragment300("void f(float a) { a = 1.0; } void main() { f(1.0); }").is_ok());
    assert!(fragment300("void f(out float a) { a = 1.0; } void main() { f(1.0); }").is_err());
    assert!(fragment300("void f(out float a) { a = 1.0; } void main() { vec2 v; f(v.y); }").is_ok());
    assert!(fragment300("uniform B { float u; } b; void main() { b.u = 1.0; }").is_err());
    assert!(vertex300("in float a; void main() { a = 1.0; }").is_err());
}

#[test]
fn scopes() {
    assert!(accepts("int x = 1; { int x = x; x = 2; }"), "§4.2.2: visible after its initialiser");
    assert!(!accepts("int x; float x;"));
    assert!(!accepts("for (int i = 0; i < 1; i++) { int i = 1; }"), "§6.3: the body adds no scope");
    assert!(!accepts("{ int x; } x = 1;"));
    assert!(!accepts("if (true) int x = 1; x = 2;"));
    assert!(fragment300("void f(int a) { int a; } void main() {}").is_err());
    assert!(fragment300("struct S { int a; }; void main() { S S = S(1); int b = S.a; }").is_ok());
    assert!(fragment300("struct S { int a; }; void main() { int S = 1; S s; }").is_err());
    assert!(fragment300("int f; void f() {} void main() {}").is_err());
    assert!(accepts("while (bool b = true) { b = false; }"));
}

#[test]
fn default_precision() {
    let version = "#version 300 es\n";
    let compiles = |stage, body: &str| compile(stage, &format!("{version}{body}"), &webgl2()).is_ok();
    assert!(!compiles(Stage::Fragment, "float x; void main() {}"), "§4.5.4: no default for float in fragment shaders");
    assert!(compiles(Stage::Fragment, "highp float x; void main() {}"));
    assert!(compiles(Stage::Fragment, "int x; uniform sampler2D s; void main() {}"));
    assert!(
        !compiles(Stage::Fragment, "uniform sampler3D s; void main() {}"),
        "only sampler2D and samplerCube have one"
    );
    assert!(compiles(Stage::Fragment, "precision lowp sampler3D; uniform sampler3D s; void main() {}"));
    assert!(compiles(Stage::Vertex, "float x; void main() {}"));
    assert!(!compiles(Stage::Vertex, "uniform usampler2D s; void main() {}"));
    assert!(!compiles(Stage::Fragment, "void f() { precision highp float; } float x; void main() {}"), "scoped");
    assert!(!compiles(Stage::Fragment, "struct S { float f; }; void main() {}"));
    assert!(!compiles(Stage::Fragment, "float f() { return 1.0; } void main() {}"));
    assert!(!compiles(Stage::Fragment, "void main() { highp bool b; }"));
    assert!(!compiles(Stage::Fragment, "precision highp vec2; void main() {}"));
}

#[test]
fn interfaces() {
    assert!(vertex300("layout(location = 3) in vec4 a; flat out ivec2 v; void main() { v = ivec2(1); }").is_ok());
    assert!(vertex300("out ivec2 v; void main() { v = ivec2(1); }").is_err(), "integers must be flat");
    assert!(vertex300("in vec4 a[2]; void main() {}").is_err());
    assert!(vertex300("in bool a; void main() {}").is_err());
    assert!(vertex300("layout(location = 0) out vec4 v; void main() {}").is_err());
    assert!(vertex300("layout(location = 0) uniform vec4 v; void main() {}").is_err());
    assert!(fragment300("out mat2 m; void main() {}").is_err());
    assert!(fragment300("flat out vec4 c; void main() {}").is_err());
    assert!(fragment300("out vec4 a; out vec4 b; void main() {}").is_err(), "two outputs need locations");
    assert!(fragment300("layout(location = 0) out vec4 a; layout(location = 0) out vec4 b; void main() {}").is_err());
    assert!(
        fragment300("layout(location = 0) out vec4 a[2]; layout(location = 2) out uvec4 b; void main() {}").is_ok()
    );
    assert!(fragment300("layout(location = 8) out vec4 a; void main() {}").is_err());
    assert!(fragment300("attribute vec4 a; void main() {}").is_err());
    assert!(fragment300("void main() { gl_FragColor = vec4(1.0); }").is_err());
    assert!(fragment300("invariant in vec4 v; void main() {}").is_err());
    assert!(vertex300("smooth invariant out vec4 v; void main() {}").is_err(), "§4.7: order");
    assert!(vertex300("invariant smooth out vec4 v; void main() {}").is_ok());
}

#[test]
fn samplers() {
    assert!(fragment300("uniform sampler2D s[2]; void main() { vec4 c = texture(s[1], vec2(0)); }").is_ok());
    assert!(
        fragment300("uniform sampler2D s[2]; uniform int i; void main() { vec4 c = texture(s[i], vec2(0)); }").is_err()
    );
    assert!(fragment300("sampler2D s; void main() {}").is_err());
    assert!(fragment300("uniform sampler2D s; void main() { sampler2D t = s; }").is_err());
    assert!(
        fragment300(
            "vec4 f(sampler2D s) { return texture(s, vec2(0)); } uniform sampler2D t; void main() { vec4 c = f(t); }"
        )
        .is_ok()
    );
    assert!(fragment300("void f(out sampler2D s) {} void main() {}").is_err());
    assert!(fragment300("uniform sampler2D s; void main() { ivec2 z = textureSize(s, 0); vec4 c = textureOffset(s, vec2(0), ivec2(7, -8)); }").is_ok());
    assert!(
        fragment300("uniform sampler2D s; void main() { vec4 c = textureOffset(s, vec2(0), ivec2(8, 0)); }").is_err()
    );
    assert!(
        vertex300("uniform lowp sampler2D s; void main() { vec4 c = texture(s, vec2(0), 1.0); }").is_err(),
        "bias in vertex"
    );
}

#[test]
fn uniform_blocks() {
    let shader = fragment300(
        "layout(std140, row_major) uniform Block { mat4 m; layout(column_major) mat3 n; float a[3]; } block[2];
         out vec4 c; void main() { c = block[1].m[0] * block[1].a[2]; }",
    )
    .unwrap();
    let block = &shader.blocks[0];
    assert_eq!((block.name.as_str(), block.instance.as_deref(), block.array), ("Block", Some("block"), Some(2)));
    assert!(block.used && block.fields[0].row_major && !block.fields[1].row_major);
    assert!(fragment300("uniform B { sampler2D s; }; void main() {}").is_err());
    assert!(fragment300("uniform B { float a; }; float a; void main() {}").is_err());
    assert!(fragment300("uniform B { float a; } b[2]; uniform int i; void main() { float x = b[i].a; }").is_err());
    assert!(fragment300("layout(packed) uniform B { float a; }; void main() {}").is_err(), "WebGL 2.0");
    assert!(fragment300("layout(location = 0) uniform B { float a; }; void main() {}").is_err());
    assert!(fragment300("uniform B { float a; } b; void main() { float x = a; }").is_err());
}

#[test]
fn switch_statements() {
    assert!(accepts("int x; switch (1) { case 0: case 1: x = 1; break; default: x = 2; }"));
    assert!(!accepts("switch (1) { case 0: }"));
    assert!(!accepts("switch (1) { int x; case 0: break; }"));
    assert!(!accepts("switch (1) { case 0: break; case 0: break; }"));
    assert!(!accepts("switch (1) { case 0u: break; }"));
    assert!(!accepts("switch (1.0) { default: break; }"));
    assert!(!accepts("switch (1) { case 0: { case 1: break; } }"));
    assert!(accepts("switch (1) { }"));
    assert!(accepts("struct S { int a; }; S; S s;"));
    let shader =
        fragment300("void main() { int x = 0; switch (x) { case 3: case -1: x = 1; default: x = 2; } }").unwrap();
    let Stmt::Switch { cases, .. } = &shader.functions[0].body[1] else { panic!("no switch") };
    assert_eq!((cases[0].labels.as_slice(), cases[0].default), (&[3, -1][..], false));
    assert_eq!((cases[1].labels.as_slice(), cases[1].default), (&[][..], true));
}

#[test]
fn arrays_and_structures() {
    assert!(accepts("float a[] = float[](1.0, 2.0); float b[2] = a; bool c = a == b;"));
    assert!(accepts("float[2] a; a = float[2](1.0, 2.0);"));
    assert!(!accepts("float a[];"));
    assert!(!accepts("float[2] a[2];"), "§4.1.9: no arrays of arrays");
    assert!(!accepts("float a[2] = float[3](1.0, 2.0, 3.0);"));
    assert!(!accepts("float a[2]; a[2] = 1.0;"));
    assert!(!accepts("struct S { struct T { int a; } t; };"));
    assert!(!accepts("struct S { int a; int a; };"));
    assert!(!accepts("struct S { int a; } s; struct T { int a; } t; s = t;"), "§4.1.8: same name and place");
    assert!(!accepts("vec3 v; float f = v.q;"));
    assert!(!accepts("vec3 v; float f = v.xg;"));
    assert!(!accepts("float f; float g = f.x;"));
    assert!(!accepts("true ? float[1](1.0) : float[1](2.0);"), "WebGL 2.0 §5.26");
    assert!(fragment300("float[2] f() { return float[2](1.0, 2.0); } void main() { float x = f()[1]; }").is_ok());
}

#[test]
fn essl100_lacks_what_came_later() {
    for body in [
        "void main() { int x = 1 % 2; }",
        "void main() { int x = 1 & 2; }",
        "void main() { int x = 1 << 2; }",
        "void main() { int x = ~2; }",
        "void main() { float x = 1.0f; }",
        "uint x; void main() {}",
        "void main() { float a[2]; float b[2]; a = b; }",
        "void main() { float x = round(1.5); }",
        "uniform sampler3D s; void main() {}",
        "out vec4 c; void main() {}",
        "void main() { switch (1) { default: break; } }",
        "void main() { float x = float[2](1.0, 2.0)[0]; }",
        "mat2x3 m; void main() {}",
        "uniform B { float a; }; void main() {}",
        "void main() { float x = dFdx(1.0); }",
        "void main() { gl_FragDepthEXT = 1.0; }",
        "void main() { gl_FragData[1] = vec4(1.0); }",
        "void main() { gl_FragColor = vec4(1.0); gl_FragData[0] = vec4(1.0); }",
    ] {
        assert!(fragment100(body).is_err(), "{body}");
    }
    assert!(fragment100("const int n = (1, 2); float a[n]; void main() { gl_FragData[0] = vec4(1.0); }").is_ok());
    assert!(vertex100("attribute vec4 p; varying vec2 v; void main() { gl_Position = p; v = p.xy; }").is_ok());
    assert!(vertex100("attribute ivec2 p; void main() {}").is_err());
}

#[test]
fn essl100_appendix_a() {
    let uniforms = "uniform float u[4]; uniform int n; varying float v;";
    let compiles = |body: &str| fragment100(&format!("{uniforms} void main() {{ float s = 0.0; {body} }}")).is_ok();
    assert!(compiles("for (int i = 0; i < 4; i++) { s += u[i]; }"));
    assert!(compiles("for (int i = 3; i >= 0; i -= 2) { s += u[i]; }"));
    assert!(compiles("for (float f = 0.0; f < 1.0; f += 0.25) s += f;"));
    assert!(!compiles("for (int i = 0; i < n; i++) { }"));
    assert!(!compiles("for (int i = n; i < 4; i++) { }"));
    assert!(!compiles("int i; for (i = 0; i < 4; i++) { }"));
    assert!(!compiles("for (int i = 0; i < 4; i++) { i = 2; }"));
    assert!(!compiles("for (int i = 0; i < 4; ) { i++; }"));
    assert!(!compiles("while (s < 1.0) { s += 1.0; }"));
    assert!(!compiles("do { s += 1.0; } while (s < 1.0);"));
    assert!(!compiles("s = u[n];"));
    assert!(compiles("for (int i = 0; i < 2; i++) { s += u[i * 2 + 1]; }"));
    assert!(vertex100("uniform float u[4]; uniform int n; void main() { gl_Position = vec4(u[n]); }").is_ok());
}

#[test]
fn extensions_of_webgl1() {
    let extensions = ExtensionSet::OES_STANDARD_DERIVATIVES
        | ExtensionSet::EXT_FRAG_DEPTH
        | ExtensionSet::EXT_SHADER_TEXTURE_LOD
        | ExtensionSet::EXT_DRAW_BUFFERS;
    let options = CompileOptions { extensions, ..CompileOptions::default() };
    let source = "#extension GL_OES_standard_derivatives : enable
        #extension GL_EXT_frag_depth : require
        #extension GL_EXT_shader_texture_lod : enable
        #extension GL_EXT_draw_buffers : require
        #ifndef GL_EXT_draw_buffers
        #error no macro
        #endif
        precision mediump float; uniform sampler2D s; uniform samplerCube c;
        void main() {
            gl_FragDepthEXT = fwidth(gl_FragCoord.x);
            gl_FragData[0] = texture2DLodEXT(s, vec2(0), 1.0);
            gl_FragData[2] = textureCubeGradEXT(c, vec3(0), vec3(0), vec3(0));
        }";
    let shader = compile(Stage::Fragment, source, &options).unwrap();
    assert!(shader.draw_buffers && shader.writes_frag_depth);
    assert_eq!(shader.frag_data_len, 3);
    assert!(compile(Stage::Fragment, source, &CompileOptions::default()).is_err());
}

#[test]
fn draw_id_needs_its_extension() {
    let source =
        "#version 300 es\n#extension GL_ANGLE_multi_draw : require\nvoid main() { gl_Position = vec4(gl_DrawID); }";
    let options = CompileOptions { extensions: ExtensionSet::WEBGL_MULTI_DRAW, ..webgl2() };
    assert!(compile(Stage::Vertex, source, &options).is_ok());
    assert!(compile(Stage::Vertex, source, &webgl2()).is_err());
    let silent = "#version 300 es\nvoid main() { gl_Position = vec4(gl_DrawID); }";
    assert!(compile(Stage::Vertex, silent, &options).is_err());
}

#[test]
fn used_means_reachable() {
    let shader = fragment300(
        "uniform float a, b, c; float g() { return b; } float f() { return a; } out vec4 o; void main() { o = vec4(f()); }",
    )
    .unwrap();
    let used = |name: &str| {
        let found = shader.globals.iter().find(|global| global.name == name && global.storage == Storage::Uniform);
        found.unwrap().used
    };
    assert!(used("a") && !used("b") && !used("c"));
}

#[test]
fn reserved_names() {
    for name in ["gl_x", "webgl_x", "_webgl_x"] {
        assert!(!accepts(&format!("float {name};")), "{name}");
        assert!(fragment300(&format!("struct {name} {{ int a; }}; void main() {{}}")).is_err(), "{name}");
    }
    for word in ["sample", "filter", "half", "common"] {
        assert!(!accepts(&format!("float {word} = 1.0;")), "{word}");
    }
    // Keywords of other dialects of GLSL are plain names here.
    assert!(accepts("float buffer, sampler, average, shared, precise;"));
    assert!(fragment100("void main() { float sample = 1.0; float layout = sample; }").is_ok());
}

#[test]
fn uniforms_are_packed() {
    // 1024 vectors: GLSL ES 1.00 A.7 puts four scalars, two pairs, or a triple and a scalar into one.
    let fits = |declarations: &str, uses: &str| {
        vertex300(&format!("{declarations} void main() {{ gl_Position = vec4({uses}); }}")).is_ok()
    };
    assert!(fits("uniform vec4 a[1024];", "a[0]"));
    assert!(!fits("uniform vec4 a[1024]; uniform float b;", "a[0].xyz, b"));
    assert!(fits("uniform vec4 a[1024]; uniform float b;", "a[0]"), "b is not used");
    assert!(fits("uniform float a[1024], b[1024], c[1024], d[1024];", "a[0], b[0], c[0], d[0]"));
    assert!(!fits("uniform float a[1025];", "a[0]"));
    assert!(fits("uniform vec3 a[1024]; uniform float b[1024];", "a[0], b[0]"));
    assert!(!fits("uniform vec3 a[1024]; uniform vec2 b;", "a[0].xy, b"));
    assert!(fits("uniform vec2 a[1024], b[1024];", "a[0], b[0]"));
    assert!(!fits("uniform vec2 a[1024], b[1024], c;", "a[0], b[0] + c"));
    assert!(fits("uniform mat3x2 a[170], c[170]; uniform vec3 b[514];", "a[0][0] + c[0][0], b[0].xy"));
    assert!(!fits("uniform mat3x2 a[170], c[170]; uniform vec3 b[515];", "a[0][0] + c[0][0], b[0].xy"));
    assert!(fits("uniform mat4 a[256];", "a[0][0]"));
    assert!(!fits("uniform mat4 a[256]; uniform float b;", "a[0][0].xyz, b"));
    assert!(fits("struct L { vec3 p; float i; }; uniform L l[1024];", "l[0].p, l[1].i"));
    assert!(!fits("struct L { vec3 p; vec2 i; }; uniform L l[1000];", "l[0].p.xy, l[1].i"));
    let samplers = |count: u32| {
        fragment300(&format!("uniform sampler2D s[{count}]; void main() {{ vec4 c = texture(s[0], vec2(0)); }}"))
            .is_ok()
    };
    assert!(samplers(16) && !samplers(17));
}
