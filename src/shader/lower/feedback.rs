//! Transform feedback as stores of the vertex shader: each captured value goes to word
//! `base + record * stride + word` of its buffer, record = vertex − first + instance × vertices.

use naga::{BinaryOperator, Expression, Handle, ScalarKind};

use super::entry_vertex::Indices;
use super::function::FunctionBuilder;
use super::globals::{DriverMember, vector_of};
use super::types::U32;
use super::{Result, internal};
use crate::shader::hir::{Scalar, Type};
use crate::shader::link::Capture;

impl FunctionBuilder<'_, '_> {
    /// Stores the captured variables, as they are before the clip space is adjusted.
    pub(super) fn capture_feedback(&mut self, indices: Indices) -> Result<()> {
        let linked = self.stage.linked;
        if !self.stage.variant.capture_feedback || linked.feedback.captures.is_empty() {
            return Ok(());
        }
        let (Some(vertex), Some(instance)) = (indices.vertex, indices.instance) else {
            return Err(internal("feedback without vertex index"));
        };
        let first = self.driver(DriverMember::FeedbackFirst, 0)?;
        let vertices = self.driver(DriverMember::FeedbackVertices, 0)?;
        let before = self.raw(BinaryOperator::Multiply, instance, vertices);
        let within = self.raw(BinaryOperator::Subtract, vertex, first);
        let record = self.raw(BinaryOperator::Add, within, before);

        let word = self.stage.scalar_type(U32);
        let array = self.stage.runtime_array(word, 4);
        for (buffer, stride) in linked.feedback.strides.iter().enumerate() {
            let variable = self.stage.writable(&format!("feedback_{buffer}"), buffer as u32, array);
            let captures: Vec<&Capture> =
                linked.feedback.captures.iter().filter(|c| c.buffer == buffer as u32).collect();
            let pointer = self.global(variable);
            let base = self.driver(DriverMember::FeedbackBase0, (buffer as u32).min(3))?;
            let stride_value = self.int(*stride as i32);
            let offset = self.raw(BinaryOperator::Multiply, record, stride_value);
            let start = self.raw(BinaryOperator::Add, base, offset);
            let start = self.bitcast(start, ScalarKind::Uint);
            self.guarded_record(pointer, start, *stride, &captures)?;
        }
        Ok(())
    }

    /// Writes one record if all of it lies inside the buffer.
    fn guarded_record(
        &mut self,
        buffer: Handle<Expression>,
        start: Handle<Expression>,
        stride: u32,
        captures: &[&Capture],
    ) -> Result<()> {
        let length = self.add(Expression::ArrayLength(buffer));
        let stride = self.uint(stride);
        let end = self.raw(BinaryOperator::Add, start, stride);
        let fits = self.raw(BinaryOperator::LessEqual, end, length);
        // A negative start wraps to a huge one, and its end may wrap back.
        let ordered = self.raw(BinaryOperator::LessEqual, start, end);
        let condition = self.raw(BinaryOperator::LogicalAnd, fits, ordered);
        self.when(condition, |b| {
            for capture in captures {
                b.capture(buffer, start, capture)?;
            }
            Ok(())
        })
    }

    fn capture(&mut self, buffer: Handle<Expression>, start: Handle<Expression>, capture: &Capture) -> Result<()> {
        let mut word = capture.word;
        for element in 0..capture.size {
            let mut path = capture.path.clone();
            if capture.is_array {
                path.push(element);
            }
            let (pointer, ty) = self.walk(capture.global, &path)?;
            let value = self.load(pointer);
            self.capture_value(buffer, start, (value, &ty), &mut word)?;
        }
        Ok(())
    }

    fn capture_value(
        &mut self,
        buffer: Handle<Expression>,
        start: Handle<Expression>,
        (value, ty): (Handle<Expression>, &Type),
        word: &mut u32,
    ) -> Result<()> {
        if let Type::Matrix { columns, rows } = ty {
            let column_type = Type::Vector(Scalar::Float, *rows);
            for index in 0..u32::from(*columns) {
                let column = self.add(Expression::AccessIndex { base: value, index });
                self.capture_value(buffer, start, (column, &column_type), word)?;
            }
            return Ok(());
        }
        let (_, size) = vector_of(ty).ok_or_else(|| internal("captured value is no vector"))?;
        for index in 0..u32::from(size) {
            let part = if size == 1 { value } else { self.add(Expression::AccessIndex { base: value, index }) };
            let bits = self.bitcast(part, ScalarKind::Uint);
            let offset = self.uint(*word);
            let index = self.raw(BinaryOperator::Add, start, offset);
            let pointer = self.add(Expression::Access { base: buffer, index });
            self.store(pointer, bits);
            *word += 1;
        }
        Ok(())
    }
}
