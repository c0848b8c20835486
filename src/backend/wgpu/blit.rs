//! Blits: a resolve target of the pass before, a plain copy, or a draw.

use super::clear::InternalDraw;
use super::context::WgpuBackend;
use super::draw::clip;
use super::format::{TexelKind, texel_kind};
use super::internal::{BlitOutput, BlitSource, InternalKey, InternalShader};
use super::pass::{ColorTarget, DepthTarget, Op, Pass, PassAttachment};
use super::texture::ImageSlot;
use crate::gl::backend::BackendError;
use crate::gl::command::{Aspect, Blit, Filter, ImageRegion, Rect};

/// A level of a layer of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub image: ImageSlot,
    pub level: u32,
    pub layer: u32,
}

/// A blit by drawing.
#[derive(Clone, Copy, Debug)]
pub struct BlitDraw {
    pub src: Place,
    pub dst: Place,
    pub src_rect: [i32; 4],
    pub dst_rect: [i32; 4],
    /// Further cut of the destination.
    pub scissor: Option<Rect>,
    pub linear: bool,
    /// Colour write mask.
    pub mask: u8,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
struct Params {
    dst_origin: [f32; 2],
    src_origin: [f32; 2],
    scale: [f32; 2],
    size: [f32; 2],
    slice: u32,
    samples: u32,
    bit: u32,
    unused: u32,
}

impl WgpuBackend {
    pub(super) fn blit(&mut self, blit: &Blit) -> Result<(), BackendError> {
        let src = Place { image: self.images.slot(blit.src.image)?, level: blit.src.level, layer: blit.src.layer };
        let dst = Place { image: self.images.slot(blit.dst.image)?, level: blit.dst.level, layer: blit.dst.layer };
        let format = self.images.get(src.image)?.format;
        let draw = BlitDraw {
            src,
            dst,
            src_rect: blit.src.rect,
            dst_rect: blit.dst.rect,
            scissor: blit.scissor,
            linear: blit.filter == Filter::Linear,
            mask: if blit.dst_has_alpha { 0xf } else { 0x7 },
        };
        if !format.is_depth_stencil_format() {
            return self.blit_color(&draw, blit.dst_has_alpha);
        }
        self.close_pass_using(src.image)?;
        self.close_pass_using(dst.image)?;
        let dst_format = self.images.get(dst.image)?.format;
        if blit.aspect != Aspect::Stencil && format.has_depth_aspect() && dst_format.has_depth_aspect() {
            self.draw_blit_depth(&draw)?;
        }
        if blit.aspect != Aspect::Depth && format.has_stencil_aspect() && dst_format.has_stencil_aspect() {
            self.draw_blit_stencil(&draw)?;
        }
        Ok(())
    }

    fn blit_color(&mut self, draw: &BlitDraw, dst_has_alpha: bool) -> Result<(), BackendError> {
        let (src, dst) = (self.images.get(draw.src.image)?, self.images.get(draw.dst.image)?);
        let (src_size, dst_size) = (src.level_size(draw.src.level), dst.level_size(draw.dst.level));
        let same_format = src.format == dst.format;
        let (src_samples, dst_samples) = (src.desc.samples, dst.desc.samples);
        let whole = |size: [u32; 3]| [0, 0, size[0] as i32, size[1] as i32];
        let dst_whole = Rect { x: 0, y: 0, width: dst_size[0], height: dst_size[1] };
        let unscissored = draw.scissor.is_none_or(|scissor| scissor == dst_whole);
        let is_whole = draw.src_rect == whole(src_size) && draw.dst_rect == whole(dst_size);
        if src_samples > 1
            && dst_samples == 1
            && same_format
            && is_whole
            && draw.src_rect == draw.dst_rect
            && unscissored
        {
            let features = self.device.adapter.get_texture_format_features(src.format);
            if features.flags.contains(wgpu::TextureFormatFeatureFlags::MULTISAMPLE_RESOLVE)
                && self.resolve(draw.src, draw.dst, dst_has_alpha)?
            {
                return Ok(());
            }
        }
        self.close_pass_using(draw.src.image)?;
        self.close_pass_using(draw.dst.image)?;
        if src_samples == dst_samples
            && same_format
            && dst_has_alpha
            && let Some((src_region, dst_region)) = self.plain_copy(draw)?
        {
            if src_region.extent.contains(&0) {
                return Ok(());
            }
            self.renew_image(draw.dst.image);
            let (src, dst) = (self.images.get(draw.src.image)?, self.images.get(draw.dst.image)?);
            let extent =
                wgpu::Extent3d { width: src_region.extent[0], height: src_region.extent[1], depth_or_array_layers: 1 };
            let op = Op::CopyTexture { src: src.place(src_region), dst: dst.place(dst_region), extent };
            self.push_before_pass(op);
            return Ok(());
        }
        self.draw_blit_color(draw)
    }

