//! The abstract run of a vertex shader that follows where its position comes from.
//!
//! Straight code and branches are followed exactly. Loops, `switch` and functions that return early are regions: in
//! them nothing is overwritten, only added to, and everything assigned depends on every condition, until nothing is
//! added any more; whatever order the region runs in, that holds.

use super::value::{Sources, Value};
use super::{Source, is_mat4};
use crate::shader::builtins::BuiltinFunction;
use crate::shader::hir::{
    BinaryOp, BuiltinVariable, Direction, Expr, ExprKind, Function, FunctionId, LocalId, Loop, Shader, Stmt, Storage,
};

/// Statements and expressions that are followed; calls are followed each time they are made.
const BUDGET: u32 = 200_000;
const MAX_DEPTH: u32 = 64;

/// All variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    globals: Vec<Value>,
    locals: Vec<Value>,
    /// What the function returned so far.
    result: Value,
}

pub(super) struct Flow<'a> {
    shader: &'a Shader,
    state: State,
    /// What decides whether the current statement runs.
    control: Sources,
    /// In a region.
    weak: bool,
    /// In a function that returns early: conditions count until its end.
    sticky: bool,
    budget: u32,
    depth: u32,
}

/// The search was given up.
struct TooMuch;

type Flown<T> = Result<T, TooMuch>;

impl<'a> Flow<'a> {
    /// The position after `main`; `None` if that is too much to follow.
    pub(super) fn position(shader: &'a Shader) -> Option<Value> {
        let mut flow = Self {
            shader,
            state: State::default(),
            control: Sources::default(),
            weak: false,
            sticky: false,
            budget: BUDGET,
            depth: 0,
        };
        flow.state.globals = vec![Value::default(); shader.globals.len()];
        flow.run().ok()
    }

    fn run(&mut self) -> Flown<Value> {
        for (id, global) in self.shader.globals.iter().enumerate() {
            if let Some(init) = &global.init {
                let value = self.value(init)?;
                if let Some(place) = self.state.globals.get_mut(id) {
                    *place = value;
                }
            }
        }
        self.call(self.shader.main, Vec::new())?;
        let position = Storage::Builtin(BuiltinVariable::Position);
        let at = self.shader.globals.iter().position(|global| global.storage == position);
        Ok(at.and_then(|at| self.state.globals.get(at).cloned()).unwrap_or_default())
    }

    fn spend(&mut self) -> Flown<()> {
        self.budget = self.budget.checked_sub(1).ok_or(TooMuch)?;
        Ok(())
    }

