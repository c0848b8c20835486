//! Framebuffer objects: attachment points, draw and read buffers, and the cached result of resolving them.

use crate::gl::command::{MAX_COLOR_ATTACHMENTS, RenderTargets};
use crate::gl::constants as c;
use crate::gl::formats::FormatInfo;

/// What hangs on one attachment point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AttachmentPoint {
    #[default]
    None,
    Renderbuffer(u32),
    Texture {
        name: u32,
        level: u32,
        /// Cube face 0–5 if `is_face`, else layer or slice.
        layer: u32,
        is_face: bool,
        /// Attached by `framebufferTextureLayer`.
        layered_call: bool,
    },
}

impl AttachmentPoint {
    pub fn is_some(&self) -> bool {
        *self != Self::None
    }
}

/// Names of attachment points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttachmentName {
    Color(usize),
    Depth,
    Stencil,
    DepthStencil,
}

impl AttachmentName {
    /// `None`: not the name of an attachment point at all.
    pub fn from_gl(value: u32) -> Option<Self> {
        match value {
            c::DEPTH_ATTACHMENT => Some(Self::Depth),
            c::STENCIL_ATTACHMENT => Some(Self::Stencil),
            c::DEPTH_STENCIL_ATTACHMENT => Some(Self::DepthStencil),
            _ => value.checked_sub(c::COLOR_ATTACHMENT0).filter(|index| *index < 32).map(|i| Self::Color(i as usize)),
        }
    }
}

/// Result of resolving a framebuffer: what a draw, clear, blit or read needs to know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolvedFramebuffer {
    /// Targets by fragment output location, `drawBuffers` applied.
    pub targets: RenderTargets,
    /// Rows of `targets.colors`.
    pub formats: [Option<&'static FormatInfo>; MAX_COLOR_ATTACHMENTS],
    /// Row and place of the buffer that reads take colour from.
    pub read: Option<(&'static FormatInfo, crate::gl::command::Attachment)>,
    pub depth: Option<&'static FormatInfo>,
    pub stencil: Option<&'static FormatInfo>,
}

impl ResolvedFramebuffer {
    pub fn depth_bits(&self) -> u8 {
        self.depth.map_or(0, |info| info.bits.depth)
    }

    pub fn stencil_bits(&self) -> u8 {
        self.stencil.map_or(0, |info| info.bits.stencil)
    }
}

/// Why a framebuffer is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    Attachment,
    MissingAttachment,
    /// ES 3.0 would draw to the common part; browsers refuse it in both versions of WebGL.
    Dimensions,
    Multisample,
    Unsupported,
}

impl Incomplete {
    pub fn to_gl(self) -> u32 {
        match self {
            Self::Attachment => c::FRAMEBUFFER_INCOMPLETE_ATTACHMENT,
            Self::MissingAttachment => c::FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT,
            Self::Dimensions => c::FRAMEBUFFER_INCOMPLETE_DIMENSIONS,
            Self::Multisample => c::FRAMEBUFFER_INCOMPLETE_MULTISAMPLE,
            Self::Unsupported => c::FRAMEBUFFER_UNSUPPORTED,
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::Attachment => "framebuffer incomplete: an attachment is missing its storage or cannot be rendered to",
            Self::MissingAttachment => "framebuffer incomplete: nothing is attached",
            Self::Dimensions => "framebuffer incomplete: attachments differ in size",
            Self::Multisample => "framebuffer incomplete: attachments differ in samples",
            Self::Unsupported => "framebuffer unsupported: this combination of attachments cannot be drawn to",
        }
    }
}

#[derive(Debug)]
pub struct Framebuffer {
    pub colors: [AttachmentPoint; MAX_COLOR_ATTACHMENTS],
    pub depth: AttachmentPoint,
    pub stencil: AttachmentPoint,
    /// WebGL 1 keeps this point apart; in WebGL 2 it is `depth` and `stencil` at once.
    pub depth_stencil: AttachmentPoint,
    /// `drawBuffers`: is COLOR_ATTACHMENTi drawn to by output i?
    pub draw_buffers: [bool; MAX_COLOR_ATTACHMENTS],
    /// `readBuffer`: index of the colour attachment, or NONE.
    pub read_buffer: Option<u8>,
    /// Bound once: `isFramebuffer` is true from then on.
    pub bound: bool,
    /// Valid while the epoch of images stays; reset by attachment changes.
    pub(crate) resolved: Option<(u64, Result<ResolvedFramebuffer, Incomplete>)>,
}

impl Default for Framebuffer {
    fn default() -> Self {
        let mut draw_buffers = [false; MAX_COLOR_ATTACHMENTS];
        draw_buffers[0] = true;
        Self {
            colors: Default::default(),
            depth: AttachmentPoint::None,
            stencil: AttachmentPoint::None,
            depth_stencil: AttachmentPoint::None,
            draw_buffers,
            read_buffer: Some(0),
            bound: false,
            resolved: None,
        }
    }
}

impl Framebuffer {
    /// All points, for detaching and completeness.
    pub fn points_mut(&mut self) -> impl Iterator<Item = &mut AttachmentPoint> {
        self.colors.iter_mut().chain([&mut self.depth, &mut self.stencil, &mut self.depth_stencil])
    }

    pub fn points(&self) -> impl Iterator<Item = &AttachmentPoint> {
        self.colors.iter().chain([&self.depth, &self.stencil, &self.depth_stencil])
    }
}
