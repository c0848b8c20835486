//! What a linked program is to others: reflection for script, code and layout for the back end.

use serde::{Deserialize, Serialize};

use super::camera::CameraUniforms;
use super::hir::{SamplerType, Scalar, Stage};

/// GL type of an active variable (`FLOAT_VEC3`, `SAMPLER_2D_SHADOW`, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum VariableType {
    Scalar(Scalar),
    Vector(Scalar, u8),
    Matrix { columns: u8, rows: u8 },
    Sampler(SamplerType),
}

/// Where one uniform lives inside a stage's default block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockPlace {
    /// Bytes from the start of the block.
    pub offset: u32,
    /// Bytes between array elements; 0 if not an array.
    pub array_stride: u32,
    /// Bytes between matrix columns; 0 if not a matrix.
    pub matrix_stride: u32,
}

/// An active uniform of the default block, or a sampler.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActiveUniform {
    /// As `getActiveUniform` gives it: `lights[0].color`, arrays end in `[0]`.
    pub name: String,
    pub ty: VariableType,
    /// Array length; 1 if not an array.
    pub size: u32,
    pub is_array: bool,
    /// Location of element 0; element i is at `location + i`.
    pub location: u32,
    pub vertex: Option<BlockPlace>,
    pub fragment: Option<BlockPlace>,
    /// Samplers: entry of element 0 in `ProgramLayout::textures`; element i follows at `+ i`.
    pub texture_slot: Option<u32>,
}

/// An active uniform that is a member of a uniform block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockUniform {
    /// `Block.member` or `member`, per GLSL ES 3.00 §4.3.7 and GL's naming rules.
    pub name: String,
    pub ty: VariableType,
    pub size: u32,
    pub is_array: bool,
    pub block_index: u32,
    pub place: BlockPlace,
    pub row_major: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActiveUniformBlock {
    /// `Name` or `Name[i]`.
    pub name: String,
    pub size: u32,
    pub in_vertex: bool,
    pub in_fragment: bool,
    /// Indices among all active uniforms (default-block ones first, then `block_uniforms`).
    pub uniforms: Vec<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActiveAttribute {
    pub name: String,
    pub ty: VariableType,
    pub size: u32,
    /// −1 for `gl_VertexID`, `gl_InstanceID`.
    pub location: i32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FragmentOutput {
    pub name: String,
    pub location: u32,
    pub index: u32,
    pub array_len: u32,
    pub kind: Scalar,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FeedbackVarying {
    pub name: String,
    pub ty: VariableType,
    pub size: u32,
}

/// Everything the GL getters need. Indices are GL's.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Reflection {
    pub attributes: Vec<ActiveAttribute>,
    pub uniforms: Vec<ActiveUniform>,
    pub block_uniforms: Vec<BlockUniform>,
    pub uniform_blocks: Vec<ActiveUniformBlock>,
    pub outputs: Vec<FragmentOutput>,
    pub feedback_varyings: Vec<FeedbackVarying>,
    /// The vertex shader writes `gl_PointSize`.
    pub writes_point_size: bool,
    /// Some varying is `flat`: the provoking vertex matters.
    pub has_flat_varyings: bool,
    pub uses_draw_id: bool,
}

/// What distinguishes emitted variants of one linked program. Default = plain WebGL drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Variant {
    /// EXT_clip_control ZERO_TO_ONE: no z remap.
    pub zero_to_one: bool,
    /// EXT_clip_control UPPER_LEFT: no y negation.
    pub upper_left: bool,
    /// Bit per location: the float attribute is fed unsigned integers, convert (no USCALED in wgpu).
    pub uint_attributes: u32,
    /// The same for signed ones.
    pub sint_attributes: u32,
    /// Bit per clip distance enabled.
    pub clip_distances: u8,
    /// Capture the feedback varyings into storage buffers.
    pub capture_feedback: bool,
    /// Bit per texture slot: an integer-format or depth texture is bound where the filtering path is not allowed.
    /// Reserved for back ends that must not filter; 0 today.
    pub unfilterable: u32,
    /// Bit per location: the target holds half floats, and the device would cut values off instead of rounding.
    pub round_outputs: u8,
    /// Clip at the sides of the picture, generously: lines for a rasteriser that cannot take long ones.
    pub clip_sides: bool,
    /// Draws pass a first instance (base-instance extension): `gl_InstanceID` subtracts it.
    pub base_instance: bool,
    /// Emit [`ProgramCode::positions`] as well.
    pub observed: bool,
}

impl Variant {
    /// Component type in which the attribute at a location is declared, for one of `kind` in the source.
    pub fn attribute_kind(&self, kind: Scalar, location: u32) -> Scalar {
        let bit = |mask: u32| location < 32 && mask >> location & 1 == 1;
        match kind {
            Scalar::Float if bit(self.uint_attributes) => Scalar::Uint,
            Scalar::Float if bit(self.sint_attributes) => Scalar::Int,
            kind => kind,
        }
    }
}

/// Bind group of the default blocks: binding 0 = vertex block, then fragment block, then driver block, dense.
pub const GROUP_UNIFORMS: u32 = 0;
/// Bind group of textures: slot k → texture at binding 2k, sampler at 2k+1.
pub const GROUP_TEXTURES: u32 = 1;
/// Bind group of uniform blocks: block slot k → binding k.
pub const GROUP_BLOCKS: u32 = 2;
/// Bind group of transform feedback buffers: buffer k → binding k (read-write storage). In
/// [`ProgramCode::positions`]: 0 → positions (read-write storage), 1 → [`PositionBlock`].
pub const GROUP_FEEDBACK: u32 = 3;

/// Where [`ProgramCode::positions`] puts its results: vertex v of instance i is record
/// `base + (v - first_vertex) + (i - first_instance) * vertices`, of 4 floats.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct PositionBlock {
    pub first_vertex: i32,
    pub vertices: i32,
    pub first_instance: i32,
    pub base: i32,
}