    /// Resolves at the end of the pass that drew the source, or by a pass of its own.
    fn resolve(&mut self, src: Place, dst: Place, dst_has_alpha: bool) -> Result<bool, BackendError> {
        let dst_last_pass = self.images.get(dst.image)?.last_pass;
        let target = self.attachment_of(dst.image, dst.level, dst.layer, dst_has_alpha)?;
        self.close_pass_using(src.image)?;
        self.close_pass_using(dst.image)?;
        self.renew_image(dst.image);
        let last = match self.ops.last_mut() {
            Some(Op::Pass(pass)) if pass.serial != dst_last_pass => Some(pass),
            _ => None,
        };
        if let Some(pass) = last {
            let found = pass.colors.iter_mut().flatten().find(|color| {
                color.attachment.same_place(src.image, src.level, src.layer)
                    && color.resolve.is_none()
                    && color.store
                    && (dst_has_alpha || !color.attachment.has_alpha)
            });
            if let Some(color) = found {
                color.resolve = Some(target);
                return Ok(true);
            }
        }
        if !dst_has_alpha {
            // The source's alpha may be anything: draw with alpha masked.
            return Ok(false);
        }
        let size = self.images.get(src.image)?.level_size(src.level);
        let attachment = self.attachment_of(src.image, src.level, src.layer, true)?;
        let mut pass = self.target_pass(Some(attachment), None, size);
        if let Some(Some(color)) = pass.colors.first_mut() {
            color.resolve = Some(target);
        }
        self.push_before_pass(Op::Pass(Box::new(pass)));
        Ok(true)
    }

    /// The regions of a blit that neither scales nor flips, cut to both images.
    fn plain_copy(&self, draw: &BlitDraw) -> Result<Option<(ImageRegion, ImageRegion)>, BackendError> {
        let [sx0, sy0, sx1, sy1] = draw.src_rect.map(i64::from);
        let [dx0, dy0, dx1, dy1] = draw.dst_rect.map(i64::from);
        if sx1 - sx0 != dx1 - dx0 || sy1 - sy0 != dy1 - dy0 || sx1 < sx0 || sy1 < sy0 {
            return Ok(None);
        }
        let src_size = self.images.get(draw.src.image)?.level_size(draw.src.level).map(i64::from);
        let dst_size = self.images.get(draw.dst.image)?.level_size(draw.dst.level).map(i64::from);
        let scissor = draw.scissor.map_or([0, 0, dst_size[0], dst_size[1]], |rect| {
            [
                rect.x.into(),
                rect.y.into(),
                i64::from(rect.x) + i64::from(rect.width),
                i64::from(rect.y) + i64::from(rect.height),
            ]
        });
        // In destination coordinates; the source is at `+ shift`.
        let shift = [sx0 - dx0, sy0 - dy0];
        let x0 = dx0.max(0).max(scissor[0]).max(-shift[0]);
        let y0 = dy0.max(0).max(scissor[1]).max(-shift[1]);
        let x1 = dx1.min(dst_size[0]).min(scissor[2]).min(src_size[0] - shift[0]);
        let y1 = dy1.min(dst_size[1]).min(scissor[3]).min(src_size[1] - shift[1]);
        let extent = [(x1 - x0).max(0) as u32, (y1 - y0).max(0) as u32, 1];
        let region = |level, origin: [i64; 2], layer| ImageRegion {
            level,
            origin: [origin[0].max(0) as u32, origin[1].max(0) as u32, layer],
            extent,
            aspect: Aspect::All,
        };
        Ok(Some((
            region(draw.src.level, [x0 + shift[0], y0 + shift[1]], draw.src.layer),
            region(draw.dst.level, [x0, y0], draw.dst.layer),
        )))
    }

    /// A recorded pass on given attachments that keeps what is there.
    pub(super) fn target_pass(
        &mut self,
        color: Option<PassAttachment>,
        depth: Option<(PassAttachment, wgpu::TextureFormat)>,
        size: [u32; 3],
    ) -> Pass {
        let pass = Pass {
            serial: self.next_serial(),
            colors: color
                .map(|attachment| Some(ColorTarget { attachment, clear: None, store: true, resolve: None }))
                .into_iter()
                .collect(),
            depth: depth.map(|(attachment, format)| DepthTarget {
                attachment,
                has_depth: format.has_depth_aspect(),
                has_stencil: format.has_stencil_aspect(),
                clear_depth: None,
                clear_stencil: None,
                store: true,
            }),
            width: size[0],
            height: size[1],
            ..Pass::default()
        };
        self.renew_attachments(&pass);
        pass
    }

