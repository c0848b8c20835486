//! What draws, clears, blits and reads ask about images: framebuffers and sampled textures, resolved and cached.

use super::image_access::image_sink;
use crate::gl::command::{Attachment, Filter, ImageView, RenderTargets, SamplerDesc, WrapMode};
use crate::gl::context::Context;
use crate::gl::enums::TextureTarget;
use crate::gl::error::{GlError, GlResult};
use crate::gl::formats::{ComponentClass, Features};
use crate::gl::objects::framebuffer::{AttachmentPoint, Incomplete, ResolvedFramebuffer};
use crate::gl::objects::sampler::SamplingParameters;
use crate::gl::objects::texture::{Resolved, Texture};
use crate::gl::state::dirty::Dirty;
use crate::gl::validate::framebuffer::{AttachedImage, resolve_framebuffer};
use crate::shader::hir::{SamplerDimension, SamplerType, Scalar};

impl Context {
    /// Framebuffer `name` (0 = the drawing buffer), or why it is not complete. Cached while nothing changes.
    pub(crate) fn resolve_framebuffer(&mut self, name: u32) -> Result<ResolvedFramebuffer, Incomplete> {
        if name == 0 {
            let (resolved, cleared) =
                self.drawing_buffer.resolve(&mut image_sink!(self)).ok_or(Incomplete::Unsupported)?;
            if cleared {
                self.forget_sent_targets();
            }
            return Ok(resolved);
        }
        let features = self.current_features();
        if let Some((epoch, result)) = self.objects.framebuffers.get(name).and_then(|found| found.resolved)
            && epoch == self.images.epoch
        {
            return result;
        }
        let Some(framebuffer) = self.objects.framebuffers.get(name) else { return Err(Incomplete::Attachment) };
        let (textures, renderbuffers) = (&mut self.objects.textures, &self.objects.renderbuffers);
        let mut sink = image_sink!(self);
        let result = resolve_framebuffer(framebuffer, &features, |point| match point {
            AttachmentPoint::None => None,
            AttachmentPoint::Renderbuffer(name) => {
                let storage = renderbuffers.get(name)?.storage?;
                Some(AttachedImage {
                    info: storage.info,
                    size: [storage.width, storage.height],
                    samples: storage.samples,
                    image: storage.image?,
                    level: 0,
                    layer: 0,
                })
            }
            AttachmentPoint::Texture { name, level, layer, is_face, .. } => {
                let texture = textures.get_mut(name)?;
                attachable(texture, level)?;
                let face = if is_face { layer } else { 0 };
                let found = texture.level(level, face)?;
                let (info, size) = (found.info, found.size);
                if !is_face && layer >= size[2] {
                    return None;
                }
                let place = texture.place(&mut sink, level, face)?;
                let layer = if is_face { place.layer } else { layer };
                let [width, height, _] = size;
                Some(AttachedImage {
                    info,
                    size: [width, height],
                    samples: 0,
                    image: place.image,
                    level: place.level,
                    layer,
                })
            }
        });
        let epoch = self.images.epoch;
        if let Some(framebuffer) = self.objects.framebuffers.get_mut(name) {
            framebuffer.resolved = Some((epoch, result));
        }
        self.state.dirty |= Dirty::RENDER_TARGETS | Dirty::TEXTURES;
        result
    }

    /// The draw framebuffer, complete, or INVALID_FRAMEBUFFER_OPERATION.
    pub(crate) fn draw_framebuffer(&mut self) -> GlResult<ResolvedFramebuffer> {
        let name = self.state.bindings.draw_framebuffer;
        self.resolve_framebuffer(name)
            .map_err(|incomplete| GlError::invalid_framebuffer_operation(incomplete.message()))
    }

    /// The read framebuffer, complete, or INVALID_FRAMEBUFFER_OPERATION.
    pub(crate) fn read_framebuffer(&mut self) -> GlResult<ResolvedFramebuffer> {
        let name = self.state.bindings.read_framebuffer;
        self.resolve_framebuffer(name)
            .map_err(|incomplete| GlError::invalid_framebuffer_operation(incomplete.message()))
    }

    /// `features()`, kept until script enables an extension; what was resolved before is then forgotten.
    fn current_features(&mut self) -> Features {
        let enabled = self.caps.enabled;
        match self.images.features {
            Some((at, features)) if at == enabled => features,
            _ => {
                let features = self.features();
                self.images.features = Some((enabled, features));
                self.images.epoch += 1;
                for (_, texture) in self.objects.textures.iter_mut() {
                    texture.touch();
                }
                self.textures_changed();
                features
            }
        }
    }

    /// Every draw, clear and blit that may change the draw framebuffer says so.
    #[inline]
    pub(crate) fn note_drawn(&mut self) {
        if self.state.bindings.draw_framebuffer == 0 {
            self.drawing_buffer.mark_drawn();
        }
    }

