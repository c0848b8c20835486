//! The command stream: what the front end hands the back end, and what a trace file holds.
//!
//! Commands are validated, resolved and complete: enums are typed, every object is an id the back
//! end has been told of, every pixel is already in the storage format, every index list is one that
//! wgpu can draw. A back end never needs GL rules; any failure in it is device loss, exhaustion or our bug.
//! Bulk bytes live in the stream's arena, so that a command stays small and a stream is one allocation.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::format::StorageFormat;
use crate::scene::{ObjectNumber, Subject};
use crate::shader::ProgramCode;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);
    )*};
}

ids! {
    /// A GPU buffer. Never reused within a context.
    BufferId,
    /// A GPU image: the storage of a texture, a renderbuffer or a part of the drawing buffer.
    ImageId,
    /// One emitted variant of a linked program.
    ProgramId,
    /// An occlusion query.
    QueryId,
}

/// A range of the stream's arena, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRange {
    pub offset: u32,
    pub len: u32,
}

/// Commands in order, with the bytes they refer to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CommandStream {
    pub commands: Vec<Command>,
    pub data: Vec<u8>,
}

impl CommandStream {
    /// Appends `bytes` to the arena, aligned to 4.
    pub fn push_data(&mut self, bytes: &[u8]) -> DataRange {
        let offset = self.data.len().next_multiple_of(4);
        self.data.resize(offset, 0);
        self.data.extend_from_slice(bytes);
        DataRange { offset: offset as u32, len: bytes.len() as u32 }
    }

    /// The bytes of `range`.
    pub fn bytes(&self, range: DataRange) -> &[u8] {
        &self.data[range.offset as usize..][..range.len as usize]
    }
}

