//! Corner cases of GLSL ES 3.00 §3.4.

use super::preprocess;
use crate::shader::hir::{Dialect, Stage};
use crate::shader::token::TokenKind;
use crate::shader::{CompileOptions, Diagnostic};

fn unit(source: &str) -> Result<super::Unit, Diagnostic> {
    preprocess(source, Stage::Fragment, &CompileOptions { webgl2: true, ..CompileOptions::default() })
}

/// The tokens' texts, separated by spaces.
fn expand(source: &str) -> String {
    let unit = unit(source).unwrap();
    let texts: Vec<&str> = unit.tokens.iter().map(|token| unit.names.get(token.text)).collect();
    texts.join(" ").trim_end().to_owned()
}

fn error(source: &str) -> (u32, String) {
    let diagnostic = unit(source).unwrap_err();
    (diagnostic.line, diagnostic.message)
}

#[test]
fn object_and_function_macros() {
    assert_eq!(expand("#define A 1\nA B"), "1 B");
    assert_eq!(expand("#define F(x, y) y x\nF(a, (b, c))"), "( b , c ) a");
    assert_eq!(expand("#define F() z\nF() F"), "z F");
    assert_eq!(expand("#define F(x) [x]\nF()"), "[ ]");
    assert_eq!(expand("#define F(x) x\nF\n(\n1\n)"), "1", "an invocation may span lines");
    assert_eq!(expand("#define F (x)\nF"), "( x )", "a space before the parenthesis: no parameters");
    assert_eq!(expand("#define A B\n#define B A\nA"), "A", "a macro does not expand within itself");
    assert_eq!(expand("#define f(x) x f\nf(1)(2)"), "1 f ( 2 )");
    assert_eq!(expand("#define A 1\n#undef A\nA"), "A");
    assert_eq!(expand("#define X(a) a\n#define Y X\nY(1)"), "1", "the parenthesis may come after the expansion");
    assert_eq!(expand("#define E\n#define F(x) x\nF(E) 1"), "1");
    assert_eq!(expand("#define F(a, b) a - b\nF(F(1, 2), 3)"), "1 - 2 - 3");
}

