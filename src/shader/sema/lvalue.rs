//! What may be written (GLSL ES 3.00 §5.8).

use super::Analyzer;
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{BuiltinVariable, Expr, ExprKind, Span, Stage, Storage};

impl Analyzer<'_> {
    /// Refuses to write to `target`; notes writes that the shader's summary mentions.
    pub fn check_lvalue(&mut self, target: &Expr, token: &str, span: Span) -> Checked<()> {
        let refuse = |message: String| Err(Diagnostic::new(span, token, format!("l-value required ({message})")));
        let mut part = target;
        loop {
            match &part.kind {
                ExprKind::Swizzle { base, components } => {
                    let repeated = components.iter().enumerate().any(|(at, c)| components[..at].contains(c));
                    if repeated {
                        return refuse("illegal use of swizzle with duplicate components".into());
                    }
                    part = base;
                }
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => part = base,
                ExprKind::Local(id) => {
                    return match self.read_only_local(*id) {
                        Some(why) => refuse(why.to_owned()),
                        None => Ok(()),
                    };
                }
                ExprKind::Global(id) => {
                    let Some(global) = self.global(*id) else { return refuse("unknown variable".into()) };
                    return match read_only(&global.storage, self.stage) {
                        Some(why) => {
                            let name = global.name.clone();
                            refuse(format!("can't modify {why} \"{name}\""))
                        }
                        None => {
                            if global.storage == Storage::Builtin(BuiltinVariable::FragDepth) {
                                self.writes_frag_depth = true;
                            }
                            Ok(())
                        }
                    };
                }
                ExprKind::BlockMember { .. } => return refuse("can't modify a uniform".into()),
                _ => return refuse("not a variable".into()),
            }
        }
    }
}

/// Why a global cannot be written, or `None` if it can.
fn read_only(storage: &Storage, stage: Stage) -> Option<&'static str> {
    use BuiltinVariable as V;
    match storage {
        Storage::Private | Storage::Out(_) => None,
        Storage::Const => Some("a const"),
        Storage::Uniform | Storage::Block(_) => Some("a uniform"),
        Storage::In(_) => Some(if stage == Stage::Vertex { "an attribute" } else { "a varying" }),
        Storage::Builtin(V::Position | V::PointSize | V::FragDepth | V::FragColor | V::FragData) => None,
        Storage::Builtin(V::ClipDistance) if stage == Stage::Vertex => None,
        Storage::Builtin(_) => Some("a built-in input"),
    }
}
