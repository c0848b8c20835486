//! Clears: a load operation when nothing was drawn yet, a draw when masked, scissored or in mid-pass.

use super::context::WgpuBackend;
use super::draw::clip;
use super::format::texel_kind;
use super::internal::{InternalKey, InternalShader};
use super::pass::{Item, Pass};
use super::record::Bound;
use super::state::Dirty;
use crate::gl::backend::BackendError;
use crate::gl::command::{Clear, ClearColor, Rect};

/// One internal draw, cut by the scissor.
#[derive(Clone, Copy, Debug)]
pub struct InternalDraw {
    pub pipeline: u32,
    pub group: u32,
    pub offset: u32,
    pub scissor: Rect,
    pub stencil_reference: Option<u32>,
    /// Six vertices that fill the scissor's box, instead of three over the whole target.
    pub fit: bool,
}

impl Pass {
    pub fn push_internal(&mut self, draw: InternalDraw) {
        self.items.push(Item::Pipeline(draw.pipeline));
        self.push_group(0, draw.group, &[draw.offset]);
        let whole = Rect { x: 0, y: 0, width: self.width, height: self.height };
        let [x, y, width, height] = {
            let rect = if draw.fit { draw.scissor } else { whole };
            [rect.x, rect.y, rect.width, rect.height].map(|length| length as f32)
        };
        self.items.push(Item::Viewport([x, y, width, height, 0.0, 1.0]));
        self.items.push(Item::Scissor(draw.scissor));
        if let Some(reference) = draw.stencil_reference {
            self.items.push(Item::StencilReference(reference));
        }
        let count = if draw.fit { 6 } else { 3 };
        self.items.push(Item::Draw { first: 0, count, first_instance: 0, instances: 1 });
        self.draws += 1;
    }
}

fn clear_color(color: ClearColor, has_alpha: bool) -> wgpu::Color {
    let [r, g, b, a] = match color {
        ClearColor::Float(values) => values.map(f64::from),
        ClearColor::Sint(values) => values.map(f64::from),
        ClearColor::Uint(values) => values.map(f64::from),
    };
    wgpu::Color { r, g, b, a: if has_alpha { a } else { 1.0 } }
}

fn color_words(color: ClearColor) -> [u32; 4] {
    match color {
        ClearColor::Float(values) => values.map(f32::to_bits),
        ClearColor::Sint(values) => values.map(i32::cast_unsigned),
        ClearColor::Uint(values) => values,
    }
}

impl WgpuBackend {
    pub(super) fn clear(&mut self, clear: &Clear) -> Result<(), BackendError> {
        self.ensure_pass()?;
        let Some(pass) = self.open.as_ref() else { return Ok(()) };
        let size = Rect { x: 0, y: 0, width: pass.width, height: pass.height };
        let scissor = clip(self.state.scissor.unwrap_or(size), size.width, size.height);
        if scissor.width == 0 || scissor.height == 0 {
            return Ok(());
        }
        let whole = scissor == size;
        let masks: Vec<u8> = pass
            .colors
            .iter()
            .zip(clear.color_masks)
            .map(|(target, mask)| match target {
                // Without an alpha channel there is nothing to protect.
                Some(target) if !target.attachment.has_alpha && mask & 7 == 7 => 0xf,
                _ => mask & 0xf,
            })
            .collect();
        let unmasked = masks.iter().zip(&clear.colors).all(|(mask, color)| color.is_none() || *mask == 0xf)
            && clear.stencil.is_none_or(|(_, mask)| mask & 0xff == 0xff);
        if whole && unmasked && pass.draws > 0 && Self::clears_all(pass, clear) {
            // Nothing of what was drawn stays: forget it.
            if let Some(pass) = self.open.as_mut() {
                pass.colors.iter_mut().flatten().for_each(|color| color.store = false);
                pass.depth.iter_mut().for_each(|depth| depth.store = false);
            }
            self.close_pass();
            self.ensure_pass()?;
        }
        let Some(pass) = self.open.as_mut() else { return Ok(()) };
        let fold = whole && pass.draws == 0;
        let mut drawn_colors = Vec::new();
        for (index, (target, color)) in pass.colors.iter_mut().zip(&clear.colors).enumerate() {
            let (Some(target), Some(color)) = (target, color) else { continue };
            match masks[index] {
                0 => {}
                0xf if fold => target.clear = Some(clear_color(*color, target.attachment.has_alpha)),
                mask => {
                    let mask = if target.attachment.has_alpha { mask } else { mask & 7 };
                    drawn_colors.push((index, *color, mask));
                }
            }
        }
        let mut drawn_depth = None;
        let mut drawn_stencil = None;
        if let Some(target) = pass.depth.as_mut() {
            if let Some(depth) = clear.depth.filter(|_| target.has_depth) {
                if fold {
                    target.clear_depth = Some(depth.clamp(0.0, 1.0));
                } else {
                    drawn_depth = Some(depth.clamp(0.0, 1.0));
                }
            }
            if let Some((value, mask)) = clear.stencil.filter(|(_, mask)| target.has_stencil && mask & 0xff != 0) {
                if fold && mask & 0xff == 0xff {
                    target.clear_stencil = Some(value & 0xff);
                } else {
                    drawn_stencil = Some((value & 0xff, (mask & 0xff) as u8));
                }
            }
        }
        for (index, color, mask) in drawn_colors {
            self.draw_clear(Some((index, color, mask)), None, None, scissor)?;
        }
        if drawn_depth.is_some() || drawn_stencil.is_some() {
            self.draw_clear(None, drawn_depth, drawn_stencil, scissor)?;
        }
        Ok(())
    }

