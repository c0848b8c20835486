//! One naga function under construction: expressions, emission, blocks, locals.

use naga::{Block, Expression, Handle, LocalVariable, Span, Statement};
use rustc_hash::FxHashMap;

use super::analysis::{LocalUse, local_uses};
use super::constants::Bits;
use super::sampler::Opaque;
use super::{Result, StageLowering, internal};
use crate::shader::hir::{self, Direction, FunctionId, LocalId, Type};
use crate::shader::link::types::{contains_data, contains_sampler};

/// Where a local of the source is.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalHome {
    /// Not declared yet.
    Unset,
    /// Never written after its declaration: the value itself.
    Value(Handle<Expression>),
    /// In memory.
    Pointer(Handle<Expression>),
}

pub(super) struct FunctionBuilder<'m, 'a> {
    pub stage: &'m mut StageLowering<'a>,
    pub function: naga::Function,
    /// Innermost last.
    blocks: Vec<Block>,
    emit_start: Option<usize>,
    pub source: Option<&'a hir::Function>,
    pub uses: Vec<LocalUse>,
    pub locals: Vec<LocalHome>,
    /// Samplers in parameters.
    pub opaques: Vec<Option<Opaque>>,
    /// Loops around the current statement (a declaration inside one must reset its variable).
    pub loop_depth: u32,
    pub literals: FxHashMap<Bits, Handle<Expression>>,
    pub zeros: FxHashMap<Handle<naga::Type>, Handle<Expression>>,
    pub constants: FxHashMap<Handle<naga::Constant>, Handle<Expression>>,
    globals: FxHashMap<Handle<naga::GlobalVariable>, Handle<Expression>>,
    /// Constant arrays that are indexed dynamically, in a variable each.
    pub tables: FxHashMap<Handle<Expression>, Handle<Expression>>,
}

impl<'m, 'a> FunctionBuilder<'m, 'a> {
    pub(super) fn new(stage: &'m mut StageLowering<'a>, name: &str) -> Self {
        FunctionBuilder {
            stage,
            function: naga::Function { name: Some(name.to_owned()), ..Default::default() },
            blocks: vec![Block::new()],
            emit_start: None,
            source: None,
            uses: Vec::new(),
            locals: Vec::new(),
            opaques: Vec::new(),
            loop_depth: 0,
            literals: FxHashMap::default(),
            zeros: FxHashMap::default(),
            constants: FxHashMap::default(),
            globals: FxHashMap::default(),
            tables: FxHashMap::default(),
        }
    }

    /// Appends an expression that naga counts as evaluated before the body.
    pub(super) fn pre(&mut self, expression: Expression) -> Handle<Expression> {
        self.flush();
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    /// Appends an expression, evaluated here.
    pub(super) fn add(&mut self, expression: Expression) -> Handle<Expression> {
        if self.emit_start.is_none() {
            self.emit_start = Some(self.function.expressions.len());
        }
        self.function.expressions.append(expression, Span::UNDEFINED)
    }

    /// naga's operator, on values it takes as they are.
    pub(super) fn raw(
        &mut self,
        op: naga::BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.add(Expression::Binary { op, left, right })
    }

    fn flush(&mut self) {
        if let Some(start) = self.emit_start.take() {
            let range = self.function.expressions.range_from(start);
            if let Some(block) = self.blocks.last_mut() {
                block.push(Statement::Emit(range), Span::UNDEFINED);
            }
        }
    }

    pub(super) fn push(&mut self, statement: Statement) {
        self.flush();
        if let Some(block) = self.blocks.last_mut() {
            block.push(statement, Span::UNDEFINED);
        }
    }

    /// Runs `body` with a fresh block and gives the block back.
    pub(super) fn block(&mut self, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<Block> {
        self.flush();
        self.blocks.push(Block::new());
        let result = body(self);
        self.flush();
        let block = self.blocks.pop().unwrap_or_default();
        result.map(|()| block)
    }

    /// Runs `body` where the condition holds.
    pub(super) fn when(
        &mut self,
        condition: Handle<Expression>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let accept = self.block(body)?;
        self.push(Statement::If { condition, accept, reject: Block::new() });
        Ok(())
    }

    pub(super) fn store(&mut self, pointer: Handle<Expression>, value: Handle<Expression>) {
        self.push(Statement::Store { pointer, value });
    }

    pub(super) fn load(&mut self, pointer: Handle<Expression>) -> Handle<Expression> {
        self.add(Expression::Load { pointer })
    }

    /// A variable of the function, zero at its start: a pointer.
    pub(super) fn variable(
        &mut self,
        name: Option<&str>,
        ty: Handle<naga::Type>,
        init: Option<Handle<Expression>>,
    ) -> Handle<Expression> {
        let variable = self
            .function
            .local_variables
            .append(LocalVariable { name: name.map(str::to_owned), ty, init }, Span::UNDEFINED);
        self.pre(Expression::LocalVariable(variable))
    }

    pub(super) fn temporary(&mut self, ty: &Type) -> Result<Handle<Expression>> {
        let ty = self.stage.value_type(ty)?;
        Ok(self.variable(None, ty, None))
    }

    pub(super) fn global(&mut self, variable: Handle<naga::GlobalVariable>) -> Handle<Expression> {
        if let Some(handle) = self.globals.get(&variable) {
            return *handle;
        }
        let handle = self.pre(Expression::GlobalVariable(variable));
        self.globals.insert(variable, handle);
        handle
    }

    pub(super) fn finish(mut self) -> naga::Function {
        self.flush();
        self.function.body = self.blocks.pop().unwrap_or_default();
        self.function
    }

    pub(super) fn local_use(&self, local: LocalId) -> LocalUse {
        self.uses.get(local.0 as usize).copied().unwrap_or_default()
    }

    pub(super) fn set_local(&mut self, local: LocalId, home: LocalHome) {
        if let Some(place) = self.locals.get_mut(local.0 as usize) {
            *place = home;
        }
    }

    pub(super) fn local_type(&self, local: LocalId) -> Result<&'a Type> {
        self.source.and_then(|f| f.locals.get(local.0 as usize)).map(|l| &l.ty).ok_or_else(|| internal("unknown local"))
    }
}

impl<'a> StageLowering<'a> {
    /// The naga function for a source function, with the given first texture slots for its sampler parameters.
    pub(super) fn instance(&mut self, id: FunctionId, slots: Vec<u32>) -> Result<Handle<naga::Function>> {
        let key = (id, slots);
        if let Some(handle) = self.instances.get(&key) {
            return Ok(*handle);
        }
        if self.depth >= super::MAX_CALL_DEPTH {
            return Err(super::ShaderError::Unsupported("functions nested this deeply".into()));
        }
        let shader: &'a hir::Shader = self.shader;
        let source = shader.functions.get(id.0 as usize).ok_or_else(|| internal("unknown function"))?;
        self.depth += 1;
        let built = self.build_function(source, &key.1);
        self.depth -= 1;
        let handle = self.module.functions.append(built?, Span::UNDEFINED);
        self.instances.insert(key, handle);
        Ok(handle)
    }

