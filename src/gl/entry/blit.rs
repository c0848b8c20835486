//! `blitFramebuffer` and `invalidateFramebuffer`.

use crate::gl::command::{Aspect, Attachment, Blit, BlitSide, Command, Filter, ImageId, Rect};
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::error::{GlError, GlResult};
use crate::gl::images::targets::cut_scissor;
use crate::gl::objects::framebuffer::AttachmentName;
use crate::gl::validate::{blit as validate, framebuffer as validate_framebuffer};

impl Context {
    #[allow(clippy::too_many_arguments, reason = "as many as the call has")]
    pub fn blit_framebuffer(
        &mut self,
        src_x0: i32,
        src_y0: i32,
        src_x1: i32,
        src_y1: i32,
        dst_x0: i32,
        dst_y0: i32,
        dst_x1: i32,
        dst_y1: i32,
        mask: u32,
        filter: u32,
    ) {
        let (src, dst) = ([src_x0, src_y0, src_x1, src_y1], [dst_x0, dst_y0, dst_x1, dst_y1]);
        let result = self.try_blit(src, dst, mask, filter);
        self.check("blitFramebuffer", result);
    }

    fn try_blit(&mut self, src: [i32; 4], dst: [i32; 4], mask: u32, filter: u32) -> GlResult<()> {
        validate::rectangle(src)?;
        validate::rectangle(dst)?;
        let read = self.read_framebuffer()?;
        let draw = self.draw_framebuffer()?;
        let plan = validate::plan(&read, &draw, src, dst, mask, filter)?;
        let (width, height) = (draw.targets.width, draw.targets.height);
        let raster = &self.state.raster;
        let Ok(scissor) = cut_scissor(raster.scissor_test, raster.scissor, width, height) else { return Ok(()) };
        let source_size = [read.targets.width, read.targets.height];
        let Some(cut) = validate::destination_scissor(src, dst, source_size, [width, height], scissor) else {
            return Ok(());
        };
        if plan.color
            && let Some((_, from)) = read.read
        {
            for to in draw.targets.colors.iter().flatten() {
                self.push_blit(from, *to, src, dst, Aspect::All, plan.filter, cut);
            }
            self.note_drawn();
        }
        // One command for both planes where the images hold both.
        let depth = plan.depth.then_some(read.targets.depth.zip(draw.targets.depth)).flatten();
        let stencil = plan.stencil.then_some(read.targets.stencil.zip(draw.targets.stencil)).flatten();
        if let (Some((from, to)), Some(_)) = (depth, stencil) {
            self.push_blit(from, to, src, dst, Aspect::All, Filter::Nearest, cut);
        } else if let Some((from, to)) = depth {
            self.push_blit(from, to, src, dst, Aspect::Depth, Filter::Nearest, cut);
        } else if let Some((from, to)) = stencil {
            self.push_blit(from, to, src, dst, Aspect::Stencil, Filter::Nearest, cut);
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "as many as the command has")]
    fn push_blit(
        &mut self,
        from: Attachment,
        to: Attachment,
        src: [i32; 4],
        dst: [i32; 4],
        aspect: Aspect,
        filter: Filter,
        cut: Rect,
    ) {
        let side = |at: Attachment, rect| BlitSide { image: at.image, level: at.level, layer: at.layer, rect };
        self.push(Command::Blit(Blit {
            src: side(from, src),
            dst: side(to, dst),
            aspect,
            filter,
            scissor: Some(cut),
            dst_has_alpha: to.has_alpha,
        }));
    }

    pub fn invalidate_framebuffer(&mut self, target: u32, attachments: &[u32]) {
        let result = self.try_invalidate(target, attachments, None);
        self.check("invalidateFramebuffer", result);
    }

    pub fn invalidate_sub_framebuffer(
        &mut self,
        target: u32,
        attachments: &[u32],
        x: i32,
        y: i32,
        width: i32,
        height: i32,
    ) {
        let result = self.try_invalidate(target, attachments, Some([x, y, width, height]));
        self.check("invalidateSubFramebuffer", result);
    }

    fn try_invalidate(&mut self, target: u32, attachments: &[u32], part: Option<[i32; 4]>) -> GlResult<()> {
        let target = validate_framebuffer::framebuffer_target(target, true)?;
        if part.is_some_and(|[_, _, width, height]| width < 0 || height < 0) {
            return Err(GlError::invalid_value("width or height is negative"));
        }
        let name = self.framebuffer_bound_to(target);
        let colors = self.color_attachments();
        let mut wanted = Vec::with_capacity(attachments.len());
        for attachment in attachments {
            wanted.push(if name == 0 {
                match *attachment {
                    c::COLOR => AttachmentName::Color(0),
                    c::DEPTH => AttachmentName::Depth,
                    c::STENCIL => AttachmentName::Stencil,
                    _ => return Err(GlError::invalid_enum("invalid attachment of the default framebuffer")),
                }
            } else {
                validate_framebuffer::attachment_name(*attachment, colors)?
            });
        }
        // Only a whole, plain 2D attachment can be dropped: the command names images.
        let Ok(framebuffer) = self.resolve_framebuffer(name) else { return Ok(()) };
        if part.is_some() {
            return Ok(());
        }
        let depth_goes = wanted.iter().any(|at| matches!(at, AttachmentName::Depth | AttachmentName::DepthStencil));
        let stencil_goes = wanted.iter().any(|at| matches!(at, AttachmentName::Stencil | AttachmentName::DepthStencil));
        let mut images: Vec<ImageId> = Vec::new();
        for (index, color) in framebuffer.targets.colors.iter().enumerate() {
            if let Some(color) = color
                && wanted.contains(&AttachmentName::Color(index))
            {
                images.push(color.image);
            }
        }
        let depth_stencil = framebuffer.targets.depth.or(framebuffer.targets.stencil);
        if let Some(attachment) = depth_stencil
            && (depth_goes || framebuffer.targets.depth.is_none())
            && (stencil_goes || framebuffer.targets.stencil.is_none())
        {
            images.push(attachment.image);
        }
        images.retain(|image| self.is_single_target(*image));
        if !images.is_empty() {
            self.push(Command::Invalidate { images });
        }
        Ok(())
    }

    /// Renderbuffers and the drawing buffer consist of one layer and level: invalidating one drops the whole image.
    fn is_single_target(&self, image: ImageId) -> bool {
        let renderbuffer = self
            .objects
            .renderbuffers
            .iter()
            .any(|(_, buffer)| buffer.storage.and_then(|storage| storage.image) == Some(image));
        renderbuffer || self.drawing_buffer.owns(image)
    }
}
