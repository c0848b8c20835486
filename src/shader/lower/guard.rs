//! Rounds of loops that may run away, counted per invocation.
//!
//! Every counted loop adds to one private counter and is left when the counter passes the limit; the loop in which
//! that happened first is remembered, and the end of the invocation raises its flag in a storage buffer. Programs
//! without such loops have neither counter nor buffer.

use naga::{BinaryOperator, Expression, Handle, MathFunction, Statement};

use super::function::FunctionBuilder;
use super::types::U32;
use super::{Result, StageLowering};
use crate::shader::hir::{BuiltinVariable, Loop, Stage};
use crate::shader::link::CountedLoops;
use crate::shader::program::{LOOP_FLAGS, POINT_FLAG};

/// The variables of a stage that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guard {
    /// Rounds so far.
    rounds: Handle<naga::GlobalVariable>,
    /// 1 + flag of the loop that ran away, or 0.
    tripped: Handle<naga::GlobalVariable>,
    /// None where positions are stored: the draw itself raises the flag.
    flags: Option<Handle<naga::GlobalVariable>>,
    limit: u32,
}

impl StageLowering<'_> {
    /// The loops this stage counts.
    pub(super) fn counted(&self) -> &CountedLoops {
        match self.shader.stage {
            Stage::Vertex => &self.linked.vertex_loops,
            Stage::Fragment => &self.linked.fragment_loops,
        }
    }

    pub(super) fn declare_guard(&mut self) -> Result<()> {
        let counts = !self.counted().is_empty();
        let watches = self.shader.stage == Stage::Vertex && self.linked.watches_points;
        if !counts && !watches {
            return Ok(());
        }
        let word = self.scalar_type(U32);
        if self.positions.is_none() {
            let array = self.plain_array(word, LOOP_FLAGS, 4)?;
            let binding = self.linked.feedback_buffers(self.variant);
            self.flags = Some(self.writable("loop_flags", binding, array));
        }
        if !counts {
            return Ok(());
        }
        let flags = self.flags;
        self.guard = Some(Guard {
            rounds: self.private("loop_rounds", word, None),
            tripped: self.private("loop_tripped", word, None),
            flags,
            limit: self.linked.max_loop_rounds,
        });
        Ok(())
    }
}

impl FunctionBuilder<'_, '_> {
    /// The flag of a counted loop.
    pub(super) fn loop_flag(&self, repeat: &Loop) -> Option<u32> {
        self.stage.guard.and_then(|_| self.stage.counted().flag(repeat.span))
    }

    fn compare(&mut self, op: BinaryOperator, left: Handle<Expression>, right: u32) -> Handle<Expression> {
        let right = self.uint(right);
        self.raw(op, left, right)
    }

    /// At the head of a counted loop's body: one more round, or out.
    pub(super) fn count_round(&mut self) -> Result<()> {
        let Some(guard) = self.stage.guard else { return Ok(()) };
        let pointer = self.global(guard.rounds);
        let before = self.load(pointer);
        let one = self.uint(1);
        let rounds = self.raw(BinaryOperator::Add, before, one);
        self.store(pointer, rounds);
        let condition = self.compare(BinaryOperator::Greater, rounds, guard.limit);
        self.when(condition, |b| {
            b.push(Statement::Break);
            Ok(())
        })
    }

    /// Behind a counted loop: remembers it if the limit was passed here first.
    pub(super) fn note_runaway(&mut self, flag: u32) {
        let Some(guard) = self.stage.guard else { return };
        let pointer = self.global(guard.rounds);
        let rounds = self.load(pointer);
        let over = self.compare(BinaryOperator::Greater, rounds, guard.limit);
        let pointer = self.global(guard.tripped);
        let tripped = self.load(pointer);
        let first = self.compare(BinaryOperator::Equal, tripped, 0);
        let condition = self.raw(BinaryOperator::LogicalAnd, over, first);
        let accept = self.uint(flag + 1);
        let value = self.add(Expression::Select { condition, accept, reject: tripped });
        self.store(pointer, value);
    }

    /// Raises the flag of points that the device draws smaller than asked, if this one is in the picture: those outside are
    /// clipped by their centre, and grow without bound near the camera.
    pub(super) fn note_large_point(&mut self, size: Handle<Expression>, most: Handle<Expression>) -> Result<()> {
        let (Some(flags), true) = (self.stage.flags, self.stage.linked.watches_points) else { return Ok(()) };
        let Some(position) = self.stage.builtin(BuiltinVariable::Position) else { return Ok(()) };
        let pointer = self.global(position);
        let position = self.load(pointer);
        let w = self.add(Expression::AccessIndex { base: position, index: 3 });
        let mut condition = self.raw(BinaryOperator::Greater, size, most);
        for index in 0..3 {
            let along = self.add(Expression::AccessIndex { base: position, index });
            let along = self.math(MathFunction::Abs, &[along]);
            let within = self.raw(BinaryOperator::LessEqual, along, w);
            condition = self.raw(BinaryOperator::LogicalAnd, condition, within);
        }
        let flags = self.global(flags);
        self.when(condition, |b| {
            let one = b.uint(1);
            let place = b.add(Expression::AccessIndex { base: flags, index: POINT_FLAG });
            b.store(place, one);
            Ok(())
        })
    }

    /// Where the invocation ends: raises the flag of the loop that ran away.
    pub(super) fn raise_flag(&mut self) -> Result<()> {
        let Some(Guard { tripped, flags: Some(flags), .. }) = self.stage.guard else { return Ok(()) };
        let pointer = self.global(tripped);
        let tripped = self.load(pointer);
        let condition = self.compare(BinaryOperator::NotEqual, tripped, 0);
        let flags = self.global(flags);
        self.when(condition, |b| {
            let one = b.uint(1);
            let index = b.raw(BinaryOperator::Subtract, tripped, one);
            let place = b.add(Expression::Access { base: flags, index });
            b.store(place, one);
            Ok(())
        })
    }
}
