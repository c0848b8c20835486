//! Built-in functions of constants.

use half::f16;

use super::math::Matrix;
use super::to_float;
use crate::shader::builtins::BuiltinFunction::{self, *};
use crate::shader::hir::{Constant, Type};

type Values<'a> = &'a [Constant];

/// The value of a call whose arguments are all constant; `None` for functions that are never constant.
pub fn builtin(function: BuiltinFunction, arguments: &[(&Type, &[Constant])]) -> Option<Vec<Constant>> {
    let values: Vec<Values> = arguments.iter().map(|(_, values)| *values).collect();
    if let Some(result) = component_wise(function, &values) {
        return Some(result);
    }
    match values.as_slice() {
        [a] => geometric_one(function, arguments.first()?.0, a),
        [a, b] => geometric_two(function, arguments.first()?.0, a, arguments.get(1)?.0, b),
        [a, b, c] => geometric_three(function, a, b, c),
        _ => None,
    }
}

/// Component `index` of a value that may be a scalar standing for all.
fn pick(values: Values, index: usize) -> Option<Constant> {
    values.get(if values.len() == 1 { 0 } else { index }).copied()
}

fn component_wise(function: BuiltinFunction, values: &[Values]) -> Option<Vec<Constant>> {
    let length = values.iter().map(|values| values.len()).max()?;
    (0..length)
        .map(|index| {
            let picked: Option<Vec<Constant>> = values.iter().map(|values| pick(values, index)).collect();
            match *picked?.as_slice() {
                [a] => one(function, a),
                [a, b] => two(function, a, b),
                [a, b, c] => three(function, a, b, c),
                _ => None,
            }
        })
        .collect()
}

fn one(function: BuiltinFunction, value: Constant) -> Option<Constant> {
    let x = match value {
        Constant::Float(x) => x,
        Constant::Int(x) => {
            return Some(match function {
                Abs => Constant::Int(x.wrapping_abs()),
                Sign => Constant::Int(x.signum()),
                IntBitsToFloat => Constant::Float(f32::from_bits(x as u32)),
                _ => return None,
            });
        }
        Constant::Uint(x) => {
            return match function {
                UintBitsToFloat => Some(Constant::Float(f32::from_bits(x))),
                _ => None,
            };
        }
        Constant::Bool(x) => {
            return match function {
                NotVector => Some(Constant::Bool(!x)),
                _ => None,
            };
        }
    };
    Some(Constant::Float(match function {
        IsNan => return Some(Constant::Bool(x.is_nan())),
        IsInf => return Some(Constant::Bool(x.is_infinite())),
        FloatBitsToInt => return Some(Constant::Int(x.to_bits() as i32)),
        FloatBitsToUint => return Some(Constant::Uint(x.to_bits())),
        Radians => x * (std::f32::consts::PI / 180.0),
        Degrees => x * (180.0 / std::f32::consts::PI),
        Sin => libm::sinf(x),
        Cos => libm::cosf(x),
        Tan => libm::tanf(x),
        Asin => libm::asinf(x),
        Acos => libm::acosf(x),
        Atan => libm::atanf(x),
        Sinh => libm::sinhf(x),
        Cosh => libm::coshf(x),
        Tanh => libm::tanhf(x),
        Asinh => libm::asinhf(x),
        Acosh => libm::acoshf(x),
        Atanh => libm::atanhf(x),
        Exp => libm::expf(x),
        Log => libm::logf(x),
        Exp2 => libm::exp2f(x),
        Log2 => libm::log2f(x),
        Sqrt => x.sqrt(),
        InverseSqrt => 1.0 / x.sqrt(),
        Abs => x.abs(),
        Sign => sign(x),
        Floor => x.floor(),
        Trunc => x.trunc(),
        Round | RoundEven => x.round_ties_even(),
        Ceil => x.ceil(),
        Fract => x - x.floor(),
        _ => return None,
    }))
}

fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

fn two(function: BuiltinFunction, left: Constant, right: Constant) -> Option<Constant> {
    use Constant::{Bool, Float, Int, Uint};
    Some(match (function, left, right) {
        (Pow, Float(x), Float(y)) => Float(libm::powf(x, y)),
        (Atan2, Float(y), Float(x)) => Float(libm::atan2f(y, x)),
        (Mod, Float(x), Float(y)) => Float(x - y * (x / y).floor()),
        (Min, Float(x), Float(y)) => Float(if y < x { y } else { x }),
        (Max, Float(x), Float(y)) => Float(if x < y { y } else { x }),
        (Step, Float(edge), Float(x)) => Float(if x < edge { 0.0 } else { 1.0 }),
        (Min, Int(x), Int(y)) => Int(x.min(y)),
        (Max, Int(x), Int(y)) => Int(x.max(y)),
        (Min, Uint(x), Uint(y)) => Uint(x.min(y)),
        (Max, Uint(x), Uint(y)) => Uint(x.max(y)),
        (MatrixCompMult, Float(x), Float(y)) => Float(x * y),
        (LessThan, Float(x), Float(y)) => Bool(x < y),
        (LessThan, Int(x), Int(y)) => Bool(x < y),
        (LessThan, Uint(x), Uint(y)) => Bool(x < y),
        (LessThanEqual, Float(x), Float(y)) => Bool(x <= y),
        (LessThanEqual, Int(x), Int(y)) => Bool(x <= y),
        (LessThanEqual, Uint(x), Uint(y)) => Bool(x <= y),
        (GreaterThan, Float(x), Float(y)) => Bool(x > y),
        (GreaterThan, Int(x), Int(y)) => Bool(x > y),
        (GreaterThan, Uint(x), Uint(y)) => Bool(x > y),
        (GreaterThanEqual, Float(x), Float(y)) => Bool(x >= y),
        (GreaterThanEqual, Int(x), Int(y)) => Bool(x >= y),
        (GreaterThanEqual, Uint(x), Uint(y)) => Bool(x >= y),
        (EqualTo, x, y) => Bool(x == y),
        (NotEqualTo, x, y) => Bool(x != y),
        _ => return None,
    })
}

fn three(function: BuiltinFunction, a: Constant, b: Constant, c: Constant) -> Option<Constant> {
    use Constant::{Bool, Float, Int, Uint};
    Some(match (function, a, b, c) {
        (Clamp, Float(x), Float(low), Float(high)) => Float(clamp(x, low, high)),
        (Clamp, Int(x), Int(low), Int(high)) => Int(x.max(low).min(high)),
        (Clamp, Uint(x), Uint(low), Uint(high)) => Uint(x.max(low).min(high)),
        (Mix, Float(x), Float(y), Float(a)) => Float(x * (1.0 - a) + y * a),
        (Mix, Float(x), Float(y), Bool(a)) => Float(if a { y } else { x }),
        (SmoothStep, Float(low), Float(high), Float(x)) => {
            let t = clamp((x - low) / (high - low), 0.0, 1.0);
            Float(t * t * (3.0 - 2.0 * t))
        }
        _ => return None,
    })
}

/// `min(max(x, low), high)`; unlike `f32::clamp` it accepts any bounds.
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if high < x { high } else { x }
}

fn floats(values: Values) -> Vec<f32> {
    values.iter().map(|&value| to_float(value)).collect()
}

