//! The signatures of the built-in functions, as patterns, and the search among them.
//!
//! GLSL ES 1.00 §8 and 3.00 §8; EXT_shader_texture_lod, OES_standard_derivatives.

use super::BuiltinFunction::{self, *};
use crate::shader::compile::ExtensionSet;
use crate::shader::hir::{Dialect, SamplerDimension, SamplerType, Scalar, Stage, Type};

use Pattern::*;

/// A parameter's or result's type, open in places that one call fills consistently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Float,
    Int,
    Uint,
    Bool,
    /// Vectors of one size.
    Vec(u8),
    IVec(u8),
    UVec(u8),
    /// `genType`, `genIType`, `genUType`, `genBType`: scalar or vector; one size throughout.
    Gen,
    GenI,
    GenU,
    GenB,
    /// `vec`, `ivec`, `uvec`, `bvec`: true vectors; one size throughout.
    AnyVec,
    AnyIVec,
    AnyUVec,
    AnyBVec,
    /// Any matrix; one shape throughout.
    Mat,
    /// The transposed shape of `Mat`.
    MatTransposed,
    /// A square matrix.
    MatSquare,
    /// Sampler of float, int or uint texels.
    Sampler(SamplerDimension),
    /// Sampler of float texels only.
    FloatSampler(SamplerDimension),
    Shadow(SamplerDimension),
    /// vec4, ivec4 or uvec4 after the sampler.
    Texel,
}

/// Where a signature may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Anywhere,
    Vertex,
    Fragment,
}

/// One line of the specification's tables.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    pub name: &'static str,
    pub function: BuiltinFunction,
    pub parameters: &'static [Pattern],
    pub result: Pattern,
    /// `None`: both dialects.
    pub dialect: Option<Dialect>,
    pub place: Place,
    /// Extension that must be enabled in ESSL 1.00.
    pub extension: ExtensionSet,
}

const fn row(
    name: &'static str,
    function: BuiltinFunction,
    parameters: &'static [Pattern],
    result: Pattern,
) -> Signature {
    Signature {
        name,
        function,
        parameters,
        result,
        dialect: None,
        place: Place::Anywhere,
        extension: ExtensionSet::empty(),
    }
}

const fn new(
    name: &'static str,
    function: BuiltinFunction,
    parameters: &'static [Pattern],
    result: Pattern,
) -> Signature {
    Signature { dialect: Some(Dialect::Essl300), ..row(name, function, parameters, result) }
}

/// GLSL ES 3.00, fragment shaders only (bias).
const fn newf(
    name: &'static str,
    function: BuiltinFunction,
    parameters: &'static [Pattern],
    result: Pattern,
) -> Signature {
    Signature { place: Place::Fragment, ..new(name, function, parameters, result) }
}

const fn old(
    name: &'static str,
    function: BuiltinFunction,
    parameters: &'static [Pattern],
    result: Pattern,
    place: Place,
    extension: ExtensionSet,
) -> Signature {
    Signature { dialect: Some(Dialect::Essl100), place, extension, ..row(name, function, parameters, result) }
}

const D2: SamplerDimension = SamplerDimension::D2;
const D3: SamplerDimension = SamplerDimension::D3;
const CUBE: SamplerDimension = SamplerDimension::Cube;
const ARRAY: SamplerDimension = SamplerDimension::D2Array;
const NONE: ExtensionSet = ExtensionSet::empty();
const LOD: ExtensionSet = ExtensionSet::EXT_SHADER_TEXTURE_LOD;
const DERIVATIVES: ExtensionSet = ExtensionSet::OES_STANDARD_DERIVATIVES;

