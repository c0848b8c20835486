//! Extensions, context attributes, loss, and the getters of WebGL's own (WebGL 1 §5.14.1, §5.14.14).

use crate::gl::caps::Extension;
use crate::gl::context::{Context, ContextSettings};
use crate::gl::error::{ErrorCode, GlError};

impl Context {
    /// `getSupportedExtensions`; empty when the context is lost (null in JS).
    pub fn get_supported_extensions(&self) -> Vec<&'static str> {
        self.caps.offered.iter().map(Extension::name).collect()
    }

    /// `getExtension`: enables it. Returns the canonical name, `None` = null. Names match in any case.
    pub fn get_extension(&mut self, name: &str) -> Option<&'static str> {
        let extension = self.caps.offered.iter().find(|extension| extension.name().eq_ignore_ascii_case(name))?;
        self.enable_extension(extension);
        Some(extension.name())
    }

    fn enable_extension(&mut self, extension: Extension) {
        if self.caps.enabled(extension) {
            return;
        }
        self.caps.enabled.add(extension);
        // Formats, filters and renderability may all have changed.
        self.extensions_changed();
        let implied: &[Extension] = match extension {
            Extension::OesTextureFloat => &[Extension::WebglColorBufferFloat, Extension::ExtFloatBlend],
            Extension::OesTextureHalfFloat => &[Extension::ExtColorBufferHalfFloat],
            Extension::ExtColorBufferFloat | Extension::WebglColorBufferFloat => &[Extension::ExtFloatBlend],
            Extension::WebglMultiDrawInstancedBaseVertexBaseInstance => {
                &[Extension::WebglMultiDraw, Extension::WebglDrawInstancedBaseVertexBaseInstance]
            }
            _ => &[],
        };
        for &other in implied {
            if self.caps.offered.has(other) {
                self.enable_extension(other);
            }
        }
    }

    fn extensions_changed(&mut self) {
        self.images.epoch += 1;
        self.textures_changed();
        self.state.dirty |= crate::gl::state::dirty::Dirty::BLEND;
    }

    /// `getError`: GL's number, 0 = none.
    pub fn get_error(&mut self) -> u32 {
        self.errors.take().map_or(0, ErrorCode::to_gl)
    }

    /// Attributes as the context has them.
    pub fn get_context_attributes(&self) -> &ContextSettings {
        &self.settings
    }

    /// WEBGL_lose_context.
    pub fn lose_context(&mut self) {
        if self.lost {
            return self.fail("loseContext", GlError::invalid_operation("the context is lost already"));
        }
        self.lose();
        self.errors.latch("loseContext", GlError::new(ErrorCode::ContextLost, "the context was lost on request"));
    }

    /// WEBGL_lose_context: the binding makes a new `Context` and fires the event; this only checks.
    pub fn restore_context(&mut self) -> bool {
        if !self.lost || self.backend_error.is_some() {
            self.fail("restoreContext", GlError::invalid_operation("the context is not lost, or for good"));
            return false;
        }
        true
    }

    /// `flush`: nothing need happen; the stream goes at the frame's end.
    pub fn flush(&mut self) {
        self.submit();
    }

    /// `finish`.
    pub fn finish(&mut self) {
        self.with_backend(|backend| backend.finish());
    }
}