/// What the front end asks of the back end. Order is meaning.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Command {
    // --- resources -------------------------------------------------------------------------
    /// New buffer, zero-filled. `size` is in bytes, any value; the back end rounds up as it needs.
    CreateBuffer {
        id: BufferId,
        size: u64,
    },
    DeleteBuffer {
        id: BufferId,
    },
    /// `offset` and length are multiples of 4 (the front end widens unaligned writes from its shadow).
    WriteBuffer {
        id: BufferId,
        offset: u64,
        data: DataRange,
    },
    /// All three multiples of 4; source and destination may be one buffer if the ranges are apart.
    CopyBuffer {
        src: BufferId,
        src_offset: u64,
        dst: BufferId,
        dst_offset: u64,
        size: u64,
    },
    /// New image, contents zero and depth 1 (WebGL: no stale memory; what browsers put into depth).
    CreateImage {
        id: ImageId,
        desc: ImageDesc,
    },
    DeleteImage {
        id: ImageId,
    },
    /// Tightly packed rows in the image's storage format (blocks for compressed ones), row 0 = lowest y.
    /// Depth and stencil are written plane by plane (`Aspect::Depth`, `Aspect::Stencil`): depth as u16 for
    /// `Depth16Unorm`, else as f32; stencil as u8.
    WriteImage {
        id: ImageId,
        region: ImageRegion,
        data: DataRange,
    },
    /// Same storage format, same size, no scaling.
    CopyImage {
        src: ImageId,
        src_region: ImageRegion,
        dst: ImageId,
        dst_region: ImageRegion,
    },
    /// Fills levels `base+1..=last` of every layer from the level before, linearly filtered.
    GenerateMipmaps {
        id: ImageId,
        base_level: u32,
        last_level: u32,
    },
    CreateProgram {
        id: ProgramId,
        code: Arc<ProgramCode>,
    },
    DeleteProgram {
        id: ProgramId,
    },

    // --- draw state: sticky, sent only when changed --------------------------------------------
    /// Always first among the state of a draw.
    SetRenderTargets(RenderTargets),
    SetViewport(Viewport),
    /// Already cut to the render targets; `None` = whole target.
    SetScissor(Option<Rect>),
    SetRaster(RasterState),
    SetBlend(BlendStates),
    SetBlendConstant([f32; 4]),
    SetDepthStencil(DepthStencilState),
    SetStencilReference(u32),
    SetMultisample(MultisampleState),
    SetProgram(ProgramId),
    /// The whole default uniform block of one stage, std140, for all draws until the next.
    SetUniforms {
        stage: ShaderStage,
        data: DataRange,
    },
    /// The driver block (see `shader::DriverBlock`), when the program has one.
    SetDriverUniforms(DataRange),
    SetVertexInput(VertexInput),
    SetIndexBuffer {
        id: BufferId,
        format: IndexFormat,
    },
    /// Texture and sampler for slot `slot` of the program's texture table.
    SetTexture {
        slot: u32,
        view: ImageView,
        sampler: SamplerDesc,
    },
    /// Buffer range for uniform block `slot` of the program.
    SetUniformBuffer {
        slot: u32,
        id: BufferId,
        offset: u64,
        size: u64,
    },
    /// Buffer range for transform feedback binding `slot`.
    SetFeedbackBuffer {
        slot: u32,
        id: BufferId,
        offset: u64,
        size: u64,
    },

    // --- work --------------------------------------------------------------------------------
    Draw(Draw),
    DrawIndexed(DrawIndexed),
    /// Clears the current render targets inside the scissor, colour masks respected.
    Clear(Clear),
    /// Scaled, flipped or cut copy between images; resolves when the source is multisampled.
    Blit(Blit),
    /// The contents of these images are no longer needed.
    Invalidate {
        images: Vec<ImageId>,
    },
    BeginQuery {
        id: QueryId,
    },
    EndQuery {
        id: QueryId,
    },
    DeleteQuery {
        id: QueryId,
    },
    /// Frame `frame` is complete in `image` (single-sampled RGBA8, row 0 = GL bottom).
    Present {
        image: ImageId,
        frame: u64,
        opaque: bool,
        premultiplied: bool,
    },
    /// A label for traces and captures.
    Marker(String),
    /// Whose draws follow, until the next; for evidence, draws nothing.
    Subject(Subject),
    /// A frame begins in which the geometry of draws for this camera is looked at, 0: for every one; for evidence,
    /// draws nothing.
    Watch(ObjectNumber),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ShaderStage {
    Vertex,
    Fragment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ImageDimension {
    D2,
    /// Also the storage of cube maps: six layers, +X −X +Y −Y +Z −Z.
    D2Array,
    Cube,
    D3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ImageDesc {
    pub dimension: ImageDimension,
    pub format: StorageFormat,
    pub width: u32,
    pub height: u32,
    /// Layers (6 for cubes) or slices.
    pub depth: u32,
    pub levels: u32,
    /// 1 = single-sampled.
    pub samples: u32,
    /// May be an attachment (false for compressed and non-renderable formats).
    pub renderable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Aspect {
    All,
    Depth,
    Stencil,
}

/// A box of one mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ImageRegion {
    pub level: u32,
    /// x, y, layer or slice.
    pub origin: [u32; 3],
    pub extent: [u32; 3],
    pub aspect: Aspect,
}

/// What a shader sees of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ImageView {
    pub image: ImageId,
    pub dimension: ImageDimension,
    pub base_level: u32,
    pub levels: u32,
    pub aspect: Aspect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum WrapMode {
    Repeat,
    ClampToEdge,
    MirroredRepeat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Filter {
    Nearest,
    Linear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CompareFunction {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// Sampler state by value; the back end caches samplers by it. LODs are thousandths, to be hashable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SamplerDesc {
    pub wrap: [WrapMode; 3],
    pub mag: Filter,
    pub min: Filter,
    /// `None`: only the base level is sampled.
    pub mip: Option<Filter>,
    pub lod_min_milli: i32,
    pub lod_max_milli: i32,
    pub max_anisotropy: u16,
    pub compare: Option<CompareFunction>,
}

/// One attachment of a framebuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Attachment {
    pub image: ImageId,
    pub level: u32,
    /// Layer, face or slice.
    pub layer: u32,
    /// The GL format has an alpha channel. If not, alpha stays 1: no alpha write, DST_ALPHA reads 1.
    pub has_alpha: bool,
}

pub const MAX_COLOR_ATTACHMENTS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RenderTargets {
    /// By fragment output location, `drawBuffers` already applied.
    pub colors: [Option<Attachment>; MAX_COLOR_ATTACHMENTS],
    pub depth: Option<Attachment>,
    pub stencil: Option<Attachment>,
    pub width: u32,
    pub height: u32,
    pub samples: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Viewport {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
    pub min_depth: f32,
    pub max_depth: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Face {
    Front,
    Back,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RasterState {
    /// GL's winding as the program set it; the back end swaps it because the shader negates y.
    pub front_face_ccw: bool,
    /// False under EXT_clip_control UPPER_LEFT: the shader does not negate y, so no swap.
    pub y_negated: bool,
    /// FRONT_AND_BACK never reaches the back end: such draws of triangles are skipped.
    pub cull: Option<Face>,
    /// Polygon offset, when enabled: constant (units), slope (factor), clamp.
    pub depth_bias: Option<(f32, f32, f32)>,
    pub depth_clamp: bool,
    pub wireframe: bool,
    /// RASTERIZER_DISCARD.
    pub discard: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BlendFactor {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    /// CONSTANT_COLOR and CONSTANT_ALPHA; `SetBlendConstant` holds the value (see `alpha_constant`).
    Constant,
    OneMinusConstant,
    SrcAlphaSaturated,
    Src1Color,
    OneMinusSrc1Color,
    Src1Alpha,
    OneMinusSrc1Alpha,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BlendOperation {
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BlendComponent {
    pub operation: BlendOperation,
    pub src: BlendFactor,
    pub dst: BlendFactor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BlendState {
    /// `None`: blending off.
    pub blend: Option<(BlendComponent, BlendComponent)>,
    /// Bit 0 = red … bit 3 = alpha.
    pub write_mask: u8,
}

/// Blend state per colour attachment. The front end has turned CONSTANT_ALPHA into `Constant` and
/// sends the constant that fits; mixing both kinds in one draw is forbidden by WebGL.
pub type BlendStates = [BlendState; MAX_COLOR_ATTACHMENTS];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StencilOperation {
    Keep,
    Zero,
    Replace,
    Invert,
    IncrementClamp,
    DecrementClamp,
    IncrementWrap,
    DecrementWrap,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StencilFace {
    pub compare: CompareFunction,
    pub fail: StencilOperation,
    pub depth_fail: StencilOperation,
    pub pass: StencilOperation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StencilState {
    pub front: StencilFace,
    pub back: StencilFace,
    pub read_mask: u32,
    pub write_mask: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DepthStencilState {
    /// `None`: depth test off (so no depth write either).
    pub depth: Option<CompareFunction>,
    pub depth_write: bool,
    pub stencil: Option<StencilState>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MultisampleState {
    pub alpha_to_coverage: bool,
    /// From SAMPLE_COVERAGE; all ones otherwise.
    pub mask: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum VertexFormat {
    Uint8,
    Uint8x2,
    Uint8x4,
    Sint8,
    Sint8x2,
    Sint8x4,
    Unorm8,
    Unorm8x2,
    Unorm8x4,
    Snorm8,
    Snorm8x2,
    Snorm8x4,
    Uint16,
    Uint16x2,
    Uint16x4,
    Sint16,
    Sint16x2,
    Sint16x4,
    Unorm16,
    Unorm16x2,
    Unorm16x4,
    Snorm16,
    Snorm16x2,
    Snorm16x4,
    Float16,
    Float16x2,
    Float16x4,
    Float32,
    Float32x2,
    Float32x3,
    Float32x4,
    Uint32,
    Uint32x2,
    Uint32x3,
    Uint32x4,
    Sint32,
    Sint32x2,
    Sint32x3,
    Sint32x4,
    Unorm10_10_10_2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepMode {
    Vertex,
    Instance,
    /// One value for all vertices (a disabled array): stride 0.
    Constant,
}

/// One attribute as the back end binds it: strides are multiples of 4, offsets of min(4, size).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VertexAttribute {
    pub location: u32,
    pub format: VertexFormat,
    pub buffer: BufferId,
    pub offset: u64,
    pub stride: u32,
    pub step: StepMode,
}

/// Only the attributes the program reads, by ascending location.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VertexInput {
    pub attributes: Vec<VertexAttribute>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IndexFormat {
    Uint16,
    Uint32,
}

/// Fans, loops and byte indices are lowered before the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    TriangleList,
    TriangleStrip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    pub topology: Topology,
    pub first: u32,
    pub count: u32,
    pub first_instance: u32,
    pub instances: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawIndexed {
    pub topology: Topology,
    /// In indices, not bytes.
    pub first_index: u32,
    pub count: u32,
    /// Smallest and greatest index, restarts left out.
    pub range: (u32, u32),
    pub base_vertex: i32,
    pub first_instance: u32,
    pub instances: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ClearColor {
    Float([f32; 4]),
    Sint([i32; 4]),
    Uint([u32; 4]),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clear {
    /// By output location; only these are cleared.
    pub colors: [Option<ClearColor>; MAX_COLOR_ATTACHMENTS],
    /// Write masks in force, as in `BlendState::write_mask`.
    pub color_masks: [u8; MAX_COLOR_ATTACHMENTS],
    pub depth: Option<f32>,
    /// Value and write mask.
    pub stencil: Option<(u32, u32)>,
}

/// One side of a blit. `rect` is x0, y0, x1, y1 in texels, reversed to flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlitSide {
    pub image: ImageId,
    pub level: u32,
    pub layer: u32,
    pub rect: [i32; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blit {
    pub src: BlitSide,
    pub dst: BlitSide,
    pub aspect: Aspect,
    pub filter: Filter,
    /// Already cut to the destination.
    pub scissor: Option<Rect>,
    /// The destination's GL format has an alpha channel.
    pub dst_has_alpha: bool,
}
