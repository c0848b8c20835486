//! Arguments of the framebuffer and renderbuffer calls, and framebuffer completeness.

use crate::gl::backend::BackendCaps;
use crate::gl::command::{Attachment, ImageId, MAX_COLOR_ATTACHMENTS, RenderTargets};
use crate::gl::constants as c;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{Features, FormatInfo};
use crate::gl::objects::framebuffer::{AttachmentName, AttachmentPoint, Framebuffer, Incomplete, ResolvedFramebuffer};

/// Which binding a framebuffer target names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramebufferTarget {
    /// FRAMEBUFFER: binds both, asks the draw framebuffer.
    Both,
    Draw,
    Read,
}

pub fn framebuffer_target(value: u32, webgl2: bool) -> GlResult<FramebufferTarget> {
    match value {
        c::FRAMEBUFFER => Ok(FramebufferTarget::Both),
        c::DRAW_FRAMEBUFFER if webgl2 => Ok(FramebufferTarget::Draw),
        c::READ_FRAMEBUFFER if webgl2 => Ok(FramebufferTarget::Read),
        _ => Err(GlError::invalid_enum("invalid framebuffer target")),
    }
}

/// An attachment point: `colors` points exist.
pub fn attachment_name(value: u32, colors: u32) -> GlResult<AttachmentName> {
    match AttachmentName::from_gl(value) {
        None => Err(GlError::invalid_enum("invalid attachment")),
        Some(AttachmentName::Color(index)) if index as u32 >= colors => {
            Err(GlError::invalid_operation("the attachment exceeds MAX_COLOR_ATTACHMENTS"))
        }
        Some(name) => Ok(name),
    }
}

/// Sample counts of a format, ascending, 1 included.
pub fn sample_counts<'a>(info: &FormatInfo, caps: &'a BackendCaps) -> &'a [u32] {
    // ES 3.0 §4.4.2.1: integer formats need no more than one sample.
    if info.is_integer() && info.is_color() {
        return &[1];
    }
    caps.narrower_sample_counts
        .iter()
        .find(|(format, _)| *format == info.storage)
        .map_or(&caps.sample_counts, |(_, counts)| counts)
}

/// The count used for `wanted` samples: the least supported one that is not lower; 0 stays 0.
///
/// Errors: INVALID_OPERATION if more than the format's maximum are wanted.
pub fn sample_count(wanted: u32, info: &FormatInfo, caps: &BackendCaps) -> GlResult<u32> {
    if wanted == 0 {
        return Ok(0);
    }
    if info.is_integer() && info.is_color() {
        return Err(GlError::invalid_operation("integer formats are not multisampled"));
    }
    let counts = sample_counts(info, caps);
    counts
        .iter()
        .copied()
        .filter(|count| *count > 1 && *count >= wanted)
        .min()
        .ok_or_else(|| GlError::invalid_operation("samples exceeds the format's maximum"))
}

/// What one attachment point offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachedImage {
    pub info: &'static FormatInfo,
    pub size: [u32; 2],
    /// 0 = single-sampled.
    pub samples: u32,
    pub image: ImageId,
    pub level: u32,
    pub layer: u32,
}

impl AttachedImage {
    fn attachment(&self) -> Attachment {
        Attachment { image: self.image, level: self.level, layer: self.layer, has_alpha: self.info.has_alpha() }
    }

    fn same_place(&self, other: &Self) -> bool {
        (self.image, self.level, self.layer) == (other.image, other.level, other.layer)
    }
}

/// Framebuffer completeness, ES 3.0 §4.4.4.2 and WebGL's rules on top. `look` finds what hangs on a point; `None` is
/// an attachment that is not complete in itself.
pub fn resolve_framebuffer(
    framebuffer: &Framebuffer,
    features: &Features,
    mut look: impl FnMut(AttachmentPoint) -> Option<AttachedImage>,
) -> Result<ResolvedFramebuffer, Incomplete> {
    let mut found: [Option<AttachedImage>; MAX_COLOR_ATTACHMENTS] = [None; MAX_COLOR_ATTACHMENTS];
    let mut any: Option<AttachedImage> = None;
    let mut consider = |image: AttachedImage| -> Result<(), Incomplete> {
        let Some(first) = any else {
            any = Some(image);
            return Ok(());
        };
        if image.samples != first.samples {
            return Err(Incomplete::Multisample);
        }
        if image.size != first.size {
            return Err(Incomplete::Dimensions);
        }
        Ok(())
    };
    for (slot, point) in found.iter_mut().zip(&framebuffer.colors) {
        if point.is_some() {
            let image = look(*point).filter(|image| image.info.color_renderable(features));
            *slot = Some(image.ok_or(Incomplete::Attachment)?);
        }
    }
    let separate = framebuffer.depth.is_some() || framebuffer.stencil.is_some();
    if !features.webgl2 && framebuffer.depth_stencil.is_some() && separate
        || !features.webgl2 && framebuffer.depth.is_some() && framebuffer.stencil.is_some()
    {
        return Err(Incomplete::Unsupported);
    }
    let point_or = |own: AttachmentPoint| if own.is_some() { own } else { framebuffer.depth_stencil };
    let mut depth = None;
    let mut stencil = None;
    let depth_point = point_or(framebuffer.depth);
    if depth_point.is_some() {
        let image = look(depth_point).filter(|image| image.info.has_depth());
        depth = Some(image.ok_or(Incomplete::Attachment)?);
    }
    let stencil_point = point_or(framebuffer.stencil);
    if stencil_point.is_some() {
        let image = look(stencil_point).filter(|image| image.info.has_stencil());
        stencil = Some(image.ok_or(Incomplete::Attachment)?);
    }
    if !features.webgl2 && framebuffer.depth_stencil.is_some() && (depth.is_none() || stencil.is_none()) {
        return Err(Incomplete::Attachment);
    }
    for image in found.iter().flatten().chain(depth.iter()).chain(stencil.iter()) {
        consider(*image)?;
    }
    let first = any.ok_or(Incomplete::MissingAttachment)?;
    if let (Some(depth), Some(stencil)) = (&depth, &stencil)
        && !depth.same_place(stencil)
    {
        return Err(Incomplete::Unsupported);
    }
    // WEBGL_draw_buffers: one image, one colour attachment point.
    for (index, image) in found.iter().enumerate() {
        if let Some(image) = image
            && found[..index].iter().flatten().any(|other| other.same_place(image))
        {
            return Err(Incomplete::Unsupported);
        }
    }
    let mut colors = [None; MAX_COLOR_ATTACHMENTS];
    let mut formats = [None; MAX_COLOR_ATTACHMENTS];
    for index in 0..MAX_COLOR_ATTACHMENTS {
        if let Some(image) = found[index].filter(|_| framebuffer.draw_buffers[index]) {
            colors[index] = Some(image.attachment());
            formats[index] = Some(image.info);
        }
    }
    let read = framebuffer
        .read_buffer
        .and_then(|index| *found.get(usize::from(index))?)
        .map(|image| (image.info, image.attachment()));
    Ok(ResolvedFramebuffer {
        targets: RenderTargets {
            colors,
            depth: depth.map(|image| image.attachment()),
            stencil: stencil.map(|image| image.attachment()),
            width: first.size[0],
            height: first.size[1],
            samples: first.samples.max(1),
        },
        formats,
        read,
        depth: depth.map(|image| image.info),
        stencil: stencil.map(|image| image.info),
    })
}
