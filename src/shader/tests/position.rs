//! What `gl_Position` is found to be made of.

use std::sync::Arc;

use super::support::{fragment300, vertex300};
use crate::shader::program::{PositionInputs, ProgramCode, Reflection, Variant};
use crate::shader::{LinkOptions, link};

fn emitted(body: &str) -> (Arc<ProgramCode>, Reflection) {
    let vertex = vertex300(body).unwrap_or_else(|error| panic!("{error:?}"));
    let fragment = fragment300("out vec4 o; void main() { o = vec4(1.0); }").expect("a fragment shader");
    let options = LinkOptions { webgl2: true, ..LinkOptions::default() };
    let program = link(&vertex, &fragment, &options).unwrap_or_else(|log| panic!("{log:?}"));
    let code = program.emit(Variant { observed: true, ..Variant::default() }).expect("valid code");
    (code, program.reflection)
}

/// Names of the matrices in order, and of what the rest depends on.
fn made_of(body: &str) -> (String, String) {
    let (code, reflection) = emitted(body);
    let PositionInputs { matrices, uniforms, textures, blocks } = &code.position_inputs;
    let at = |offset: u32| {
        let found =
            reflection.uniforms.iter().find(|uniform| uniform.vertex.is_some_and(|place| place.offset == offset));
        found.map_or_else(|| offset.to_string(), |uniform| uniform.name.clone())
    };
    let sampler = |slot: &u32| {
        let found = reflection.uniforms.iter().find(|uniform| uniform.texture_slot == Some(*slot));
        found.map_or_else(|| slot.to_string(), |uniform| uniform.name.clone())
    };
    let rest = uniforms.iter().map(|place| at(place.offset));
    let rest = rest.chain(textures.iter().map(sampler)).chain(blocks.iter().map(|slot| format!("block {slot}")));
    (matrices.iter().map(|offset| at(*offset)).collect::<Vec<_>>().join(" "), rest.collect::<Vec<_>>().join(" "))
}

fn check(body: &str, matrices: &str, rest: &str) {
    assert_eq!(made_of(body), (matrices.to_owned(), rest.to_owned()), "{body}");
}

const HEAD: &str =
    "in vec3 p; in mat4 each; uniform mat4 P, V, M, MV; uniform vec3 shift; uniform float time; uniform bool on;
uniform sampler2D map; uniform mat4 bones[4]; out vec3 seen;
";

fn body(text: &str, matrices: &str, rest: &str) {
    check(&format!("{HEAD}{text}"), matrices, rest);
}

#[test]
fn matrices_are_split_off_from_the_left() {
    body("void main() { gl_Position = P * MV * vec4(p, 1.0); }", "P MV", "");
    body("void main() { gl_Position = P * (MV * vec4(p + shift, 1.0)); }", "P MV", "shift");
    body("void main() { gl_Position = (P * V) * (M * each * vec4(p, 1.0)); }", "P V M", "");
    body("void main() { mat4 a = P * V; vec4 w = M * vec4(p, 1.0); gl_Position = a * w; }", "P V M", "");
    // As three.js writes it.
    let project =
        "vec4 project(vec3 q) { vec4 mv = vec4(q, 1.0); mv = each * mv; mv = MV * mv; seen = -mv.xyz; return P * mv; }";
    body(&format!("{project} void main() {{ vec3 q = p; q += shift; gl_Position = project(q); }}"), "P MV", "shift");
    // The last column of a view is no matrix times something.
    body("void main() { gl_Position = P * vec4((V * M * vec4(p, 1.0)).xyz, 1.0); }", "P", "V M");
}

#[test]
fn a_matrix_that_the_rest_reads_is_an_input() {
    body(
        "void main() { vec4 w = M * vec4(p, 1.0); w.y += sin(w.x + time); gl_Position = P * V * w; }",
        "P V",
        "M time",
    );
    // A billboard: the camera's axes move vertices.
    body("void main() { gl_Position = P * V * vec4(p.x * vec3(V[0].x, V[1].x, V[2].x), 1.0); }", "P", "V");
    body("void main() { gl_Position = P * V * P * vec4(p, 1.0); }", "", "P V");
    body("void main() { gl_Position = V * P * V * vec4(p, 1.0); }", "", "P V");
    body("void main() { gl_Position = vec4(p, 1.0) * P; }", "", "P");
    body("void main() { gl_Position = P * MV * vec4(p, 1.0); gl_Position.z = 0.0; }", "", "P MV");
    body("void main() { gl_Position = P * MV * vec4(p, 1.0) + V[0]; }", "", "P V MV");
    body("void main() { gl_Position = transpose(P) * vec4(p, 1.0); }", "", "P");
}

#[test]
fn control_flow_counts() {
    body("void main() { vec3 q = p; if (on) q.x += 1.0; gl_Position = P * MV * vec4(q, 1.0); }", "P MV", "on");
    body("void main() { vec3 q = on ? p : shift; gl_Position = P * MV * vec4(q, 1.0); }", "P MV", "shift on");
    // Which matrix, only the condition tells.
    body("void main() { mat4 m = V; if (on) m = M; gl_Position = P * m * vec4(p, 1.0); }", "P", "V M on");
    body(
        "void main() { gl_Position = P * MV * vec4(p, 1.0); if (time > 1.0) return; gl_Position = P * vec4(p, 1.0); }",
        "",
        "P MV time",
    );
    body(
        "void main() { vec3 q = p; for (int i = 0; i < 9; i++) { if (float(i) > time) break; q.x += 1.0; } gl_Position = P * vec4(q, 1.0); }",
        "P",
        "time",
    );
    body(
        "void main() { vec3 q = p; switch (int(time)) { case 1: q.x = 0.0; break; default: q.y = 1.0; } gl_Position = P * vec4(q, 1.0); }",
        "P",
        "time",
    );
    body(
        "float f(float x) { if (x > time) return 1.0; return 2.0; } void main() { gl_Position = P * vec4(p * f(p.x), 1.0); }",
        "P",
        "time",
    );
    body(
        "void f(inout vec3 q) { q += shift; } void main() { vec3 q = p; f(q); gl_Position = P * vec4(q, 1.0); }",
        "P",
        "shift",
    );
    // A loop that sets a condition for its next round.
    body(
        "void main() { bool b = false; vec3 q = p; for (int i = 0; i < 3; i++) { if (b) { q.x = 1.0; } b = time > 2.0; } gl_Position = P * vec4(q, 1.0); }",
        "P",
        "time",
    );
    body(
        "vec3 g; bool f() { g = shift; return true; } void main() { g = p; bool b = on && f(); gl_Position = P * vec4(g, 1.0); }",
        "P",
        "shift on",
    );
}

#[test]
fn everything_read_is_told() {
    body("void main() { gl_Position = P * MV * bones[int(p.x)] * vec4(p, 1.0); }", "P MV", "bones[0]");
    body("void main() { gl_Position = P * MV * vec4(p + texture(map, p.xy).xyz, 1.0); }", "P MV", "map");
    body(
        "vec3 h(sampler2D s) { return texture(s, vec2(0.5)).xyz; } void main() { gl_Position = P * vec4(p + h(map), 1.0); }",
        "P",
        "map",
    );
    check(
        "in vec3 p; uniform Scene { mat4 P; vec4 q; }; uniform Other { vec4 r; }; void main() { gl_Position = P * vec4(p, r.x); }",
        "",
        "block 0 block 1",
    );
    // What only varyings read is not.
    body("void main() { seen = shift + (M * vec4(p, time)).xyz; gl_Position = P * MV * vec4(p, 1.0); }", "P MV", "");
}
