//! Constants. Finite composite constants become module constants, made once; NaN and infinities, which naga
//! does not know as literals, are bit casts in the function that needs them.

use naga::{Expression, Handle, Literal, ScalarKind, Span};
use rustc_hash::FxHashMap;

use super::function::FunctionBuilder;
use super::{Result, StageLowering, internal};
use crate::shader::hir::{Constant, Type};
use crate::shader::link::types::fields;

/// Bit pattern with kind, so that constants can be hashed (NaN included).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bits(u8, u32);

fn bits(constant: Constant) -> Bits {
    match constant {
        Constant::Float(v) => Bits(0, v.to_bits()),
        Constant::Int(v) => Bits(1, v as u32),
        Constant::Uint(v) => Bits(2, v),
        Constant::Bool(v) => Bits(3, u32::from(v)),
    }
}

fn finite(constant: &Constant) -> bool {
    !matches!(constant, Constant::Float(v) if !v.is_finite())
}

/// `-0.0` is not zero here: ZeroValue would lose its sign.
fn is_zero(constant: &Constant) -> bool {
    bits(*constant).1 == 0
}

pub(super) fn literal(constant: Constant) -> Literal {
    match constant {
        Constant::Float(v) => Literal::F32(v),
        Constant::Int(v) => Literal::I32(v),
        Constant::Uint(v) => Literal::U32(v),
        Constant::Bool(v) => Literal::Bool(v),
    }
}

#[derive(Default)]
pub(super) struct ConstantCache {
    scalars: FxHashMap<Bits, Handle<Expression>>,
    composites: FxHashMap<(Type, Vec<Bits>), Handle<naga::Constant>>,
}

/// Number of scalars in a value of a type.
pub(super) fn component_count(shader: &crate::shader::hir::Shader, ty: &Type) -> usize {
    match ty {
        Type::Scalar(_) => 1,
        Type::Vector(_, size) => usize::from(*size),
        Type::Matrix { columns, rows } => usize::from(*columns) * usize::from(*rows),
        Type::Array(element, len) => component_count(shader, element).saturating_mul(*len as usize),
        Type::Struct(id) => {
            fields(shader, *id).iter().map(|f| component_count(shader, &f.ty)).fold(0, usize::saturating_add)
        }
        Type::Void | Type::Sampler(_) => 0,
    }
}

/// Parts of a composite type, in constructor order.
pub(super) fn parts(shader: &crate::shader::hir::Shader, ty: &Type) -> Vec<Type> {
    match ty {
        Type::Vector(scalar, size) => vec![Type::Scalar(*scalar); usize::from(*size)],
        Type::Matrix { columns, rows } => {
            vec![Type::Vector(crate::shader::hir::Scalar::Float, *rows); usize::from(*columns)]
        }
        Type::Array(element, len) => vec![(**element).clone(); *len as usize],
        Type::Struct(id) => fields(shader, *id).iter().map(|f| f.ty.clone()).collect(),
        Type::Scalar(_) | Type::Void | Type::Sampler(_) => Vec::new(),
    }
}

