//! Storage formats, vertex formats and fixed-function enums in wgpu's terms.

use wgpu::TextureFormat as T;

use crate::gl::command::{
    BlendComponent, BlendFactor, BlendOperation, CompareFunction, ImageDimension, StencilFace, StencilOperation,
    VertexFormat, WrapMode,
};
use crate::gl::format::StorageFormat as S;

/// What a shader reads from or writes to an image of some format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TexelKind {
    Float,
    Sint,
    Uint,
    /// Depth, with or without stencil.
    Depth,
    /// Stencil only.
    Stencil,
}

impl TexelKind {
    /// WGSL scalar that a `textureLoad` gives.
    pub fn wgsl_scalar(self) -> &'static str {
        match self {
            TexelKind::Float | TexelKind::Depth => "f32",
            TexelKind::Sint => "i32",
            TexelKind::Uint | TexelKind::Stencil => "u32",
        }
    }
}

/// The wgpu format of a storage format.
pub fn texture_format(format: S) -> T {
    match format {
        S::R8Unorm => T::R8Unorm,
        S::R8Snorm => T::R8Snorm,
        S::R8Uint => T::R8Uint,
        S::R8Sint => T::R8Sint,
        S::Rg8Unorm => T::Rg8Unorm,
        S::Rg8Snorm => T::Rg8Snorm,
        S::Rg8Uint => T::Rg8Uint,
        S::Rg8Sint => T::Rg8Sint,
        S::Rgba8Unorm => T::Rgba8Unorm,
        S::Rgba8UnormSrgb => T::Rgba8UnormSrgb,
        S::Rgba8Snorm => T::Rgba8Snorm,
        S::Rgba8Uint => T::Rgba8Uint,
        S::Rgba8Sint => T::Rgba8Sint,
        S::R16Uint => T::R16Uint,
        S::R16Sint => T::R16Sint,
        S::R16Float => T::R16Float,
        S::R16Unorm => T::R16Unorm,
        S::R16Snorm => T::R16Snorm,
        S::Rg16Uint => T::Rg16Uint,
        S::Rg16Sint => T::Rg16Sint,
        S::Rg16Float => T::Rg16Float,
        S::Rg16Unorm => T::Rg16Unorm,
        S::Rg16Snorm => T::Rg16Snorm,
        S::Rgba16Uint => T::Rgba16Uint,
        S::Rgba16Sint => T::Rgba16Sint,
        S::Rgba16Float => T::Rgba16Float,
        S::Rgba16Unorm => T::Rgba16Unorm,
        S::Rgba16Snorm => T::Rgba16Snorm,
        S::R32Uint => T::R32Uint,
        S::R32Sint => T::R32Sint,
        S::R32Float => T::R32Float,
        S::Rg32Uint => T::Rg32Uint,
        S::Rg32Sint => T::Rg32Sint,
        S::Rg32Float => T::Rg32Float,
        S::Rgba32Uint => T::Rgba32Uint,
        S::Rgba32Sint => T::Rgba32Sint,
        S::Rgba32Float => T::Rgba32Float,
        S::Rgb10a2Unorm => T::Rgb10a2Unorm,
        S::Rgb10a2Uint => T::Rgb10a2Uint,
        S::Rg11b10Ufloat => T::Rg11b10Ufloat,
        S::Rgb9e5Ufloat => T::Rgb9e5Ufloat,
        S::Depth16Unorm => T::Depth16Unorm,
        S::Depth24Plus => T::Depth24Plus,
        S::Depth24PlusStencil8 => T::Depth24PlusStencil8,
        S::Depth32Float => T::Depth32Float,
        S::Depth32FloatStencil8 => T::Depth32FloatStencil8,
        S::Stencil8 => T::Stencil8,
        S::Bc1RgbaUnorm => T::Bc1RgbaUnorm,
        S::Bc1RgbaUnormSrgb => T::Bc1RgbaUnormSrgb,
        S::Bc2RgbaUnorm => T::Bc2RgbaUnorm,
        S::Bc2RgbaUnormSrgb => T::Bc2RgbaUnormSrgb,
        S::Bc3RgbaUnorm => T::Bc3RgbaUnorm,
        S::Bc3RgbaUnormSrgb => T::Bc3RgbaUnormSrgb,
        S::Bc4RUnorm => T::Bc4RUnorm,
        S::Bc4RSnorm => T::Bc4RSnorm,
        S::Bc5RgUnorm => T::Bc5RgUnorm,
        S::Bc5RgSnorm => T::Bc5RgSnorm,
        S::Bc6hRgbUfloat => T::Bc6hRgbUfloat,
        S::Bc6hRgbFloat => T::Bc6hRgbFloat,
        S::Bc7RgbaUnorm => T::Bc7RgbaUnorm,
        S::Bc7RgbaUnormSrgb => T::Bc7RgbaUnormSrgb,
        S::Etc2Rgb8Unorm => T::Etc2Rgb8Unorm,
        S::Etc2Rgb8UnormSrgb => T::Etc2Rgb8UnormSrgb,
        S::Etc2Rgb8A1Unorm => T::Etc2Rgb8A1Unorm,
        S::Etc2Rgb8A1UnormSrgb => T::Etc2Rgb8A1UnormSrgb,
        S::Etc2Rgba8Unorm => T::Etc2Rgba8Unorm,
        S::Etc2Rgba8UnormSrgb => T::Etc2Rgba8UnormSrgb,
        S::EacR11Unorm => T::EacR11Unorm,
        S::EacR11Snorm => T::EacR11Snorm,
        S::EacRg11Unorm => T::EacRg11Unorm,
        S::EacRg11Snorm => T::EacRg11Snorm,
        S::Astc { width, height, srgb } => T::Astc {
            block: astc_block(width, height),
            channel: if srgb { wgpu::AstcChannel::UnormSrgb } else { wgpu::AstcChannel::Unorm },
        },
    }
}