/// Sorted by nothing; grouped as in the specification.
pub const SIGNATURES: &[Signature] = &[
    row("radians", Radians, &[Gen], Gen),
    row("degrees", Degrees, &[Gen], Gen),
    row("sin", Sin, &[Gen], Gen),
    row("cos", Cos, &[Gen], Gen),
    row("tan", Tan, &[Gen], Gen),
    row("asin", Asin, &[Gen], Gen),
    row("acos", Acos, &[Gen], Gen),
    row("atan", Atan2, &[Gen, Gen], Gen),
    row("atan", Atan, &[Gen], Gen),
    new("sinh", Sinh, &[Gen], Gen),
    new("cosh", Cosh, &[Gen], Gen),
    new("tanh", Tanh, &[Gen], Gen),
    new("asinh", Asinh, &[Gen], Gen),
    new("acosh", Acosh, &[Gen], Gen),
    new("atanh", Atanh, &[Gen], Gen),
    row("pow", Pow, &[Gen, Gen], Gen),
    row("exp", Exp, &[Gen], Gen),
    row("log", Log, &[Gen], Gen),
    row("exp2", Exp2, &[Gen], Gen),
    row("log2", Log2, &[Gen], Gen),
    row("sqrt", Sqrt, &[Gen], Gen),
    row("inversesqrt", InverseSqrt, &[Gen], Gen),
    row("abs", Abs, &[Gen], Gen),
    new("abs", Abs, &[GenI], GenI),
    row("sign", Sign, &[Gen], Gen),
    new("sign", Sign, &[GenI], GenI),
    row("floor", Floor, &[Gen], Gen),
    new("trunc", Trunc, &[Gen], Gen),
    new("round", Round, &[Gen], Gen),
    new("roundEven", RoundEven, &[Gen], Gen),
    row("ceil", Ceil, &[Gen], Gen),
    row("fract", Fract, &[Gen], Gen),
    row("mod", Mod, &[Gen, Float], Gen),
    row("mod", Mod, &[Gen, Gen], Gen),
    new("modf", Modf, &[Gen, Gen], Gen),
    row("min", Min, &[Gen, Gen], Gen),
    row("min", Min, &[Gen, Float], Gen),
    new("min", Min, &[GenI, GenI], GenI),
    new("min", Min, &[GenI, Int], GenI),
    new("min", Min, &[GenU, GenU], GenU),
    new("min", Min, &[GenU, Uint], GenU),
    row("max", Max, &[Gen, Gen], Gen),
    row("max", Max, &[Gen, Float], Gen),
    new("max", Max, &[GenI, GenI], GenI),
    new("max", Max, &[GenI, Int], GenI),
    new("max", Max, &[GenU, GenU], GenU),
    new("max", Max, &[GenU, Uint], GenU),
    row("clamp", Clamp, &[Gen, Gen, Gen], Gen),
    row("clamp", Clamp, &[Gen, Float, Float], Gen),
    new("clamp", Clamp, &[GenI, GenI, GenI], GenI),
    new("clamp", Clamp, &[GenI, Int, Int], GenI),
    new("clamp", Clamp, &[GenU, GenU, GenU], GenU),
    new("clamp", Clamp, &[GenU, Uint, Uint], GenU),
    row("mix", Mix, &[Gen, Gen, Gen], Gen),
    row("mix", Mix, &[Gen, Gen, Float], Gen),
    new("mix", Mix, &[Gen, Gen, GenB], Gen),
    row("step", Step, &[Gen, Gen], Gen),
    row("step", Step, &[Float, Gen], Gen),
    row("smoothstep", SmoothStep, &[Gen, Gen, Gen], Gen),
    row("smoothstep", SmoothStep, &[Float, Float, Gen], Gen),
    new("isnan", IsNan, &[Gen], GenB),
    new("isinf", IsInf, &[Gen], GenB),
    new("floatBitsToInt", FloatBitsToInt, &[Gen], GenI),
    new("floatBitsToUint", FloatBitsToUint, &[Gen], GenU),
    new("intBitsToFloat", IntBitsToFloat, &[GenI], Gen),
    new("uintBitsToFloat", UintBitsToFloat, &[GenU], Gen),
    new("packSnorm2x16", PackSnorm2x16, &[Vec(2)], Uint),
    new("unpackSnorm2x16", UnpackSnorm2x16, &[Uint], Vec(2)),
    new("packUnorm2x16", PackUnorm2x16, &[Vec(2)], Uint),
    new("unpackUnorm2x16", UnpackUnorm2x16, &[Uint], Vec(2)),
    new("packHalf2x16", PackHalf2x16, &[Vec(2)], Uint),
    new("unpackHalf2x16", UnpackHalf2x16, &[Uint], Vec(2)),
    row("length", Length, &[Gen], Float),
    row("distance", Distance, &[Gen, Gen], Float),
    row("dot", Dot, &[Gen, Gen], Float),
    row("cross", Cross, &[Vec(3), Vec(3)], Vec(3)),
    row("normalize", Normalize, &[Gen], Gen),
    row("faceforward", FaceForward, &[Gen, Gen, Gen], Gen),
    row("reflect", Reflect, &[Gen, Gen], Gen),
    row("refract", Refract, &[Gen, Gen, Float], Gen),
    row("matrixCompMult", MatrixCompMult, &[Mat, Mat], Mat),
    // outerProduct has two free sizes: see `outer_product`.
    new("transpose", Transpose, &[Mat], MatTransposed),
    new("determinant", Determinant, &[MatSquare], Float),
    new("inverse", Inverse, &[MatSquare], MatSquare),
    row("lessThan", LessThan, &[AnyVec, AnyVec], AnyBVec),
    row("lessThan", LessThan, &[AnyIVec, AnyIVec], AnyBVec),
    new("lessThan", LessThan, &[AnyUVec, AnyUVec], AnyBVec),
    row("lessThanEqual", LessThanEqual, &[AnyVec, AnyVec], AnyBVec),
    row("lessThanEqual", LessThanEqual, &[AnyIVec, AnyIVec], AnyBVec),
    new("lessThanEqual", LessThanEqual, &[AnyUVec, AnyUVec], AnyBVec),
    row("greaterThan", GreaterThan, &[AnyVec, AnyVec], AnyBVec),
    row("greaterThan", GreaterThan, &[AnyIVec, AnyIVec], AnyBVec),
    new("greaterThan", GreaterThan, &[AnyUVec, AnyUVec], AnyBVec),
    row("greaterThanEqual", GreaterThanEqual, &[AnyVec, AnyVec], AnyBVec),
    row("greaterThanEqual", GreaterThanEqual, &[AnyIVec, AnyIVec], AnyBVec),
    new("greaterThanEqual", GreaterThanEqual, &[AnyUVec, AnyUVec], AnyBVec),
    row("equal", EqualTo, &[AnyVec, AnyVec], AnyBVec),
    row("equal", EqualTo, &[AnyIVec, AnyIVec], AnyBVec),
    new("equal", EqualTo, &[AnyUVec, AnyUVec], AnyBVec),
    row("equal", EqualTo, &[AnyBVec, AnyBVec], AnyBVec),
    row("notEqual", NotEqualTo, &[AnyVec, AnyVec], AnyBVec),
    row("notEqual", NotEqualTo, &[AnyIVec, AnyIVec], AnyBVec),
    new("notEqual", NotEqualTo, &[AnyUVec, AnyUVec], AnyBVec),
    row("notEqual", NotEqualTo, &[AnyBVec, AnyBVec], AnyBVec),
    row("any", Any, &[AnyBVec], Bool),
    row("all", All, &[AnyBVec], Bool),
    row("not", NotVector, &[AnyBVec], AnyBVec),
    // 3.00 §8.8
    new("textureSize", TextureSize, &[Sampler(D2), Int], IVec(2)),
    new("textureSize", TextureSize, &[Sampler(D3), Int], IVec(3)),
    new("textureSize", TextureSize, &[Sampler(CUBE), Int], IVec(2)),
    new("textureSize", TextureSize, &[Sampler(ARRAY), Int], IVec(3)),
    new("textureSize", TextureSize, &[Shadow(D2), Int], IVec(2)),
    new("textureSize", TextureSize, &[Shadow(CUBE), Int], IVec(2)),
    new("textureSize", TextureSize, &[Shadow(ARRAY), Int], IVec(3)),
    new("texture", Texture, &[Sampler(D2), Vec(2)], Texel),
    newf("texture", Texture, &[Sampler(D2), Vec(2), Float], Texel),
    new("texture", Texture, &[Sampler(D3), Vec(3)], Texel),
    newf("texture", Texture, &[Sampler(D3), Vec(3), Float], Texel),
    new("texture", Texture, &[Sampler(CUBE), Vec(3)], Texel),
    newf("texture", Texture, &[Sampler(CUBE), Vec(3), Float], Texel),
    new("texture", Texture, &[Sampler(ARRAY), Vec(3)], Texel),
    newf("texture", Texture, &[Sampler(ARRAY), Vec(3), Float], Texel),
    new("texture", Texture, &[Shadow(D2), Vec(3)], Float),
    newf("texture", Texture, &[Shadow(D2), Vec(3), Float], Float),
    new("texture", Texture, &[Shadow(CUBE), Vec(4)], Float),
    newf("texture", Texture, &[Shadow(CUBE), Vec(4), Float], Float),
    new("texture", Texture, &[Shadow(ARRAY), Vec(4)], Float),
    new("textureProj", TextureProj, &[Sampler(D2), Vec(3)], Texel),
    newf("textureProj", TextureProj, &[Sampler(D2), Vec(3), Float], Texel),
    new("textureProj", TextureProj, &[Sampler(D2), Vec(4)], Texel),
    newf("textureProj", TextureProj, &[Sampler(D2), Vec(4), Float], Texel),
    new("textureProj", TextureProj, &[Sampler(D3), Vec(4)], Texel),
    newf("textureProj", TextureProj, &[Sampler(D3), Vec(4), Float], Texel),
    new("textureProj", TextureProj, &[Shadow(D2), Vec(4)], Float),
    newf("textureProj", TextureProj, &[Shadow(D2), Vec(4), Float], Float),
    new("textureLod", TextureLod, &[Sampler(D2), Vec(2), Float], Texel),
    new("textureLod", TextureLod, &[Sampler(D3), Vec(3), Float], Texel),
    new("textureLod", TextureLod, &[Sampler(CUBE), Vec(3), Float], Texel),
    new("textureLod", TextureLod, &[Shadow(D2), Vec(3), Float], Float),
    new("textureLod", TextureLod, &[Sampler(ARRAY), Vec(3), Float], Texel),
    new("textureOffset", TextureOffset, &[Sampler(D2), Vec(2), IVec(2)], Texel),
    newf("textureOffset", TextureOffset, &[Sampler(D2), Vec(2), IVec(2), Float], Texel),
    new("textureOffset", TextureOffset, &[Sampler(D3), Vec(3), IVec(3)], Texel),
    newf("textureOffset", TextureOffset, &[Sampler(D3), Vec(3), IVec(3), Float], Texel),
    new("textureOffset", TextureOffset, &[Shadow(D2), Vec(3), IVec(2)], Float),
    newf("textureOffset", TextureOffset, &[Shadow(D2), Vec(3), IVec(2), Float], Float),
    new("textureOffset", TextureOffset, &[Sampler(ARRAY), Vec(3), IVec(2)], Texel),
    newf("textureOffset", TextureOffset, &[Sampler(ARRAY), Vec(3), IVec(2), Float], Texel),
    new("texelFetch", TexelFetch, &[Sampler(D2), IVec(2), Int], Texel),
    new("texelFetch", TexelFetch, &[Sampler(D3), IVec(3), Int], Texel),
    new("texelFetch", TexelFetch, &[Sampler(ARRAY), IVec(3), Int], Texel),
    new("texelFetchOffset", TexelFetchOffset, &[Sampler(D2), IVec(2), Int, IVec(2)], Texel),
    new("texelFetchOffset", TexelFetchOffset, &[Sampler(D3), IVec(3), Int, IVec(3)], Texel),
    new("texelFetchOffset", TexelFetchOffset, &[Sampler(ARRAY), IVec(3), Int, IVec(2)], Texel),
    new("textureProjOffset", TextureProjOffset, &[Sampler(D2), Vec(3), IVec(2)], Texel),
    newf("textureProjOffset", TextureProjOffset, &[Sampler(D2), Vec(3), IVec(2), Float], Texel),
    new("textureProjOffset", TextureProjOffset, &[Sampler(D2), Vec(4), IVec(2)], Texel),
    newf("textureProjOffset", TextureProjOffset, &[Sampler(D2), Vec(4), IVec(2), Float], Texel),
    new("textureProjOffset", TextureProjOffset, &[Sampler(D3), Vec(4), IVec(3)], Texel),
    newf("textureProjOffset", TextureProjOffset, &[Sampler(D3), Vec(4), IVec(3), Float], Texel),
    new("textureProjOffset", TextureProjOffset, &[Shadow(D2), Vec(4), IVec(2)], Float),
    newf("textureProjOffset", TextureProjOffset, &[Shadow(D2), Vec(4), IVec(2), Float], Float),
    new("textureLodOffset", TextureLodOffset, &[Sampler(D2), Vec(2), Float, IVec(2)], Texel),
    new("textureLodOffset", TextureLodOffset, &[Sampler(D3), Vec(3), Float, IVec(3)], Texel),
    new("textureLodOffset", TextureLodOffset, &[Shadow(D2), Vec(3), Float, IVec(2)], Float),
    new("textureLodOffset", TextureLodOffset, &[Sampler(ARRAY), Vec(3), Float, IVec(2)], Texel),
    new("textureProjLod", TextureProjLod, &[Sampler(D2), Vec(3), Float], Texel),
    new("textureProjLod", TextureProjLod, &[Sampler(D2), Vec(4), Float], Texel),
    new("textureProjLod", TextureProjLod, &[Sampler(D3), Vec(4), Float], Texel),
    new("textureProjLod", TextureProjLod, &[Shadow(D2), Vec(4), Float], Float),
    new("textureProjLodOffset", TextureProjLodOffset, &[Sampler(D2), Vec(3), Float, IVec(2)], Texel),
    new("textureProjLodOffset", TextureProjLodOffset, &[Sampler(D2), Vec(4), Float, IVec(2)], Texel),
    new("textureProjLodOffset", TextureProjLodOffset, &[Sampler(D3), Vec(4), Float, IVec(3)], Texel),
    new("textureProjLodOffset", TextureProjLodOffset, &[Shadow(D2), Vec(4), Float, IVec(2)], Float),
    new("textureGrad", TextureGrad, &[Sampler(D2), Vec(2), Vec(2), Vec(2)], Texel),
    new("textureGrad", TextureGrad, &[Sampler(D3), Vec(3), Vec(3), Vec(3)], Texel),
    new("textureGrad", TextureGrad, &[Sampler(CUBE), Vec(3), Vec(3), Vec(3)], Texel),
    new("textureGrad", TextureGrad, &[Sampler(ARRAY), Vec(3), Vec(2), Vec(2)], Texel),
    new("textureGrad", TextureGrad, &[Shadow(D2), Vec(3), Vec(2), Vec(2)], Float),
    new("textureGrad", TextureGrad, &[Shadow(CUBE), Vec(4), Vec(3), Vec(3)], Float),
    new("textureGrad", TextureGrad, &[Shadow(ARRAY), Vec(4), Vec(2), Vec(2)], Float),
    new("textureGradOffset", TextureGradOffset, &[Sampler(D2), Vec(2), Vec(2), Vec(2), IVec(2)], Texel),
    new("textureGradOffset", TextureGradOffset, &[Sampler(D3), Vec(3), Vec(3), Vec(3), IVec(3)], Texel),
    new("textureGradOffset", TextureGradOffset, &[Sampler(ARRAY), Vec(3), Vec(2), Vec(2), IVec(2)], Texel),
    new("textureGradOffset", TextureGradOffset, &[Shadow(D2), Vec(3), Vec(2), Vec(2), IVec(2)], Float),
    new("textureGradOffset", TextureGradOffset, &[Shadow(ARRAY), Vec(4), Vec(2), Vec(2), IVec(2)], Float),
    new("textureProjGrad", TextureProjGrad, &[Sampler(D2), Vec(3), Vec(2), Vec(2)], Texel),
    new("textureProjGrad", TextureProjGrad, &[Sampler(D2), Vec(4), Vec(2), Vec(2)], Texel),
    new("textureProjGrad", TextureProjGrad, &[Sampler(D3), Vec(4), Vec(3), Vec(3)], Texel),
    new("textureProjGrad", TextureProjGrad, &[Shadow(D2), Vec(4), Vec(2), Vec(2)], Float),
    new("textureProjGradOffset", TextureProjGradOffset, &[Sampler(D2), Vec(3), Vec(2), Vec(2), IVec(2)], Texel),
    new("textureProjGradOffset", TextureProjGradOffset, &[Sampler(D2), Vec(4), Vec(2), Vec(2), IVec(2)], Texel),
    new("textureProjGradOffset", TextureProjGradOffset, &[Sampler(D3), Vec(4), Vec(3), Vec(3), IVec(3)], Texel),
    new("textureProjGradOffset", TextureProjGradOffset, &[Shadow(D2), Vec(4), Vec(2), Vec(2), IVec(2)], Float),
    newf("dFdx", Dfdx, &[Gen], Gen),
    newf("dFdy", Dfdy, &[Gen], Gen),
    newf("fwidth", Fwidth, &[Gen], Gen),
    // 1.00 §8.7
    old("texture2D", Texture, &[FloatSampler(D2), Vec(2)], Texel, Place::Anywhere, NONE),
    old("texture2D", Texture, &[FloatSampler(D2), Vec(2), Float], Texel, Place::Fragment, NONE),
    old("texture2DProj", TextureProj, &[FloatSampler(D2), Vec(3)], Texel, Place::Anywhere, NONE),
    old("texture2DProj", TextureProj, &[FloatSampler(D2), Vec(4)], Texel, Place::Anywhere, NONE),
    old("texture2DProj", TextureProj, &[FloatSampler(D2), Vec(3), Float], Texel, Place::Fragment, NONE),
    old("texture2DProj", TextureProj, &[FloatSampler(D2), Vec(4), Float], Texel, Place::Fragment, NONE),
    old("texture2DLod", TextureLod, &[FloatSampler(D2), Vec(2), Float], Texel, Place::Vertex, NONE),
    old("texture2DProjLod", TextureProjLod, &[FloatSampler(D2), Vec(3), Float], Texel, Place::Vertex, NONE),
    old("texture2DProjLod", TextureProjLod, &[FloatSampler(D2), Vec(4), Float], Texel, Place::Vertex, NONE),
    old("textureCube", Texture, &[FloatSampler(CUBE), Vec(3)], Texel, Place::Anywhere, NONE),
    old("textureCube", Texture, &[FloatSampler(CUBE), Vec(3), Float], Texel, Place::Fragment, NONE),
    old("textureCubeLod", TextureLod, &[FloatSampler(CUBE), Vec(3), Float], Texel, Place::Vertex, NONE),
    old("texture2DLodEXT", TextureLod, &[FloatSampler(D2), Vec(2), Float], Texel, Place::Fragment, LOD),
    old("texture2DProjLodEXT", TextureProjLod, &[FloatSampler(D2), Vec(3), Float], Texel, Place::Fragment, LOD),
    old("texture2DProjLodEXT", TextureProjLod, &[FloatSampler(D2), Vec(4), Float], Texel, Place::Fragment, LOD),
    old("textureCubeLodEXT", TextureLod, &[FloatSampler(CUBE), Vec(3), Float], Texel, Place::Fragment, LOD),
    old("texture2DGradEXT", TextureGrad, &[FloatSampler(D2), Vec(2), Vec(2), Vec(2)], Texel, Place::Fragment, LOD),
    old(
        "texture2DProjGradEXT",
        TextureProjGrad,
        &[FloatSampler(D2), Vec(3), Vec(2), Vec(2)],
        Texel,
        Place::Fragment,
        LOD,
    ),
    old(
        "texture2DProjGradEXT",
        TextureProjGrad,
        &[FloatSampler(D2), Vec(4), Vec(2), Vec(2)],
        Texel,
        Place::Fragment,
        LOD,
    ),
    old("textureCubeGradEXT", TextureGrad, &[FloatSampler(CUBE), Vec(3), Vec(3), Vec(3)], Texel, Place::Fragment, LOD),
    old("dFdx", Dfdx, &[Gen], Gen, Place::Fragment, DERIVATIVES),
    old("dFdy", Dfdy, &[Gen], Gen, Place::Fragment, DERIVATIVES),
    old("fwidth", Fwidth, &[Gen], Gen, Place::Fragment, DERIVATIVES),
];

