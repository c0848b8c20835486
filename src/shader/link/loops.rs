//! Which loops may run away, so that code generation counts their rounds.
//!
//! A loop whose index starts, steps and ends at constants needs no counter. All others share one counter per
//! invocation; so do long constant loops inside them, since what a device bounds is an invocation's work, not one
//! loop's (lavapipe, for one, stops every loop of an invocation after 65,535 rounds in all).

use std::collections::{BTreeMap, BTreeSet};

use crate::shader::builtins::BuiltinFunction;
use crate::shader::hir::{
    BinaryOp, Constant, Direction, Expr, ExprKind, FunctionId, LocalId, Loop, Shader, Span, Stmt,
};
use crate::shader::program::LoopSite;

/// Rounds up to which a constant bound counts as one.
const MAX_CONSTANT_ROUNDS: u32 = 1 << 15;
/// Constant loops up to this long are left alone everywhere: drivers unroll them.
const SHORT: u32 = 32;
/// More sites than this are not told apart.
const MAX_SITES: usize = crate::shader::program::POINT_FLAG as usize;

/// The counted loops of one stage.
#[derive(Clone, Debug, Default)]
pub struct CountedLoops {
    /// By line and column; the number is the loop's flag.
    flags: BTreeMap<(u32, u32), u32>,
    pub sites: Vec<LoopSite>,
}

impl CountedLoops {
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty()
    }

    /// The flag of the loop that begins at `span`, if its rounds are counted.
    pub fn flag(&self, span: Span) -> Option<u32> {
        self.flags.get(&(span.line, span.column)).copied()
    }
}

/// Finds the loops of `shader` to count; flags are numbered from `first`.
pub fn counted(shader: &Shader, first: u32) -> CountedLoops {
    let mut finder = Finder { shader, rounds: BTreeMap::new(), open: BTreeSet::new(), found: BTreeMap::new() };
    let mut totals: Vec<f64> = Vec::new();
    for function in &shader.functions {
        let total = finder.total(&function.body, &totals);
        totals.push(total);
    }
    if finder.open.is_empty() && totals.iter().all(|total| *total <= f64::from(MAX_CONSTANT_ROUNDS)) {
        return CountedLoops::default();
    }
    let long = totals.get(shader.main.0 as usize).is_some_and(|total| *total > f64::from(MAX_CONSTANT_ROUNDS));
    let mut seen = BTreeSet::new();
    finder.mark_function(shader.main, long, &mut seen);
    let mut counted = CountedLoops::default();
    for (at, endless) in finder.found {
        let flag = (first as usize + counted.sites.len()).min(MAX_SITES - 1);
        counted.flags.insert(at, flag as u32);
        if first as usize + counted.sites.len() < MAX_SITES {
            counted.sites.push(LoopSite {
                stage: shader.stage,
                shader: shader.name.clone(),
                line: at.0,
                text: shader.loop_lines.get(&at.0).cloned().unwrap_or_default(),
                endless,
            });
        }
    }
    counted
}

type At = (u32, u32);

struct Finder<'a> {
    shader: &'a Shader,
    /// Rounds of loops with a constant bound.
    rounds: BTreeMap<At, u32>,
    /// Loops without one.
    open: BTreeSet<At>,
    /// Loops to count, and whether they have no way out.
    found: BTreeMap<At, bool>,
}

fn at(repeat: &Loop) -> At {
    (repeat.span.line, repeat.span.column)
}

fn calls(expr: &Expr, visit: &mut impl FnMut(FunctionId)) {
    if let ExprKind::Call { function, .. } = &expr.kind {
        visit(*function);
    }
    expr.each_child(&mut |child| calls(child, visit));
}

