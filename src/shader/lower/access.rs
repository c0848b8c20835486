//! Variables, fields, elements and swizzles: as places in memory while possible, as values otherwise.

use naga::{Expression, Handle, Literal, SwizzleComponent};

use super::function::{FunctionBuilder, LocalHome};
use super::globals::{GlobalHome, vector_of};
use super::types::vector_size;
use super::{Result, ShaderError, internal};
use crate::shader::hir::{Constant, Expr, ExprKind, GlobalId, Scalar, Type};

/// Something in memory.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub pointer: Handle<Expression>,
    /// `Some(row_major)` in uniform blocks.
    pub host: Option<bool>,
    /// Components of the vector at `pointer` that are meant, and that vector's component type and size.
    pub swizzle: Option<(Vec<u8>, Scalar, u8)>,
}

impl Place {
    pub(super) fn variable(pointer: Handle<Expression>) -> Place {
        Place { pointer, host: None, swizzle: None }
    }
}

pub(super) enum Access {
    Value(Handle<Expression>),
    Place(Place),
}

/// An index: known, or computed at run time (an i32 or u32 expression).
#[derive(Clone, Copy)]
enum Index {
    Known(u32),
    Dynamic(Handle<Expression>),
}

pub(super) fn swizzle_component(component: u8) -> SwizzleComponent {
    match component {
        0 => SwizzleComponent::X,
        1 => SwizzleComponent::Y,
        2 => SwizzleComponent::Z,
        _ => SwizzleComponent::W,
    }
}

fn length(ty: &Type) -> u32 {
    match ty {
        Type::Array(_, len) => *len,
        Type::Vector(_, size) => u32::from(*size),
        Type::Matrix { columns, .. } => u32::from(*columns),
        _ => 1,
    }
}

/// A constant integer, clamped into `0..len`.
pub(super) fn known_index(expr: &Expr, len: u32) -> Option<u32> {
    let ExprKind::Constant(values) = &expr.kind else { return None };
    let value = match values.first()? {
        Constant::Int(v) => i64::from(*v),
        Constant::Uint(v) => i64::from(*v),
        _ => return None,
    };
    Some(value.clamp(0, i64::from(len.max(1)) - 1) as u32)
}

impl FunctionBuilder<'_, '_> {
    /// The value of an access chain.
    pub(super) fn read(&mut self, expr: &Expr) -> Result<Handle<Expression>> {
        match self.access(expr)? {
            Access::Value(value) => Ok(value),
            Access::Place(place) => self.load_place(&place, &expr.ty),
        }
    }

    /// The place of an l-value.
    pub(super) fn place(&mut self, expr: &Expr) -> Result<Place> {
        match self.access(expr)? {
            Access::Place(place) if place.host.is_none() => Ok(place),
            _ => Err(internal("assignment to something that is not in memory")),
        }
    }

    pub(super) fn access(&mut self, expr: &Expr) -> Result<Access> {
        match &expr.kind {
            ExprKind::Local(local) => match self.locals.get(local.0 as usize) {
                Some(LocalHome::Value(value)) => Ok(Access::Value(*value)),
                Some(LocalHome::Pointer(pointer)) => Ok(Access::Place(Place::variable(*pointer))),
                _ => Err(internal("local used before its declaration")),
            },
            ExprKind::Global(global) => self.access_global(*global),
            ExprKind::BlockMember { global, element, field } => self.access_member(*global, element.as_deref(), *field),
            ExprKind::Field { base, field } => self.access_field(base, *field),
            ExprKind::Swizzle { base, components } => self.access_swizzle(base, components),
            ExprKind::Index { base, index } => self.access_index(base, index),
            _ => Ok(Access::Value(self.value(expr)?)),
        }
    }

    fn access_global(&mut self, global: GlobalId) -> Result<Access> {
        match self.stage.globals.get(global.0 as usize) {
            Some(GlobalHome::Private(variable)) => {
                let variable = *variable;
                Ok(Access::Place(Place::variable(self.global(variable))))
            }
            Some(GlobalHome::Uniform { block, member }) => {
                let (block, index) = (*block, *member);
                let base = self.global(block);
                let pointer = self.add(Expression::AccessIndex { base, index });
                Ok(Access::Place(Place { pointer, host: Some(false), swizzle: None }))
            }
            _ => Err(internal("use of a global that is not declared")),
        }
    }

