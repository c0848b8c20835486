//! What a function does with its locals, and which expressions may be evaluated early.

use crate::shader::builtins::BuiltinFunction;
use crate::shader::hir::{Direction, Expr, ExprKind, Function, Loop, Shader, Stmt, Type};

/// How one local is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LocalUse {
    /// Assigned after its declaration, or declared without a value.
    pub written: bool,
    /// An array or matrix indexed by something that is not constant.
    pub indexed: bool,
    /// Declared where naga's scopes are narrower than GLSL's: directly in a `case`, or in a loop's condition.
    pub wide_scope: bool,
}

impl LocalUse {
    pub(super) fn needs_memory(self) -> bool {
        self.written || self.indexed || self.wide_scope
    }
}

struct Walker<'a> {
    shader: &'a Shader,
    uses: Vec<LocalUse>,
}

/// Uses of all locals of a function.
pub(super) fn local_uses(shader: &Shader, function: &Function) -> Vec<LocalUse> {
    let mut walker = Walker { shader, uses: vec![LocalUse::default(); function.locals.len()] };
    walker.stmts(&function.body, false);
    walker.uses
}

impl Walker<'_> {
    fn mark(&mut self, local: crate::shader::hir::LocalId, change: impl FnOnce(&mut LocalUse)) {
        if let Some(place) = self.uses.get_mut(local.0 as usize) {
            change(place);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt], in_case: bool) {
        for stmt in stmts {
            self.stmt(stmt, in_case);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, in_case: bool) {
        match stmt {
            Stmt::Expr(expr) => self.expr(expr),
            Stmt::Declare { local, init } => {
                self.mark(*local, |u| {
                    u.written |= init.is_none();
                    u.wide_scope |= in_case;
                });
                if let Some(init) = init {
                    self.expr(init);
                }
            }
            Stmt::Block(body) => self.stmts(body, false),
            Stmt::If { condition, accept, reject } => {
                self.expr(condition);
                self.stmts(accept, false);
                self.stmts(reject, false);
            }
            Stmt::Loop(repeat) => self.repeat(repeat),
            Stmt::Switch { selector, cases } => {
                self.expr(selector);
                for case in cases {
                    self.stmts(&case.body, true);
                }
            }
            Stmt::Return(value) => {
                if let Some(value) = value {
                    self.expr(value);
                }
            }
            Stmt::Break | Stmt::Continue | Stmt::Discard => {}
        }
    }

    fn repeat(&mut self, repeat: &Loop) {
        self.stmts(&repeat.init, false);
        if let Some(local) = repeat.condition_local {
            self.mark(local, |u| u.wide_scope = true);
        }
        for expr in repeat.condition.iter().chain(&repeat.step) {
            self.expr(expr);
        }
        self.stmts(&repeat.body, false);
    }

    fn written(&mut self, target: &Expr) {
        if let Some(local) = target.root_local() {
            self.mark(local, |u| u.written = true);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Index { base, index } => {
                let constant = matches!(index.kind, ExprKind::Constant(_));
                if !constant
                    && !matches!(base.ty, Type::Vector(..))
                    && let Some(local) = base.root_local()
                {
                    self.mark(local, |u| u.indexed = true);
                }
            }
            ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } => self.written(target),
            ExprKind::Call { function, arguments } => {
                let callee = self.shader.functions.get(function.0 as usize);
                for (position, argument) in arguments.iter().enumerate() {
                    let direction = callee.and_then(|f| f.parameters.get(position)).map(|p| p.direction);
                    if direction != Some(Direction::In) {
                        self.written(argument);
                    }
                }
            }
            ExprKind::Builtin { function: BuiltinFunction::Modf, arguments } => {
                if let Some(target) = arguments.get(1) {
                    self.written(target);
                }
            }
            _ => {}
        }
        expr.each_child(&mut |child| self.expr(child));
    }
}

/// Above this many operations, branching is cheaper than evaluating both sides.
const EAGER_COST: u32 = 12;

/// Whether an operand of `&&`, `||` or `?:` may be evaluated although it is not chosen: it has no side effect and
/// costs little. (Indices are bounded and integer division is checked, so evaluation never traps.)
pub(super) fn may_be_eager(expr: &Expr) -> bool {
    cost(expr).is_some_and(|cost| cost <= EAGER_COST)
}

fn cost(expr: &Expr) -> Option<u32> {
    let own = match &expr.kind {
        ExprKind::Assign { .. } | ExprKind::Increment { .. } | ExprKind::Call { .. } => return None,
        ExprKind::Builtin { function, .. } => builtin_cost(*function)?,
        ExprKind::Constant(_) | ExprKind::Local(_) => 0,
        ExprKind::Index { .. } if !matches!(expr.ty, Type::Scalar(_) | Type::Vector(..)) => 8,
        _ if matches!(expr.ty, Type::Matrix { .. } | Type::Array(..) | Type::Struct(_)) => 4,
        _ => 1,
    };
    let mut total = Some(own);
    expr.each_child(&mut |child| {
        total = match (total, cost(child)) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            _ => None,
        };
    });
    total
}

fn builtin_cost(function: BuiltinFunction) -> Option<u32> {
    use BuiltinFunction as B;
    Some(match function {
        B::Modf => return None,
        // Implicit derivatives belong where the program put them.
        B::Texture
        | B::TextureProj
        | B::TextureLod
        | B::TextureOffset
        | B::TexelFetch
        | B::TexelFetchOffset
        | B::TextureProjOffset
        | B::TextureLodOffset
        | B::TextureProjLod
        | B::TextureProjLodOffset
        | B::TextureGrad
        | B::TextureGradOffset
        | B::TextureProjGrad
        | B::TextureProjGradOffset
        | B::TextureSize
        | B::Dfdx
        | B::Dfdy
        | B::Fwidth => return None,
        B::Sin
        | B::Cos
        | B::Tan
        | B::Asin
        | B::Acos
        | B::Atan
        | B::Atan2
        | B::Sinh
        | B::Cosh
        | B::Tanh
        | B::Asinh
        | B::Acosh
        | B::Atanh
        | B::Pow
        | B::Inverse
        | B::Determinant => 12,
        B::Exp | B::Log | B::Exp2 | B::Log2 | B::Sqrt | B::Normalize | B::Refract | B::SmoothStep => 4,
        _ => 1,
    })
}