impl StageLowering<'_> {
    fn global_scalar(&mut self, constant: Constant) -> Handle<Expression> {
        let module = &mut self.module;
        *self.constants.scalars.entry(bits(constant)).or_insert_with(|| {
            module.global_expressions.append(Expression::Literal(literal(constant)), Span::UNDEFINED)
        })
    }

    /// A constant expression of the module, if naga can say it.
    pub(super) fn global_constant(&mut self, ty: &Type, values: &[Constant]) -> Result<Option<Handle<Expression>>> {
        if !values.iter().all(finite) {
            return Ok(None);
        }
        self.global_expression(ty, values).map(Some)
    }

    fn global_expression(&mut self, ty: &Type, values: &[Constant]) -> Result<Handle<Expression>> {
        if let (Type::Scalar(_), [value]) = (ty, values) {
            return Ok(self.global_scalar(*value));
        }
        let naga_ty = self.value_type(ty)?;
        let mut rest = values;
        let mut components = Vec::new();
        for part in parts(self.shader, ty) {
            let count = component_count(self.shader, &part);
            let (head, tail) =
                rest.split_at_checked(count).ok_or_else(|| internal("constant with too few components"))?;
            components.push(self.global_expression(&part, head)?);
            rest = tail;
        }
        Ok(self.module.global_expressions.append(Expression::Compose { ty: naga_ty, components }, Span::UNDEFINED))
    }

    fn named_constant(&mut self, ty: &Type, values: &[Constant]) -> Result<Handle<naga::Constant>> {
        let key = (ty.clone(), values.iter().copied().map(bits).collect::<Vec<_>>());
        if let Some(handle) = self.constants.composites.get(&key) {
            return Ok(*handle);
        }
        let init = self.global_expression(ty, values)?;
        let naga_ty = self.value_type(ty)?;
        let handle = self.module.constants.append(naga::Constant { name: None, ty: naga_ty, init }, Span::UNDEFINED);
        self.constants.composites.insert(key, handle);
        Ok(handle)
    }
}

impl FunctionBuilder<'_, '_> {
    pub(super) fn literal(&mut self, literal: Literal) -> Handle<Expression> {
        let key = match literal {
            Literal::F32(v) => Bits(0, v.to_bits()),
            Literal::I32(v) => Bits(1, v as u32),
            Literal::U32(v) => Bits(2, v),
            Literal::Bool(v) => Bits(3, u32::from(v)),
            _ => return self.pre(Expression::Literal(literal)),
        };
        if let Some(handle) = self.literals.get(&key) {
            return *handle;
        }
        let handle = self.pre(Expression::Literal(literal));
        self.literals.insert(key, handle);
        handle
    }

    pub(super) fn float(&mut self, value: f32) -> Handle<Expression> {
        self.literal(Literal::F32(value))
    }

    pub(super) fn int(&mut self, value: i32) -> Handle<Expression> {
        self.literal(Literal::I32(value))
    }

    pub(super) fn uint(&mut self, value: u32) -> Handle<Expression> {
        self.literal(Literal::U32(value))
    }

    pub(super) fn zero(&mut self, ty: &Type) -> Result<Handle<Expression>> {
        let handle = self.stage.value_type(ty)?;
        if let Some(zero) = self.zeros.get(&handle) {
            return Ok(*zero);
        }
        let zero = self.pre(Expression::ZeroValue(handle));
        self.zeros.insert(handle, zero);
        Ok(zero)
    }

    fn scalar_constant(&mut self, value: Constant) -> Handle<Expression> {
        match value {
            Constant::Float(v) if !v.is_finite() => {
                let pattern = self.uint(v.to_bits());
                self.add(Expression::As { expr: pattern, kind: ScalarKind::Float, convert: None })
            }
            value => self.literal(literal(value)),
        }
    }

    /// A constant of any type, in constructor order.
    pub(super) fn constant(&mut self, ty: &Type, values: &[Constant]) -> Result<Handle<Expression>> {
        if let (Type::Scalar(_), [value]) = (ty, values) {
            return Ok(self.scalar_constant(*value));
        }
        if values.iter().all(is_zero) {
            return self.zero(ty);
        }
        if values.iter().all(finite) {
            let constant = self.stage.named_constant(ty, values)?;
            if let Some(handle) = self.constants.get(&constant) {
                return Ok(*handle);
            }
            let handle = self.pre(Expression::Constant(constant));
            self.constants.insert(constant, handle);
            return Ok(handle);
        }
        let naga_ty = self.stage.value_type(ty)?;
        let mut rest = values;
        let mut components = Vec::new();
        for part in parts(self.stage.shader, ty) {
            let count = component_count(self.stage.shader, &part);
            let (head, tail) =
                rest.split_at_checked(count).ok_or_else(|| internal("constant with too few components"))?;
            components.push(self.constant(&part, head)?);
            rest = tail;
        }
        Ok(self.add(Expression::Compose { ty: naga_ty, components }))
    }
}