impl Finder<'_> {
    /// Rounds that constant loops make in `stmts`, loops without constant bound taken once.
    fn total(&mut self, stmts: &[Stmt], totals: &[f64]) -> f64 {
        let mut total = 0.0;
        let mut called =
            |expr: &Expr| calls(expr, &mut |callee| total += totals.get(callee.0 as usize).copied().unwrap_or(0.0));
        let mut lists: Vec<&[Stmt]> = Vec::new();
        let mut loops: Vec<&Loop> = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Loop(repeat) => loops.push(repeat),
                other => other.each_part(&mut called, &mut |list| lists.push(list)),
            }
        }
        for list in lists {
            total += self.total(list, totals);
        }
        for repeat in loops {
            let mut inner = self.total(&repeat.init, totals) + self.total(&repeat.body, totals);
            for expr in repeat.condition.iter().chain(&repeat.step) {
                calls(expr, &mut |callee| inner += totals.get(callee.0 as usize).copied().unwrap_or(0.0));
            }
            let rounds = match constant_rounds(self.shader, repeat) {
                Some(rounds) => {
                    self.rounds.insert(at(repeat), rounds);
                    rounds
                }
                None => {
                    self.open.insert(at(repeat));
                    1
                }
            };
            total += f64::from(rounds) * (1.0 + inner);
        }
        total
    }

    fn mark_function(&mut self, id: FunctionId, counting: bool, seen: &mut BTreeSet<(u32, bool)>) {
        if seen.insert((id.0, counting))
            && let Some(function) = self.shader.functions.get(id.0 as usize)
        {
            self.mark(&function.body, counting, seen);
        }
    }

    /// Marks the loops to count; `counting`: the statements are run by a counted loop.
    fn mark(&mut self, stmts: &[Stmt], counting: bool, seen: &mut BTreeSet<(u32, bool)>) {
        for stmt in stmts {
            let mut inner = counting;
            if let Stmt::Loop(repeat) = stmt {
                let open = self.open.contains(&at(repeat));
                let long = self.rounds.get(&at(repeat)).is_some_and(|rounds| *rounds > SHORT);
                if open || (counting && long) {
                    let endless = is_constant_true(repeat.condition.as_ref()) && !self.has_exit(&repeat.body, true);
                    self.found.insert(at(repeat), endless);
                }
                inner |= open;
            }
            let (mut callees, mut lists) = (Vec::new(), Vec::new());
            stmt.each_part(&mut |expr| calls(expr, &mut |callee| callees.push(callee)), &mut |list| lists.push(list));
            for list in lists {
                self.mark(list, inner, seen);
            }
            for callee in callees {
                self.mark_function(callee, inner, seen);
            }
        }
    }

    /// Can the statements of a loop's body leave the loop? `own`: a `break` here is the loop's.
    fn has_exit(&self, stmts: &[Stmt], own: bool) -> bool {
        stmts.iter().any(|stmt| match stmt {
            Stmt::Break => own,
            Stmt::Return(_) | Stmt::Discard => true,
            other => {
                let own = own && !matches!(other, Stmt::Loop(_) | Stmt::Switch { .. });
                let mut exits = false;
                let mut expressions = Vec::new();
                other.each_part(&mut |expr| expressions.push(expr), &mut |list| exits |= self.has_exit(list, own));
                exits || expressions.iter().any(|expr| self.discards(expr))
            }
        })
    }

    /// Does a function called in `expr` discard?
    fn discards(&self, expr: &Expr) -> bool {
        let mut callees = Vec::new();
        calls(expr, &mut |callee| callees.push(callee));
        callees.iter().any(|callee| {
            self.shader.functions.get(callee.0 as usize).is_some_and(|function| self.body_discards(&function.body))
        })
    }

    fn body_discards(&self, stmts: &[Stmt]) -> bool {
        stmts.iter().any(|stmt| {
            let (mut found, mut expressions) = (matches!(stmt, Stmt::Discard), Vec::new());
            stmt.each_part(&mut |expr| expressions.push(expr), &mut |list| found |= self.body_discards(list));
            found || expressions.iter().any(|expr| self.discards(expr))
        })
    }
}

fn is_constant_true(condition: Option<&Expr>) -> bool {
    condition.is_none_or(|condition| {
        matches!(&condition.kind, ExprKind::Constant(values) if values.first() == Some(&Constant::Bool(true)))
    })
}

