//! The ops behind WebGLRenderingContext and WebGL2RenderingContext.
//!
//! Owns the handle that a context object holds, and the crossing of values: numbers come converted as WebIDL says (the
//! shims do that), lists and pixels are lent as slices, answers become the JavaScript types WebGL names. In: calls of
//! `js_shims/09*_webgl*.js`. Out: calls of [`crate::gl::Context`], one to one. Must not know: GL's rules, wgpu.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use deno_core::{GarbageCollected, v8};

use crate::gl::Context;
use crate::runtime::blame::Spot;
use crate::runtime::surface::{ContextRequest, GlFactory};

mod answer;
pub mod buffer;
pub(super) mod bytes;
pub mod context;
pub mod draw;
pub mod extensions;
pub mod framebuffer;
pub mod getters;
mod list;
pub mod program;
pub mod query;
pub mod read_pixels;
pub mod sampler;
pub mod state;
mod surface;
pub mod sync;
pub mod texture;
pub mod transform_feedback;
pub mod uniform;
pub mod upload;
pub mod vertex_array;

pub use list::webgl_ops;

#[cfg(test)]
mod tests;

/// Lines of the program that a context has to do with.
#[derive(Default)]
pub struct Places {
    /// Where it was made.
    made: Option<Spot>,
    /// Where the program lost it, if it did.
    lost: RefCell<Option<Spot>>,
}

/// What a WebGL context object holds of the engine.
pub struct GlContext {
    context: Rc<RefCell<Context>>,
    places: Rc<Places>,
    /// How it was made, to make another after a loss.
    request: ContextRequest,
    factory: GlFactory,
    /// Kind and name of the object the last getter answered with.
    answered: Cell<(u32, u32)>,
}

// SAFETY: holds no V8 handles, so there is nothing to trace.
unsafe impl GarbageCollected for GlContext {
    fn trace(&self, _visitor: &mut v8::cppgc::Visitor) {}

    fn get_name(&self) -> &'static std::ffi::CStr {
        c"GlContext"
    }
}

impl GlContext {
    fn new(context: Rc<RefCell<Context>>, places: Rc<Places>, request: ContextRequest, factory: GlFactory) -> Self {
        Self { context, places, request, factory, answered: Cell::new((0, 0)) }
    }

    /// Runs `f` on the context; the default, without a call, if the context is lost (WebGL 1.0 §5.14).
    /// No script runs inside, so the borrow cannot be met twice.
    #[inline]
    fn call<R: Default>(&self, f: impl FnOnce(&mut Context) -> R) -> R {
        let mut context = self.context.borrow_mut();
        if context.is_context_lost() { R::default() } else { f(&mut context) }
    }
}
