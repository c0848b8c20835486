//! `getParameter` and `getIndexedParameter` (WebGL 1 §5.14.3 table, WebGL 2 §3.7.2).

use crate::gl::caps::Extension as E;
use crate::gl::constants as c;
use crate::gl::context::Context;
use crate::gl::entry::state::blend_operation_to_gl;
use crate::gl::enums::{
    ClipDepthMode, ClipOrigin, ObjectKind, ParameterValue, PolygonMode, TextureTarget, compare_function_to_gl,
};
use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::transform_feedback::IndexedBinding;
use crate::gl::state::depth_stencil::StencilFaceGl;
use crate::gl::validate::state::stencil_operation_to_gl;

use ParameterValue as V;

impl Context {
    pub fn get_parameter(&mut self, name: u32) -> ParameterValue {
        if matches!(name, c::IMPLEMENTATION_COLOR_READ_FORMAT | c::IMPLEMENTATION_COLOR_READ_TYPE) {
            return self.implementation_color_read(name);
        }
        let found = self
            .fixed_parameter(name)
            .or_else(|| self.binding_parameter(name))
            .or_else(|| self.limit_parameter(name))
            .or_else(|| if self.is_webgl2() { self.limit_parameter_2(name) } else { None })
            .or_else(|| self.extension_parameter(name))
            .or_else(|| self.state.pixel_store.get(name, self.is_webgl2()))
            .or_else(|| self.framebuffer_parameter(name));
        found.unwrap_or_else(|| {
            self.fail("getParameter", GlError::invalid_enum(format!("unknown parameter {name:#06x}")));
            V::Null
        })
    }

    /// Fixed-function state.
    fn fixed_parameter(&self, name: u32) -> Option<V> {
        let (raster, depth_stencil) = (&self.state.raster, &self.state.depth_stencil);
        let blend = &self.state.blend.draw_buffers[0];
        Some(match name {
            c::BLEND => V::Bool(blend.enabled),
            c::BLEND_COLOR => V::FloatArray(self.state.blend.color.to_vec()),
            c::BLEND_SRC_RGB => V::Uint(blend.src_rgb.to_gl()),
            c::BLEND_DST_RGB => V::Uint(blend.dst_rgb.to_gl()),
            c::BLEND_SRC_ALPHA => V::Uint(blend.src_alpha.to_gl()),
            c::BLEND_DST_ALPHA => V::Uint(blend.dst_alpha.to_gl()),
            c::BLEND_EQUATION_RGB => V::Uint(blend_operation_to_gl(blend.equation_rgb)),
            c::BLEND_EQUATION_ALPHA => V::Uint(blend_operation_to_gl(blend.equation_alpha)),
            c::COLOR_WRITEMASK => color_mask(blend.write_mask),
            c::COLOR_CLEAR_VALUE => V::FloatArray(self.state.clear.color.to_vec()),
            c::DEPTH_CLEAR_VALUE => V::Float(self.state.clear.depth),
            c::STENCIL_CLEAR_VALUE => V::Int(self.state.clear.stencil),
            c::CULL_FACE => V::Bool(raster.cull_enabled),
            c::CULL_FACE_MODE => V::Uint(raster.cull_face.to_gl()),
            c::FRONT_FACE => V::Uint(if raster.front_face_ccw { c::CCW } else { c::CW }),
            c::DEPTH_TEST => V::Bool(depth_stencil.depth_test),
            c::DEPTH_FUNC => V::Uint(compare_function_to_gl(depth_stencil.depth_function)),
            c::DEPTH_WRITEMASK => V::Bool(depth_stencil.depth_mask),
            c::DEPTH_RANGE => V::FloatArray(raster.depth_range.to_vec()),
            c::DITHER => V::Bool(raster.dither),
            c::LINE_WIDTH => V::Float(raster.line_width),
            c::POLYGON_OFFSET_FILL => V::Bool(raster.polygon_offset_fill),
            c::POLYGON_OFFSET_FACTOR => V::Float(raster.polygon_offset[0]),
            c::POLYGON_OFFSET_UNITS => V::Float(raster.polygon_offset[1]),
            c::RASTERIZER_DISCARD if self.is_webgl2() => V::Bool(raster.rasterizer_discard),
            c::SAMPLE_ALPHA_TO_COVERAGE => V::Bool(raster.sample_alpha_to_coverage),
            c::SAMPLE_COVERAGE => V::Bool(raster.sample_coverage_enabled),
            c::SAMPLE_COVERAGE_VALUE => V::Float(raster.sample_coverage_value),
            c::SAMPLE_COVERAGE_INVERT => V::Bool(raster.sample_coverage_invert),
            c::SCISSOR_TEST => V::Bool(raster.scissor_test),
            c::SCISSOR_BOX => V::IntArray(raster.scissor.to_vec()),
            c::VIEWPORT => V::IntArray(raster.viewport.to_vec()),
            c::GENERATE_MIPMAP_HINT => V::Uint(raster.generate_mipmap_hint),
            c::FRAGMENT_SHADER_DERIVATIVE_HINT if self.is_webgl2() || self.caps.enabled(E::OesStandardDerivatives) => {
                V::Uint(raster.fragment_derivative_hint)
            }
            c::STENCIL_TEST => V::Bool(depth_stencil.stencil_test),
            c::STENCIL_FUNC..=c::STENCIL_WRITEMASK => {
                return stencil_parameter(&depth_stencil.front, name);
            }
            c::STENCIL_BACK_FUNC => return stencil_parameter(&depth_stencil.back, c::STENCIL_FUNC),
            c::STENCIL_BACK_FAIL => return stencil_parameter(&depth_stencil.back, c::STENCIL_FAIL),
            c::STENCIL_BACK_PASS_DEPTH_FAIL => {
                return stencil_parameter(&depth_stencil.back, c::STENCIL_PASS_DEPTH_FAIL);
            }
            c::STENCIL_BACK_PASS_DEPTH_PASS => {
                return stencil_parameter(&depth_stencil.back, c::STENCIL_PASS_DEPTH_PASS);
            }
            c::STENCIL_BACK_REF => return stencil_parameter(&depth_stencil.back, c::STENCIL_REF),
            c::STENCIL_BACK_VALUE_MASK => return stencil_parameter(&depth_stencil.back, c::STENCIL_VALUE_MASK),
            c::STENCIL_BACK_WRITEMASK => return stencil_parameter(&depth_stencil.back, c::STENCIL_WRITEMASK),
            _ => return None,
        })
    }