    /// The parameters and bind group of a blit's draws.
    fn blit_inputs(
        &mut self,
        draw: &BlitDraw,
        layout: &super::program::GroupLayout,
        aspect: wgpu::TextureAspect,
        bit: u32,
    ) -> Result<(u32, u32), BackendError> {
        let image = self.images.get(draw.src.image)?;
        let size = image.level_size(draw.src.level);
        let span = |rect: [i32; 4], axis: usize| (f64::from(rect[axis + 2]) - f64::from(rect[axis])) as f32;
        let params = Params {
            dst_origin: [draw.dst_rect[0] as f32, draw.dst_rect[1] as f32],
            src_origin: [draw.src_rect[0] as f32, draw.src_rect[1] as f32],
            scale: [0, 1].map(|axis| span(draw.src_rect, axis) / span(draw.dst_rect, axis)),
            size: [size[0] as f32, size[1] as f32],
            slice: draw.src.layer,
            samples: image.desc.samples.max(1),
            bit,
            unused: 0,
        };
        let place = self.ring.push(&self.device.device, bytemuck::bytes_of(&params));
        let view = self.load_view(draw.src.image, draw.src.level, draw.src.layer, aspect)?;
        let group = self.internal_group(layout, place, &view, None)?;
        Ok((group, place.offset))
    }

    fn blit_source(&self, draw: &BlitDraw) -> Result<BlitSource, BackendError> {
        let image = self.images.get(draw.src.image)?;
        Ok(match (image.is_3d(), image.desc.samples > 1) {
            (true, _) => BlitSource::Volume,
            (_, true) => BlitSource::Multisampled,
            _ => BlitSource::Flat,
        })
    }

    /// Where a blit writes: its rectangle cut to target and scissor. `None` if nowhere.
    fn blit_scissor(&self, draw: &BlitDraw) -> Result<Option<Rect>, BackendError> {
        let size = self.images.get(draw.dst.image)?.level_size(draw.dst.level);
        let [x0, y0, x1, y1] = draw.dst_rect;
        let (left, right) = (x0.min(x1).max(0) as u32, x0.max(x1).max(0) as u32);
        let (bottom, top) = (y0.min(y1).max(0) as u32, y0.max(y1).max(0) as u32);
        let rect = Rect { x: left, y: bottom, width: right - left, height: top - bottom };
        let mut rect = clip(rect, size[0], size[1]);
        if let Some(scissor) = draw.scissor {
            let (right, top) = (rect.x + rect.width, rect.y + rect.height);
            let x = rect.x.max(scissor.x);
            let y = rect.y.max(scissor.y);
            let right = right.min(scissor.x.saturating_add(scissor.width));
            let top = top.min(scissor.y.saturating_add(scissor.height));
            rect = Rect { x, y, width: right.saturating_sub(x), height: top.saturating_sub(y) };
        }
        Ok((rect.width > 0 && rect.height > 0).then_some(rect))
    }

    /// Draws the source's colour, or its depth or stencil as colour, to a colour image.
    pub(super) fn draw_blit_color(&mut self, draw: &BlitDraw) -> Result<(), BackendError> {
        self.draw_blit_as(draw, wgpu::TextureAspect::All)
    }

    pub(super) fn draw_blit_as(&mut self, draw: &BlitDraw, aspect: wgpu::TextureAspect) -> Result<(), BackendError> {
        if let Some(pass) = self.blit_pass(draw, aspect)? {
            self.push_before_pass(Op::Pass(Box::new(pass)));
        }
        Ok(())
    }