/// The shader that asks.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    pub dialect: Dialect,
    pub stage: Stage,
    pub extensions: ExtensionSet,
}

impl Caller {
    fn sees(&self, signature: &Signature) -> bool {
        let place = match signature.place {
            Place::Anywhere => true,
            Place::Vertex => self.stage == Stage::Vertex,
            Place::Fragment => self.stage == Stage::Fragment,
        };
        place
            && signature.dialect.is_none_or(|dialect| dialect == self.dialect)
            && self.extensions.contains(signature.extension)
    }
}

/// What a search found.
#[derive(Debug, PartialEq)]
pub enum Lookup {
    /// No built-in of that name here.
    Unknown,
    /// The name exists, but not with these arguments.
    NoMatch,
    Found(BuiltinFunction, Type),
}

/// Whether some built-in function of the shader's language bears this name.
pub fn is_builtin(name: &str, caller: Caller) -> bool {
    (name == "outerProduct" && caller.dialect == Dialect::Essl300)
        || SIGNATURES.iter().any(|signature| signature.name == name && caller.sees(signature))
}

/// Finds the overload of `name` that takes exactly these argument types.
pub fn resolve(name: &str, arguments: &[&Type], caller: Caller) -> Lookup {
    if name == "outerProduct" && caller.dialect == Dialect::Essl300 {
        return outer_product(arguments);
    }
    let mut known = false;
    for signature in SIGNATURES.iter().filter(|signature| signature.name == name && caller.sees(signature)) {
        known = true;
        if let Some(result) = match_signature(signature, arguments) {
            return Lookup::Found(signature.function, result);
        }
    }
    if known { Lookup::NoMatch } else { Lookup::Unknown }
}

