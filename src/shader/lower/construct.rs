//! Constructors and conversions (GLSL ES 3.00 §5.4).

use naga::{Expression, Handle, Literal, ScalarKind, TypeInner};

use super::function::FunctionBuilder;
use super::globals::vector_of;
use super::types::scalar as naga_scalar;
use super::{Result, internal};
use crate::shader::hir::{Expr, Scalar, Type};

/// An argument, evaluated.
#[derive(Clone)]
struct Argument {
    value: Handle<Expression>,
    ty: Type,
}

impl FunctionBuilder<'_, '_> {
    pub(super) fn construct(&mut self, ty: &Type, arguments: &[Expr]) -> Result<Handle<Expression>> {
        let mut evaluated = Vec::with_capacity(arguments.len());
        for argument in arguments {
            evaluated.push(Argument { value: self.value(argument)?, ty: argument.ty.clone() });
        }
        match ty {
            Type::Scalar(scalar) => {
                let first = evaluated.first().ok_or_else(|| internal("constructor without arguments"))?;
                self.first_scalar(first, *scalar)
            }
            Type::Vector(scalar, size) => self.construct_vector(*scalar, *size, &evaluated),
            Type::Matrix { columns, rows } => self.construct_matrix(*columns, *rows, &evaluated),
            Type::Array(..) | Type::Struct(_) => {
                let ty = self.stage.value_type(ty)?;
                let components = evaluated.into_iter().map(|a| a.value).collect();
                Ok(self.add(Expression::Compose { ty, components }))
            }
            Type::Void | Type::Sampler(_) => Err(internal("constructor of a type without values")),
        }
    }

    /// Converts a scalar or vector to another component type.
    pub(super) fn convert(&mut self, value: Handle<Expression>, from: Scalar, to: Scalar) -> Handle<Expression> {
        if from == to {
            return value;
        }
        let target = naga_scalar(to);
        self.add(Expression::As { expr: value, kind: target.kind, convert: Some(target.width) })
    }

    /// The same bits as another type.
    pub(super) fn bitcast(&mut self, value: Handle<Expression>, kind: ScalarKind) -> Handle<Expression> {
        self.add(Expression::As { expr: value, kind, convert: None })
    }

    fn first_scalar(&mut self, argument: &Argument, to: Scalar) -> Result<Handle<Expression>> {
        let scalar = match argument.ty {
            Type::Scalar(from) => return Ok(self.convert(argument.value, from, to)),
            Type::Vector(from, _) => (self.add(Expression::AccessIndex { base: argument.value, index: 0 }), from),
            Type::Matrix { .. } => {
                let column = self.add(Expression::AccessIndex { base: argument.value, index: 0 });
                (self.add(Expression::AccessIndex { base: column, index: 0 }), Scalar::Float)
            }
            _ => return Err(internal("constructor argument is no number")),
        };
        Ok(self.convert(scalar.0, scalar.1, to))
    }

    fn construct_vector(&mut self, to: Scalar, size: u8, arguments: &[Argument]) -> Result<Handle<Expression>> {
        if let [only] = arguments {
            match only.ty {
                Type::Scalar(from) => {
                    let value = self.convert(only.value, from, to);
                    return Ok(self.splat(value, size));
                }
                Type::Vector(from, have) if have >= size => {
                    let identity = [0, 1, 2, 3];
                    let part =
                        self.swizzle_value(only.value, have, identity.get(..usize::from(size)).unwrap_or(&identity));
                    return Ok(self.convert(part, from, to));
                }
                _ => {}
            }
        }
        let mut left = size;
        let mut components = Vec::new();
        for argument in arguments {
            if left == 0 {
                break;
            }
            match argument.ty {
                Type::Matrix { columns, rows } => {
                    for index in 0..u32::from(columns) {
                        if left == 0 {
                            break;
                        }
                        let column = self.add(Expression::AccessIndex { base: argument.value, index });
                        self.take(column, (Scalar::Float, rows), to, &mut left, &mut components);
                    }
                }
                _ => {
                    let shape = vector_of(&argument.ty).ok_or_else(|| internal("constructor argument is no number"))?;
                    self.take(argument.value, shape, to, &mut left, &mut components);
                }
            }
        }
        self.compose_vector(to, size, components)
    }

    /// A vector from scalars and shorter vectors.
    ///
    /// naga's SPIR-V writer, when all parts are constant, takes constants of vector type for scalars: they are
    /// taken apart here.
    pub(super) fn compose_vector(
        &mut self,
        scalar: Scalar,
        size: u8,
        parts: Vec<Handle<Expression>>,
    ) -> Result<Handle<Expression>> {
        let mut components = Vec::with_capacity(usize::from(size));
        for part in parts {
            match self.constant_components(part, scalar) {
                Some(literals) => components.extend(literals.into_iter().map(|v| self.literal(v))),
                None => components.push(part),
            }
        }
        let ty = self.stage.vector_type(naga_scalar(scalar), size);
        Ok(self.add(Expression::Compose { ty, components }))
    }

