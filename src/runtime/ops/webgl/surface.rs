//! A WebGL canvas as the frame loop sees it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use deno_core::OpState;

use super::Places;
use crate::gl::Context;
use crate::gl::backend::{BackendError, PresentedFrame};
use crate::runtime::blame::Spot;
use crate::runtime::ops::console::{Console, Level};
use crate::runtime::surface::Surface;
use crate::runtime::unsupported::Unsupported;

/// The drawing buffer of one context.
pub struct WebGlSurface {
    context: Rc<RefCell<Context>>,
    places: Rc<Places>,
    /// Where refused and unsupported calls are told.
    page: Weak<RefCell<OpState>>,
    ever_drawn: bool,
    /// Length of the context's list of unsupported things that was told already.
    told: usize,
}

impl WebGlSurface {
    pub fn new(context: Rc<RefCell<Context>>, places: Rc<Places>, page: &Rc<RefCell<OpState>>) -> Self {
        Self { context, places, page: Rc::downgrade(page), ever_drawn: false, told: 0 }
    }

    /// Ends a frame: refused calls go to the console as in browsers, what is unsupported to the registry, and what the
    /// back end had to say comes back.
    fn end(&mut self) -> Result<(), BackendError> {
        let mut context = self.context.borrow_mut();
        context.next_task();
        let refused = context.errors_mut().take_log();
        let unsupported = context.unsupported_list();
        if (!refused.is_empty() || unsupported.len() > self.told)
            && let Some(page) = self.page.upgrade()
        {
            let mut page = page.borrow_mut();
            let interface = if context.is_webgl2() { "WebGL2RenderingContext" } else { "WebGLRenderingContext" };
            for entry in unsupported.iter().skip(self.told) {
                page.borrow_mut::<Unsupported>().note(interface, entry.call, &entry.detail);
            }
            self.told = unsupported.len();
            let console = page.borrow_mut::<Console>();
            for refusal in refused {
                let (code, message) = (refusal.error.code.name(), &refusal.error.message);
                let call = if refusal.call.is_empty() { String::new() } else { format!("{}: ", refusal.call) };
                // What a program draws with such a shader is missing from the picture.
                let level = if refusal.call == "useProgram" && message.starts_with("the program is not linked: ") {
                    Level::Error
                } else {
                    Level::Warn
                };
                console.push(level, &format!("WebGL: {code}: {call}{message}"));
            }
        }
        context.backend_error().map_or(Ok(()), |error| Err(error.clone()))
    }
}

impl Surface for WebGlSurface {
    fn size(&self) -> (u32, u32) {
        self.context.borrow().drawing_buffer_size()
    }

    fn ever_drawn(&self) -> bool {
        self.ever_drawn || self.context.borrow().drawing_buffer_is_drawn()
    }

    fn present(&mut self, frame: u64) -> Result<Option<PresentedFrame>, BackendError> {
        {
            let mut context = self.context.borrow_mut();
            self.ever_drawn |= context.drawing_buffer_is_drawn();
            context.present(frame);
        }
        self.end()?;
        Ok(None)
    }

    fn skip(&mut self) -> Result<(), BackendError> {
        {
            let mut context = self.context.borrow_mut();
            self.ever_drawn |= context.drawing_buffer_is_drawn();
            context.skip_frame();
        }
        self.end()
    }

    fn places(&self) -> (Option<Spot>, Option<Spot>) {
        (self.places.lost.borrow().clone(), self.places.made.clone())
    }

    fn lost(&self) -> Option<String> {
        let context = self.context.borrow();
        match context.backend_error() {
            Some(error) => Some(error.to_string()),
            None => context
                .is_context_lost()
                .then(|| "the page lost it (WEBGL_lose_context, or more than 16 contexts at a time)".to_owned()),
        }
    }
}