    fn access_member(&mut self, global: GlobalId, element: Option<&Expr>, field: u32) -> Result<Access> {
        let Some(GlobalHome::Block(instances)) = self.stage.globals.get(global.0 as usize) else {
            return Err(internal("use of a uniform block that is not declared"));
        };
        let instance = match element {
            None => 0,
            Some(index) => known_index(index, instances.len() as u32)
                .ok_or_else(|| ShaderError::Unsupported("dynamic indices of uniform block arrays".into()))?,
        };
        let variable = *instances.get(instance as usize).ok_or_else(|| internal("uniform block without instances"))?;
        let shader = self.stage.shader;
        let row_major = shader
            .globals
            .get(global.0 as usize)
            .and_then(|g| match g.storage {
                crate::shader::hir::Storage::Block(index) => shader.blocks.get(index as usize),
                _ => None,
            })
            .and_then(|block| block.fields.get(field as usize))
            .is_some_and(|f| f.row_major);
        let base = self.global(variable);
        let pointer = self.add(Expression::AccessIndex { base, index: field });
        Ok(Access::Place(Place { pointer, host: Some(row_major), swizzle: None }))
    }

    fn access_field(&mut self, base: &Expr, field: u32) -> Result<Access> {
        let Type::Struct(id) = &base.ty else { return Err(internal("field of something that is no struct")) };
        let index = self.stage.member_index(*id, field);
        let row_major =
            crate::shader::link::types::fields(self.stage.shader, *id).get(field as usize).is_some_and(|f| f.row_major);
        Ok(match self.access(base)? {
            Access::Value(value) => Access::Value(self.add(Expression::AccessIndex { base: value, index })),
            Access::Place(place) => Access::Place(Place {
                pointer: self.add(Expression::AccessIndex { base: place.pointer, index }),
                host: place.host.map(|outer| outer || row_major),
                swizzle: None,
            }),
        })
    }

    fn access_swizzle(&mut self, base: &Expr, components: &[u8]) -> Result<Access> {
        let (scalar, size) = vector_of(&base.ty).ok_or_else(|| internal("swizzle of something that is no vector"))?;
        Ok(match self.access(base)? {
            Access::Value(value) => Access::Value(self.swizzle_value(value, size, components)),
            Access::Place(place) => {
                let (chosen, scalar, size) = match place.swizzle {
                    None => (components.to_vec(), scalar, size),
                    Some((inner, scalar, size)) => {
                        (components.iter().filter_map(|c| inner.get(usize::from(*c)).copied()).collect(), scalar, size)
                    }
                };
                Access::Place(Place { swizzle: Some((chosen, scalar, size)), ..place })
            }
        })
    }

    /// `size` is the number of components of `value`.
    pub(super) fn swizzle_value(
        &mut self,
        value: Handle<Expression>,
        size: u8,
        components: &[u8],
    ) -> Handle<Expression> {
        match components {
            [_] if size == 1 => value,
            [one] => self.add(Expression::AccessIndex { base: value, index: u32::from(*one) }),
            _ if size == 1 => {
                let size = vector_size(components.len() as u8);
                self.add(Expression::Splat { size, value })
            }
            _ if components.len() == usize::from(size)
                && components.iter().enumerate().all(|(i, c)| i == usize::from(*c)) =>
            {
                value
            }
            _ => {
                let mut pattern = [SwizzleComponent::X; 4];
                for (place, component) in pattern.iter_mut().zip(components) {
                    *place = swizzle_component(*component);
                }
                let size = vector_size(components.len() as u8);
                self.add(Expression::Swizzle { size, vector: value, pattern })
            }
        }
    }

    fn access_index(&mut self, base: &Expr, index: &Expr) -> Result<Access> {
        let len = length(&base.ty);
        let access = self.indexable(base, index)?;
        let index = match known_index(index, len) {
            Some(known) => Index::Known(known),
            None => {
                let handle = self.value(index)?;
                match self.function.expressions[handle] {
                    // naga checks literal indices itself and refuses those out of range.
                    Expression::Literal(Literal::I32(v)) => {
                        Index::Known(i64::from(v).clamp(0, i64::from(len) - 1) as u32)
                    }
                    Expression::Literal(Literal::U32(v)) => Index::Known(v.min(len - 1)),
                    _ => Index::Dynamic(handle),
                }
            }
        };
        match access {
            Access::Value(value) => Ok(Access::Value(self.element(value, index))),
            Access::Place(place) => self.place_element(place, index),
        }
    }

    /// The base of an index: constant tables and row-major matrices need care.
    fn indexable(&mut self, base: &Expr, index: &Expr) -> Result<Access> {
        if let (ExprKind::Constant(_), Type::Array(..) | Type::Matrix { .. }) = (&base.kind, &base.ty)
            && !matches!(index.kind, ExprKind::Constant(_))
        {
            return Ok(Access::Place(Place::variable(self.table(base)?)));
        }
        match self.access(base)? {
            Access::Place(place) if place.host == Some(true) && matches!(base.ty, Type::Matrix { .. }) => {
                Ok(Access::Value(self.load_place(&place, &base.ty)?))
            }
            access => Ok(access),
        }
    }

