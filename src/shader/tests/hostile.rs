//! Texts made to break a compiler: each must come back, with an error or without, in bounded stack and time.

use super::support::{fragment300, vertex300, webgl2};
use crate::shader::{LinkOptions, Stage, Variant, compile, link};

#[test]
fn deep_nesting_is_refused() {
    let many = 20_000;
    let wrap = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(many), close.repeat(many));
    for body in [
        format!("void main() {{ float x = {}; }}", wrap("(", "1.0", ")")),
        format!("void main() {{ float x = {}1.0; }}", "-".repeat(many)),
        format!("void main() {{ float x = {}1.0; }}", "- ".repeat(many)),
        format!("void main() {{ bool x = {}true; }}", "!".repeat(many)),
        format!("void main() {{ float x = 1.0{}; }}", " + 1.0".repeat(many)),
        format!("void main() {{ float x; x{}; }}", " = x".repeat(many)),
        format!("void main() {{ float x = {}1.0; }}", "true ? 1.0 : ".repeat(many)),
        format!("void main() {{ int x = {}0{}; }}", "int[1](0)[".repeat(many), "]".repeat(many)),
        format!("void main() {{ {} }}", wrap("{", "", "}")),
        format!("void main() {{ {}; }}", "if (true) ".repeat(many)),
        format!("void main() {{ {}; }}", "if (true) ; else ".repeat(many)),
        format!("void main() {{ {}; }}", "for (;;) ".repeat(many)),
        format!("void main() {{ float x = {}; }}", wrap("sin(", "1.0", ")")),
        format!("void main() {{ vec4 x; x{}; }}", ".xyzw".repeat(many)),
        format!("void main() {{ float x = 1.0; x{}; }}", ", x".repeat(many)),
        wrap("struct A {", "int a;", "} a;"),
    ] {
        assert!(fragment300(&body).is_err(), "{}", &body[..60]);
    }
}

#[test]
fn reasonable_nesting_is_fine() {
    let nested = format!("void main() {{ float x = {}1.0{}; }}", "(".repeat(100), ")".repeat(100));
    assert!(fragment300(&nested).is_ok());
    let sum = format!("void main() {{ float x = 1.0; x = x{}; }}", " + x".repeat(200));
    assert!(fragment300(&sum).is_ok());
    let ladder = format!("void main() {{ {}; }}", "if (true) ; else ".repeat(100));
    assert!(fragment300(&ladder).is_ok());
}

/// The deepest shaders that compile go through code generation and naga on a small stack too.
#[test]
fn the_deepest_accepted_shaders_can_be_emitted() {
    let vertex = vertex300("void main() { gl_Position = vec4(0); }").unwrap();
    let deepest = |shader: &dyn Fn(usize) -> String| {
        let fits = |depth: usize| fragment300(&shader(depth)).is_ok();
        let depth = (1..400).rev().find(|&depth| fits(depth)).expect("depth 1 compiles");
        assert!(depth >= 80, "only {depth}");
        let fragment = fragment300(&shader(depth)).unwrap();
        let options = LinkOptions { webgl2: true, ..LinkOptions::default() };
        link(&vertex, &fragment, &options).unwrap().emit(Variant::default()).unwrap();
    };
    let main =
        |body: String| format!("uniform float u; out vec4 c; void main() {{ float x = u; {body} c = vec4(x); }}");
    deepest(&|depth| main(format!("x = x{};", " + sin(x)".repeat(depth))));
    deepest(&|depth| main(format!("x = {}x{};", "sin(".repeat(depth), ")".repeat(depth))));
    deepest(&|depth| main(format!("x = {}x{};", "(x > 1.0 ? 2.0 : ".repeat(depth), ")".repeat(depth))));
    deepest(&|depth| main(format!("{} x += 1.0;", "if (x > 2.0) ".repeat(depth))));
    deepest(&|depth| main(format!("{} x += 1.0;", "for (; x < 1.0; x += 0.5) ".repeat(depth))));
    deepest(&|depth| main(format!("{} x += 1.0;", "if (x > 2.0) x = 0.0; else ".repeat(depth))));
}

#[test]
fn long_call_chains_are_refused() {
    let mut source = String::from("float f0() { return 1.0; }\n");
    for index in 1..10_000 {
        source += &format!("float f{index}() {{ return f{}(); }}\n", index - 1);
    }
    source += "void main() { float x = f9999(); }";
    assert!(fragment300(&source).is_err());
}

#[test]
fn huge_types_are_refused() {
    assert!(fragment300("float a[2147483647]; void main() {}").is_err());
    assert!(fragment300("struct S { mat4 m[65536]; }; struct T { S s[65536]; }; void main() {}").is_err());
    let mut source = String::from("struct S0 { float a[16]; };\n");
    for level in 1..100 {
        source += &format!("struct S{level} {{ S{} a[2]; }};\n", level - 1);
    }
    assert!(fragment300(&(source + "void main() {}")).is_err());
    assert!(vertex300("uniform vec4 u[1025]; void main() { gl_Position = u[0]; }").is_err());
}

#[test]
fn constants_cannot_fill_the_memory() {
    let list = vec!["1.0"; 5000].join(", ");
    let uses = "s += a[i]; ".repeat(5000);
    let source = format!("const float a[] = float[]({list}); uniform int i; void main() {{ float s = 0.0; {uses} }}");
    assert!(fragment300(&source).is_err());
}

#[test]
fn every_prefix_of_a_shader_is_survived() {
    let source = "#version 300 es\n#define F(x, y) x##y\nprecision highp float;\nstruct S { vec4 a[2]; };\n\
                  layout(std140) uniform B { mat4 m; S s; } b[2];\nin vec3 v; layout(location = 0) out vec4 c;\n\
                  const float k[] = float[](1., 2.e1);\nfloat f(inout float x, const in vec2 y) { return x *= y.x; }\n\
                  void main() { for (int i = 0; i < 4; ++i) { switch (i) { case 0: continue; default: break; } }\n\
                  float t = 1.0; c = b[1].m * vec4(v, f(t, v.xy)) + (t > k[1] ? b[0].s.a[1] : vec4(0)); }\n";
    for end in 0..source.len() {
        for stage in [Stage::Vertex, Stage::Fragment] {
            let _ = compile(stage, &source[..end], &webgl2());
            // And with one byte replaced.
            for byte in ['(', '}', '#', '\\', '0', '\0', 'é'] {
                let text = format!("{}{byte}{}", &source[..end], &source[end + 1..]);
                let _ = compile(stage, &text, &webgl2());
            }
        }
    }
}