/// Rounds of a loop whose index starts, steps and ends at constants; `None` if it has no such index.
fn constant_rounds(shader: &Shader, repeat: &Loop) -> Option<u32> {
    if let Some(condition) = &repeat.condition
        && matches!(&condition.kind, ExprKind::Constant(values) if values.first() == Some(&Constant::Bool(false)))
    {
        return Some(1);
    }
    if repeat.test_after {
        return None;
    }
    let starts = repeat.init.iter().filter_map(|stmt| match stmt {
        Stmt::Declare { local, init: Some(init) } => Some((*local, scalar(init)?)),
        Stmt::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
            ExprKind::Local(local) => Some((local, scalar(value)?)),
            _ => None,
        },
        _ => None,
    });
    let step = repeat.step.as_ref()?;
    let mut best: Option<u32> = None;
    for (local, start) in starts {
        let Some(by) = step_of(step, local) else { continue };
        let writes = |expr: &Expr| writes(shader, expr, local);
        if repeat.condition.as_ref().is_some_and(writes) || body_writes(shader, &repeat.body, local) {
            continue;
        }
        let mut bounds = Vec::new();
        if let Some(condition) = &repeat.condition {
            conjuncts(condition, local, false, &mut bounds);
        }
        leading_exits(&repeat.body, local, &mut bounds);
        for (op, bound) in bounds {
            if let Some(rounds) = simulate(start, by, op, bound) {
                best = Some(best.map_or(rounds, |best| best.min(rounds)));
            }
        }
    }
    best
}

fn scalar(expr: &Expr) -> Option<Constant> {
    match &expr.kind {
        ExprKind::Constant(values) => match values.as_slice() {
            [value] => Some(*value),
            _ => None,
        },
        _ => None,
    }
}

/// What `step` adds to `local` each round: the constant, and whether it is subtracted.
fn step_of(step: &Expr, local: LocalId) -> Option<(Constant, bool)> {
    let names = |expr: &Expr| matches!(expr.kind, ExprKind::Local(id) if id == local);
    match &step.kind {
        ExprKind::Increment { target, decrement, .. } if names(target) => {
            let one = match target.ty {
                crate::shader::hir::Type::Scalar(crate::shader::hir::Scalar::Int) => Constant::Int(1),
                crate::shader::hir::Type::Scalar(crate::shader::hir::Scalar::Uint) => Constant::Uint(1),
                crate::shader::hir::Type::Scalar(crate::shader::hir::Scalar::Float) => Constant::Float(1.0),
                _ => return None,
            };
            Some((one, *decrement))
        }
        ExprKind::Assign { op: Some(BinaryOp::Add), target, value } if names(target) => Some((scalar(value)?, false)),
        ExprKind::Assign { op: Some(BinaryOp::Subtract), target, value } if names(target) => {
            Some((scalar(value)?, true))
        }
        ExprKind::Assign { op: None, target, value } if names(target) => match &value.kind {
            ExprKind::Binary(BinaryOp::Add, left, right) if names(left) => Some((scalar(right)?, false)),
            ExprKind::Binary(BinaryOp::Add, left, right) if names(right) => Some((scalar(left)?, false)),
            ExprKind::Binary(BinaryOp::Subtract, left, right) if names(left) => Some((scalar(right)?, true)),
            _ => None,
        },
        ExprKind::Sequence(left, right) => {
            // Twice stepped is nothing we need to know.
            match (step_of(left, local), step_of(right, local)) {
                (Some(step), None) if !assigns(right, local) => Some(step),
                (None, Some(step)) if !assigns(left, local) => Some(step),
                _ => None,
            }
        }
        _ => None,
    }
}

fn assigns(expr: &Expr, local: LocalId) -> bool {
    let own = match &expr.kind {
        ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } => target.root_local() == Some(local),
        // Whether a call writes it is not looked at here.
        ExprKind::Call { arguments, .. } | ExprKind::Builtin { function: BuiltinFunction::Modf, arguments } => {
            arguments.iter().any(|argument| argument.root_local() == Some(local))
        }
        _ => false,
    };
    let mut found = own;
    expr.each_child(&mut |child| found |= assigns(child, local));
    found
}

fn writes(shader: &Shader, expr: &Expr, local: LocalId) -> bool {
    let mut found = match &expr.kind {
        ExprKind::Assign { target, .. } | ExprKind::Increment { target, .. } => target.root_local() == Some(local),
        ExprKind::Call { function, arguments } => {
            let parameters = shader.functions.get(function.0 as usize).map(|callee| &callee.parameters);
            arguments.iter().enumerate().any(|(position, argument)| {
                let direction = parameters.and_then(|list| list.get(position)).map(|parameter| parameter.direction);
                direction != Some(Direction::In) && argument.root_local() == Some(local)
            })
        }
        ExprKind::Builtin { function: BuiltinFunction::Modf, arguments } => {
            arguments.get(1).is_some_and(|target| target.root_local() == Some(local))
        }
        _ => false,
    };
    expr.each_child(&mut |child| found |= writes(shader, child, local));
    found
}