    /// View and sampler for a sampler uniform of type `ty` on texture unit `unit`; incomplete or missing textures are
    /// black. Error: INVALID_OPERATION if the texture's format and the sampler's type do not go together.
    pub(crate) fn resolve_texture(&mut self, unit: u32, ty: SamplerType) -> GlResult<Resolved> {
        let target = match ty.dimension {
            SamplerDimension::D2 => TextureTarget::D2,
            SamplerDimension::Cube => TextureTarget::Cube,
            SamplerDimension::D3 => TextureTarget::D3,
            SamplerDimension::D2Array => TextureTarget::D2Array,
        };
        let unit = self.state.bindings.texture_units.get(unit as usize).copied().unwrap_or_default();
        let features = self.current_features();
        let max_anisotropy = self.caps.limits.max_anisotropy;
        let sampler = self.objects.samplers.get(unit.sampler).map(|sampler| sampler.parameters);
        if let Some(texture) = self.objects.textures.get_mut(unit.textures[target as usize]) {
            let parameters = sampler.unwrap_or(texture.parameters);
            check_kind(texture, &parameters, ty)?;
            let found = match texture.resolved {
                Some((version, shadow, found))
                    if sampler.is_none() && version == texture.version && shadow == ty.shadow =>
                {
                    found
                }
                _ => {
                    let mut sink = image_sink!(self);
                    let found = resolve_sampled(texture, &parameters, ty.shadow, &features, max_anisotropy, &mut sink);
                    if sampler.is_none() {
                        texture.resolved = Some((texture.version, ty.shadow, found));
                    }
                    found
                }
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let (view, sampler) = image_sink!(self).black(ty);
        Ok(Resolved { view, fetch_levels: 1, sampler })
    }

    /// The resolved view with all levels that can be fetched, unless one of them is being drawn to.
    pub(crate) fn widest_view(resolved: &Resolved, targets: &RenderTargets) -> ImageView {
        let wide = ImageView { levels: resolved.view.levels.max(resolved.fetch_levels), ..resolved.view };
        if Self::is_feedback(&wide, targets) { resolved.view } else { wide }
    }

    /// Does a sampled view overlap what is drawn to (WebGL 2 §3.7.8: feedback loops are INVALID_OPERATION)?
    pub(crate) fn is_feedback(view: &ImageView, targets: &RenderTargets) -> bool {
        let overlaps = |attachment: &Attachment| {
            attachment.image == view.image
                && attachment.level >= view.base_level
                && attachment.level - view.base_level < view.levels
        };
        targets.colors.iter().flatten().chain(&targets.depth).chain(&targets.stencil).any(overlaps)
    }
}

/// ES 3.0 §4.4.4.1: levels of mutable textures must lie in the sampled range, and be part of a complete chain.
fn attachable(texture: &Texture, level: u32) -> Option<()> {
    if texture.immutable_levels.is_some() || level == texture.base() {
        return Some(());
    }
    let levels = texture.mipmap_levels()?;
    (level > texture.base() && level - texture.base() < levels).then_some(())
}

/// WebGL: integer, float and comparing samplers must meet textures of their kind.
fn check_kind(texture: &Texture, parameters: &SamplingParameters, ty: SamplerType) -> GlResult<()> {
    let Some(info) = texture.base_info() else { return Ok(()) };
    let compares = info.has_depth() && parameters.compare;
    let fits = match ty.sampled {
        _ if ty.shadow || compares => ty.shadow && compares,
        Scalar::Int => info.class == ComponentClass::Sint && info.is_color(),
        Scalar::Uint => info.class == ComponentClass::Uint && info.is_color(),
        _ => !info.is_integer(),
    };
    if fits { Ok(()) } else { Err(GlError::invalid_operation("the texture's format does not fit the sampler's type")) }
}

/// Completeness (ES 3.0 §3.8.13, ES 2.0 §3.8.2) and the view; `None`: incomplete.
fn resolve_sampled(
    texture: &mut Texture,
    parameters: &SamplingParameters,
    shadow: bool,
    features: &Features,
    max_anisotropy: u16,
    sink: &mut crate::gl::images::ImageSink<'_>,
) -> Option<Resolved> {
    if !texture.is_base_complete() {
        return None;
    }
    let (info, size) = (texture.base_info()?, texture.base_size()?);
    let mut parameters = *parameters;
    let levels = match parameters.mip {
        Some(_) => texture.mipmap_levels()?,
        None => 1,
    };
    if parameters.is_linear() && !info.filterable(features) {
        if info.has_depth() && !info.is_integer() {
            // Comparing samplers filter; unsized depth textures (WebGL 1) may ask to, and get the nearest texel.
            if !parameters.compare && info.is_sized() {
                return None;
            }
            if !shadow {
                (parameters.mag, parameters.min) = (Filter::Nearest, Filter::Nearest);
                parameters.mip = parameters.mip.map(|_| Filter::Nearest);
            }
        } else if parameters.mag == Filter::Linear
            || parameters.min == Filter::Linear
            || parameters.mip == Some(Filter::Linear)
        {
            return None;
        }
    }
    if !features.webgl2 && size[..2].iter().any(|side| !side.is_power_of_two()) {
        let clamps = parameters.wrap[..2].iter().all(|wrap| *wrap == WrapMode::ClampToEdge);
        if !clamps || parameters.mip.is_some() {
            return None;
        }
    }
    texture.settle(sink);
    let view = texture.view(levels)?;
    let sampler: SamplerDesc = parameters.desc(shadow, max_anisotropy);
    let fetch_levels = if levels > 1 { levels } else { texture.mipmap_levels().unwrap_or(levels) };
    Some(Resolved { view, fetch_levels, sampler })
}
