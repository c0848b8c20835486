//! Built-in functions (GLSL ES 3.00 §8) other than texture lookups and matrices.

use naga::{
    BinaryOperator, DerivativeAxis, DerivativeControl, Expression, Handle, MathFunction, RelationalFunction, ScalarKind,
};

use super::function::FunctionBuilder;
use super::globals::vector_of;
use super::{Result, internal};
use crate::shader::builtins::BuiltinFunction;
use crate::shader::hir::{BinaryOp, Expr, Scalar, Type};

type Values<'v> = &'v [Handle<Expression>];

/// Functions that are one naga function of the same arguments.
fn direct(function: BuiltinFunction) -> Option<MathFunction> {
    use BuiltinFunction as B;
    use MathFunction as M;
    Some(match function {
        B::Radians => M::Radians,
        B::Degrees => M::Degrees,
        B::Sin => M::Sin,
        B::Cos => M::Cos,
        B::Tan => M::Tan,
        B::Asin => M::Asin,
        B::Acos => M::Acos,
        B::Atan => M::Atan,
        B::Atan2 => M::Atan2,
        B::Sinh => M::Sinh,
        B::Cosh => M::Cosh,
        B::Tanh => M::Tanh,
        B::Asinh => M::Asinh,
        B::Acosh => M::Acosh,
        B::Atanh => M::Atanh,
        B::Pow => M::Pow,
        B::Exp => M::Exp,
        B::Log => M::Log,
        B::Exp2 => M::Exp2,
        B::Log2 => M::Log2,
        B::Sqrt => M::Sqrt,
        B::InverseSqrt => M::InverseSqrt,
        B::Abs => M::Abs,
        B::Sign => M::Sign,
        B::Floor => M::Floor,
        B::Trunc => M::Trunc,
        // Ties may go either way for round(); both go to even.
        B::Round | B::RoundEven => M::Round,
        B::Ceil => M::Ceil,
        B::Fract => M::Fract,
        B::PackSnorm2x16 => M::Pack2x16snorm,
        B::UnpackSnorm2x16 => M::Unpack2x16snorm,
        B::PackUnorm2x16 => M::Pack2x16unorm,
        B::UnpackUnorm2x16 => M::Unpack2x16unorm,
        B::PackHalf2x16 => M::Pack2x16float,
        B::UnpackHalf2x16 => M::Unpack2x16float,
        B::Cross => M::Cross,
        B::Transpose => M::Transpose,
        B::Determinant => M::Determinant,
        B::Inverse => M::Inverse,
        _ => return None,
    })
}

/// Component-wise functions whose second and third arguments may be scalars beside a vector.
fn mixed(function: BuiltinFunction) -> Option<MathFunction> {
    use BuiltinFunction as B;
    use MathFunction as M;
    Some(match function {
        B::Min => M::Min,
        B::Max => M::Max,
        B::Clamp => M::Clamp,
        B::Step => M::Step,
        B::SmoothStep => M::SmoothStep,
        _ => return None,
    })
}

fn comparison(function: BuiltinFunction) -> Option<BinaryOperator> {
    use BuiltinFunction as B;
    Some(match function {
        B::LessThan => BinaryOperator::Less,
        B::LessThanEqual => BinaryOperator::LessEqual,
        B::GreaterThan => BinaryOperator::Greater,
        B::GreaterThanEqual => BinaryOperator::GreaterEqual,
        B::EqualTo => BinaryOperator::Equal,
        _ => return None,
    })
}

pub(super) fn is_texture(function: BuiltinFunction) -> bool {
    use BuiltinFunction as B;
    matches!(
        function,
        B::TextureSize
            | B::Texture
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
    )
}