    /// Clears part of the open pass's attachments by a draw.
    fn draw_clear(
        &mut self,
        color: Option<(usize, ClearColor, u8)>,
        depth: Option<f32>,
        stencil: Option<(u32, u8)>,
        scissor: Rect,
    ) -> Result<(), BackendError> {
        let targets = self.parts.targets.get(self.key_now.targets).cloned();
        let targets = targets.ok_or_else(|| BackendError::Internal("a clear without targets".into()))?;
        let mut output = None;
        let mut colors: Vec<_> = targets.colors.iter().map(|color| color.map(|(format, _)| (format, 0))).collect();
        if let Some((index, _, mask)) = color
            && let Some(Some(target)) = colors.get_mut(index)
        {
            target.1 = mask;
            output = Some((index as u32, texel_kind(target.0)));
        }
        let key = InternalKey {
            shader: InternalShader::Clear { output },
            colors,
            depth: targets.depth.map(|format| (format, depth.is_some(), stencil.map_or(0, |(_, mask)| mask))),
            samples: targets.samples,
        };
        let (pipeline, layout) = self.internal_pipeline(key);
        let mut params = [0u32; 8];
        params[..4].copy_from_slice(&color.map_or([0; 4], |(_, color, _)| color_words(color)));
        params[4] = depth.unwrap_or(0.0).to_bits();
        let place = self.ring.push(&self.device.device, bytemuck::cast_slice(&params));
        let group = self.uniform_group(&layout, &[(place.chunk, 32)])?;
        let draw = InternalDraw {
            pipeline,
            group,
            offset: place.offset,
            scissor,
            stencil_reference: stencil.map(|(value, _)| value),
            fit: true,
        };
        // A clear counts for no query.
        let query = std::mem::take(&mut self.query_slot_open);
        let Some(pass) = self.open.as_mut() else { return Ok(()) };
        if query {
            pass.items.push(Item::EndQuery);
        }
        pass.push_internal(draw);
        self.bound = Bound::default();
        self.state.dirty = Dirty::ALL;
        if query {
            self.begin_query_slot()?;
        }
        Ok(())
    }

    /// The contents of these images are not needed any more.
    pub(super) fn invalidate(&mut self, images: &[crate::gl::command::ImageId]) -> Result<(), BackendError> {
        for id in images {
            let slot = self.images.slot(*id)?;
            self.renew_image(slot);
            if let Some(open) = &self.open
                && !open.has_attachment(slot)
            {
                continue;
            }
            let Some(pass) = self.last_pass_mut() else { continue };
            for color in pass.colors.iter_mut().flatten() {
                color.store &= color.attachment.image != slot;
            }
            if let Some(depth) = &mut pass.depth {
                depth.store &= depth.attachment.image != slot;
            }
        }
        Ok(())
    }
}