fn outer_product(arguments: &[&Type]) -> Lookup {
    match arguments {
        [Type::Vector(Scalar::Float, rows), Type::Vector(Scalar::Float, columns)] => {
            Lookup::Found(OuterProduct, Type::Matrix { columns: *columns, rows: *rows })
        }
        _ => Lookup::NoMatch,
    }
}

/// What the open places of one signature were filled with.
#[derive(Default)]
struct Filling {
    size: Option<u8>,
    matrix: Option<(u8, u8)>,
    sampled: Option<Scalar>,
}

fn match_signature(signature: &Signature, arguments: &[&Type]) -> Option<Type> {
    if signature.parameters.len() != arguments.len() {
        return None;
    }
    let mut filling = Filling::default();
    let fits = signature.parameters.iter().zip(arguments).all(|(pattern, ty)| fits(*pattern, ty, &mut filling));
    if fits { result(signature.result, &filling) } else { None }
}

fn fits(pattern: Pattern, ty: &Type, filling: &mut Filling) -> bool {
    let mut sized = |scalar: Scalar, least: u8| {
        let (found, size) = match *ty {
            Type::Scalar(found) => (found, 1),
            Type::Vector(found, size) => (found, size),
            _ => return false,
        };
        found == scalar && size >= least && *filling.size.get_or_insert(size) == size
    };
    match pattern {
        Gen => sized(Scalar::Float, 1),
        GenI => sized(Scalar::Int, 1),
        GenU => sized(Scalar::Uint, 1),
        GenB => sized(Scalar::Bool, 1),
        AnyVec => sized(Scalar::Float, 2),
        AnyIVec => sized(Scalar::Int, 2),
        AnyUVec => sized(Scalar::Uint, 2),
        AnyBVec => sized(Scalar::Bool, 2),
        Mat | MatSquare => match *ty {
            Type::Matrix { columns, rows } => {
                (pattern == Mat || columns == rows) && *filling.matrix.get_or_insert((columns, rows)) == (columns, rows)
            }
            _ => false,
        },
        Sampler(dimension) => match *ty {
            Type::Sampler(SamplerType { dimension: found, sampled, shadow: false }) => {
                filling.sampled = Some(sampled);
                found == dimension
            }
            _ => false,
        },
        FloatSampler(dimension) => {
            *ty == Type::Sampler(SamplerType { dimension, sampled: Scalar::Float, shadow: false })
        }
        Shadow(dimension) => *ty == Type::Sampler(SamplerType { dimension, sampled: Scalar::Float, shadow: true }),
        MatTransposed | Texel => false,
        _ => result(pattern, filling).is_some_and(|fixed| fixed == *ty),
    }
}

