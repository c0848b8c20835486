//! `clear` and `clearBuffer*`.

use crate::gl::command::{Clear, ClearColor, Command, MAX_COLOR_ATTACHMENTS, Rect};
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::convert::clamp_number;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::ComponentClass;
use crate::gl::images::targets::cut_scissor;
use crate::gl::objects::framebuffer::ResolvedFramebuffer;
use crate::gl::state::dirty::Dirty;

impl Context {
    /// Sends render targets and scissor if they differ from what the stream last said. False: the scissor leaves
    /// nothing to draw.
    pub(crate) fn send_targets(&mut self, framebuffer: &ResolvedFramebuffer) -> bool {
        if !self.state.dirty.intersects(Dirty::RENDER_TARGETS | Dirty::SCISSOR) {
            return self.sent_targets.visible;
        }
        let targets = &framebuffer.targets;
        let raster = &self.state.raster;
        let scissor = cut_scissor(raster.scissor_test, raster.scissor, targets.width, targets.height);
        // An empty scissor draws nothing, but captures of transform feedback still need their targets.
        let sent = scissor.unwrap_or(Some(Rect { x: 0, y: 0, width: 0, height: 0 }));
        self.sent_targets.send(&mut self.stream, targets, sent);
        self.sent_targets.visible = scissor.is_ok();
        self.state.dirty.remove(Dirty::RENDER_TARGETS | Dirty::SCISSOR);
        scissor.is_ok()
    }

    /// Kept as given: floating-point buffers take values outside [0, 1].
    pub fn clear_color(&mut self, red: f32, green: f32, blue: f32, alpha: f32) {
        // WebGL 1 §5.14.3: NaN becomes 0.
        self.state.clear.color = [red, green, blue, alpha].map(|value| if value.is_nan() { 0.0 } else { value });
    }

    pub fn clear_depth(&mut self, depth: f32) {
        self.state.clear.depth = clamp_number(depth, 0.0, 1.0);
    }

    pub fn clear_stencil(&mut self, stencil: i32) {
        self.state.clear.stencil = stencil;
    }

    pub fn clear(&mut self, mask: u32) {
        let result = self.try_clear(mask);
        self.check("clear", result);
    }

    fn try_clear(&mut self, mask: u32) -> GlResult<()> {
        if mask & !(c::COLOR_BUFFER_BIT | c::DEPTH_BUFFER_BIT | c::STENCIL_BUFFER_BIT) != 0 {
            return Err(GlError::invalid_value("invalid clear mask"));
        }
        let framebuffer = self.draw_framebuffer()?;
        if self.state.raster.rasterizer_discard {
            return Ok(());
        }
        let mut clear = self.empty_clear();
        if mask & c::COLOR_BUFFER_BIT != 0 {
            let color = self.state.clear.color;
            for (slot, info) in clear.colors.iter_mut().zip(&framebuffer.formats) {
                let Some(info) = info else { continue };
                if info.is_integer() {
                    return Err(GlError::invalid_operation("an integer colour buffer needs clearBuffer"));
                }
                *slot = Some(ClearColor::Float(clamp_for(info.class, color)));
            }
        }
        if mask & c::DEPTH_BUFFER_BIT != 0 && framebuffer.depth.is_some() && self.state.depth_stencil.depth_mask {
            clear.depth = Some(self.state.clear.depth.clamp(0.0, 1.0));
        }
        if mask & c::STENCIL_BUFFER_BIT != 0 && framebuffer.stencil.is_some() {
            clear.stencil = self.stencil_clear(self.state.clear.stencil);
        }
        self.send_clear(&framebuffer, clear);
        Ok(())
    }

    fn stencil_clear(&self, value: i32) -> Option<(u32, u32)> {
        let mask = self.state.depth_stencil.front.write_mask & 0xff;
        (mask != 0).then_some(((value & 0xff) as u32, mask))
    }

    fn empty_clear(&self) -> Clear {
        let mut color_masks = [0; MAX_COLOR_ATTACHMENTS];
        for (mask, buffer) in color_masks.iter_mut().zip(&self.state.blend.draw_buffers) {
            *mask = buffer.write_mask;
        }
        Clear { colors: [None; MAX_COLOR_ATTACHMENTS], color_masks, depth: None, stencil: None }
    }

    fn send_clear(&mut self, framebuffer: &ResolvedFramebuffer, mut clear: Clear) {
        for (color, mask) in clear.colors.iter_mut().zip(clear.color_masks) {
            if mask == 0 {
                *color = None;
            }
        }
        let colors = clear.colors.iter().any(Option::is_some);
        if !colors && clear.depth.is_none() && clear.stencil.is_none() {
            return;
        }
        if self.send_targets(framebuffer) {
            self.send_subject();
            self.push(Command::Clear(clear));
            if colors {
                self.note_drawn();
            }
        }
    }

    pub fn clear_bufferfv(&mut self, buffer: u32, draw_buffer: i32, values: &[f32]) {
        let result = match buffer {
            c::COLOR => self.clear_color_buffer(draw_buffer, values, ComponentClass::Float, |value, class| {
                ClearColor::Float(clamp_for(class, value))
            }),
            c::DEPTH => self.clear_depth_stencil(draw_buffer, values.first().copied().ok_or_else(too_short), Ok(None)),
            _ => Err(GlError::invalid_enum("buffer must be COLOR or DEPTH")),
        };
        self.check("clearBufferfv", result);
    }