    /// The components of a constant or zero of vector type.
    fn constant_components(&self, value: Handle<Expression>, scalar: Scalar) -> Option<Vec<Literal>> {
        let module = &self.stage.module;
        match self.function.expressions[value] {
            Expression::ZeroValue(ty) => match module.types[ty].inner {
                TypeInner::Vector { size, .. } => {
                    let zero = match scalar {
                        Scalar::Float => Literal::F32(0.0),
                        Scalar::Int => Literal::I32(0),
                        Scalar::Uint => Literal::U32(0),
                        Scalar::Bool => Literal::Bool(false),
                    };
                    Some(vec![zero; size as usize])
                }
                _ => None,
            },
            Expression::Constant(constant) => match &module.global_expressions[module.constants[constant].init] {
                Expression::Compose { ty, components }
                    if matches!(module.types[*ty].inner, TypeInner::Vector { .. }) =>
                {
                    components
                        .iter()
                        .map(|c| match module.global_expressions[*c] {
                            Expression::Literal(literal) => Some(literal),
                            _ => None,
                        })
                        .collect()
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Appends as many components of a vector (or scalar) as are still wanted.
    fn take(
        &mut self,
        value: Handle<Expression>,
        (from, have): (Scalar, u8),
        to: Scalar,
        left: &mut u8,
        components: &mut Vec<Handle<Expression>>,
    ) {
        let count = have.min(*left);
        let identity = [0u8, 1, 2, 3];
        let part = if have == 1 {
            value
        } else {
            self.swizzle_value(value, have, identity.get(..usize::from(count)).unwrap_or(&identity))
        };
        components.push(self.convert(part, from, to));
        *left -= count;
    }

    fn construct_matrix(&mut self, columns: u8, rows: u8, arguments: &[Argument]) -> Result<Handle<Expression>> {
        if let [only] = arguments {
            match only.ty {
                Type::Scalar(from) => {
                    let value = self.convert(only.value, from, Scalar::Float);
                    return self.diagonal(value, columns, rows);
                }
                Type::Matrix { columns: c, rows: r } => return self.resize(only.value, (c, r), (columns, rows)),
                _ => {}
            }
        }
        let whole_columns = arguments.len() == usize::from(columns)
            && arguments.iter().all(|a| matches!(a.ty, Type::Vector(_, size) if size == rows));
        if whole_columns {
            let mut vectors = Vec::new();
            for argument in arguments {
                let (from, _) = vector_of(&argument.ty).ok_or_else(|| internal("constructor argument is no number"))?;
                vectors.push(self.convert(argument.value, from, Scalar::Float));
            }
            let ty = self.stage.matrix_type(columns, rows);
            return Ok(self.add(Expression::Compose { ty, components: vectors }));
        }
        let scalars = self.scalars(arguments, usize::from(columns) * usize::from(rows))?;
        let vector = self.stage.vector_type(naga_scalar(Scalar::Float), rows);
        self.per_column((columns, rows), |b, index| {
            let start = index as usize * usize::from(rows);
            let components = scalars
                .get(start..start + usize::from(rows))
                .ok_or_else(|| internal("matrix constructor with too few arguments"))?
                .to_vec();
            Ok(b.add(Expression::Compose { ty: vector, components }))
        })
    }

    /// The first `count` components of the arguments, as floats.
    fn scalars(&mut self, arguments: &[Argument], count: usize) -> Result<Vec<Handle<Expression>>> {
        let mut out = Vec::with_capacity(count);
        for argument in arguments {
            match argument.ty {
                Type::Scalar(from) => out.push(self.convert(argument.value, from, Scalar::Float)),
                Type::Vector(from, size) => {
                    let value = self.convert(argument.value, from, Scalar::Float);
                    for index in 0..u32::from(size) {
                        out.push(self.add(Expression::AccessIndex { base: value, index }));
                    }
                }
                Type::Matrix { columns, rows } => {
                    for column in 0..u32::from(columns) {
                        let vector = self.add(Expression::AccessIndex { base: argument.value, index: column });
                        for index in 0..u32::from(rows) {
                            out.push(self.add(Expression::AccessIndex { base: vector, index }));
                        }
                    }
                }
                _ => return Err(internal("constructor argument is no number")),
            }
        }
        Ok(out)
    }

    fn diagonal(&mut self, value: Handle<Expression>, columns: u8, rows: u8) -> Result<Handle<Expression>> {
        let zero = self.float(0.0);
        let vector = self.stage.vector_type(naga_scalar(Scalar::Float), rows);
        self.per_column((columns, rows), |b, index| {
            let components = (0..u32::from(rows)).map(|row| if row == index { value } else { zero }).collect();
            Ok(b.add(Expression::Compose { ty: vector, components }))
        })
    }

    /// A matrix from a matrix: what is missing comes from the identity.
    fn resize(&mut self, value: Handle<Expression>, from: (u8, u8), to: (u8, u8)) -> Result<Handle<Expression>> {
        if from == to {
            return Ok(value);
        }
        let zero = self.float(0.0);
        let one = self.float(1.0);
        self.per_column(to, |b, index| {
            let mut components = Vec::new();
            let mut have = 0;
            if index < u32::from(from.0) {
                let column = b.add(Expression::AccessIndex { base: value, index });
                have = from.1.min(to.1);
                let identity = [0u8, 1, 2, 3];
                components.push(b.swizzle_value(
                    column,
                    from.1,
                    identity.get(..usize::from(have)).unwrap_or(&identity),
                ));
            }
            if have == to.1 {
                return components.pop().ok_or_else(|| internal("empty column"));
            }
            components.extend((have..to.1).map(|row| if u32::from(row) == index { one } else { zero }));
            b.compose_vector(Scalar::Float, to.1, components)
        })
    }
}