fn wrap(values: impl IntoIterator<Item = f32>) -> Vec<Constant> {
    values.into_iter().map(Constant::Float).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn geometric_one(function: BuiltinFunction, ty: &Type, values: Values) -> Option<Vec<Constant>> {
    let x = floats(values);
    let matrix = || match *ty {
        Type::Matrix { columns, rows } => Matrix::new(columns, rows, values),
        _ => None,
    };
    let any = || values.contains(&Constant::Bool(true));
    let all = || values.iter().all(|&value| value == Constant::Bool(true));
    Some(match function {
        Length => wrap([dot(&x, &x).sqrt()]),
        Normalize => {
            let length = dot(&x, &x).sqrt();
            wrap(x.iter().map(|x| x / length))
        }
        Transpose => matrix()?.transpose().into_constants(),
        Determinant => wrap([matrix()?.determinant()]),
        Inverse => matrix()?.inverse().into_constants(),
        Any => vec![Constant::Bool(any())],
        All => vec![Constant::Bool(all())],
        PackSnorm2x16 | PackUnorm2x16 | PackHalf2x16 => pack(function, &x)?,
        UnpackSnorm2x16 | UnpackUnorm2x16 | UnpackHalf2x16 => match values {
            [Constant::Uint(bits)] => wrap(unpack(function, *bits)),
            _ => return None,
        },
        _ => return None,
    })
}

fn pack(function: BuiltinFunction, x: &[f32]) -> Option<Vec<Constant>> {
    let half = |x: f32| match function {
        PackSnorm2x16 => (clamp(x, -1.0, 1.0) * 32767.0).round_ties_even() as i16 as u16,
        PackUnorm2x16 => (clamp(x, 0.0, 1.0) * 65535.0).round_ties_even() as u16,
        _ => f16::from_f32(x).to_bits(),
    };
    let low = u32::from(half(*x.first()?));
    let high = u32::from(half(*x.get(1)?));
    Some(vec![Constant::Uint(low | high << 16)])
}

fn unpack(function: BuiltinFunction, bits: u32) -> [f32; 2] {
    [bits as u16, (bits >> 16) as u16].map(|half| match function {
        UnpackSnorm2x16 => clamp(f32::from(half as i16) / 32767.0, -1.0, 1.0),
        UnpackUnorm2x16 => f32::from(half) / 65535.0,
        _ => f16::from_bits(half).to_f32(),
    })
}

fn geometric_two(
    function: BuiltinFunction,
    left_type: &Type,
    left: Values,
    right_type: &Type,
    right: Values,
) -> Option<Vec<Constant>> {
    let (a, b) = (floats(left), floats(right));
    Some(match function {
        Dot => wrap([dot(&a, &b)]),
        Distance => {
            let difference: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            wrap([dot(&difference, &difference).sqrt()])
        }
        Cross => match (a.as_slice(), b.as_slice()) {
            (&[ax, ay, az], &[bx, by, bz]) => wrap([ay * bz - by * az, az * bx - bz * ax, ax * by - bx * ay]),
            _ => return None,
        },
        Reflect => {
            let scale = 2.0 * dot(&b, &a);
            wrap(a.iter().zip(&b).map(|(i, n)| i - scale * n))
        }
        OuterProduct => match (left_type, right_type) {
            (Type::Vector(_, rows), Type::Vector(_, columns)) => {
                let column = Matrix::new(1, *rows, left)?;
                column.multiply(&Matrix::new(*columns, 1, right)?)?.into_constants()
            }
            _ => return None,
        },
        _ => return None,
    })
}

fn geometric_three(function: BuiltinFunction, a: Values, b: Values, c: Values) -> Option<Vec<Constant>> {
    let (a, b, c) = (floats(a), floats(b), floats(c));
    Some(match function {
        FaceForward => {
            let sign = if dot(&c, &b) < 0.0 { 1.0 } else { -1.0 };
            wrap(a.iter().map(|n| n * sign))
        }
        Refract => {
            let eta = *c.first()?;
            let cosine = dot(&b, &a);
            let k = 1.0 - eta * eta * (1.0 - cosine * cosine);
            if k < 0.0 {
                wrap(a.iter().map(|_| 0.0))
            } else {
                wrap(a.iter().zip(&b).map(|(i, n)| eta * i - (eta * cosine + k.sqrt()) * n))
            }
        }
        _ => return None,
    })
}