fn astc_block(width: u8, height: u8) -> wgpu::AstcBlock {
    use wgpu::AstcBlock as B;
    match (width, height) {
        (5, 4) => B::B5x4,
        (5, 5) => B::B5x5,
        (6, 5) => B::B6x5,
        (6, 6) => B::B6x6,
        (8, 5) => B::B8x5,
        (8, 6) => B::B8x6,
        (8, 8) => B::B8x8,
        (10, 5) => B::B10x5,
        (10, 6) => B::B10x6,
        (10, 8) => B::B10x8,
        (10, 10) => B::B10x10,
        (12, 10) => B::B12x10,
        (12, 12) => B::B12x12,
        _ => B::B4x4,
    }
}

/// What texels of `format` are.
pub fn texel_kind(format: T) -> TexelKind {
    match format {
        T::Stencil8 => TexelKind::Stencil,
        f if f.has_depth_aspect() => TexelKind::Depth,
        f => match f.sample_type(None, None) {
            Some(wgpu::TextureSampleType::Sint) => TexelKind::Sint,
            Some(wgpu::TextureSampleType::Uint) => TexelKind::Uint,
            _ => TexelKind::Float,
        },
    }
}

/// Bytes of one block of one aspect as the command stream carries it: depth other than
/// `Depth16Unorm` travels as f32, stencil as u8.
pub fn stream_block_size(format: T, stencil: bool) -> u32 {
    match format {
        _ if stencil => 1,
        T::Depth16Unorm => 2,
        f if f.has_depth_aspect() => 4,
        f => f.block_copy_size(None).unwrap_or(4),
    }
}

/// wgpu's vertex format, its size in bytes.
pub fn vertex_format(format: VertexFormat) -> wgpu::VertexFormat {
    use VertexFormat as V;
    use wgpu::VertexFormat as W;
    match format {
        V::Uint8 => W::Uint8,
        V::Uint8x2 => W::Uint8x2,
        V::Uint8x4 => W::Uint8x4,
        V::Sint8 => W::Sint8,
        V::Sint8x2 => W::Sint8x2,
        V::Sint8x4 => W::Sint8x4,
        V::Unorm8 => W::Unorm8,
        V::Unorm8x2 => W::Unorm8x2,
        V::Unorm8x4 => W::Unorm8x4,
        V::Snorm8 => W::Snorm8,
        V::Snorm8x2 => W::Snorm8x2,
        V::Snorm8x4 => W::Snorm8x4,
        V::Uint16 => W::Uint16,
        V::Uint16x2 => W::Uint16x2,
        V::Uint16x4 => W::Uint16x4,
        V::Sint16 => W::Sint16,
        V::Sint16x2 => W::Sint16x2,
        V::Sint16x4 => W::Sint16x4,
        V::Unorm16 => W::Unorm16,
        V::Unorm16x2 => W::Unorm16x2,
        V::Unorm16x4 => W::Unorm16x4,
        V::Snorm16 => W::Snorm16,
        V::Snorm16x2 => W::Snorm16x2,
        V::Snorm16x4 => W::Snorm16x4,
        V::Float16 => W::Float16,
        V::Float16x2 => W::Float16x2,
        V::Float16x4 => W::Float16x4,
        V::Float32 => W::Float32,
        V::Float32x2 => W::Float32x2,
        V::Float32x3 => W::Float32x3,
        V::Float32x4 => W::Float32x4,
        V::Uint32 => W::Uint32,
        V::Uint32x2 => W::Uint32x2,
        V::Uint32x3 => W::Uint32x3,
        V::Uint32x4 => W::Uint32x4,
        V::Sint32 => W::Sint32,
        V::Sint32x2 => W::Sint32x2,
        V::Sint32x3 => W::Sint32x3,
        V::Sint32x4 => W::Sint32x4,
        V::Unorm10_10_10_2 => W::Unorm10_10_10_2,
    }
}