fn body_writes(shader: &Shader, stmts: &[Stmt], local: LocalId) -> bool {
    stmts.iter().any(|stmt| {
        let (mut found, mut nested) = (false, Vec::new());
        stmt.each_part(&mut |expr| found |= writes(shader, expr, local), &mut |list| nested.push(list));
        found || nested.iter().any(|list| body_writes(shader, list, local))
    })
}

/// The comparisons of `local` with constants of which one failing ends the loop. `exits`: the condition leaves it.
fn conjuncts(condition: &Expr, local: LocalId, exits: bool, out: &mut Vec<(BinaryOp, Constant)>) {
    let ExprKind::Binary(op, left, right) = &condition.kind else { return };
    let joins = if exits { BinaryOp::Or } else { BinaryOp::And };
    if *op == joins {
        conjuncts(left, local, exits, out);
        conjuncts(right, local, exits, out);
        return;
    }
    let names = |expr: &Expr| matches!(expr.kind, ExprKind::Local(id) if id == local);
    let (op, bound) = if names(left) {
        (Some(*op), scalar(right))
    } else if names(right) {
        (mirrored(*op), scalar(left))
    } else {
        return;
    };
    let op = if exits { op.and_then(negated) } else { op };
    if let (Some(op), Some(bound)) = (op, bound) {
        out.push((op, bound));
    }
}

/// `if (i >= n) break;` at the top of a loop's body, before anything that may `continue`.
fn leading_exits(body: &[Stmt], local: LocalId, out: &mut Vec<(BinaryOp, Constant)>) {
    for stmt in body {
        if let Stmt::If { condition, accept, .. } = stmt
            && leaves(accept)
        {
            conjuncts(condition, local, true, out);
        }
        if may_continue(std::slice::from_ref(stmt)) {
            return;
        }
    }
}

fn leaves(stmts: &[Stmt]) -> bool {
    match stmts {
        [Stmt::Break | Stmt::Return(_) | Stmt::Discard, ..] => true,
        [Stmt::Block(body)] => leaves(body),
        _ => false,
    }
}

fn may_continue(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::Continue => true,
        Stmt::Loop(_) => false,
        other => {
            let mut found = false;
            other.each_part(&mut |_| {}, &mut |list| found |= may_continue(list));
            found
        }
    })
}

fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        BinaryOp::Equal | BinaryOp::NotEqual => op,
        _ => return None,
    })
}

fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        _ => return None,
    })
}

/// Runs the index alone, in its own arithmetic: rounds until `index op bound` fails.
fn simulate(start: Constant, (by, subtract): (Constant, bool), op: BinaryOp, bound: Constant) -> Option<u32> {
    fn run<T: Copy + PartialOrd>(start: T, step: impl Fn(T) -> T, op: BinaryOp, bound: T) -> Option<u32> {
        let holds = |value: T| match op {
            BinaryOp::Less => value < bound,
            BinaryOp::LessEqual => value <= bound,
            BinaryOp::Greater => value > bound,
            BinaryOp::GreaterEqual => value >= bound,
            BinaryOp::Equal => value == bound,
            BinaryOp::NotEqual => value != bound,
            _ => true,
        };
        let mut value = start;
        for rounds in 0..=MAX_CONSTANT_ROUNDS {
            if !holds(value) {
                return Some(rounds);
            }
            value = step(value);
        }
        None
    }
    match (start, by, bound) {
        (Constant::Int(start), Constant::Int(by), Constant::Int(bound)) => {
            run(start, |v| if subtract { v.wrapping_sub(by) } else { v.wrapping_add(by) }, op, bound)
        }
        (Constant::Uint(start), Constant::Uint(by), Constant::Uint(bound)) => {
            run(start, |v| if subtract { v.wrapping_sub(by) } else { v.wrapping_add(by) }, op, bound)
        }
        (Constant::Float(start), Constant::Float(by), Constant::Float(bound)) => {
            run(start, |v| if subtract { v - by } else { v + by }, op, bound)
        }
        _ => None,
    }
}
