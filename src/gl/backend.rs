//! The contract between the front end and whatever draws.

use serde::{Deserialize, Serialize};

use super::command::{Aspect, BufferId, CommandStream, ImageId, ImageRegion, QueryId};
use super::format::StorageFormat;
use crate::shader::hir::Stage;
use crate::shader::program::LoopSite;

/// Takes validated commands, in order, and answers the few questions that need the GPU.
///
/// A back end may run on its own thread and lag behind; every method that returns data first
/// completes what was submitted before it. No method panics on any sequence of valid streams.
pub trait GlBackend: Send {
    /// Limits and abilities; constant for the life of the back end.
    fn caps(&self) -> &BackendCaps;

    /// Executes `stream` in order. Returns at once if the back end has its own thread; an error that
    /// happens later comes back from the next call.
    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError>;

    /// Texels of one region, tightly packed in the image's storage format (depth as f32, stencil as u8),
    /// row 0 = lowest y. Multisampled images are resolved first.
    fn read_image(&mut self, image: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError>;

    /// Bytes of a buffer.
    fn read_buffer(&mut self, buffer: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError>;

    /// Did any sample pass between `BeginQuery` and `EndQuery`?
    fn query_result(&mut self, query: QueryId) -> Result<bool, BackendError>;

    /// Waits until all submitted work is done.
    fn finish(&mut self) -> Result<(), BackendError>;

    /// Hands over what has become ready, without waiting; is there more to come?
    fn idle(&mut self) -> Result<bool, BackendError> {
        Ok(false)
    }
}

/// What goes wrong below validation: never a GL error, always a context loss for the program.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The device was lost or a call timed out.
    #[error("the GPU device was lost: {0}")]
    DeviceLost(String),
    /// GPU memory ran out, or the cap on it was reached.
    #[error("out of GPU memory: {0}")]
    OutOfMemory(String),
    /// A shader's loop does not end in reasonable time.
    #[error("{0}")]
    RunawayLoop(Box<RunawayLoop>),
    /// A frame took longer than it may.
    #[error("{0}")]
    Overdue(Box<Overdue>),
    /// The render was asked to end.
    #[error("the render was asked to end")]
    Stopped,
    /// No adapter has the name asked for.
    #[error("no Vulkan adapter has {wanted:?} in its name; there are: {}", present.join(", "))]
    NoSuchAdapter { wanted: String, present: Vec<String> },
    /// wgpu refused a validated command: a bug in this engine.
    #[error("internal graphics error: {0}")]
    Internal(String),
}

/// A loop that was stopped, and the frame in which that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunawayLoop {
    pub site: LoopSite,
    pub rounds: u32,
    pub frame: Option<u64>,
}

impl std::fmt::Display for RunawayLoop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stage = match self.site.stage {
            Stage::Vertex => "vertex",
            Stage::Fragment => "fragment",
        };
        write!(f, "the {stage} shader")?;
        if let Some(name) = &self.site.shader {
            write!(f, " {name}")?;
        }
        match self.site.endless {
            true => write!(f, " has an endless loop, stopped after {} rounds", self.rounds)?,
            false => write!(f, " ran more than {} rounds in a loop", self.rounds)?,
        }
        if let Some(frame) = self.frame {
            write!(f, " in frame {frame}")?;
        }
        write!(f, ", line {}: `{}`", self.site.line, self.site.text)
    }
}

/// What was waited for when a frame's time was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    Gpu,
    /// Something the program called that can't be interrupted.
    Program,
    /// What is found out about a frame beside its picture.
    Evidence,
}

/// A frame that took longer than it may.
#[derive(Clone, Debug, PartialEq)]
pub struct Overdue {
    /// The first frame that did not come out; `None`: it happened before the first one.
    pub frame: Option<u64>,
    /// The limit.
    pub seconds: f64,
    pub awaited: Awaited,
    /// Vertices of its heaviest draw, all instances together.
    pub vertices: Option<u64>,
}

impl std::fmt::Display for Overdue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.frame {
            Some(frame) => write!(f, "frame {frame} took")?,
            None => f.write_str("what comes before the first frame took")?,
        }
        write!(f, " more than {} s: ", self.seconds)?;
        f.write_str(match self.awaited {
            Awaited::Gpu => "the GPU is still drawing it",
            Awaited::Program => "something the program called does not come back (text, paths, pictures, parsing?)",
            Awaited::Evidence => "its evidence is still being worked out",
        })?;
        match self.vertices {
            Some(vertices) => write!(f, " (its heaviest draw has {vertices} vertices)"),
            None => Ok(()),
        }
    }
}

/// What the adapter can do, in GL's terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BackendCaps {
    pub vendor: String,
    pub renderer: String,
    pub driver: String,
    pub max_texture_size: u32,
    pub max_3d_texture_size: u32,
    pub max_array_texture_layers: u32,
    pub max_samples: u32,
    pub max_color_attachments: u32,
    pub max_vertex_attributes: u32,
    pub max_texture_units_per_stage: u32,
    pub max_uniform_blocks_per_stage: u32,
    pub max_uniform_block_size: u64,
    pub uniform_buffer_offset_alignment: u32,
    pub max_varying_vectors: u32,
    pub max_point_size: f32,
    pub max_anisotropy: u16,
    pub float32_filterable: bool,
    pub float32_blendable: bool,
    pub rg11b10_renderable: bool,
    pub norm16: bool,
    pub bc: bool,
    pub etc2: bool,
    pub astc: bool,
    pub depth32_stencil8: bool,
    pub depth_clamp: bool,
    pub clip_distances: bool,
    pub polygon_mode_line: bool,
    pub dual_source_blending: bool,
    pub vertex_writable_storage: bool,
    /// It looks at the geometry that is drawn and needs the code for that (`Variant::observed`).
    #[serde(default)]
    pub observes: bool,
    /// Rounds that the loops of a shader may make in one invocation, all together, before it counts as running away.
    pub max_loop_rounds: u32,
    /// Rows of uniforms that fragment shaders had better get as flat varyings; 0: uniforms are cheap.
    pub max_flat_rows: u32,
    /// What is drawn to half-float images is rounded towards zero, not to the nearest (lavapipe).
    pub truncates_half: bool,
    /// Lines must be clipped at the sides of the picture by the shader: the rasteriser's arithmetic overflows on long ones, and
    /// floods whole tiles (lavapipe).
    #[serde(default)]
    pub clips_no_lines: bool,
    /// Sample counts that every colour format of GL's multisample list supports, ascending.
    pub sample_counts: Vec<u32>,
    /// Formats whose multisample support is narrower: format and its counts.
    pub narrower_sample_counts: Vec<(StorageFormat, Vec<u32>)>,
}

/// One presented frame on its way out of the back end: RGBA8, row 0 = top, not premultiplied.
#[derive(Clone, Debug)]
pub struct PresentedFrame {
    pub frame: u64,
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// Where presented frames go; called in frame order, possibly on the back end's thread.
pub type FrameSink = Box<dyn FnMut(PresentedFrame) + Send>;

/// Region covering one whole level and layer, for `read_image`.
pub fn whole_level(level: u32, layer: u32, width: u32, height: u32) -> ImageRegion {
    ImageRegion { level, origin: [0, 0, layer], extent: [width, height, 1], aspect: Aspect::All }
}