    /// What a function returns, and its parameters afterwards.
    fn call(&mut self, id: FunctionId, arguments: Vec<Value>) -> Flown<(Value, Vec<Value>)> {
        let shader = self.shader;
        let function: &'a Function = shader.functions.get(id.0 as usize).ok_or(TooMuch)?;
        if self.depth >= MAX_DEPTH {
            return Err(TooMuch);
        }
        let mut locals = vec![Value::default(); function.locals.len()];
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            if let Some(place) = locals.get_mut(parameter.local.0 as usize) {
                *place = value;
            }
        }
        let outer = (std::mem::replace(&mut self.state.locals, locals), std::mem::take(&mut self.state.result));
        let sticky = std::mem::replace(&mut self.sticky, false);
        self.depth += 1;
        if returns_early(&function.body, true) {
            self.region(true, |flow| flow.statements(&function.body))?;
        } else {
            self.statements(&function.body)?;
        }
        self.depth -= 1;
        self.sticky = sticky;
        let locals = std::mem::replace(&mut self.state.locals, outer.0);
        let result = std::mem::replace(&mut self.state.result, outer.1);
        let after = |local: LocalId| locals.get(local.0 as usize).cloned().unwrap_or_default();
        Ok((result, function.parameters.iter().map(|parameter| after(parameter.local)).collect()))
    }

    /// Runs a region until nothing is added.
    fn region(&mut self, function: bool, mut body: impl FnMut(&mut Self) -> Flown<()>) -> Flown<()> {
        let (control, weak, sticky) = (self.control.clone(), self.weak, self.sticky);
        self.weak = true;
        self.sticky |= function;
        loop {
            let before = (self.state.clone(), self.control.clone());
            body(self)?;
            if before == (self.state.clone(), self.control.clone()) {
                break;
            }
        }
        (self.weak, self.sticky) = (weak, sticky);
        // A return in a loop decides about everything behind the loop.
        if !self.sticky {
            self.control = control;
        }
        Ok(())
    }

    fn statements(&mut self, statements: &'a [Stmt]) -> Flown<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &'a Stmt) -> Flown<()> {
        self.spend()?;
        match statement {
            Stmt::Expr(expr) => self.value(expr).map(drop),
            Stmt::Declare { local, init } => {
                let value = init.as_ref().map_or_else(|| Ok(Value::default()), |init| self.value(init))?;
                self.set_local(*local, value);
                Ok(())
            }
            Stmt::Block(body) => self.statements(body),
            Stmt::If { condition, accept, reject } => {
                let condition = self.value(condition)?.sources();
                let control = self.control.clone();
                self.control.add(&condition);
                if self.weak {
                    self.statements(accept)?;
                    self.statements(reject)?;
                    // Either side may leave the region.
                    return Ok(());
                }
                let before = self.state.clone();
                self.statements(accept)?;
                let accepted = std::mem::replace(&mut self.state, before);
                self.statements(reject)?;
                self.join(&accepted);
                self.control = control;
                Ok(())
            }
            Stmt::Loop(repeat) => self.region(false, |flow| flow.round(repeat)),
            Stmt::Switch { selector, cases } => self.region(false, |flow| {
                let selector = flow.value(selector)?.sources();
                flow.control.add(&selector);
                cases.iter().try_for_each(|case| flow.statements(&case.body))
            }),
            Stmt::Return(value) => {
                let value = value.as_ref().map_or_else(|| Ok(Value::default()), |value| self.value(value))?;
                let value = self.assigned(&self.state.result.clone(), value);
                self.state.result = value;
                Ok(())
            }
            Stmt::Break | Stmt::Continue => Ok(()),
            Stmt::Discard => Err(TooMuch),
        }
    }

    fn round(&mut self, repeat: &'a Loop) -> Flown<()> {
        self.statements(&repeat.init)?;
        if let Some(condition) = &repeat.condition {
            let value = self.value(condition)?;
            self.control.add(&value.sources());
            if let Some(local) = repeat.condition_local {
                self.set_local(local, value);
            }
        }
        self.statements(&repeat.body)?;
        repeat.step.iter().try_for_each(|step| self.value(step).map(drop))
    }

    /// The state after one branch or the other; what was assigned in either depends on the condition already.
    fn join(&mut self, other: &State) {
        let merge = |here: &mut Vec<Value>, there: &[Value]| {
            here.iter_mut().zip(there).for_each(|(value, other)| {
                if value != other {
                    *value = value.either(other);
                }
            });
        };
        merge(&mut self.state.globals, &other.globals);
        merge(&mut self.state.locals, &other.locals);
        self.state.result = self.state.result.either(&other.result);
    }

    /// What a variable that held `old` holds when it is assigned `value` here.
    fn assigned(&self, old: &Value, mut value: Value) -> Value {
        if self.weak {
            value = old.mixed(&value);
        }
        value.depends.add(&self.control);
        value
    }

    fn set_local(&mut self, local: LocalId, value: Value) {
        let old = self.state.locals.get(local.0 as usize).cloned().unwrap_or_default();
        let value = self.assigned(&old, value);
        if let Some(place) = self.state.locals.get_mut(local.0 as usize) {
            *place = value;
        }
    }

    /// Assigns to an l-value.
    fn assign(&mut self, target: &'a Expr, value: Value) -> Flown<()> {
        match &target.kind {
            ExprKind::Local(local) => self.set_local(*local, value),
            ExprKind::Global(id) => {
                let old = self.state.globals.get(id.0 as usize).cloned().unwrap_or_default();
                let value = self.assigned(&old, value);
                if let Some(place) = self.state.globals.get_mut(id.0 as usize) {
                    *place = value;
                }
            }
            // A part: the rest stays.
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } => {
                let old = self.value(base)?;
                self.assign(base, old.mixed(&value))?;
            }
            ExprKind::Index { base, index } => {
                let index = self.value(index)?;
                let old = self.value(base)?;
                self.assign(base, old.mixed(&value).mixed(&index))?;
            }
            _ => return Err(TooMuch),
        }
        Ok(())
    }

    fn value(&mut self, expr: &'a Expr) -> Flown<Value> {
        self.spend()?;
        Ok(match &expr.kind {
            ExprKind::Constant(_) => Value::default(),
            ExprKind::Local(local) => self.state.locals.get(local.0 as usize).cloned().ok_or(TooMuch)?,
            ExprKind::Global(id) => self.global(id.0)?,
            ExprKind::BlockMember { global, element, .. } => {
                if let Some(element) = element {
                    self.value(element)?;
                }
                Value::of(global.0)
            }
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } | ExprKind::Unary(_, base) => {
                self.value(base)?.flat()
            }
            ExprKind::Index { base, index } => {
                let base = self.value(base)?;
                base.mixed(&self.value(index)?)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right)?,
            ExprKind::Sequence(left, right) => {
                self.value(left)?;
                self.value(right)?
            }
            ExprKind::Assign { op, target, value } => {
                let mut value = self.value(value)?;
                if op.is_some() {
                    value = self.value(target)?.mixed(&value);
                }
                self.assign(target, value)?;
                self.value(target)?
            }
            ExprKind::Increment { target, .. } => {
                let value = self.value(target)?.flat();
                self.assign(target, value.clone())?;
                value
            }
            ExprKind::Select { condition, accept, reject } => {
                let condition = self.value(condition)?;
                let accept = self.maybe(&condition, accept)?;
                let reject = self.maybe(&condition, reject)?;
                let mut value = accept.either(&reject);
                value.depends.add(&condition.sources());
                value
            }
            ExprKind::Construct(arguments) => self.all(arguments)?,
            ExprKind::Call { function, arguments } => self.called(*function, arguments)?,
            ExprKind::Builtin { function, arguments } => {
                let value = self.all(arguments)?;
                if let (BuiltinFunction::Modf, Some(whole)) = (function, arguments.get(1)) {
                    self.assign(whole, value.clone())?;
                }
                value
            }
        })
    }

    fn global(&self, id: Source) -> Flown<Value> {
        let global = self.shader.globals.get(id as usize).ok_or(TooMuch)?;
        Ok(match global.storage {
            Storage::Uniform if is_mat4(&global.ty) => Value::matrix(id),
            Storage::Uniform | Storage::Block(_) => Value::of(id),
            // Attributes, and built-in inputs, were never assigned to.
            _ => self.state.globals.get(id as usize).cloned().unwrap_or_default(),
        })
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) -> Flown<Value> {
        let first = self.value(left)?;
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let second = self.maybe(&first, right)?;
            return Ok(first.mixed(&second));
        }
        let second = self.value(right)?;
        let four = is_mat4(&right.ty) || matches!(right.ty, crate::shader::hir::Type::Vector(_, 4));
        let product = op == BinaryOp::Multiply && is_mat4(&left.ty) && four;
        Ok(if product { first.times(&second) } else { first.mixed(&second) })
    }

    /// An operand that is evaluated on a condition.
    fn maybe(&mut self, condition: &Value, expr: &'a Expr) -> Flown<Value> {
        let (control, weak) = (self.control.clone(), self.weak);
        self.control.add(&condition.sources());
        self.weak = true;
        let value = self.value(expr)?;
        (self.control, self.weak) = (control, weak);
        Ok(value)
    }

    fn all(&mut self, operands: &'a [Expr]) -> Flown<Value> {
        operands.iter().try_fold(Value::default(), |all, operand| Ok(all.mixed(&self.value(operand)?)))
    }

    fn called(&mut self, id: FunctionId, arguments: &'a [Expr]) -> Flown<Value> {
        let shader = self.shader;
        let function: &'a Function = shader.functions.get(id.0 as usize).ok_or(TooMuch)?;
        let values: Flown<Vec<Value>> = arguments.iter().map(|argument| self.value(argument)).collect();
        let (result, after) = self.call(id, values?)?;
        for ((parameter, argument), value) in function.parameters.iter().zip(arguments).zip(after) {
            if parameter.direction != Direction::In {
                self.assign(argument, value)?;
            }
        }
        Ok(result)
    }
}

/// Is there a `return` anywhere but at the very end?
fn returns_early(body: &[Stmt], end: bool) -> bool {
    body.iter().enumerate().any(|(at, statement)| {
        let last = end && at + 1 == body.len();
        match statement {
            Stmt::Return(_) => !last,
            Stmt::Block(body) => returns_early(body, last),
            _ => {
                let mut early = false;
                statement.each_part(&mut |_| {}, &mut |nested| early |= returns_early(nested, false));
                early
            }
        }
    })
}
