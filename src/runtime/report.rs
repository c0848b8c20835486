use serde::{Deserialize, Serialize};

pub use super::left_out::LeftOut;
pub use super::ops::console::{ConsoleLine, Level};
pub use super::unsupported::UnsupportedUse;
pub use crate::project::FileRead;

/// What there is to say about a run so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// `THREE.REVISION` of the copy that registered last, if three.js was loaded.
    pub three_revision: Option<String>,
    /// V8's version.
    pub v8: String,
    /// Everything the page said, in order.
    pub console: Vec<ConsoleLine>,
    /// What was odd but not wrong.
    pub warnings: Vec<String>,
    pub unsupported: Vec<UnsupportedUse>,
    /// Files of the project and its packages that were read.
    pub files: Vec<FileRead>,
    /// Addresses that were asked for and do not exist, with who asked where known.
    pub missing: Vec<String>,
    /// Network addresses that were asked for and blocked.
    pub blocked: Vec<String>,
    /// What came from `data:` and `blob:` addresses, by media type.
    pub own: std::collections::BTreeMap<String, OwnBytes>,
    /// Modules that have not ended: they wait in a top-level await.
    pub waiting: Vec<String>,
    /// What of the page the video leaves out.
    pub left_out: LeftOut,
}

/// Bytes that the program gave to itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnBytes {
    pub count: u64,
    pub bytes: u64,
}

/// What became of one frame.
#[derive(Clone, Debug, Default)]
pub struct FrameOutcome {
    /// Size of the filmed canvas' drawing buffer; `None` while the page has no canvas with a context.
    pub canvas: Option<(u32, u32)>,
    /// Has the filmed canvas ever been drawn to?
    pub drawn: bool,
    /// The picture, if the canvas' context does not hand it out through its back end's sink (2D canvases).
    pub picture: Option<crate::gl::backend::PresentedFrame>,
    /// What the page shows behind the canvas.
    pub behind: crate::frame::Behind,
    /// What three.js' objects said, if evidence is wanted.
    pub scene: Option<crate::scene::FrameScene>,
}