impl FunctionBuilder<'_, '_> {
    pub(super) fn builtin(
        &mut self,
        function: BuiltinFunction,
        arguments: &[Expr],
        result: &Type,
    ) -> Result<Handle<Expression>> {
        if is_texture(function) {
            return self.texture_function(function, arguments, result);
        }
        if function == BuiltinFunction::Modf {
            return self.modf(arguments);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(argument)?);
        }
        if let Some(fun) = direct(function) {
            return Ok(self.math(fun, &values));
        }
        let size = vector_of(result).map_or(1, |(_, size)| size);
        if let Some(fun) = mixed(function) {
            let values = self.widen(arguments, &values, size);
            return Ok(self.math(fun, &values));
        }
        let ([first, ..], Some(first_type)) = (values.as_slice(), arguments.first().map(|a| &a.ty)) else {
            return Err(internal("built-in function without arguments"));
        };
        let (first, second) = (*first, values.get(1).copied());
        if let (Some(op), Some(second)) = (comparison(function), second) {
            return Ok(self.raw(op, first, second));
        }
        self.other(function, (first, first_type), second, (arguments, &values), size)
    }

    /// Repeats scalar arguments to the size of the result.
    fn widen(&mut self, arguments: &[Expr], values: Values<'_>, size: u8) -> Vec<Handle<Expression>> {
        arguments
            .iter()
            .zip(values)
            .map(|(argument, value)| match argument.ty {
                Type::Scalar(_) => self.splat(*value, size),
                _ => *value,
            })
            .collect()
    }

    fn other(
        &mut self,
        function: BuiltinFunction,
        (first, ty): (Handle<Expression>, &Type),
        second: Option<Handle<Expression>>,
        (arguments, values): (&[Expr], Values<'_>),
        size: u8,
    ) -> Result<Handle<Expression>> {
        use BuiltinFunction as B;
        let missing = || internal("built-in function with too few arguments");
        let scalar = matches!(ty, Type::Scalar(_));
        let third = values.get(2).copied();
        Ok(match function {
            B::Mod => {
                let operand = |i: usize| Some((*values.get(i)?, &arguments.get(i)?.ty));
                let (x, y) = operand(0).zip(operand(1)).ok_or_else(missing)?;
                let quotient = self.binary(BinaryOp::Divide, x, y)?;
                let floor = self.math(MathFunction::Floor, &[quotient]);
                let product = self.binary(BinaryOp::Multiply, (floor, x.1), y)?;
                self.binary(BinaryOp::Subtract, x, (product, x.1))?
            }
            B::Mix => self.mix(first, second.ok_or_else(missing)?, third.ok_or_else(missing)?, (arguments, size)),
            B::IsNan => self.add(Expression::Relational { fun: RelationalFunction::IsNan, argument: first }),
            B::IsInf => self.add(Expression::Relational { fun: RelationalFunction::IsInf, argument: first }),
            B::FloatBitsToInt => self.bitcast(first, ScalarKind::Sint),
            B::FloatBitsToUint => self.bitcast(first, ScalarKind::Uint),
            B::IntBitsToFloat | B::UintBitsToFloat => self.bitcast(first, ScalarKind::Float),
            B::Length if scalar => self.math(MathFunction::Abs, &[first]),
            B::Length => self.math(MathFunction::Length, &[first]),
            B::Distance => {
                let right = second.ok_or_else(missing)?;
                let difference = self.raw(BinaryOperator::Subtract, first, right);
                let fun = if scalar { MathFunction::Abs } else { MathFunction::Length };
                self.math(fun, &[difference])
            }
            B::Dot if scalar => self.raw(BinaryOperator::Multiply, first, second.ok_or_else(missing)?),
            B::Dot => self.math(MathFunction::Dot, &[first, second.ok_or_else(missing)?]),
            B::Normalize if scalar => self.math(MathFunction::Sign, &[first]),
            B::Normalize => self.math(MathFunction::Normalize, &[first]),
            B::FaceForward | B::Reflect | B::Refract if scalar => self.scalar_geometry(function, values)?,
            B::FaceForward => self.math(MathFunction::FaceForward, values),
            B::Reflect => self.math(MathFunction::Reflect, values),
            B::Refract => self.math(MathFunction::Refract, values),
            B::MatrixCompMult => self.component_multiply(ty, first, second.ok_or_else(missing)?)?,
            B::OuterProduct => self.outer_product(first, (second.ok_or_else(missing)?, arguments))?,
            B::NotEqualTo => {
                let right = second.ok_or_else(missing)?;
                // Not `NotEqual`: NaN differs from itself, and naga's operator says it does not.
                let equal = self.raw(BinaryOperator::Equal, first, right);
                self.not(equal)
            }
            B::Any => self.add(Expression::Relational { fun: RelationalFunction::Any, argument: first }),
            B::All => self.all(first),
            B::NotVector => self.not(first),
            B::Dfdx => self.derivative(DerivativeAxis::X, first),
            B::Dfdy => self.derivative(DerivativeAxis::Y, first),
            B::Fwidth => self.derivative(DerivativeAxis::Width, first),
            _ => return Err(internal("built-in function without a lowering")),
        })
    }

    fn derivative(&mut self, axis: DerivativeAxis, expr: Handle<Expression>) -> Handle<Expression> {
        self.add(Expression::Derivative { axis, ctrl: DerivativeControl::None, expr })
    }

    /// `mix` by a float, or by booleans (then a choice).
    fn mix(
        &mut self,
        x: Handle<Expression>,
        y: Handle<Expression>,
        a: Handle<Expression>,
        (arguments, size): (&[Expr], u8),
    ) -> Handle<Expression> {
        let weight = arguments.get(2).and_then(|e| vector_of(&e.ty));
        match weight {
            Some((Scalar::Bool, _)) => self.add(Expression::Select { condition: a, accept: y, reject: x }),
            Some((_, 1)) => {
                let a = self.splat(a, size);
                self.math(MathFunction::Mix, &[x, y, a])
            }
            _ => self.math(MathFunction::Mix, &[x, y, a]),
        }
    }

    /// `modf(x, out i)`: x is read before i is written (they may be the same variable).
    fn modf(&mut self, arguments: &[Expr]) -> Result<Handle<Expression>> {
        let [x, whole] = arguments else { return Err(internal("modf takes two arguments")) };
        let value = self.value(x)?;
        let place = self.place(whole)?;
        let integer = self.math(MathFunction::Trunc, &[value]);
        let fraction = self.raw(BinaryOperator::Subtract, value, integer);
        self.store_place(&place, integer);
        Ok(fraction)
    }

    /// The geometric functions on `float`, which naga has on vectors only.
    fn scalar_geometry(&mut self, function: BuiltinFunction, values: Values<'_>) -> Result<Handle<Expression>> {
        let [a, b, rest @ ..] = values else { return Err(internal("geometric function with too few arguments")) };
        let (a, b) = (*a, *b);
        let mut binary = |op, left, right| self.raw(op, left, right);
        match function {
            // faceforward(N, I, Nref)
            BuiltinFunction::FaceForward => {
                let reference = *rest.first().ok_or_else(|| internal("faceforward takes three arguments"))?;
                let dot = binary(BinaryOperator::Multiply, reference, b);
                let zero = self.float(0.0);
                let condition = self.raw(BinaryOperator::Less, dot, zero);
                let negated = self.add(Expression::Unary { op: naga::UnaryOperator::Negate, expr: a });
                Ok(self.add(Expression::Select { condition, accept: a, reject: negated }))
            }
            // I - 2 dot(N, I) N
            BuiltinFunction::Reflect => {
                let dot = binary(BinaryOperator::Multiply, b, a);
                let scaled = binary(BinaryOperator::Multiply, dot, b);
                let twice = binary(BinaryOperator::Add, scaled, scaled);
                Ok(binary(BinaryOperator::Subtract, a, twice))
            }
            // k = 1 - eta² (1 - dot²); k < 0 ? 0 : eta I - (eta dot + sqrt k) N
            _ => {
                let eta = *rest.first().ok_or_else(|| internal("refract takes three arguments"))?;
                let dot = binary(BinaryOperator::Multiply, b, a);
                let square = binary(BinaryOperator::Multiply, dot, dot);
                let eta_square = binary(BinaryOperator::Multiply, eta, eta);
                let one = self.float(1.0);
                let zero = self.float(0.0);
                let mut binary = |op, left, right| self.raw(op, left, right);
                let sine = binary(BinaryOperator::Subtract, one, square);
                let scaled = binary(BinaryOperator::Multiply, eta_square, sine);
                let k = binary(BinaryOperator::Subtract, one, scaled);
                let condition = binary(BinaryOperator::Less, k, zero);
                let incident = binary(BinaryOperator::Multiply, eta, a);
                let part = binary(BinaryOperator::Multiply, eta, dot);
                let root = self.math(MathFunction::Sqrt, &[k]);
                let mut binary = |op, left, right| self.raw(op, left, right);
                let factor = binary(BinaryOperator::Add, part, root);
                let normal = binary(BinaryOperator::Multiply, factor, b);
                let reject = binary(BinaryOperator::Subtract, incident, normal);
                Ok(self.add(Expression::Select { condition, accept: zero, reject }))
            }
        }
    }
}
