//! The drawing buffer: framebuffer 0 as ordinary images.
//!
//! Colour (multisampled if antialiased) and depth/stencil are images like any other; `present` resolves into a
//! single-sampled image and hands that on. Without `preserveDrawingBuffer` the contents are cleared after a
//! presentation, but only when something next touches the buffer.

use super::sink::ImageSink;
use crate::gl::backend::BackendCaps;
use crate::gl::command::{
    Aspect, Attachment, Blit, BlitSide, Clear, ClearColor, Command, Filter, ImageDimension, ImageId,
    MAX_COLOR_ATTACHMENTS, RenderTargets,
};
use crate::gl::constants as c;
use crate::gl::context::ContextSettings;
use crate::gl::formats::{FormatInfo, sized};
use crate::gl::objects::framebuffer::ResolvedFramebuffer;

/// Samples of an antialiased drawing buffer: 4, as browsers take, or the most there is below.
fn default_samples(caps: &BackendCaps) -> u32 {
    caps.sample_counts.iter().copied().filter(|count| *count <= 4).max().unwrap_or(1)
}

#[derive(Debug)]
pub struct DrawingBuffer {
    pub width: u32,
    pub height: u32,
    /// 1 = not antialiased.
    pub samples: u32,
    pub color_info: Option<&'static FormatInfo>,
    pub depth_stencil_info: Option<&'static FormatInfo>,
    images: Option<Images>,
    /// `drawBuffers([BACK])` or `[NONE]`.
    pub draw_back: bool,
    /// `readBuffer(BACK)` or `NONE`.
    pub read_back: bool,
    /// Something was drawn since the last presentation.
    drawn: bool,
    /// The contents are to be cleared before the next use.
    clear_pending: bool,
    /// Colour changed since it was last resolved.
    unresolved: bool,
}

#[derive(Clone, Copy, Debug)]
struct Images {
    color: ImageId,
    /// Single-sampled; `color` itself if that is.
    shown: ImageId,
    depth_stencil: Option<ImageId>,
}

impl DrawingBuffer {
    /// Buffer of the given attributes; images come with the first use. `settings` gets the size that was possible.
    pub fn new(settings: &mut ContextSettings, caps: &BackendCaps) -> Self {
        let side = |length: u32| length.clamp(1, caps.max_texture_size.max(1));
        (settings.width, settings.height) = (side(settings.width), side(settings.height));
        let samples = default_samples(caps);
        let depth_stencil = match (settings.depth, settings.stencil) {
            (true, true) => Some(c::DEPTH24_STENCIL8),
            (true, false) => Some(c::DEPTH_COMPONENT24),
            (false, true) => Some(c::STENCIL_INDEX8),
            (false, false) => None,
        };
        Self {
            width: settings.width,
            height: settings.height,
            samples: if settings.antialias { samples.max(1) } else { 1 },
            color_info: sized(if settings.alpha { c::RGBA8 } else { c::RGB8 }),
            depth_stencil_info: depth_stencil.and_then(sized),
            images: None,
            draw_back: true,
            read_back: true,
            drawn: false,
            clear_pending: true,
            unresolved: false,
        }
    }

    /// New size: contents are cleared (WebGL §2.2).
    pub fn resize(&mut self, sink: &mut ImageSink<'_>, width: u32, height: u32) {
        (self.width, self.height) = (width.max(1), height.max(1));
        if let Some(images) = self.images.take() {
            sink.delete(images.color);
            if images.shown != images.color {
                sink.delete(images.shown);
            }
            if let Some(depth_stencil) = images.depth_stencil {
                sink.delete(depth_stencil);
            }
        }
        self.clear_pending = true;
        self.drawn = true;
        self.unresolved = true;
    }

    fn images(&mut self, sink: &mut ImageSink<'_>) -> Option<Images> {
        if self.images.is_none() {
            let info = self.color_info?;
            let size = [self.width, self.height, 1];
            let color = sink.create(info, ImageDimension::D2, size, 1, self.samples);
            let shown = if self.samples > 1 { sink.create(info, ImageDimension::D2, size, 1, 1) } else { color };
            let depth_stencil =
                self.depth_stencil_info.map(|info| sink.create(info, ImageDimension::D2, size, 1, self.samples));
            self.images = Some(Images { color, shown, depth_stencil });
        }
        self.images
    }

