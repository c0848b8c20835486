//! The drawing buffer: resizing, presenting, reading what is on it.

use super::image_access::image_sink;
use crate::gl::command::{Aspect, ImageRegion};
use crate::gl::context::Context;
use crate::gl::state::dirty::Dirty;

/// Pixels of the drawing buffer: RGBA8, row 0 = top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingBufferPixels {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
    /// Colour is multiplied by alpha (the `premultipliedAlpha` attribute).
    pub premultiplied: bool,
}

impl Context {
    /// Width and height of the drawing buffer.
    pub fn drawing_buffer_size(&self) -> (u32, u32) {
        (self.drawing_buffer.width, self.drawing_buffer.height)
    }

    /// The canvas got a new size: contents are cleared. Sizes are clamped to 1..=MAX_TEXTURE_SIZE.
    pub fn resize_drawing_buffer(&mut self, width: u32, height: u32) {
        let max = self.caps.limits.max_texture_size;
        self.drawing_buffer.resize(&mut image_sink!(self), width.clamp(1, max), height.clamp(1, max));
        self.settings.width = self.drawing_buffer.width;
        self.settings.height = self.drawing_buffer.height;
        self.state.dirty |= Dirty::RENDER_TARGETS | Dirty::VIEWPORT | Dirty::SCISSOR;
    }

    /// Hands the present contents on as frame `frame` and submits. If nothing was drawn since the last frame, that
    /// one is shown again.
    pub fn present(&mut self, frame: u64) {
        let settings = self.settings.clone();
        self.drawing_buffer.present(&mut image_sink!(self), frame, &settings);
        self.submit();
    }

    /// Ends a frame that nobody films: the same clearing as `present`, no picture.
    pub fn skip_frame(&mut self) {
        self.drawing_buffer.skip(self.settings.preserve_drawing_buffer);
        self.submit();
    }

    /// Was anything drawn to the drawing buffer since the last `present`?
    pub fn drawing_buffer_is_drawn(&self) -> bool {
        self.drawing_buffer.is_drawn()
    }

    /// What `toDataURL`, `drawImage` and uploads from the canvas see. `None` if the context is lost.
    pub fn read_drawing_buffer(&mut self) -> Option<DrawingBufferPixels> {
        self.resolve_framebuffer(0).ok()?;
        let image = self.drawing_buffer.single_sampled(&mut image_sink!(self))?;
        let (width, height) = self.drawing_buffer_size();
        let region = ImageRegion { level: 0, origin: [0; 3], extent: [width, height, 1], aspect: Aspect::All };
        let bytes = self.with_backend(|backend| backend.read_image(image, region))?;
        let row = width as usize * 4;
        let mut rgba = Vec::with_capacity(row * height as usize);
        for line in bytes.get(..row * height as usize)?.chunks_exact(row).rev() {
            rgba.extend_from_slice(line);
        }
        if !self.settings.alpha {
            for pixel in rgba.chunks_exact_mut(4) {
                pixel[3] = 255;
            }
        }
        Some(DrawingBufferPixels { width, height, rgba, premultiplied: self.settings.premultiplied_alpha })
    }
}