    /// What is bound.
    fn binding_parameter(&self, name: u32) -> Option<V> {
        use ObjectKind as K;
        let bindings = &self.state.bindings;
        let two = self.is_webgl2();
        let texture = |target| V::Object(K::Texture, bindings.active_texture_for(target));
        Some(match name {
            c::ACTIVE_TEXTURE => V::Uint(c::TEXTURE0 + bindings.active_texture),
            c::ARRAY_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.array),
            c::ELEMENT_ARRAY_BUFFER_BINDING => {
                V::Object(K::Buffer, self.objects.vertex_array(bindings.vertex_array).element_buffer)
            }
            c::CURRENT_PROGRAM => V::Object(K::Program, bindings.program),
            c::FRAMEBUFFER_BINDING => V::Object(K::Framebuffer, bindings.draw_framebuffer),
            c::RENDERBUFFER_BINDING => V::Object(K::Renderbuffer, bindings.renderbuffer),
            c::TEXTURE_BINDING_2D => texture(TextureTarget::D2),
            c::TEXTURE_BINDING_CUBE_MAP => texture(TextureTarget::Cube),
            c::VERTEX_ARRAY_BINDING if two || self.caps.enabled(E::OesVertexArrayObject) => {
                V::Object(K::VertexArray, bindings.vertex_array)
            }
            _ if !two => return None,
            c::READ_FRAMEBUFFER_BINDING => V::Object(K::Framebuffer, bindings.read_framebuffer),
            c::COPY_READ_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.copy_read),
            c::COPY_WRITE_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.copy_write),
            c::PIXEL_PACK_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.pixel_pack),
            c::PIXEL_UNPACK_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.pixel_unpack),
            c::TRANSFORM_FEEDBACK_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.transform_feedback),
            c::UNIFORM_BUFFER_BINDING => V::Object(K::Buffer, bindings.buffers.uniform),
            c::TRANSFORM_FEEDBACK_BINDING => V::Object(K::TransformFeedback, bindings.transform_feedback),
            c::TRANSFORM_FEEDBACK_ACTIVE => {
                V::Bool(self.objects.transform_feedback(bindings.transform_feedback).active.is_some())
            }
            c::TRANSFORM_FEEDBACK_PAUSED => V::Bool(
                self.objects.transform_feedback(bindings.transform_feedback).active.is_some_and(|active| active.paused),
            ),
            c::TEXTURE_BINDING_3D => texture(TextureTarget::D3),
            c::TEXTURE_BINDING_2D_ARRAY => texture(TextureTarget::D2Array),
            c::SAMPLER_BINDING => {
                let unit = bindings.texture_units.get(bindings.active_texture as usize);
                V::Object(K::Sampler, unit.map_or(0, |unit| unit.sampler))
            }
            _ => return None,
        })
    }

    /// Limits and strings both versions have.
    fn limit_parameter(&self, name: u32) -> Option<V> {
        let limits = &self.caps.limits;
        let int = |value: u32| V::Int(i32::try_from(value).unwrap_or(i32::MAX));
        Some(match name {
            c::VENDOR => V::String("WebKit".into()),
            c::RENDERER => V::String("WebKit WebGL".into()),
            c::VERSION if self.is_webgl2() => V::String("WebGL 2.0 (OpenGL ES 3.0 replay)".into()),
            c::VERSION => V::String("WebGL 1.0 (OpenGL ES 2.0 replay)".into()),
            c::SHADING_LANGUAGE_VERSION if self.is_webgl2() => {
                V::String("WebGL GLSL ES 3.00 (OpenGL ES GLSL ES 3.0 replay)".into())
            }
            c::SHADING_LANGUAGE_VERSION => V::String("WebGL GLSL ES 1.0 (OpenGL ES GLSL ES 1.0 replay)".into()),
            c::ALIASED_LINE_WIDTH_RANGE => V::FloatArray(vec![1.0, 1.0]),
            c::ALIASED_POINT_SIZE_RANGE => V::FloatArray(vec![1.0, limits.max_point_size]),
            c::SUBPIXEL_BITS => V::Int(8),
            c::COMPRESSED_TEXTURE_FORMATS => V::UintArray(crate::gl::formats::supported_compressed(&self.features())),
            c::MAX_TEXTURE_SIZE => int(limits.max_texture_size),
            c::MAX_CUBE_MAP_TEXTURE_SIZE => int(limits.max_cube_map_texture_size),
            c::MAX_RENDERBUFFER_SIZE => int(limits.max_renderbuffer_size),
            c::MAX_VIEWPORT_DIMS => V::IntArray(vec![limits.max_viewport_dims as i32; 2]),
            c::MAX_VERTEX_ATTRIBS => int(limits.max_vertex_attributes),
            c::MAX_TEXTURE_IMAGE_UNITS => int(limits.max_texture_image_units),
            c::MAX_VERTEX_TEXTURE_IMAGE_UNITS => int(limits.max_vertex_texture_image_units),
            c::MAX_COMBINED_TEXTURE_IMAGE_UNITS => int(limits.max_combined_texture_image_units),
            c::MAX_VERTEX_UNIFORM_VECTORS => int(limits.max_vertex_uniform_vectors),
            c::MAX_FRAGMENT_UNIFORM_VECTORS => int(limits.max_fragment_uniform_vectors),
            c::MAX_VARYING_VECTORS => int(limits.max_varying_vectors),
            _ => return None,
        })
    }

    /// Limits of WebGL 2.
    fn limit_parameter_2(&self, name: u32) -> Option<V> {
        let limits = &self.caps.limits;
        let int = |value: u32| V::Int(i32::try_from(value).unwrap_or(i32::MAX));
        let long = |value: u64| V::Int64(i64::try_from(value).unwrap_or(i64::MAX));
        let block_words = limits.max_uniform_block_size / 4;
        Some(match name {
            c::MAX_3D_TEXTURE_SIZE => int(limits.max_3d_texture_size),
            c::MAX_ARRAY_TEXTURE_LAYERS => int(limits.max_array_texture_layers),
            c::MAX_CLIENT_WAIT_TIMEOUT_WEBGL => V::Int64(0),
            c::MAX_COLOR_ATTACHMENTS => int(limits.max_color_attachments),
            c::MAX_DRAW_BUFFERS => int(limits.max_draw_buffers),
            c::MAX_ELEMENT_INDEX => long(limits.max_element_index),
            c::MAX_ELEMENTS_INDICES | c::MAX_ELEMENTS_VERTICES => V::Int(i32::MAX),
            c::MAX_SAMPLES => int(limits.max_samples),
            c::MAX_SERVER_WAIT_TIMEOUT => V::Int64(0),
            c::MAX_TEXTURE_LOD_BIAS => V::Float(limits.max_texture_lod_bias),
            c::MIN_PROGRAM_TEXEL_OFFSET => V::Int(limits.min_program_texel_offset),
            c::MAX_PROGRAM_TEXEL_OFFSET => V::Int(limits.max_program_texel_offset),
            c::MAX_VARYING_COMPONENTS => int(limits.max_varying_vectors * 4),
            c::MAX_VERTEX_OUTPUT_COMPONENTS => int(limits.max_vertex_output_components),
            c::MAX_FRAGMENT_INPUT_COMPONENTS => int(limits.max_fragment_input_components),
            c::MAX_VERTEX_UNIFORM_COMPONENTS => int(limits.max_vertex_uniform_vectors * 4),
            c::MAX_FRAGMENT_UNIFORM_COMPONENTS => int(limits.max_fragment_uniform_vectors * 4),
            c::MAX_VERTEX_UNIFORM_BLOCKS => int(limits.max_vertex_uniform_blocks),
            c::MAX_FRAGMENT_UNIFORM_BLOCKS => int(limits.max_fragment_uniform_blocks),
            c::MAX_COMBINED_UNIFORM_BLOCKS => int(limits.max_combined_uniform_blocks),
            c::MAX_UNIFORM_BUFFER_BINDINGS => int(limits.max_uniform_buffer_bindings),
            c::MAX_UNIFORM_BLOCK_SIZE => long(limits.max_uniform_block_size),
            c::UNIFORM_BUFFER_OFFSET_ALIGNMENT => int(limits.uniform_buffer_offset_alignment),
            c::MAX_COMBINED_VERTEX_UNIFORM_COMPONENTS => long(
                u64::from(limits.max_vertex_uniform_blocks) * block_words
                    + u64::from(limits.max_vertex_uniform_vectors) * 4,
            ),
            c::MAX_COMBINED_FRAGMENT_UNIFORM_COMPONENTS => long(
                u64::from(limits.max_fragment_uniform_blocks) * block_words
                    + u64::from(limits.max_fragment_uniform_vectors) * 4,
            ),
            c::MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS => {
                int(limits.max_transform_feedback_interleaved_components)
            }
            c::MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS => int(limits.max_transform_feedback_separate_attribs),
            c::MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS => int(limits.max_transform_feedback_separate_components),
            _ => return None,
        })
    }

    /// Parameters that an enabled extension adds.
    fn extension_parameter(&self, name: u32) -> Option<V> {
        let (limits, raster) = (&self.caps.limits, &self.state.raster);
        let (extension, value) = match name {
            c::UNMASKED_VENDOR_WEBGL => (E::WebglDebugRendererInfo, V::String(self.caps.backend.vendor.clone())),
            c::UNMASKED_RENDERER_WEBGL => (E::WebglDebugRendererInfo, V::String(self.caps.backend.renderer.clone())),
            c::MAX_TEXTURE_MAX_ANISOTROPY_EXT => {
                (E::ExtTextureFilterAnisotropic, V::Float(f32::from(limits.max_anisotropy)))
            }
            c::DEPTH_CLAMP_EXT => (E::ExtDepthClamp, V::Bool(raster.depth_clamp)),
            c::CLIP_ORIGIN_EXT => (
                E::ExtClipControl,
                V::Uint(match raster.clip_origin {
                    ClipOrigin::LowerLeft => c::LOWER_LEFT_EXT,
                    ClipOrigin::UpperLeft => c::UPPER_LEFT_EXT,
                }),
            ),
            c::CLIP_DEPTH_MODE_EXT => (
                E::ExtClipControl,
                V::Uint(match raster.clip_depth {
                    ClipDepthMode::NegativeOneToOne => c::NEGATIVE_ONE_TO_ONE_EXT,
                    ClipDepthMode::ZeroToOne => c::ZERO_TO_ONE_EXT,
                }),
            ),
            c::POLYGON_OFFSET_CLAMP_EXT => (E::ExtPolygonOffsetClamp, V::Float(raster.polygon_offset[2])),
            c::POLYGON_MODE_WEBGL => (
                E::WebglPolygonMode,
                V::Uint(match raster.polygon_mode {
                    PolygonMode::Fill => c::FILL_WEBGL,
                    PolygonMode::Line => c::LINE_WEBGL,
                }),
            ),
            c::POLYGON_OFFSET_LINE_WEBGL => (E::WebglPolygonMode, V::Bool(raster.polygon_offset_line)),
            c::PROVOKING_VERTEX_WEBGL => (
                E::WebglProvokingVertex,
                V::Uint(if raster.provoking_first {
                    c::FIRST_VERTEX_CONVENTION_WEBGL
                } else {
                    c::LAST_VERTEX_CONVENTION_WEBGL
                }),
            ),
            c::MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL => (E::ExtBlendFuncExtended, V::Int(1)),
            c::MAX_CLIP_DISTANCES_WEBGL => (E::WebglClipCullDistance, V::Int(limits.max_clip_distances as i32)),
            c::MAX_CULL_DISTANCES_WEBGL => (E::WebglClipCullDistance, V::Int(0)),
            c::MAX_COMBINED_CLIP_AND_CULL_DISTANCES_WEBGL => {
                (E::WebglClipCullDistance, V::Int(limits.max_clip_distances as i32))
            }
            c::CLIP_DISTANCE0_WEBGL..=c::CLIP_DISTANCE7_WEBGL => {
                (E::WebglClipCullDistance, V::Bool(raster.clip_distances >> (name - c::CLIP_DISTANCE0_WEBGL) & 1 != 0))
            }
            // WEBGL_draw_buffers, in WebGL 1.
            c::MAX_COLOR_ATTACHMENTS => (E::WebglDrawBuffers, V::Int(limits.max_color_attachments as i32)),
            c::MAX_DRAW_BUFFERS => (E::WebglDrawBuffers, V::Int(limits.max_draw_buffers as i32)),
            _ => return None,
        };
        self.caps.enabled(extension).then_some(value)
    }

    /// Bits, samples and buffers of the bound framebuffers.
    fn framebuffer_parameter(&mut self, name: u32) -> Option<V> {
        match name {
            c::DRAW_BUFFER0..=c::DRAW_BUFFER15 => {
                if !self.is_webgl2() && !self.caps.enabled(E::WebglDrawBuffers) {
                    return None;
                }
                let index = name - c::DRAW_BUFFER0;
                if index >= self.caps.limits.max_draw_buffers {
                    return None;
                }
                let on = match self.objects.framebuffers.get(self.state.bindings.draw_framebuffer) {
                    None if index == 0 => return Some(V::Uint(self.default_draw_buffer())),
                    None => false,
                    Some(framebuffer) => framebuffer.draw_buffers.get(index as usize).copied().unwrap_or(false),
                };
                Some(V::Uint(if on { c::COLOR_ATTACHMENT0 + index } else { c::NONE }))
            }
            c::READ_BUFFER if self.is_webgl2() => {
                Some(V::Uint(match self.objects.framebuffers.get(self.state.bindings.read_framebuffer) {
                    None => self.default_read_buffer(),
                    Some(framebuffer) => {
                        framebuffer.read_buffer.map_or(c::NONE, |index| c::COLOR_ATTACHMENT0 + u32::from(index))
                    }
                }))
            }
            c::RED_BITS
            | c::GREEN_BITS
            | c::BLUE_BITS
            | c::ALPHA_BITS
            | c::DEPTH_BITS
            | c::STENCIL_BITS
            | c::SAMPLES
            | c::SAMPLE_BUFFERS => {
                let framebuffer = match self.draw_framebuffer() {
                    Ok(framebuffer) => framebuffer,
                    Err(error) => {
                        self.fail("getParameter", error);
                        return Some(V::Null);
                    }
                };
                let color = framebuffer.formats.iter().flatten().next().map(|info| info.bits).unwrap_or_default();
                let samples = framebuffer.targets.samples;
                Some(V::Int(match name {
                    c::RED_BITS => i32::from(color.red),
                    c::GREEN_BITS => i32::from(color.green),
                    c::BLUE_BITS => i32::from(color.blue),
                    c::ALPHA_BITS => i32::from(color.alpha),
                    c::DEPTH_BITS => i32::from(framebuffer.depth_bits()),
                    c::STENCIL_BITS => i32::from(framebuffer.stencil_bits()),
                    c::SAMPLES if samples > 1 => samples as i32,
                    c::SAMPLE_BUFFERS => i32::from(samples > 1),
                    _ => 0,
                }))
            }
            _ => None,
        }
    }

    fn default_draw_buffer(&self) -> u32 {
        if self.drawing_buffer.draw_back { c::BACK } else { c::NONE }
    }

    fn default_read_buffer(&self) -> u32 {
        if self.drawing_buffer.read_back { c::BACK } else { c::NONE }
    }

    pub fn get_indexed_parameter(&mut self, target: u32, index: u32) -> ParameterValue {
        let result = self.indexed(target, index);
        self.check("getIndexedParameter", result)
    }

    fn indexed(&self, target: u32, index: u32) -> GlResult<V> {
        let out_of_range = || GlError::invalid_value("index is past the last binding point");
        let binding = |list: &[IndexedBinding]| list.get(index as usize).copied().ok_or_else(out_of_range);
        let feedback = self.objects.transform_feedback(self.state.bindings.transform_feedback);
        let blend = || {
            if !self.caps.enabled(E::OesDrawBuffersIndexed) {
                return Err(GlError::invalid_enum("unknown indexed parameter"));
            }
            self.state.blend.draw_buffers.get(index as usize).ok_or_else(out_of_range)
        };
        Ok(match target {
            c::UNIFORM_BUFFER_BINDING => {
                V::Object(ObjectKind::Buffer, binding(&self.state.bindings.uniform_buffers)?.buffer)
            }
            c::UNIFORM_BUFFER_START => V::Int64(binding(&self.state.bindings.uniform_buffers)?.offset as i64),
            c::UNIFORM_BUFFER_SIZE => V::Int64(binding(&self.state.bindings.uniform_buffers)?.size as i64),
            c::TRANSFORM_FEEDBACK_BUFFER_BINDING => V::Object(ObjectKind::Buffer, binding(&feedback.bindings)?.buffer),
            c::TRANSFORM_FEEDBACK_BUFFER_START => V::Int64(binding(&feedback.bindings)?.offset as i64),
            c::TRANSFORM_FEEDBACK_BUFFER_SIZE => V::Int64(binding(&feedback.bindings)?.size as i64),
            c::BLEND_EQUATION_RGB => V::Uint(blend_operation_to_gl(blend()?.equation_rgb)),
            c::BLEND_EQUATION_ALPHA => V::Uint(blend_operation_to_gl(blend()?.equation_alpha)),
            c::BLEND_SRC_RGB => V::Uint(blend()?.src_rgb.to_gl()),
            c::BLEND_DST_RGB => V::Uint(blend()?.dst_rgb.to_gl()),
            c::BLEND_SRC_ALPHA => V::Uint(blend()?.src_alpha.to_gl()),
            c::BLEND_DST_ALPHA => V::Uint(blend()?.dst_alpha.to_gl()),
            c::COLOR_WRITEMASK => color_mask(blend()?.write_mask),
            _ => return Err(GlError::invalid_enum("unknown indexed parameter")),
        })
    }
}

fn color_mask(mask: u8) -> V {
    V::BoolArray((0..4).map(|bit| mask >> bit & 1 != 0).collect())
}

fn stencil_parameter(face: &StencilFaceGl, name: u32) -> Option<V> {
    Some(match name {
        c::STENCIL_FUNC => V::Uint(compare_function_to_gl(face.function)),
        c::STENCIL_FAIL => V::Uint(stencil_operation_to_gl(face.fail)),
        c::STENCIL_PASS_DEPTH_FAIL => V::Uint(stencil_operation_to_gl(face.depth_fail)),
        c::STENCIL_PASS_DEPTH_PASS => V::Uint(stencil_operation_to_gl(face.pass)),
        c::STENCIL_REF => V::Int(face.reference),
        c::STENCIL_VALUE_MASK => V::Uint(face.read_mask),
        c::STENCIL_WRITEMASK => V::Uint(face.write_mask),
        _ => return None,
    })
}