    fn all_targets(&self, images: Images) -> RenderTargets {
        let attachment = |image, has_alpha| Attachment { image, level: 0, layer: 0, has_alpha };
        let has_alpha = self.color_info.is_some_and(FormatInfo::has_alpha);
        let mut colors = [None; MAX_COLOR_ATTACHMENTS];
        colors[0] = Some(attachment(images.color, has_alpha));
        let depth = self.depth_stencil_info.filter(|info| info.has_depth());
        let stencil = self.depth_stencil_info.filter(|info| info.has_stencil());
        RenderTargets {
            colors,
            depth: depth.and(images.depth_stencil).map(|image| attachment(image, false)),
            stencil: stencil.and(images.depth_stencil).map(|image| attachment(image, false)),
            width: self.width,
            height: self.height,
            samples: self.samples,
        }
    }

    /// Framebuffer 0 as a draw sees it. Carries out a pending clear; `clears` says that it did, so that the caller
    /// sends render targets and scissor again.
    pub fn resolve(&mut self, sink: &mut ImageSink<'_>) -> Option<(ResolvedFramebuffer, bool)> {
        let images = self.images(sink)?;
        let mut targets = self.all_targets(images);
        let clears = std::mem::take(&mut self.clear_pending);
        if clears {
            let has_alpha = self.color_info.is_some_and(FormatInfo::has_alpha);
            let mut colors = [None; MAX_COLOR_ATTACHMENTS];
            colors[0] = Some(ClearColor::Float([0.0, 0.0, 0.0, if has_alpha { 0.0 } else { 1.0 }]));
            let mut opened = targets;
            if let Some(color) = &mut opened.colors[0] {
                // The clear itself gives a buffer without alpha its alpha of 1.
                color.has_alpha = true;
            }
            sink.stream.commands.push(Command::SetRenderTargets(opened));
            sink.stream.commands.push(Command::SetScissor(None));
            sink.stream.commands.push(Command::Clear(Clear {
                colors,
                color_masks: [0xf; MAX_COLOR_ATTACHMENTS],
                depth: targets.depth.map(|_| 1.0),
                stencil: targets.stencil.map(|_| (0, u32::MAX)),
            }));
            self.unresolved = true;
        }
        let read = targets.colors[0].filter(|_| self.read_back).zip(self.color_info).map(|(at, info)| (info, at));
        let mut formats = [None; MAX_COLOR_ATTACHMENTS];
        if self.draw_back {
            formats[0] = self.color_info;
        } else {
            targets.colors[0] = None;
        }
        let resolved = ResolvedFramebuffer {
            targets,
            formats,
            read,
            depth: self.depth_stencil_info.filter(|info| info.has_depth()),
            stencil: self.depth_stencil_info.filter(|info| info.has_stencil()),
        };
        Some((resolved, clears))
    }

    /// A draw, clear or blit is about to change the colour buffer.
    pub fn mark_drawn(&mut self) {
        self.drawn = true;
        self.unresolved = true;
    }

    /// The single-sampled image with the present contents. A pending clear must have been carried out.
    pub fn single_sampled(&mut self, sink: &mut ImageSink<'_>) -> Option<ImageId> {
        let images = self.images(sink)?;
        if images.shown != images.color && std::mem::take(&mut self.unresolved) {
            let rect = [0, 0, self.width as i32, self.height as i32];
            let side = |image| BlitSide { image, level: 0, layer: 0, rect };
            sink.stream.commands.push(Command::Blit(Blit {
                src: side(images.color),
                dst: side(images.shown),
                aspect: Aspect::All,
                filter: Filter::Nearest,
                scissor: None,
                // Alpha is 1 already where the format has none.
                dst_has_alpha: true,
            }));
        }
        Some(images.shown)
    }

    /// Is the image part of the drawing buffer?
    pub fn owns(&self, image: ImageId) -> bool {
        self.images.is_some_and(|images| images.color == image || images.depth_stencil == Some(image))
    }

    /// Was anything drawn since the last presentation?
    pub fn is_drawn(&self) -> bool {
        self.drawn
    }

    /// Ends a frame without presenting it.
    pub fn skip(&mut self, preserve: bool) {
        if std::mem::take(&mut self.drawn) && !preserve {
            self.clear_pending = true;
        }
    }

    /// Presents frame `frame`. If nothing was drawn since the last one, its image is shown again.
    pub fn present(&mut self, sink: &mut ImageSink<'_>, frame: u64, settings: &ContextSettings) {
        let image = if self.drawn { self.single_sampled(sink) } else { self.images(sink).map(|images| images.shown) };
        let Some(image) = image else { return };
        sink.stream.commands.push(Command::Present {
            image,
            frame,
            opaque: !settings.alpha,
            premultiplied: settings.premultiplied_alpha,
        });
        if self.drawn && !settings.preserve_drawing_buffer {
            self.clear_pending = true;
        }
        self.drawn = false;
    }
}
