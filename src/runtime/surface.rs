//! What a canvas' rendering context owes the frame loop, and how one gets its back end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::blame::Spot;
use crate::gl::backend::{BackendError, GlBackend, PresentedFrame};

/// What the page asked of `canvas.getContext('webgl…')`, as far as a back end cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContextRequest {
    /// The canvas' number in this run, from 1.
    pub canvas: u32,
    pub webgl2: bool,
    pub width: u32,
    pub height: u32,
    pub alpha: bool,
    pub depth: bool,
    pub stencil: bool,
    pub antialias: bool,
    pub premultiplied_alpha: bool,
    pub preserve_drawing_buffer: bool,
}

/// Makes a back end for a new WebGL context; called when the page asks a canvas for one.
pub type GlFactory = Rc<dyn Fn(&ContextRequest) -> Result<Box<dyn GlBackend>, BackendError>>;

/// A canvas' drawing buffer, seen from the frame loop. Implemented by each kind of context
/// (`ops/webgl`, `ops/canvas2d`) and registered in [`Surfaces`] under the canvas' number.
pub trait Surface {
    /// Drawing buffer size in pixels.
    fn size(&self) -> (u32, u32);

    /// Has anything been drawn or cleared since the context was made?
    fn ever_drawn(&self) -> bool;

    /// Hands what the canvas shows now to the video as frame `frame`; a buffer that is not preserved is
    /// then marked for clearing. WebGL contexts present through their back end and return `Ok(None)`: the
    /// frame comes out of its sink. Others return the pixels.
    fn present(&mut self, frame: u64) -> Result<Option<PresentedFrame>, BackendError>;

    /// Ends a frame that is not captured (warm-up, or another canvas is): the same clearing, no picture.
    fn skip(&mut self) -> Result<(), BackendError>;

    /// The message of a lost context, if it was lost.
    fn lost(&self) -> Option<String> {
        None
    }

    /// Where the program lost it, and where it was made.
    fn places(&self) -> (Option<Spot>, Option<Spot>) {
        (None, None)
    }
}

/// The surfaces of a run by canvas number; lives in `OpState`.
#[derive(Default)]
pub struct Surfaces(pub BTreeMap<u32, Rc<RefCell<dyn Surface>>>);
