//! Renderbuffer objects.

use crate::gl::command::ImageId;
use crate::gl::formats::FormatInfo;

/// The store of a renderbuffer.
#[derive(Clone, Copy, Debug)]
pub struct RenderbufferStorage {
    pub info: &'static FormatInfo,
    /// As script named it (DEPTH_STENCIL keeps its name in the getter).
    pub internal_format: u32,
    pub width: u32,
    pub height: u32,
    /// RENDERBUFFER_SAMPLES: 0 = single-sampled.
    pub samples: u32,
    /// `None` if a side is 0.
    pub image: Option<ImageId>,
}

#[derive(Debug, Default)]
pub struct Renderbuffer {
    pub storage: Option<RenderbufferStorage>,
    /// Bound once: `isRenderbuffer` is true from then on.
    pub bound: bool,
    /// Framebuffer attachment points that hold it.
    pub refs: u32,
    pub deleted: bool,
}
