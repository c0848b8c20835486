//! What every image entry point needs: the format features in force and the parts of the context that image work
//! borrows.

use crate::gl::caps::Extension as E;
use crate::gl::context::Context;
use crate::gl::formats::Features;
use crate::gl::objects::sampler::ParameterScope;
use crate::gl::state::dirty::Dirty;

/// Borrows the parts of a context that `ImageSink` consists of, leaving the rest free.
macro_rules! image_sink {
    ($context:expr) => {
        $crate::gl::images::ImageSink {
            stream: &mut $context.stream,
            ids: &mut $context.ids,
            store: &mut $context.images,
            rg11b10: $context.caps.backend.rg11b10_renderable,
        }
    };
}
pub(crate) use image_sink;

impl Context {
    /// The version and the enabled extensions, as the format table wants them.
    pub(crate) fn features(&self) -> Features {
        let webgl2 = self.is_webgl2();
        let has = |extension| self.caps.enabled(extension);
        // WebGL 1: asking for float textures turns on what renders to them, as far as offered.
        let implied = |extension, by| has(extension) || (!webgl2 && has(by) && self.caps.offered.has(extension));
        Features {
            webgl2,
            float_textures: has(E::OesTextureFloat),
            half_float_textures: has(E::OesTextureHalfFloat),
            float_linear: has(E::OesTextureFloatLinear),
            half_float_linear: has(E::OesTextureHalfFloatLinear),
            color_buffer_float: has(E::ExtColorBufferFloat) || implied(E::WebglColorBufferFloat, E::OesTextureFloat),
            color_buffer_half_float: implied(E::ExtColorBufferHalfFloat, E::OesTextureHalfFloat),
            depth_textures: has(E::WebglDepthTexture),
            srgb: has(E::ExtSrgb),
            norm16: has(E::ExtTextureNorm16),
            s3tc: has(E::WebglCompressedTextureS3tc),
            s3tc_srgb: has(E::WebglCompressedTextureS3tcSrgb),
            rgtc: has(E::ExtTextureCompressionRgtc),
            bptc: has(E::ExtTextureCompressionBptc),
            etc: has(E::WebglCompressedTextureEtc),
            etc1: has(E::WebglCompressedTextureEtc1),
            astc: has(E::WebglCompressedTextureAstc),
        }
    }

    pub(crate) fn parameter_scope(&self) -> ParameterScope {
        ParameterScope { webgl2: self.is_webgl2(), anisotropy: self.caps.enabled(E::ExtTextureFilterAnisotropic) }
    }

    /// Levels, parameters or images of a texture have changed.
    pub(crate) fn textures_changed(&mut self) {
        self.state.dirty |= Dirty::TEXTURES | Dirty::RENDER_TARGETS;
    }
}

impl Context {
    /// The stream's render targets and scissor are no longer what draws last sent.
    pub(crate) fn forget_sent_targets(&mut self) {
        self.sent_targets.forget();
        self.state.dirty |= Dirty::RENDER_TARGETS | Dirty::SCISSOR;
    }
}