    /// A constant array in a variable, for dynamic indexing.
    fn table(&mut self, base: &Expr) -> Result<Handle<Expression>> {
        let value = self.value(base)?;
        if let Some(pointer) = self.tables.get(&value) {
            return Ok(*pointer);
        }
        let ty = self.stage.value_type(&base.ty)?;
        let constant = matches!(self.function.expressions[value], Expression::Constant(_) | Expression::ZeroValue(_));
        let pointer = self.variable(None, ty, constant.then_some(value));
        if constant {
            self.tables.insert(value, pointer);
        } else {
            self.store(pointer, value);
        }
        Ok(pointer)
    }

    fn element(&mut self, base: Handle<Expression>, index: Index) -> Handle<Expression> {
        match index {
            Index::Known(index) => self.add(Expression::AccessIndex { base, index }),
            Index::Dynamic(index) => self.add(Expression::Access { base, index }),
        }
    }

    fn place_element(&mut self, place: Place, index: Index) -> Result<Access> {
        let Some((components, scalar, size)) = place.swizzle else {
            let pointer = self.element(place.pointer, index);
            return Ok(Access::Place(Place { pointer, host: place.host, swizzle: None }));
        };
        // An element of a swizzle: translate the index.
        match index {
            Index::Known(index) => {
                let component = components.get(index as usize).copied().unwrap_or(0);
                Ok(Access::Place(Place { swizzle: Some((vec![component], scalar, size)), ..place }))
            }
            Index::Dynamic(index) => {
                let values: Vec<Constant> = components.iter().map(|c| Constant::Uint(u32::from(*c))).collect();
                let map = self.constant(&Type::Vector(Scalar::Uint, values.len() as u8), &values)?;
                let component = self.add(Expression::Access { base: map, index });
                let pointer = self.add(Expression::Access { base: place.pointer, index: component });
                Ok(Access::Place(Place { pointer, host: place.host, swizzle: None }))
            }
        }
    }

    /// Loads a place of type `ty`.
    pub(super) fn load_place(&mut self, place: &Place, ty: &Type) -> Result<Handle<Expression>> {
        match &place.swizzle {
            None => self.load_at(place.pointer, ty, place.host),
            Some((components, scalar, size)) => {
                let vector = if *size == 1 { Type::Scalar(*scalar) } else { Type::Vector(*scalar, *size) };
                let value = self.load_at(place.pointer, &vector, place.host)?;
                Ok(self.swizzle_value(value, *size, components))
            }
        }
    }

    fn load_at(&mut self, pointer: Handle<Expression>, ty: &Type, host: Option<bool>) -> Result<Handle<Expression>> {
        match host {
            Some(row_major) if self.stage.host_differs(ty, row_major) => self.load_host(pointer, ty, row_major),
            _ => Ok(self.load(pointer)),
        }
    }

    /// Loads from a uniform block what has another form there.
    fn load_host(&mut self, pointer: Handle<Expression>, ty: &Type, row_major: bool) -> Result<Handle<Expression>> {
        match ty {
            Type::Scalar(_) | Type::Vector(..) => {
                let left = self.load(pointer);
                let right = match ty {
                    Type::Vector(_, size) => self.zero(&Type::Vector(Scalar::Uint, *size))?,
                    _ => self.uint(0),
                };
                Ok(self.raw(naga::BinaryOperator::NotEqual, left, right))
            }
            Type::Matrix { columns, rows } => {
                let (count, size) = if row_major { (*rows, *columns) } else { (*columns, *rows) };
                let stored = if size == 2 {
                    let components = (0..u32::from(count))
                        .map(|index| {
                            let vector = self.add(Expression::AccessIndex { base: pointer, index });
                            self.load(vector)
                        })
                        .collect();
                    let ty = self.stage.matrix_type(count, size);
                    self.add(Expression::Compose { ty, components })
                } else {
                    self.load(pointer)
                };
                Ok(if row_major { self.math(naga::MathFunction::Transpose, &[stored]) } else { stored })
            }
            Type::Array(element, len) => {
                let mut components = Vec::new();
                for index in 0..*len {
                    let at = self.add(Expression::AccessIndex { base: pointer, index });
                    components.push(self.load_at(at, element, Some(row_major))?);
                }
                let ty = self.stage.value_type(ty)?;
                Ok(self.add(Expression::Compose { ty, components }))
            }
            Type::Struct(id) => {
                let shader = self.stage.shader;
                let mut components = Vec::new();
                for field in crate::shader::link::types::fields(shader, *id) {
                    if !crate::shader::link::types::contains_data(shader, &field.ty) {
                        continue;
                    }
                    let index = components.len() as u32;
                    let at = self.add(Expression::AccessIndex { base: pointer, index });
                    components.push(self.load_at(at, &field.ty, Some(row_major || field.row_major))?);
                }
                let ty = self.stage.value_type(ty)?;
                Ok(self.add(Expression::Compose { ty, components }))
            }
            Type::Void | Type::Sampler(_) => Err(internal("load of something without a value")),
        }
    }
}
