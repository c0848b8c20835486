//! Short ways to compile and look.

use std::sync::Arc;

use crate::shader::hir::{Constant, Expr, ExprKind, Shader, Stmt};
use crate::shader::{CompileOptions, Diagnostic, Stage, compile};

pub fn webgl2() -> CompileOptions {
    CompileOptions { webgl2: true, ..CompileOptions::default() }
}

/// Compiles a fragment shader of GLSL ES 3.00 whose header sets `precision highp float`.
pub fn fragment300(body: &str) -> Result<Arc<Shader>, Diagnostic> {
    let source = format!("#version 300 es\nprecision highp float;\n{body}\n");
    first(compile(Stage::Fragment, &source, &webgl2()))
}

pub fn vertex300(body: &str) -> Result<Arc<Shader>, Diagnostic> {
    first(compile(Stage::Vertex, &format!("#version 300 es\n{body}\n"), &webgl2()))
}

pub fn fragment100(body: &str) -> Result<Arc<Shader>, Diagnostic> {
    first(compile(Stage::Fragment, &format!("precision highp float;\n{body}\n"), &CompileOptions::default()))
}

pub fn vertex100(body: &str) -> Result<Arc<Shader>, Diagnostic> {
    first(compile(Stage::Vertex, body, &CompileOptions::default()))
}

fn first(result: Result<Arc<Shader>, crate::shader::InfoLog>) -> Result<Arc<Shader>, Diagnostic> {
    result.map_err(|log| log.diagnostics.into_iter().next().expect("a log is never empty"))
}

/// Whether statements compile inside `main` of a 3.00 fragment shader.
pub fn accepts(statements: &str) -> bool {
    fragment300(&format!("void main() {{ {statements} }}")).is_ok()
}

/// Initialiser of the first variable declared in `main`.
pub fn initializer(shader: &Shader) -> &Expr {
    let main = &shader.functions[shader.main.0 as usize];
    let init = main.body.iter().find_map(|stmt| match stmt {
        Stmt::Declare { init: Some(init), .. } => Some(init),
        _ => None,
    });
    init.expect("main declares a variable")
}

/// The value a constant expression of 3.00 folds to.
pub fn fold(ty: &str, expression: &str) -> Vec<Constant> {
    let shader = fragment300(&format!("void main() {{ {ty} x = {expression}; }}")).unwrap();
    match &initializer(&shader).kind {
        ExprKind::Constant(values) => values.clone(),
        other => panic!("{expression} did not fold: {other:?}"),
    }
}

pub fn floats(values: &[f32]) -> Vec<Constant> {
    values.iter().copied().map(Constant::Float).collect()
}

/// Equal within `tolerance`, component by component.
pub fn close(found: &[Constant], wanted: &[f32], tolerance: f32) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        match found {
            Constant::Float(found) => assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted}"),
            other => panic!("{other:?} is no float"),
        }
    }
}
