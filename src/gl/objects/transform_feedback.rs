//! Transform feedback objects.

use crate::gl::enums::PrimitiveMode;

/// One indexed buffer binding. `size` 0 = whole buffer (bindBufferBase).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexedBinding {
    pub buffer: u32,
    pub offset: u64,
    pub size: u64,
}

pub const MAX_FEEDBACK_BUFFERS: usize = 4;

#[derive(Clone, Debug, Default)]
pub struct TransformFeedback {
    pub bindings: [IndexedBinding; MAX_FEEDBACK_BUFFERS],
    /// Generic TRANSFORM_FEEDBACK_BUFFER lives in the context (WebGL 2), not here.
    pub active: Option<ActiveFeedback>,
    pub created: bool,
    pub deleted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveFeedback {
    pub mode: PrimitiveMode,
    pub paused: bool,
    pub program: u32,
    /// Vertices captured so far.
    pub vertices: u64,
}