fn result(pattern: Pattern, filling: &Filling) -> Option<Type> {
    let sized = |scalar| match filling.size? {
        1 => Some(Type::Scalar(scalar)),
        size => Some(Type::Vector(scalar, size)),
    };
    match pattern {
        Float => Some(Type::Scalar(Scalar::Float)),
        Int => Some(Type::Scalar(Scalar::Int)),
        Uint => Some(Type::Scalar(Scalar::Uint)),
        Bool => Some(Type::Scalar(Scalar::Bool)),
        Vec(size) => Some(Type::Vector(Scalar::Float, size)),
        IVec(size) => Some(Type::Vector(Scalar::Int, size)),
        UVec(size) => Some(Type::Vector(Scalar::Uint, size)),
        Gen | AnyVec => sized(Scalar::Float),
        GenI | AnyIVec => sized(Scalar::Int),
        GenU | AnyUVec => sized(Scalar::Uint),
        GenB | AnyBVec => sized(Scalar::Bool),
        Mat | MatSquare => filling.matrix.map(|(columns, rows)| Type::Matrix { columns, rows }),
        MatTransposed => filling.matrix.map(|(columns, rows)| Type::Matrix { columns: rows, rows: columns }),
        Texel => Some(Type::Vector(filling.sampled.unwrap_or(Scalar::Float), 4)),
        Sampler(_) | FloatSampler(_) | Shadow(_) => None,
    }
}