pub fn compare(function: CompareFunction) -> wgpu::CompareFunction {
    use wgpu::CompareFunction as W;
    match function {
        CompareFunction::Never => W::Never,
        CompareFunction::Less => W::Less,
        CompareFunction::Equal => W::Equal,
        CompareFunction::LessEqual => W::LessEqual,
        CompareFunction::Greater => W::Greater,
        CompareFunction::NotEqual => W::NotEqual,
        CompareFunction::GreaterEqual => W::GreaterEqual,
        CompareFunction::Always => W::Always,
    }
}

pub fn wrap(mode: WrapMode) -> wgpu::AddressMode {
    match mode {
        WrapMode::Repeat => wgpu::AddressMode::Repeat,
        WrapMode::ClampToEdge => wgpu::AddressMode::ClampToEdge,
        WrapMode::MirroredRepeat => wgpu::AddressMode::MirrorRepeat,
    }
}

pub fn stencil_face(face: StencilFace) -> wgpu::StencilFaceState {
    let op = |operation| match operation {
        StencilOperation::Keep => wgpu::StencilOperation::Keep,
        StencilOperation::Zero => wgpu::StencilOperation::Zero,
        StencilOperation::Replace => wgpu::StencilOperation::Replace,
        StencilOperation::Invert => wgpu::StencilOperation::Invert,
        StencilOperation::IncrementClamp => wgpu::StencilOperation::IncrementClamp,
        StencilOperation::DecrementClamp => wgpu::StencilOperation::DecrementClamp,
        StencilOperation::IncrementWrap => wgpu::StencilOperation::IncrementWrap,
        StencilOperation::DecrementWrap => wgpu::StencilOperation::DecrementWrap,
    };
    wgpu::StencilFaceState {
        compare: compare(face.compare),
        fail_op: op(face.fail),
        depth_fail_op: op(face.depth_fail),
        pass_op: op(face.pass),
    }
}

/// One blend equation. `has_alpha` false makes destination alpha read as 1.
pub fn blend_component(component: BlendComponent, has_alpha: bool) -> wgpu::BlendComponent {
    use wgpu::BlendFactor as W;
    let factor = |factor| match factor {
        BlendFactor::Zero => W::Zero,
        BlendFactor::One => W::One,
        BlendFactor::SrcColor => W::Src,
        BlendFactor::OneMinusSrcColor => W::OneMinusSrc,
        BlendFactor::DstColor => W::Dst,
        BlendFactor::OneMinusDstColor => W::OneMinusDst,
        BlendFactor::SrcAlpha => W::SrcAlpha,
        BlendFactor::OneMinusSrcAlpha => W::OneMinusSrcAlpha,
        BlendFactor::DstAlpha if !has_alpha => W::One,
        BlendFactor::OneMinusDstAlpha if !has_alpha => W::Zero,
        // min(As, 1 − Ad) with Ad = 1.
        BlendFactor::SrcAlphaSaturated if !has_alpha => W::Zero,
        BlendFactor::DstAlpha => W::DstAlpha,
        BlendFactor::OneMinusDstAlpha => W::OneMinusDstAlpha,
        BlendFactor::Constant => W::Constant,
        BlendFactor::OneMinusConstant => W::OneMinusConstant,
        BlendFactor::SrcAlphaSaturated => W::SrcAlphaSaturated,
        BlendFactor::Src1Color => W::Src1,
        BlendFactor::OneMinusSrc1Color => W::OneMinusSrc1,
        BlendFactor::Src1Alpha => W::Src1Alpha,
        BlendFactor::OneMinusSrc1Alpha => W::OneMinusSrc1Alpha,
    };
    let operation = match component.operation {
        BlendOperation::Add => wgpu::BlendOperation::Add,
        BlendOperation::Subtract => wgpu::BlendOperation::Subtract,
        BlendOperation::ReverseSubtract => wgpu::BlendOperation::ReverseSubtract,
        BlendOperation::Min => wgpu::BlendOperation::Min,
        BlendOperation::Max => wgpu::BlendOperation::Max,
    };
    // GL ignores the factors of MIN and MAX; wgpu demands One.
    let ignores_factors = matches!(component.operation, BlendOperation::Min | BlendOperation::Max);
    wgpu::BlendComponent {
        src_factor: if ignores_factors { W::One } else { factor(component.src) },
        dst_factor: if ignores_factors { W::One } else { factor(component.dst) },
        operation,
    }
}

pub fn view_dimension(dimension: ImageDimension) -> wgpu::TextureViewDimension {
    match dimension {
        ImageDimension::D2 => wgpu::TextureViewDimension::D2,
        ImageDimension::D2Array => wgpu::TextureViewDimension::D2Array,
        ImageDimension::Cube => wgpu::TextureViewDimension::Cube,
        ImageDimension::D3 => wgpu::TextureViewDimension::D3,
    }
}