/// Some bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BytePlace {
    pub offset: u32,
    pub size: u32,
}

/// What `gl_Position` is made of: `matrices[0] · matrices[1] · … · rest`. The rest depends on attributes, vertex and instance
/// numbers, the driver block and what is listed here, and on none of the matrices. Proven from the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionInputs {
    /// Byte offsets in the vertex stage's default block: a mat4 each, column after column.
    pub matrices: Vec<u32>,
    /// Parts of the vertex stage's default block.
    pub uniforms: Vec<BytePlace>,
    /// Texture slots.
    pub textures: Vec<u32>,
    /// Uniform block slots.
    pub blocks: Vec<u32>,
}

/// Flags of loops that ran away: one word each, in a storage buffer behind the feedback buffers.
pub const LOOP_FLAGS: u32 = 64;
/// The word that says that a point in the picture was larger than the device draws them; no loop has it.
pub const POINT_FLAG: u32 = LOOP_FLAGS - 1;

/// A loop whose rounds are counted; its place in [`ProgramLayout::loops`] is its flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopSite {
    pub stage: Stage,
    /// `SHADER_NAME` of the shader, if it has one.
    pub shader: Option<String>,
    /// 1-based, in the source given to `shaderSource`.
    pub line: u32,
    /// That line.
    pub text: String,
    /// It has no way out at all.
    pub endless: bool,
}

/// The driver block, std140, vertex and fragment visible. Present only when some member is read.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct DriverBlock {
    /// `gl_DepthRange`: near, far, diff, unused.
    pub depth_range: [f32; 4],
    /// `gl_DrawID`.
    pub draw_id: i32,
    /// Subtracted from InstanceIndex to give `gl_InstanceID`; also `gl_BaseInstance`.
    pub base_instance: i32,
    /// `gl_BaseVertex`.
    pub base_vertex: i32,
    /// Transform feedback: index of the first vertex, and vertices per instance.
    pub feedback_first: i32,
    pub feedback_vertices: i32,
    /// Word offset of the first vertex in each feedback buffer.
    pub feedback_base: [i32; 3],
    pub feedback_base_3: i32,
    pub padding: [i32; 3],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextureSlot {
    pub sampler: SamplerType,
    pub vertex: bool,
    pub fragment: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockSlot {
    /// Minimum binding size in bytes.
    pub size: u32,
    pub vertex: bool,
    pub fragment: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeSlot {
    pub location: u32,
    /// Float, Int or Uint as the emitted shader declares it (variants change it).
    pub kind: Scalar,
    pub components: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputSlot {
    pub location: u32,
    pub kind: Scalar,
}

/// The interface of emitted code, from which the back end builds its pipeline layout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramLayout {
    /// Size in bytes of the vertex stage's default block; 0 = none (and no binding).
    pub vertex_block: u32,
    pub fragment_block: u32,
    /// The vertex stage reads the fragment stage's block too, to hand parts of it on as flat varyings.
    #[serde(default)]
    pub fragment_block_in_vertex: bool,
    pub driver_block: bool,
    pub textures: Vec<TextureSlot>,
    pub uniform_blocks: Vec<BlockSlot>,
    /// Number of feedback buffers (0 unless the variant captures).
    pub feedback_buffers: u32,
    pub attributes: Vec<AttributeSlot>,
    pub outputs: Vec<OutputSlot>,
    pub writes_frag_depth: bool,
    /// The fragment shader may leave pixels out (`discard`): alpha tests, cut-outs.
    #[serde(default)]
    pub discards: bool,
    /// Clip-space z already goes from 0 to w (`Variant::zero_to_one`).
    #[serde(default)]
    pub zero_to_one: bool,
    /// Loops that raise a flag when they pass `max_loop_rounds`, the vertex stage's first; at most [`POINT_FLAG`].
    pub loops: Vec<LoopSite>,
    /// Rounds all of them may make in one invocation.
    pub max_loop_rounds: u32,
    /// The vertex stage raises [`POINT_FLAG`].
    #[serde(default)]
    pub watches_points: bool,
}

/// One emitted variant: SPIR-V for both stages, entry point `main`, and its layout.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProgramCode {
    pub vertex: Vec<u32>,
    pub fragment: Vec<u32>,
    /// A vertex stage that stores `gl_Position` as the program wrote it (GL clip space), but without the matrices of
    /// `position_inputs`, and draws nothing; empty unless the variant asks for it. Same groups as `vertex` but for
    /// [`GROUP_FEEDBACK`].
    #[serde(default)]
    pub positions: Vec<u32>,
    #[serde(default)]
    pub position_inputs: PositionInputs,
    pub layout: ProgramLayout,
    /// Where its camera lies, for evidence.
    pub camera: CameraUniforms,
}
