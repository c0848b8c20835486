//! Syntax errors carry the line and the token at fault.

use crate::shader::tests::support::{fragment300, webgl2};
use crate::shader::{Stage, compile};

/// Line and token of the error; `body` starts on line 3.
fn fault(body: &str) -> (u32, String) {
    let diagnostic = fragment300(body).unwrap_err();
    (diagnostic.line, diagnostic.token)
}

#[test]
fn faults_are_located() {
    assert_eq!(fault("void main() {\n  float x = ;\n}"), (4, ";".into()));
    assert_eq!(fault("void main() {\n  float x = 1.0\n}"), (5, "}".into()));
    assert_eq!(fault("void main() {\n"), (5, String::new()));
    assert_eq!(fault("void main() {\n\n  y = 1.0;\n}"), (5, "y".into()));
    assert_eq!(fault("void main() {\n  half x;\n}"), (4, "half".into()));
    assert_eq!(fault("struct S { };\nvoid main() {}"), (3, "}".into()));
    assert_eq!(fault("#line 77\nvoid main() { x; }"), (77, "x".into()));
    assert_eq!(fault("#define M y\nvoid main() {\n M; }"), (5, "y".into()));
}

#[test]
fn the_log_has_the_form_programs_parse() {
    let log = compile(Stage::Vertex, "void main() {\n  foo = 1.0;\n}", &webgl2()).unwrap_err();
    assert_eq!(log.to_string(), "ERROR: 0:2: 'foo' : undeclared identifier\n");
    let log = compile(Stage::Vertex, "void f() {}", &webgl2()).unwrap_err();
    assert_eq!(log.to_string(), "ERROR: 0:1: 'main' : missing main()\n");
}

#[test]
fn declarations_are_told_from_expressions() {
    for statement in [
        "int a[2]; a[1] = 2;",
        "int[2] a; a[1] = 2;",
        "S s[2]; s[1] = S(1);",
        "S[2] s; s = S[2](S(1), S(2));",
        "S s = S[](S(1), S(2))[1];",
        "float, x;",
        "float;",
        "struct T { int x; } t = T(1);",
        "int x = 1, y[2], z;",
        "for (int i = 0, j = 1; i < j; i++, j--) { }",
        "if (true) { } else if (false) ; else { }",
    ] {
        let source = format!("struct S {{ int a; }}; void main() {{ {statement} }}");
        assert!(fragment300(&source).is_ok(), "{statement}");
    }
    for statement in ["int;int", "S", "int a[2][2];", "vec3 = 1;", "int a b;", "for (;;", "a[1", "1 2;", "int()", "(;)"]
    {
        let source = format!("struct S {{ int a; }}; void main() {{ {statement} }}");
        assert!(fragment300(&source).is_err(), "{statement}");
    }
}
