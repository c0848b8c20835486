//! The whole shader: reachable functions in order, recursion, what is used, output rules.

use super::Analyzer;
use crate::shader::compile::ExtensionSet;
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{
    BuiltinVariable, Expr, ExprKind, Function, FunctionId, Shader, Span, Stage, Stmt, Storage, Type,
};

/// Longest chain of calls, as Chromium limits it.
const MAX_CALL_DEPTH: u32 = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    /// Height of the call tree below.
    Done(u32),
}

impl Analyzer<'_> {
    pub fn finish(mut self) -> Checked<Shader> {
        let main = self
            .functions
            .iter()
            .position(|function| self.text(function.name) == "main" && function.definition.is_some());
        let Some(main) = main else {
            return Err(Diagnostic::new(Span { line: self.last_line(), column: 1 }, "main", "missing main()"));
        };
        let order = self.call_order(main)?;
        self.mark_used(&order);
        self.check_outputs()?;
        self.check_uniform_limits()?;
        let draw_buffers = self.extensions.contains(ExtensionSet::EXT_DRAW_BUFFERS);
        let mut numbers = vec![None; self.functions.len()];
        for (number, &index) in order.iter().enumerate() {
            if let Some(slot) = numbers.get_mut(index) {
                *slot = Some(FunctionId(number as u32));
            }
        }
        let mut functions: Vec<Function> = Vec::with_capacity(order.len());
        for &index in &order {
            let definition = self.functions.get_mut(index).and_then(|entry| entry.definition.take());
            if let Some(mut function) = definition {
                renumber_all(&mut function.body, &numbers);
                functions.push(function);
            }
        }
        let main = FunctionId(functions.len().saturating_sub(1) as u32);
        Ok(Shader {
            stage: self.stage,
            dialect: self.dialect,
            structs: self.structs,
            globals: self.globals,
            blocks: self.blocks,
            functions,
            main,
            draw_buffers,
            writes_frag_depth: self.writes_frag_depth,
            frag_data_len: self.frag_data_len,
            name: None,
            loop_lines: Default::default(),
        })
    }

    fn last_line(&self) -> u32 {
        self.unit.tokens.last().map_or(1, |token| token.span.line)
    }

    /// Functions reachable from `main`, callees first, `main` last. Recursion anywhere is an error
    /// (GLSL ES 3.00 §6.1), as is a call of a function without body.
    fn call_order(&self, main: usize) -> Checked<Vec<usize>> {
        let mut marks = vec![Mark::New; self.functions.len()];
        let mut order = Vec::new();
        self.visit(main, &mut marks, &mut order)?;
        let reachable = order.len();
        for index in 0..self.functions.len() {
            if self.functions.get(index).is_some_and(|function| function.definition.is_some()) {
                self.visit(index, &mut marks, &mut order)?;
            }
        }
        order.truncate(reachable);
        Ok(order)
    }

    /// Depth-first without recursion of our own.
    fn visit(&self, root: usize, marks: &mut [Mark], order: &mut Vec<usize>) -> Checked<()> {
        if marks.get(root) != Some(&Mark::New) {
            return Ok(());
        }
        let mut stack: Vec<(usize, Vec<usize>)> = vec![(root, self.callees(root)?)];
        marks[root] = Mark::Open;
        while let Some((index, pending)) = stack.last_mut() {
            let index = *index;
            let Some(callee) = pending.pop() else {
                let below = self.functions[index].usage.calls.iter().map(|&callee| match marks.get(callee) {
                    Some(Mark::Done(height)) => *height,
                    _ => 0,
                });
                let height = below.max().unwrap_or(0) + 1;
                if height > MAX_CALL_DEPTH {
                    return Err(self.complain(index, "call stack too deep"));
                }
                marks[index] = Mark::Done(height);
                order.push(index);
                stack.pop();
                continue;
            };
            match marks.get(callee) {
                Some(Mark::Open) => {
                    return Err(self.complain(callee, "Recursive function call in the following call chain"));
                }
                Some(Mark::New) => {
                    let callees = self.callees(callee)?;
                    marks[callee] = Mark::Open;
                    stack.push((callee, callees));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn callees(&self, index: usize) -> Checked<Vec<usize>> {
        match self.functions.get(index) {
            Some(function) if function.definition.is_some() => {
                // Popped from the end: keep the order of declaration.
                Ok(function.usage.calls.iter().rev().copied().collect())
            }
            _ => Err(self.complain(index, "No definition for function")),
        }
    }

    fn complain(&self, index: usize, message: &str) -> Diagnostic {
        match self.functions.get(index) {
            Some(function) => self.error(function.span, function.name, message),
            None => Diagnostic::new(Span::default(), "", message),
        }
    }

    /// Statically used = mentioned in code that `main` can reach, or in the initialiser of such a variable.
    fn mark_used(&mut self, order: &[usize]) {
        let mut pending: Vec<u32> = Vec::new();
        for &index in order {
            if let Some(function) = self.functions.get(index) {
                pending.extend(&function.usage.globals);
            }
        }
        while let Some(id) = pending.pop() {
            let Some(global) = self.globals.get_mut(id as usize) else { continue };
            if std::mem::replace(&mut global.used, true) {
                continue;
            }
            if let Storage::Block(block) = global.storage
                && let Some(block) = self.blocks.get_mut(block as usize)
            {
                block.used = true;
            }
            if let Some(facts) = self.global_facts.get(id as usize) {
                pending.extend(&facts.usage.globals);
            }
        }
        let uses =
            |variable| self.globals.iter().any(|global| global.used && global.storage == Storage::Builtin(variable));
        self.writes_frag_depth &= uses(BuiltinVariable::FragDepth);
        if !uses(BuiltinVariable::FragData) {
            self.frag_data_len = 0;
        }
    }

    /// GLSL ES 3.00 §4.3.8.2 and 1.00 §7.2.
    fn check_outputs(&self) -> Checked<()> {
        if self.stage != Stage::Fragment {
            return Ok(());
        }
        // Even code that cannot be reached counts.
        let mentioned = |id: usize| self.functions.iter().any(|f| f.usage.globals.contains(&(id as u32)));
        let used = |variable| {
            let mut globals = self.globals.iter().enumerate();
            globals.find(|(id, global)| global.storage == Storage::Builtin(variable) && mentioned(*id))
        };
        if let (Some((_, color)), Some(_)) = (used(BuiltinVariable::FragColor), used(BuiltinVariable::FragData)) {
            return Err(Diagnostic::new(color.span, "gl_FragColor", "cannot use both gl_FragData and gl_FragColor"));
        }
        let outputs: Vec<_> = self
            .globals
            .iter()
            .filter_map(|global| match global.storage {
                Storage::Out(interface) => Some((global, interface)),
                _ => None,
            })
            .collect();
        if outputs.len() > 1
            && let Some((global, _)) = outputs.iter().find(|(_, interface)| interface.location.is_none())
        {
            let message = "must explicitly specify all locations when using multiple fragment outputs";
            return Err(Diagnostic::new(global.span, global.name.as_str(), message));
        }
        let limit = self.options.limits.max_draw_buffers;
        let mut taken = std::collections::BTreeSet::new();
        for (global, interface) in outputs {
            let first = interface.location.unwrap_or(0);
            let length = match global.ty {
                Type::Array(_, length) => length,
                _ => 1,
            };
            let limit = if interface.index == 0 { limit } else { self.options.limits.max_dual_source_draw_buffers };
            if first.saturating_add(length) > limit || interface.index > 1 {
                return Err(Diagnostic::new(
                    global.span,
                    global.name.as_str(),
                    "output location must be < MAX_DRAW_BUFFERS",
                ));
            }
            for location in first..first + length {
                if !taken.insert((interface.index, location)) {
                    let message = "conflicting output locations with previously defined output";
                    return Err(Diagnostic::new(global.span, global.name.as_str(), message));
                }
            }
        }
        Ok(())
    }
}

fn renumber_all(body: &mut [Stmt], numbers: &[Option<FunctionId>]) {
    for stmt in body {
        renumber_stmt(stmt, numbers);
    }
}

fn renumber_stmt(stmt: &mut Stmt, numbers: &[Option<FunctionId>]) {
    match stmt {
        Stmt::Expr(expr) | Stmt::Return(Some(expr)) | Stmt::Declare { init: Some(expr), .. } => renumber(expr, numbers),
        Stmt::Block(body) => renumber_all(body, numbers),
        Stmt::If { condition, accept, reject } => {
            renumber(condition, numbers);
            renumber_all(accept, numbers);
            renumber_all(reject, numbers);
        }
        Stmt::Loop(looped) => {
            renumber_all(&mut looped.init, numbers);
            renumber_all(&mut looped.body, numbers);
            for expr in looped.condition.iter_mut().chain(looped.step.iter_mut()) {
                renumber(expr, numbers);
            }
        }
        Stmt::Switch { selector, cases } => {
            renumber(selector, numbers);
            for case in cases {
                renumber_all(&mut case.body, numbers);
            }
        }
        Stmt::Return(None) | Stmt::Declare { init: None, .. } | Stmt::Break | Stmt::Continue | Stmt::Discard => {}
    }
}

fn renumber(expr: &mut Expr, numbers: &[Option<FunctionId>]) {
    match &mut expr.kind {
        ExprKind::Constant(_) | ExprKind::Local(_) | ExprKind::Global(_) => {}
        ExprKind::BlockMember { element, .. } => {
            if let Some(element) = element {
                renumber(element, numbers);
            }
        }
        ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } => renumber(base, numbers),
        ExprKind::Index { base: a, index: b }
        | ExprKind::Binary(_, a, b)
        | ExprKind::Sequence(a, b)
        | ExprKind::Assign { target: a, value: b, .. } => {
            renumber(a, numbers);
            renumber(b, numbers);
        }
        ExprKind::Unary(_, operand) => renumber(operand, numbers),
        ExprKind::Increment { target, .. } => renumber(target, numbers),
        ExprKind::Select { condition, accept, reject } => {
            renumber(condition, numbers);
            renumber(accept, numbers);
            renumber(reject, numbers);
        }
        ExprKind::Construct(arguments) | ExprKind::Builtin { arguments, .. } => {
            for argument in arguments {
                renumber(argument, numbers);
            }
        }
        ExprKind::Call { function, arguments } => {
            if let Some(Some(number)) = numbers.get(function.0 as usize) {
                *function = *number;
            }
            for argument in arguments {
                renumber(argument, numbers);
            }
        }
    }
}
