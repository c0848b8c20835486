//! Typed enums of the front end; raw GLenums end here.

use super::command::{BlendFactor, CompareFunction, Topology};
use super::constants as c;

/// Texture binding points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureTarget {
    D2,
    Cube,
    D3,
    D2Array,
}

impl TextureTarget {
    pub const COUNT: usize = 4;
    pub const ALL: [Self; 4] = [Self::D2, Self::Cube, Self::D3, Self::D2Array];

    /// Binding targets only; cube faces are `TexImageTarget`s.
    pub fn from_gl(value: u32) -> Option<Self> {
        Some(match value {
            c::TEXTURE_2D => Self::D2,
            c::TEXTURE_CUBE_MAP => Self::Cube,
            c::TEXTURE_3D => Self::D3,
            c::TEXTURE_2D_ARRAY => Self::D2Array,
            _ => return None,
        })
    }
}

/// Component types of `vertexAttribPointer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeType {
    Byte,
    UnsignedByte,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Float,
    HalfFloat,
    Fixed,
    Int2101010Rev,
    UnsignedInt2101010Rev,
}

impl AttributeType {
    pub fn from_gl(value: u32) -> Option<Self> {
        Some(match value {
            c::BYTE => Self::Byte,
            c::UNSIGNED_BYTE => Self::UnsignedByte,
            c::SHORT => Self::Short,
            c::UNSIGNED_SHORT => Self::UnsignedShort,
            c::INT => Self::Int,
            c::UNSIGNED_INT => Self::UnsignedInt,
            c::FLOAT => Self::Float,
            c::HALF_FLOAT => Self::HalfFloat,
            c::FIXED => Self::Fixed,
            c::INT_2_10_10_10_REV => Self::Int2101010Rev,
            c::UNSIGNED_INT_2_10_10_10_REV => Self::UnsignedInt2101010Rev,
            _ => return None,
        })
    }

    pub fn to_gl(self) -> u32 {
        match self {
            Self::Byte => c::BYTE,
            Self::UnsignedByte => c::UNSIGNED_BYTE,
            Self::Short => c::SHORT,
            Self::UnsignedShort => c::UNSIGNED_SHORT,
            Self::Int => c::INT,
            Self::UnsignedInt => c::UNSIGNED_INT,
            Self::Float => c::FLOAT,
            Self::HalfFloat => c::HALF_FLOAT,
            Self::Fixed => c::FIXED,
            Self::Int2101010Rev => c::INT_2_10_10_10_REV,
            Self::UnsignedInt2101010Rev => c::UNSIGNED_INT_2_10_10_10_REV,
        }
    }

    pub fn is_packed(self) -> bool {
        matches!(self, Self::Int2101010Rev | Self::UnsignedInt2101010Rev)
    }

    /// Bytes of one component; of the whole element for packed types. Offsets and strides must be multiples.
    pub fn component_size(self) -> u32 {
        match self {
            Self::Byte | Self::UnsignedByte => 1,
            Self::Short | Self::UnsignedShort | Self::HalfFloat => 2,
            _ => 4,
        }
    }

    /// Bytes of an element of `components` components.
    pub fn element_size(self, components: u8) -> u32 {
        if self.is_packed() { 4 } else { self.component_size() * u32::from(components) }
    }
}

