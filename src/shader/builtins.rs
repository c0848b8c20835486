//! The built-in functions of GLSL ES 1.00 and 3.00 (and of the extensions WebGL offers).
//!
//! One enum for sema, constant folding and lowering. Argument and result types stand in the expression, so
//! one entry serves all overloads; ESSL 1.00 names (`texture2DLodEXT`) are mapped to the 3.00 meaning.

pub mod signatures;

/// GLSL ES 3.00 spec §8, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinFunction {
    // 8.1 angle and trigonometry
    Radians,
    Degrees,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    /// One argument.
    Atan,
    /// `atan(y, x)`.
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    // 8.2 exponential
    Pow,
    Exp,
    Log,
    Exp2,
    Log2,
    Sqrt,
    InverseSqrt,
    // 8.3 common
    Abs,
    Sign,
    Floor,
    Trunc,
    Round,
    RoundEven,
    Ceil,
    Fract,
    Mod,
    /// Second argument is `out`.
    Modf,
    Min,
    Max,
    Clamp,
    /// Third argument float, or bool vector.
    Mix,
    Step,
    SmoothStep,
    IsNan,
    IsInf,
    FloatBitsToInt,
    FloatBitsToUint,
    IntBitsToFloat,
    UintBitsToFloat,
    // 8.4 packing
    PackSnorm2x16,
    UnpackSnorm2x16,
    PackUnorm2x16,
    UnpackUnorm2x16,
    PackHalf2x16,
    UnpackHalf2x16,
    // 8.5 geometric
    Length,
    Distance,
    Dot,
    Cross,
    Normalize,
    FaceForward,
    Reflect,
    Refract,
    // 8.6 matrix
    MatrixCompMult,
    OuterProduct,
    Transpose,
    Determinant,
    Inverse,
    // 8.7 vector relational
    LessThan,
    LessThanEqual,
    GreaterThan,
    GreaterThanEqual,
    EqualTo,
    NotEqualTo,
    Any,
    All,
    NotVector,
    // 8.8 texture lookup; first argument is the sampler
    TextureSize,
    /// Optional bias as last argument (fragment only).
    Texture,
    TextureProj,
    TextureLod,
    TextureOffset,
    TexelFetch,
    TexelFetchOffset,
    TextureProjOffset,
    TextureLodOffset,
    TextureProjLod,
    TextureProjLodOffset,
    TextureGrad,
    TextureGradOffset,
    TextureProjGrad,
    TextureProjGradOffset,
    // 8.9 fragment processing
    Dfdx,
    Dfdy,
    Fwidth,
}
