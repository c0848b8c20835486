//! Making, losing, restoring and resizing contexts; errors; extensions.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{OpState, op2, v8};
use deno_error::JsErrorBox;

use super::surface::WebGlSurface;
use super::{GlContext, Places};
use crate::gl::error::{ErrorCode, GlError};
use crate::gl::{Context, ContextSettings, WebGlVersion};
use crate::runtime::blame;
use crate::runtime::memory::admit;
use crate::runtime::ops::evidence::Evidence;
use crate::runtime::surface::{ContextRequest, GlFactory, Surfaces};

/// A new context for a canvas. Throws the reason (the event's `statusMessage`) if there can be none.
#[op2]
#[cppgc]
#[allow(clippy::too_many_arguments, reason = "the context attributes")]
pub fn op_gl_create_context(
    scope: &mut v8::PinScope<'_, '_>,
    state: Rc<RefCell<OpState>>,
    canvas: u32,
    webgl2: bool,
    width: u32,
    height: u32,
    alpha: bool,
    depth: bool,
    stencil: bool,
    antialias: bool,
    premultiplied_alpha: bool,
    preserve_drawing_buffer: bool,
) -> Result<GlContext, JsErrorBox> {
    let settings = ContextSettings {
        version: if webgl2 { WebGlVersion::Two } else { WebGlVersion::One },
        width,
        height,
        alpha,
        depth,
        stencil,
        antialias,
        premultiplied_alpha,
        preserve_drawing_buffer,
    };
    let request = ContextRequest {
        canvas,
        webgl2,
        width,
        height,
        alpha,
        depth,
        stencil,
        antialias,
        premultiplied_alpha,
        preserve_drawing_buffer,
    };
    let factory = state
        .borrow()
        .try_borrow::<GlFactory>()
        .cloned()
        .ok_or_else(|| JsErrorBox::generic("there is no graphics back end"))?;
    let backend = factory(&request).map_err(|error| JsErrorBox::generic(error.to_string()))?;
    let subject = state.borrow().try_borrow::<Evidence>().and_then(Evidence::subject);
    let context = Rc::new(RefCell::new(Context::new(settings, backend).with_subject(subject)));
    let places = Rc::new(Places { made: blame::here(scope), ..Places::default() });
    let surface = Rc::new(RefCell::new(WebGlSurface::new(context.clone(), places.clone(), &state)));
    state.borrow_mut().borrow_mut::<Surfaces>().0.insert(canvas, surface);
    Ok(GlContext::new(context, places, request, factory))
}

/// A new context in the place of a lost one, of the canvas's present size; false if there can be none.
#[op2(fast)]
pub fn op_gl_restore_context(#[cppgc] gl: &GlContext, width: u32, height: u32) -> bool {
    let mut context = gl.context.borrow_mut();
    let settings = ContextSettings { width, height, ..context.settings().clone() };
    let request = ContextRequest { width, height, ..gl.request };
    match (gl.factory)(&request) {
        Ok(backend) => {
            let subject = context.subject();
            *context = Context::new(settings, backend).with_subject(subject);
            *gl.places.lost.borrow_mut() = None;
            true
        }
        Err(error) => {
            tracing::warn!("the WebGL context cannot be restored: {error}");
            false
        }
    }
}

#[op2(fast)]
pub fn op_gl_get_error(#[cppgc] gl: &GlContext) -> u32 {
    gl.context.borrow_mut().get_error()
}

/// Latches an error that the shim found: an object of another context, a void location.
#[op2(fast)]
pub fn op_gl_generate_error(#[cppgc] gl: &GlContext, code: u32, #[string] call: &str, #[string] message: &str) {
    let code = match code {
        0x0500 => ErrorCode::InvalidEnum,
        0x0501 => ErrorCode::InvalidValue,
        _ => ErrorCode::InvalidOperation,
    };
    let text = format!("{call}: {message}");
    gl.context.borrow_mut().errors_mut().latch("", GlError::new(code, text));
}

#[op2(fast)]
pub fn op_gl_is_context_lost(#[cppgc] gl: &GlContext) -> bool {
    gl.context.borrow().is_context_lost()
}

#[op2(fast)]
pub fn op_gl_drawing_buffer_width(#[cppgc] gl: &GlContext) -> u32 {
    gl.context.borrow().drawing_buffer_size().0
}

#[op2(fast)]
pub fn op_gl_drawing_buffer_height(#[cppgc] gl: &GlContext) -> u32 {
    gl.context.borrow().drawing_buffer_size().1
}

/// The canvas was given a size: a new, cleared drawing buffer.
#[op2(fast)]
pub fn op_gl_resize(#[cppgc] gl: &GlContext, width: u32, height: u32) {
    gl.call(|c| c.resize_drawing_buffer(width, height));
}

/// A later task has begun: fences and queries of earlier ones may answer.
#[op2(fast)]
pub fn op_gl_next_task(#[cppgc] gl: &GlContext) {
    gl.call(Context::next_task);
}

/// What the canvas shows now: RGBA8, row 0 = top, premultiplied as the context is. A lost context shows nothing.
#[op2]
#[buffer]
pub fn op_gl_canvas_pixels(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, #[cppgc] gl: &GlContext) -> Vec<u8> {
    let (width, height) = gl.context.borrow().drawing_buffer_size();
    if !admit(scope, state, 4 * width as usize * height as usize) {
        return Vec::new();
    }
    gl.call(Context::read_drawing_buffer)
        .map_or_else(|| vec![0; width as usize * height as usize * 4], |pixels| pixels.rgba)
}

/// `null` when the context is lost.
#[op2]
#[serde]
pub fn op_gl_supported_extensions(#[cppgc] gl: &GlContext) -> Option<Vec<&'static str>> {
    gl.call(|c| Some(c.get_supported_extensions()))
}

#[op2(fast)]
pub fn op_gl_enable_extension(#[cppgc] gl: &GlContext, #[string] name: &str) {
    gl.call(|c| c.get_extension(name));
}

/// WEBGL_lose_context.loseContext: false if the context was lost already.
#[op2(nofast)]
pub fn op_gl_lose_context(scope: &mut v8::PinScope<'_, '_>, #[cppgc] gl: &GlContext) -> bool {
    let lost = gl.call(|c| {
        c.lose_context();
        true
    });
    if lost {
        *gl.places.lost.borrow_mut() = blame::here(scope);
    }
    lost
}