/// Primitive modes of the draw calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrimitiveMode {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl PrimitiveMode {
    pub fn from_gl(value: u32) -> Option<Self> {
        Some(match value {
            c::POINTS => Self::Points,
            c::LINES => Self::Lines,
            c::LINE_LOOP => Self::LineLoop,
            c::LINE_STRIP => Self::LineStrip,
            c::TRIANGLES => Self::Triangles,
            c::TRIANGLE_STRIP => Self::TriangleStrip,
            c::TRIANGLE_FAN => Self::TriangleFan,
            _ => return None,
        })
    }

    pub fn is_triangles(self) -> bool {
        matches!(self, Self::Triangles | Self::TriangleStrip | Self::TriangleFan)
    }

    pub fn is_lines(self) -> bool {
        matches!(self, Self::Lines | Self::LineLoop | Self::LineStrip)
    }

    /// Topology if the GPU draws the mode as it is.
    pub fn native(self) -> Option<Topology> {
        Some(match self {
            Self::Points => Topology::PointList,
            Self::Lines => Topology::LineList,
            Self::LineStrip => Topology::LineStrip,
            Self::Triangles => Topology::TriangleList,
            Self::TriangleStrip => Topology::TriangleStrip,
            Self::LineLoop | Self::TriangleFan => return None,
        })
    }

    /// Fewest vertices that make a primitive.
    pub fn min_vertices(self) -> u32 {
        match self {
            Self::Points => 1,
            Self::Lines | Self::LineLoop | Self::LineStrip => 2,
            _ => 3,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IndexType {
    U8,
    U16,
    U32,
}

impl IndexType {
    pub fn from_gl(value: u32) -> Option<Self> {
        Some(match value {
            c::UNSIGNED_BYTE => Self::U8,
            c::UNSIGNED_SHORT => Self::U16,
            c::UNSIGNED_INT => Self::U32,
            _ => return None,
        })
    }

    pub fn size(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
        }
    }

    /// The primitive restart index.
    pub fn restart(self) -> u32 {
        match self {
            Self::U8 => 0xff,
            Self::U16 => 0xffff,
            Self::U32 => u32::MAX,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferTarget {
    Array,
    ElementArray,
    CopyRead,
    CopyWrite,
    PixelPack,
    PixelUnpack,
    TransformFeedback,
    Uniform,
}

impl BufferTarget {
    /// `webgl2` false: only ARRAY_BUFFER and ELEMENT_ARRAY_BUFFER.
    #[inline]
    pub fn from_gl(value: u32, webgl2: bool) -> Option<Self> {
        match value {
            c::ARRAY_BUFFER => Some(Self::Array),
            c::ELEMENT_ARRAY_BUFFER => Some(Self::ElementArray),
            _ if !webgl2 => None,
            c::COPY_READ_BUFFER => Some(Self::CopyRead),
            c::COPY_WRITE_BUFFER => Some(Self::CopyWrite),
            c::PIXEL_PACK_BUFFER => Some(Self::PixelPack),
            c::PIXEL_UNPACK_BUFFER => Some(Self::PixelUnpack),
            c::TRANSFORM_FEEDBACK_BUFFER => Some(Self::TransformFeedback),
            c::UNIFORM_BUFFER => Some(Self::Uniform),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CullFace {
    Front,
    Back,
    FrontAndBack,
}

impl CullFace {
    pub fn from_gl(value: u32) -> Option<Self> {
        Some(match value {
            c::FRONT => Self::Front,
            c::BACK => Self::Back,
            c::FRONT_AND_BACK => Self::FrontAndBack,
            _ => return None,
        })
    }

    pub fn to_gl(self) -> u32 {
        match self {
            Self::Front => c::FRONT,
            Self::Back => c::BACK,
            Self::FrontAndBack => c::FRONT_AND_BACK,
        }
    }

    pub fn has_front(self) -> bool {
        self != Self::Back
    }

    pub fn has_back(self) -> bool {
        self != Self::Front
    }
}

/// WEBGL_polygon_mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PolygonMode {
    Fill,
    Line,
}

/// EXT_clip_control origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipOrigin {
    LowerLeft,
    UpperLeft,
}

/// EXT_clip_control depth mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipDepthMode {
    NegativeOneToOne,
    ZeroToOne,
}

/// Blend factors as GL has them: constant colour and constant alpha are still apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlendFactorGl {
    Plain(BlendFactor),
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
}

impl BlendFactorGl {
    #[allow(non_upper_case_globals, reason = "reads like the variants of BlendFactor")]
    pub const One: Self = Self::Plain(BlendFactor::One);
    #[allow(non_upper_case_globals, reason = "reads like the variants of BlendFactor")]
    pub const Zero: Self = Self::Plain(BlendFactor::Zero);

    /// `dual_source`: EXT_blend_func_extended is enabled.
    pub fn from_gl(value: u32, dual_source: bool) -> Option<Self> {
        use BlendFactor as F;
        Some(match value {
            c::ZERO => Self::Plain(F::Zero),
            c::ONE => Self::Plain(F::One),
            c::SRC_COLOR => Self::Plain(F::SrcColor),
            c::ONE_MINUS_SRC_COLOR => Self::Plain(F::OneMinusSrcColor),
            c::DST_COLOR => Self::Plain(F::DstColor),
            c::ONE_MINUS_DST_COLOR => Self::Plain(F::OneMinusDstColor),
            c::SRC_ALPHA => Self::Plain(F::SrcAlpha),
            c::ONE_MINUS_SRC_ALPHA => Self::Plain(F::OneMinusSrcAlpha),
            c::DST_ALPHA => Self::Plain(F::DstAlpha),
            c::ONE_MINUS_DST_ALPHA => Self::Plain(F::OneMinusDstAlpha),
            c::SRC_ALPHA_SATURATE => Self::Plain(F::SrcAlphaSaturated),
            c::CONSTANT_COLOR => Self::ConstantColor,
            c::ONE_MINUS_CONSTANT_COLOR => Self::OneMinusConstantColor,
            c::CONSTANT_ALPHA => Self::ConstantAlpha,
            c::ONE_MINUS_CONSTANT_ALPHA => Self::OneMinusConstantAlpha,
            c::SRC1_COLOR_WEBGL if dual_source => Self::Plain(F::Src1Color),
            c::ONE_MINUS_SRC1_COLOR_WEBGL if dual_source => Self::Plain(F::OneMinusSrc1Color),
            c::SRC1_ALPHA_WEBGL if dual_source => Self::Plain(F::Src1Alpha),
            c::ONE_MINUS_SRC1_ALPHA_WEBGL if dual_source => Self::Plain(F::OneMinusSrc1Alpha),
            _ => return None,
        })
    }

    pub fn to_gl(self) -> u32 {
        use BlendFactor as F;
        match self {
            Self::ConstantColor => c::CONSTANT_COLOR,
            Self::OneMinusConstantColor => c::ONE_MINUS_CONSTANT_COLOR,
            Self::ConstantAlpha => c::CONSTANT_ALPHA,
            Self::OneMinusConstantAlpha => c::ONE_MINUS_CONSTANT_ALPHA,
            Self::Plain(factor) => match factor {
                F::Zero => c::ZERO,
                F::One => c::ONE,
                F::SrcColor => c::SRC_COLOR,
                F::OneMinusSrcColor => c::ONE_MINUS_SRC_COLOR,
                F::DstColor => c::DST_COLOR,
                F::OneMinusDstColor => c::ONE_MINUS_DST_COLOR,
                F::SrcAlpha => c::SRC_ALPHA,
                F::OneMinusSrcAlpha => c::ONE_MINUS_SRC_ALPHA,
                F::DstAlpha => c::DST_ALPHA,
                F::OneMinusDstAlpha => c::ONE_MINUS_DST_ALPHA,
                F::SrcAlphaSaturated => c::SRC_ALPHA_SATURATE,
                F::Constant => c::CONSTANT_COLOR,
                F::OneMinusConstant => c::ONE_MINUS_CONSTANT_COLOR,
                F::Src1Color => c::SRC1_COLOR_WEBGL,
                F::OneMinusSrc1Color => c::ONE_MINUS_SRC1_COLOR_WEBGL,
                F::Src1Alpha => c::SRC1_ALPHA_WEBGL,
                F::OneMinusSrc1Alpha => c::ONE_MINUS_SRC1_ALPHA_WEBGL,
            },
        }
    }

    pub fn is_constant_color(self) -> bool {
        matches!(self, Self::ConstantColor | Self::OneMinusConstantColor)
    }

    pub fn is_constant_alpha(self) -> bool {
        matches!(self, Self::ConstantAlpha | Self::OneMinusConstantAlpha)
    }
}

/// NEVER … ALWAYS.
pub fn compare_function_from_gl(value: u32) -> Option<CompareFunction> {
    Some(match value {
        c::NEVER => CompareFunction::Never,
        c::LESS => CompareFunction::Less,
        c::EQUAL => CompareFunction::Equal,
        c::LEQUAL => CompareFunction::LessEqual,
        c::GREATER => CompareFunction::Greater,
        c::NOTEQUAL => CompareFunction::NotEqual,
        c::GEQUAL => CompareFunction::GreaterEqual,
        c::ALWAYS => CompareFunction::Always,
        _ => return None,
    })
}

pub fn compare_function_to_gl(value: CompareFunction) -> u32 {
    match value {
        CompareFunction::Never => c::NEVER,
        CompareFunction::Less => c::LESS,
        CompareFunction::Equal => c::EQUAL,
        CompareFunction::LessEqual => c::LEQUAL,
        CompareFunction::Greater => c::GREATER,
        CompareFunction::NotEqual => c::NOTEQUAL,
        CompareFunction::GreaterEqual => c::GEQUAL,
        CompareFunction::Always => c::ALWAYS,
    }
}

/// Kinds of GL objects that getters may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    Buffer,
    VertexArray,
    Shader,
    Program,
    Query,
    Sync,
    TransformFeedback,
    Texture,
    Sampler,
    Renderbuffer,
    Framebuffer,
}

/// What a getter answers; the binding turns it into a JS value. An array is a typed array in JS unless noted.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ParameterValue {
    #[default]
    Null,
    Bool(bool),
    Int(i32),
    /// GLenum or GLuint.
    Uint(u32),
    /// Exact up to 2^53 in JS.
    Int64(i64),
    Float(f32),
    String(String),
    /// JS array of booleans.
    BoolArray(Vec<bool>),
    /// Int32Array.
    IntArray(Vec<i32>),
    /// Uint32Array.
    UintArray(Vec<u32>),
    /// Float32Array.
    FloatArray(Vec<f32>),
    /// JS array of numbers (`getActiveUniforms`, attached object lists).
    UintList(Vec<u32>),
    /// JS array of numbers.
    IntList(Vec<i32>),
    /// Name 0 = null.
    Object(ObjectKind, u32),
}
