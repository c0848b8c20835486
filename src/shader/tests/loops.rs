//! Which loops get a counter: those whose end no constant promises.

use super::support::{fragment300, vertex300};
use crate::shader::link::{LinkLimits, LinkOptions, LinkedProgram, link};
use crate::shader::program::{LoopSite, Variant};

fn program(body: &str, limits: LinkLimits) -> LinkedProgram {
    let vertex = vertex300("void main() { gl_Position = vec4(0.0); }").unwrap();
    // `main` begins on line 4 of the source.
    let source = format!("uniform int n; uniform float t; out vec4 o;\n{body}");
    let fragment = fragment300(&source).unwrap_or_else(|error| panic!("{body}: {error:?}"));
    link(&vertex, &fragment, &LinkOptions { webgl2: true, limits, ..Default::default() }).unwrap()
}

fn sites(body: &str) -> Vec<LoopSite> {
    let code = program(body, LinkLimits::default()).emit(Variant::default()).unwrap();
    code.layout.loops.clone()
}

fn counted(statements: &str) -> bool {
    !sites(&format!("void main() {{ float s = 0.0; {statements} o = vec4(s); }}")).is_empty()
}

#[test]
fn constant_bounds_need_no_counter() {
    for loops in [
        "for (int i = 0; i < 64; i++) s += 1.0;",
        "for (int i = 63; i >= 0; --i) s += 1.0;",
        "for (uint i = 0u; 9u > i; i += 2u) s += 1.0;",
        "for (float f = 0.0; f <= 1.0; f += 0.125) s += f;",
        "for (int i = 0; i != 12; i = i + 3) s += 1.0;",
        "int i; for (i = 0; i < 4; i++) s += 1.0;",
        "for (int i = 0, j = 7; i < j && i < 5; i++) s += 1.0;",
        "for (int i = 0; i < 100 && s < t; i++) s += 0.1;",
        "for (int i = 0; ; i++) { if (i >= 8 || s > t) break; s += 1.0; }",
        "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) s += 1.0;",
        "const int N = 6; for (int i = 0; i < N; i++) { if (i == n) continue; s += 1.0; }",
        "for (int i = 0; i < 30000; i++) { if (s > t) break; s += 0.1; }",
    ] {
        assert!(!counted(loops), "{loops}");
    }
}

#[test]
fn all_other_loops_are_counted() {
    for loops in [
        "for (int i = 0; i < n; i++) s += 1.0;",
        "while (s < t) s += 0.1;",
        "do { s += 0.1; } while (s < t);",
        "for (;;) { s += 0.1; if (s > t) break; }",
        // Never true, never reached, always true again.
        "for (int i = 0; i >= 0; i++) s += 1.0;",
        "for (uint i = 9u; i >= 0u; i--) s += 1.0;",
        "for (int i = 0; i < 10; i--) s += 1.0;",
        "for (int i = 0; i != 7; i += 2) s += 1.0;",
        // 1 + 2⁻²⁴ is 1 in single precision.
        "for (float f = 1.0; f < 2.0; f += 5.0e-8) s += 1.0;",
        // The index does not keep to its step.
        "for (int i = 0; i < 10; i++) { i = n; s += 1.0; }",
        "for (int i = 0; i < 10; i++) { if (s > t) i--; s += 1.0; }",
        "for (int i = 0; i < 10; i++, i = n) s += 1.0;",
        // The exit may be jumped over.
        "for (int i = 0; ; i++) { if (s > t) continue; if (i >= 8) break; s += 1.0; }",
        "for (int i = 0; i < 2000000000; i++) s += 1.0;",
    ] {
        assert!(counted(loops), "{loops}");
    }
    let written = "void f(inout int i) { i = 0; } void main() { for (int i = 0; i < 10; i++) f(i); o = vec4(1.0); }";
    assert_eq!(sites(written).len(), 1);
}

#[test]
fn sites_name_line_and_text_and_tell_loops_without_exit() {
    let body = "#define SHADER_NAME Sea\nfloat f() {\n  while (true) { }\n  return 1.0;\n}\nvoid main() {\n  float s = 0.0;\n  for (;;) { if (s > t) discard; s += f(); }\n}";
    let sites = sites(body);
    let told: Vec<_> = sites.iter().map(|site| (site.line, site.text.as_str(), site.endless)).collect();
    assert_eq!(told, [(6, "while (true) { }", true), (11, "for (;;) { if (s > t) discard; s += f(); }", false)]);
    assert_eq!(sites[0].shader.as_deref(), Some("Sea"));
}

#[test]
fn long_constant_loops_count_where_an_unbounded_loop_runs_them() {
    let inner = "for (int i = 0; i < 64; i++) s += 1.0;";
    let short = "for (int i = 0; i < 8; i++) s += 1.0;";
    let site_count = |body: &str| sites(&format!("void main() {{ float s = 0.0; {body} o = vec4(s); }}")).len();
    assert_eq!(site_count(&format!("{inner} while (s < t) {{ {short} }}")), 1);
    assert_eq!(site_count(&format!("while (s < t) {{ {inner} }}")), 2);
    let called = format!(
        "float f(float s) {{ {inner} return s; }} void main() {{ float s = 0.0; while (s < t) s = f(s); o = vec4(s); }}"
    );
    assert_eq!(sites(&called).len(), 2);
    // 100 · 100 · 100 rounds have constant bounds, and are too many.
    let cube = "for (int i = 0; i < 100; i++) for (int j = 0; j < 100; j++) for (int k = 0; k < 100; k++) s += 1.0;";
    assert_eq!(site_count(cube), 3);
}

#[test]
fn a_limit_of_zero_counts_nothing() {
    let body = "void main() { float s = 0.0; while (s < t) s += 0.1; o = vec4(s); }";
    let limits = LinkLimits { max_loop_rounds: 0, ..Default::default() };
    assert!(program(body, limits).emit(Variant::default()).unwrap().layout.loops.is_empty());
}