    pub fn clear_bufferiv(&mut self, buffer: u32, draw_buffer: i32, values: &[i32]) {
        let result = match buffer {
            c::COLOR => {
                self.clear_color_buffer(draw_buffer, values, ComponentClass::Sint, |value, _| ClearColor::Sint(value))
            }
            c::STENCIL => match values.first() {
                Some(value) => self.clear_stencil_only(draw_buffer, *value),
                None => Err(too_short()),
            },
            _ => Err(GlError::invalid_enum("buffer must be COLOR or STENCIL")),
        };
        self.check("clearBufferiv", result);
    }

    pub fn clear_bufferuiv(&mut self, buffer: u32, draw_buffer: i32, values: &[u32]) {
        let result = match buffer {
            c::COLOR => {
                self.clear_color_buffer(draw_buffer, values, ComponentClass::Uint, |value, _| ClearColor::Uint(value))
            }
            _ => Err(GlError::invalid_enum("buffer must be COLOR")),
        };
        self.check("clearBufferuiv", result);
    }

    pub fn clear_bufferfi(&mut self, buffer: u32, draw_buffer: i32, depth: f32, stencil: i32) {
        let result = if buffer == c::DEPTH_STENCIL {
            self.clear_depth_stencil(draw_buffer, Ok(depth), Ok(Some(stencil)))
        } else {
            Err(GlError::invalid_enum("buffer must be DEPTH_STENCIL"))
        };
        self.check("clearBufferfi", result);
    }

    /// `kind` is the form of the call: Float, Sint or Uint; the buffer must be of that kind (WebGL 2 §3.7.9).
    fn clear_color_buffer<T: Copy>(
        &mut self,
        draw_buffer: i32,
        values: &[T],
        kind: ComponentClass,
        color: impl Fn([T; 4], ComponentClass) -> ClearColor,
    ) -> GlResult<()> {
        let index = usize::try_from(draw_buffer)
            .ok()
            .filter(|index| *index < self.caps.limits.max_draw_buffers as usize)
            .ok_or_else(|| GlError::invalid_value("drawbuffer is negative or too large"))?;
        let value: [T; 4] = values.get(..4).and_then(|four| four.try_into().ok()).ok_or_else(too_short)?;
        let framebuffer = self.draw_framebuffer()?;
        let Some(info) = framebuffer.formats.get(index).copied().flatten() else { return Ok(()) };
        let found = if info.is_integer() { info.class } else { ComponentClass::Float };
        if found != kind {
            return Err(GlError::invalid_operation("the colour buffer is of another kind"));
        }
        if self.state.raster.rasterizer_discard {
            return Ok(());
        }
        let mut clear = self.empty_clear();
        if let Some(slot) = clear.colors.get_mut(index) {
            *slot = Some(color(value, info.class));
        }
        self.send_clear(&framebuffer, clear);
        Ok(())
    }

    fn clear_stencil_only(&mut self, draw_buffer: i32, value: i32) -> GlResult<()> {
        let framebuffer = self.depth_stencil_target(draw_buffer)?;
        if self.state.raster.rasterizer_discard {
            return Ok(());
        }
        let mut clear = self.empty_clear();
        clear.stencil = framebuffer.stencil.and_then(|_| self.stencil_clear(value));
        self.send_clear(&framebuffer, clear);
        Ok(())
    }

    fn clear_depth_stencil(
        &mut self,
        draw_buffer: i32,
        depth: GlResult<f32>,
        stencil: GlResult<Option<i32>>,
    ) -> GlResult<()> {
        let framebuffer = self.depth_stencil_target(draw_buffer)?;
        let (depth, stencil) = (depth?, stencil?);
        if self.state.raster.rasterizer_discard {
            return Ok(());
        }
        let mut clear = self.empty_clear();
        if framebuffer.depth.is_some() && self.state.depth_stencil.depth_mask {
            clear.depth = Some(clamp_number(depth, 0.0, 1.0));
        }
        if let Some(value) = stencil.filter(|_| framebuffer.stencil.is_some()) {
            clear.stencil = self.stencil_clear(value);
        }
        self.send_clear(&framebuffer, clear);
        Ok(())
    }

    fn depth_stencil_target(&mut self, draw_buffer: i32) -> GlResult<ResolvedFramebuffer> {
        if draw_buffer != 0 {
            return Err(GlError::invalid_value("drawbuffer must be 0"));
        }
        self.draw_framebuffer()
    }
}

fn too_short() -> GlError {
    GlError::invalid_value("too few values")
}

/// Fixed-point buffers clamp clear colours (ES 3.0 §4.2.3).
fn clamp_for(class: ComponentClass, color: [f32; 4]) -> [f32; 4] {
    match class {
        ComponentClass::Unorm => color.map(|value| clamp_number(value, 0.0, 1.0)),
        ComponentClass::Snorm => color.map(|value| clamp_number(value, -1.0, 1.0)),
        _ => color,
    }
}