    /// The pass that draws a blit to a colour image; `None`: nothing is in its rectangle.
    pub(super) fn blit_pass(
        &mut self,
        draw: &BlitDraw,
        aspect: wgpu::TextureAspect,
    ) -> Result<Option<Pass>, BackendError> {
        let Some(scissor) = self.blit_scissor(draw)? else { return Ok(None) };
        let kind = match aspect {
            wgpu::TextureAspect::DepthOnly => TexelKind::Depth,
            wgpu::TextureAspect::StencilOnly => TexelKind::Stencil,
            _ => texel_kind(self.images.get(draw.src.image)?.format),
        };
        let dst = self.images.get(draw.dst.image)?;
        let (format, size) = (dst.format, dst.level_size(draw.dst.level));
        let linear = draw.linear && kind == TexelKind::Float && self.blit_source(draw)? != BlitSource::Multisampled;
        let shader = InternalShader::Blit { source: self.blit_source(draw)?, kind, linear, output: BlitOutput::Color };
        let key = InternalKey { shader, colors: vec![Some((format, draw.mask))], depth: None, samples: 1 };
        let (pipeline, layout) = self.internal_pipeline(key);
        let (group, offset) = self.blit_inputs(draw, &layout, aspect, 0)?;
        let attachment = self.attachment_of(draw.dst.image, draw.dst.level, draw.dst.layer, true)?;
        let mut pass = self.target_pass(Some(attachment), None, size);
        pass.push_internal(InternalDraw { pipeline, group, offset, scissor, stencil_reference: None, fit: false });
        Ok(Some(pass))
    }

    /// Draws the source's depth (or first component) to a depth image.
    pub(super) fn draw_blit_depth(&mut self, draw: &BlitDraw) -> Result<(), BackendError> {
        let Some(scissor) = self.blit_scissor(draw)? else { return Ok(()) };
        let src_format = self.images.get(draw.src.image)?.format;
        let dst = self.images.get(draw.dst.image)?;
        let (format, size) = (dst.format, dst.level_size(draw.dst.level));
        let (kind, aspect) = if src_format.has_depth_aspect() {
            (TexelKind::Depth, wgpu::TextureAspect::DepthOnly)
        } else {
            (TexelKind::Float, wgpu::TextureAspect::All)
        };
        let shader =
            InternalShader::Blit { source: self.blit_source(draw)?, kind, linear: false, output: BlitOutput::Depth };
        let key = InternalKey { shader, colors: Vec::new(), depth: Some((format, true, 0)), samples: 1 };
        let (pipeline, layout) = self.internal_pipeline(key);
        let (group, offset) = self.blit_inputs(draw, &layout, aspect, 0)?;
        let attachment = self.attachment_of(draw.dst.image, draw.dst.level, draw.dst.layer, true)?;
        let mut pass = self.target_pass(None, Some((attachment, format)), size);
        pass.push_internal(InternalDraw { pipeline, group, offset, scissor, stencil_reference: None, fit: false });
        self.push_before_pass(Op::Pass(Box::new(pass)));
        Ok(())
    }

    /// Draws the source's stencil (or first unsigned component) to a stencil image: shaders cannot write stencil, so
    /// it is zeroed and then set bit by bit.
    pub(super) fn draw_blit_stencil(&mut self, draw: &BlitDraw) -> Result<(), BackendError> {
        let Some(scissor) = self.blit_scissor(draw)? else { return Ok(()) };
        let src_format = self.images.get(draw.src.image)?.format;
        let dst = self.images.get(draw.dst.image)?;
        let (format, size) = (dst.format, dst.level_size(draw.dst.level));
        let (kind, aspect) = if src_format.has_stencil_aspect() {
            (TexelKind::Stencil, wgpu::TextureAspect::StencilOnly)
        } else {
            (TexelKind::Uint, wgpu::TextureAspect::All)
        };
        let attachment = self.attachment_of(draw.dst.image, draw.dst.level, draw.dst.layer, true)?;
        let mut pass = self.target_pass(None, Some((attachment, format)), size);

        let zero = InternalKey {
            shader: InternalShader::Clear { output: None },
            colors: Vec::new(),
            depth: Some((format, false, 0xff)),
            samples: 1,
        };
        let (pipeline, layout) = self.internal_pipeline(zero);
        let place = self.ring.push(&self.device.device, &[0; 32]);
        let group = self.uniform_group(&layout, &[(place.chunk, 32)])?;
        let offset = place.offset;
        pass.push_internal(InternalDraw { pipeline, group, offset, scissor, stencil_reference: Some(0), fit: false });

        for bit in 0..8 {
            let key = InternalKey {
                shader: InternalShader::Blit {
                    source: self.blit_source(draw)?,
                    kind,
                    linear: false,
                    output: BlitOutput::StencilBit,
                },
                colors: Vec::new(),
                depth: Some((format, false, 1 << bit)),
                samples: 1,
            };
            let (pipeline, layout) = self.internal_pipeline(key);
            let (group, offset) = self.blit_inputs(draw, &layout, aspect, 1 << bit)?;
            pass.push_internal(InternalDraw {
                pipeline,
                group,
                offset,
                scissor,
                stencil_reference: Some(0xff),
                fit: false,
            });
        }
        self.push_before_pass(Op::Pass(Box::new(pass)));
        Ok(())
    }
}