    fn build_function(&mut self, source: &'a hir::Function, slots: &[u32]) -> Result<naga::Function> {
        let mut builder = FunctionBuilder::new(self, &source.name);
        builder.source = Some(source);
        builder.uses = local_uses(builder.stage.shader, source);
        builder.locals = vec![LocalHome::Unset; source.locals.len()];
        builder.opaques = vec![None; source.locals.len()];
        if source.result != Type::Void {
            let ty = builder.stage.value_type(&source.result)?;
            builder.function.result = Some(naga::FunctionResult { ty, binding: None });
        }
        builder.parameters(source, slots)?;
        let ended = builder.statements(&source.body)?;
        if !ended {
            let value = match source.result {
                Type::Void => None,
                // Flowing off the end: the value is undefined in GLSL, zero here.
                ref ty => Some(builder.zero(ty)?),
            };
            builder.push(Statement::Return { value });
        }
        Ok(builder.finish())
    }
}

impl FunctionBuilder<'_, '_> {
    fn parameters(&mut self, source: &hir::Function, slots: &[u32]) -> Result<()> {
        let mut slots = slots.iter();
        for parameter in &source.parameters {
            let local = source.locals.get(parameter.local.0 as usize).ok_or_else(|| internal("unknown parameter"))?;
            if contains_sampler(self.stage.shader, &local.ty) {
                let base = slots.next().ok_or_else(|| internal("sampler parameter without slot"))?;
                if let Some(place) = self.opaques.get_mut(parameter.local.0 as usize) {
                    *place = Some(Opaque::fixed(*base));
                }
            }
            if !contains_data(self.stage.shader, &local.ty) {
                continue;
            }
            let value_ty = self.stage.value_type(&local.ty)?;
            let index = self.function.arguments.len() as u32;
            let by_value = parameter.direction == Direction::In;
            let ty = if by_value { value_ty } else { self.stage.pointer_type(value_ty) };
            self.function.arguments.push(naga::FunctionArgument { name: Some(local.name.clone()), ty, binding: None });
            let argument = self.pre(Expression::FunctionArgument(index));
            let home = match parameter.direction {
                Direction::In if self.local_use(parameter.local).needs_memory() => {
                    let pointer = self.variable(Some(&local.name), value_ty, None);
                    self.store(pointer, argument);
                    LocalHome::Pointer(pointer)
                }
                Direction::In => LocalHome::Value(argument),
                Direction::InOut => LocalHome::Pointer(argument),
                Direction::Out => {
                    let zero = self.zero(&local.ty)?;
                    self.store(argument, zero);
                    LocalHome::Pointer(argument)
                }
            };
            self.set_local(parameter.local, home);
        }
        Ok(())
    }
}