#[test]
fn conditional_groups() {
    assert_eq!(expand("#if 0\na\n#elif 1\nb\n#else\nc\n#endif"), "b");
    assert_eq!(expand("#if 1\na\n#elif nonsense (\nb\n#endif"), "a", "a group after the chosen one is not evaluated");
    assert_eq!(expand("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
    assert_eq!(expand("#define A\n#if defined A && !defined(B)\na\n#endif"), "a");
    assert_eq!(expand("#if defined(A) && A > 1\na\n#endif\nb"), "b", "the right side is skipped");
    assert_eq!(expand("#if 0\n@ \" $\n#bad\n#endif\nb"), "b", "skipped lines need not make sense");
    assert_eq!(expand("#ifdef GL_ES\n__VERSION__\n#endif"), "100");
    assert_eq!(
        expand(
            "#if (1 + 2 * 3 == 7) && (5 / 2 == 2) && (1 << 4 == 0x10) && (-1 < 0) && (~0 == -1) && 010 == 8\na\n#endif"
        ),
        "a"
    );
    assert_eq!(error("#if A\n#endif").0, 1);
    assert_eq!(error("\n#if 1 / 0\n#endif").0, 2);
    assert_eq!(error("#if 1\n").1, "unterminated conditional group");
    assert!(unit("#else\n").is_err());
    assert!(unit("#endif\n").is_err());
    assert!(unit("#if 1\n#else\n#else\n#endif\n").is_err());
    assert!(unit("#if 1\n#else\n#elif 1\n#endif\n").is_err());
    assert!(unit("#if 1 1\n#endif\n").is_err());
    assert!(unit("#if\n#endif\n").is_err());
}

#[test]
fn definitions_that_are_refused() {
    for line in [
        "#define GL_FOO 1",
        "#define __LINE__ 1",
        "#define GL_ES 2",
        "#undef __VERSION__",
        "#define defined 1",
        "#define F(a, a) a",
        "#define F(a",
        "#define 1 2",
        "#define",
        "#define A 1\n#define A 2",
        "#define F(x) x\nF(1, 2)",
        "#define F(x, y) x\nF(1)",
        "#define F(x) x\nF(1",
        "#unknown",
        "#extension foo : maybe",
        "#extension all : require",
        "#extension GL_nonsense : require",
        "#error stop",
        "a ## b",
    ] {
        assert!(unit(line).is_err(), "{line}");
    }
    assert_eq!(expand("#define A 1  2\n#define A 1 2\nA"), "1 2", "the same definition again");
    assert_eq!(expand("#extension GL_nonsense : enable\n#pragma anything goes\n#\nx"), "x");
    assert_eq!(expand("#define __foo 1\n__foo"), "1");
}

#[test]
fn lines_are_counted_through_everything() {
    assert_eq!(expand("__LINE__ /*\n\n*/ __LINE__\n__LINE__"), "1 3 4");
    assert_eq!(expand("a\\\nb __LINE__"), "ab 2");
    assert_eq!(expand("a\r\n__LINE__\r__LINE__\n\r__LINE__"), "a 2 3 4");
    assert_eq!(expand("#line 10\n__LINE__ __FILE__\n#line 20 3\n__LINE__ __FILE__"), "10 0 20 3");
    assert_eq!(expand("#define N 4\n#line N + 1\n__LINE__"), "5");
    assert_eq!(expand("#define F(x) __LINE__\nF(\n\n)"), "4", "the line on which the invocation ends");
    assert_eq!(error("a\n/* b\n").1, "unterminated comment");
    assert_eq!(error("x\n\n#error the  reason\n"), (3, "the reason".to_owned()));
    assert_eq!(error("#line 100\n\n@").0, 101);
}

#[test]
fn comments_and_continuations() {
    assert_eq!(expand("a/**/b"), "a b");
    assert_eq!(expand("a // b \\\n c\nd"), "a d", "a continued comment");
    assert_eq!(expand("#define A 1 /* \n */ + 2 // x\nA"), "1 + 2");
    assert_eq!(expand("#define A 1 \\\n + 2\nA"), "1 + 2");
    assert_eq!(expand("// ünïcödé ✓\na"), "a");
    assert!(unit("ü").is_err());
    assert_eq!(expand("/ * a"), "/ * a");
}

#[test]
fn version_comes_first() {
    assert_eq!(unit("#version 300 es\n").unwrap().dialect, Dialect::Essl300);
    assert_eq!(unit("/* c */ #version 100\n").unwrap().dialect, Dialect::Essl100);
    assert_eq!(unit("").unwrap().dialect, Dialect::Essl100);
    assert!(unit("\n#version 300 es\n").is_err(), "WebGL 2.0: the first line");
    assert!(unit("// c\n#version 300 es\n").is_err());
    assert!(unit("#define A\n#version 100\n").is_err());
    assert!(unit("a\n#version 100\n").is_err());
    assert!(unit("#version 310 es\n").is_err());
    assert!(unit("#version 300\n").is_err());
    assert!(unit("#version 100 es\n").is_err());
    let webgl1 = CompileOptions::default();
    assert!(preprocess("#version 300 es\n", Stage::Vertex, &webgl1).is_err());
}

#[test]
fn literals() {
    let kind = |text: &str| unit(&format!("#version 300 es\n{text}")).map(|unit| unit.tokens[0].kind);
    assert_eq!(kind("1.5e3").unwrap(), TokenKind::Float(1500.0));
    assert_eq!(kind(".5f").unwrap(), TokenKind::Float(0.5));
    assert_eq!(kind("1.").unwrap(), TokenKind::Float(1.0));
    assert_eq!(kind("1e-2F").unwrap(), TokenKind::Float(0.01));
    assert_eq!(kind("1e50").unwrap(), TokenKind::Float(f32::INFINITY));
    assert_eq!(kind("0x1Fu").unwrap(), TokenKind::Uint(31));
    assert_eq!(kind("017").unwrap(), TokenKind::Int(15));
    assert_eq!(kind("4294967295").unwrap(), TokenKind::Int(u32::MAX));
    for bad in ["4294967296", "09", "0x", "1x", "1f", "1.0u", "1.5e", "1ul", "0xg"] {
        assert!(kind(bad).is_err(), "{bad}");
    }
}

#[test]
fn identifiers_have_a_longest_length() {
    let source = |length: usize| "a".repeat(length);
    assert!(unit(&source(1024)).is_ok());
    assert!(unit(&source(1025)).is_err());
    let webgl1 = CompileOptions::default();
    assert!(preprocess(&source(256), Stage::Vertex, &webgl1).is_ok());
    assert!(preprocess(&source(257), Stage::Vertex, &webgl1).is_err());
}

#[test]
fn macro_bombs_are_defused() {
    let mut source = String::from("#define A0 x x x x x x x x\n");
    for level in 1..20 {
        let below = format!("A{} ", level - 1).repeat(8);
        source += &format!("#define A{level} {below}\n");
    }
    assert!(unit(&(source + "A19")).is_err());
    let mut source = String::from("#define B0(x) x x\n");
    for level in 1..40 {
        source += &format!("#define B{level}(x) B{0}(B{0}(x))\n", level - 1);
    }
    assert!(unit(&(source + "B39(1)")).is_err());
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(5000), ")".repeat(5000));
    assert!(unit(&nested).is_err());
    assert!(unit(&format!("#if {}1{}\n#endif", "(".repeat(5000), ")".repeat(5000))).is_err());
    assert!(unit(&"#if 1\n".repeat(100_000)).is_err());
}
