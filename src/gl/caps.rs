//! Limits and extensions as script sees them, derived from what the back end can do.

use super::backend::BackendCaps;
use super::context::WebGlVersion;

/// Values of `getParameter` that never change.
#[derive(Clone, Debug)]
pub struct Limits {
    pub max_texture_size: u32,
    pub max_cube_map_texture_size: u32,
    pub max_3d_texture_size: u32,
    pub max_array_texture_layers: u32,
    pub max_renderbuffer_size: u32,
    pub max_viewport_dims: u32,
    pub max_samples: u32,
    pub max_color_attachments: u32,
    pub max_draw_buffers: u32,
    pub max_vertex_attributes: u32,
    pub max_texture_image_units: u32,
    pub max_vertex_texture_image_units: u32,
    pub max_combined_texture_image_units: u32,
    pub max_vertex_uniform_vectors: u32,
    pub max_fragment_uniform_vectors: u32,
    pub max_varying_vectors: u32,
    pub max_vertex_output_components: u32,
    pub max_fragment_input_components: u32,
    pub max_vertex_uniform_blocks: u32,
    pub max_fragment_uniform_blocks: u32,
    pub max_combined_uniform_blocks: u32,
    pub max_uniform_buffer_bindings: u32,
    pub max_uniform_block_size: u64,
    pub uniform_buffer_offset_alignment: u32,
    pub max_transform_feedback_separate_attribs: u32,
    pub max_transform_feedback_separate_components: u32,
    pub max_transform_feedback_interleaved_components: u32,
    pub max_element_index: u64,
    pub max_point_size: f32,
    pub max_anisotropy: u16,
    pub max_texture_lod_bias: f32,
    pub min_program_texel_offset: i32,
    pub max_program_texel_offset: i32,
    pub max_clip_distances: u32,
}

impl Limits {
    pub fn new(caps: &BackendCaps) -> Self {
        let units = caps.max_texture_units_per_stage.clamp(1, 32);
        let blocks = caps.max_uniform_blocks_per_stage.min(14);
        let varyings = caps.max_varying_vectors.max(1);
        let color = caps.max_color_attachments.clamp(1, 8);
        Self {
            max_texture_size: caps.max_texture_size,
            max_cube_map_texture_size: caps.max_texture_size,
            max_3d_texture_size: caps.max_3d_texture_size,
            max_array_texture_layers: caps.max_array_texture_layers,
            max_renderbuffer_size: caps.max_texture_size,
            max_viewport_dims: caps.max_texture_size,
            max_samples: caps.max_samples,
            max_color_attachments: color,
            max_draw_buffers: color,
            max_vertex_attributes: caps.max_vertex_attributes.min(16),
            max_texture_image_units: units,
            max_vertex_texture_image_units: units,
            max_combined_texture_image_units: units * 2,
            max_vertex_uniform_vectors: 1024,
            max_fragment_uniform_vectors: 1024,
            max_varying_vectors: varyings,
            max_vertex_output_components: varyings * 4,
            max_fragment_input_components: varyings * 4,
            max_vertex_uniform_blocks: blocks,
            max_fragment_uniform_blocks: blocks,
            max_combined_uniform_blocks: blocks * 2,
            max_uniform_buffer_bindings: (blocks * 2).max(24),
            max_uniform_block_size: caps.max_uniform_block_size,
            uniform_buffer_offset_alignment: caps.uniform_buffer_offset_alignment.max(4),
            max_transform_feedback_separate_attribs: 4,
            max_transform_feedback_separate_components: 4,
            max_transform_feedback_interleaved_components: 64,
            // ES 3.0 §2.8.3: at least 2^24 − 1; script sees 2^32 − 2 because the restart index is taken.
            max_element_index: 0xffff_fffe,
            max_point_size: caps.max_point_size,
            max_anisotropy: caps.max_anisotropy,
            max_texture_lod_bias: 2.0,
            min_program_texel_offset: -8,
            max_program_texel_offset: 7,
            max_clip_distances: if caps.clip_distances { 8 } else { 0 },
        }
    }
}

macro_rules! extensions {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// Extensions this engine knows. Order is the order of `getSupportedExtensions`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Extension { $($variant),* }

        impl Extension {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Name as `getSupportedExtensions` gives it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

extensions! {
    AngleInstancedArrays = "ANGLE_instanced_arrays",
    ExtBlendFuncExtended = "WEBGL_blend_func_extended",
    ExtBlendMinmax = "EXT_blend_minmax",
    ExtClipControl = "EXT_clip_control",
    ExtColorBufferFloat = "EXT_color_buffer_float",
    ExtColorBufferHalfFloat = "EXT_color_buffer_half_float",
    ExtConservativeDepth = "EXT_conservative_depth",
    ExtDepthClamp = "EXT_depth_clamp",
    ExtFloatBlend = "EXT_float_blend",
    ExtFragDepth = "EXT_frag_depth",
    ExtPolygonOffsetClamp = "EXT_polygon_offset_clamp",
    ExtRenderSnorm = "EXT_render_snorm",
    ExtShaderTextureLod = "EXT_shader_texture_lod",
    ExtSrgb = "EXT_sRGB",
    ExtTextureCompressionBptc = "EXT_texture_compression_bptc",
    ExtTextureCompressionRgtc = "EXT_texture_compression_rgtc",
    ExtTextureFilterAnisotropic = "EXT_texture_filter_anisotropic",
    ExtTextureNorm16 = "EXT_texture_norm16",
    KhrParallelShaderCompile = "KHR_parallel_shader_compile",
    OesDrawBuffersIndexed = "OES_draw_buffers_indexed",
    OesElementIndexUint = "OES_element_index_uint",
    OesFboRenderMipmap = "OES_fbo_render_mipmap",
    OesStandardDerivatives = "OES_standard_derivatives",
    OesTextureFloat = "OES_texture_float",
    OesTextureFloatLinear = "OES_texture_float_linear",
    OesTextureHalfFloat = "OES_texture_half_float",
    OesTextureHalfFloatLinear = "OES_texture_half_float_linear",
    OesVertexArrayObject = "OES_vertex_array_object",
    WebglClipCullDistance = "WEBGL_clip_cull_distance",
    WebglColorBufferFloat = "WEBGL_color_buffer_float",
    WebglCompressedTextureAstc = "WEBGL_compressed_texture_astc",
    WebglCompressedTextureEtc = "WEBGL_compressed_texture_etc",
    WebglCompressedTextureEtc1 = "WEBGL_compressed_texture_etc1",
    WebglCompressedTextureS3tc = "WEBGL_compressed_texture_s3tc",
    WebglCompressedTextureS3tcSrgb = "WEBGL_compressed_texture_s3tc_srgb",
    WebglDebugRendererInfo = "WEBGL_debug_renderer_info",
    WebglDebugShaders = "WEBGL_debug_shaders",
    WebglDepthTexture = "WEBGL_depth_texture",
    WebglDrawBuffers = "WEBGL_draw_buffers",
    WebglDrawInstancedBaseVertexBaseInstance = "WEBGL_draw_instanced_base_vertex_base_instance",
    WebglLoseContext = "WEBGL_lose_context",
    WebglMultiDraw = "WEBGL_multi_draw",
    WebglMultiDrawInstancedBaseVertexBaseInstance = "WEBGL_multi_draw_instanced_base_vertex_base_instance",
    WebglPolygonMode = "WEBGL_polygon_mode",
    WebglProvokingVertex = "WEBGL_provoking_vertex",
    WebglStencilTexturing = "WEBGL_stencil_texturing",
}

impl Extension {
    /// Offered by a context of that version on that back end?
    pub fn offered(self, version: WebGlVersion, caps: &BackendCaps) -> bool {
        use Extension as E;
        let one = version == WebGlVersion::One;
        match self {
            E::AngleInstancedArrays
            | E::ExtBlendMinmax
            | E::ExtFragDepth
            | E::ExtShaderTextureLod
            | E::ExtSrgb
            | E::OesElementIndexUint
            | E::OesFboRenderMipmap
            | E::OesStandardDerivatives
            | E::OesTextureFloat
            | E::OesTextureHalfFloat
            | E::OesTextureHalfFloatLinear
            | E::OesVertexArrayObject
            | E::WebglColorBufferFloat
            | E::WebglDepthTexture
            | E::WebglDrawBuffers => one,
            E::ExtColorBufferHalfFloat => true,
            E::ExtColorBufferFloat => !one && caps.rg11b10_renderable,
            E::ExtFloatBlend => caps.float32_blendable,
            E::OesTextureFloatLinear => caps.float32_filterable,
            E::ExtTextureNorm16 => !one && caps.norm16,
            E::ExtTextureCompressionBptc
            | E::ExtTextureCompressionRgtc
            | E::WebglCompressedTextureS3tc
            | E::WebglCompressedTextureS3tcSrgb => caps.bc,
            E::WebglCompressedTextureEtc | E::WebglCompressedTextureEtc1 => caps.etc2,
            E::WebglCompressedTextureAstc => caps.astc,
            E::ExtTextureFilterAnisotropic => caps.max_anisotropy > 1,
            E::ExtDepthClamp => caps.depth_clamp,
            E::WebglClipCullDistance => !one && caps.clip_distances,
            E::WebglPolygonMode => caps.polygon_mode_line,
            E::ExtBlendFuncExtended => !one && caps.dual_source_blending,
            E::OesDrawBuffersIndexed
            | E::WebglDrawInstancedBaseVertexBaseInstance
            | E::WebglMultiDrawInstancedBaseVertexBaseInstance
            | E::WebglProvokingVertex => !one,
            E::ExtClipControl
            | E::ExtPolygonOffsetClamp
            | E::KhrParallelShaderCompile
            | E::WebglDebugRendererInfo
            | E::WebglDebugShaders
            | E::WebglLoseContext
            | E::WebglMultiDraw => true,
            // Not offered: no back end path.
            E::ExtConservativeDepth | E::ExtRenderSnorm | E::WebglStencilTexturing => false,
        }
    }

    fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// A set of extensions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExtensionSet(u64);

impl ExtensionSet {
    #[inline]
    pub fn has(self, extension: Extension) -> bool {
        self.0 & extension.bit() != 0
    }

    pub fn add(&mut self, extension: Extension) {
        self.0 |= extension.bit();
    }

    pub fn iter(self) -> impl Iterator<Item = Extension> {
        Extension::ALL.iter().copied().filter(move |extension| self.has(*extension))
    }
}

/// Limits, offered and enabled extensions of one context.
#[derive(Clone, Debug)]
pub struct Caps {
    pub backend: BackendCaps,
    pub limits: Limits,
    pub offered: ExtensionSet,
    pub enabled: ExtensionSet,
}

impl Caps {
    pub fn new(backend: &BackendCaps, version: WebGlVersion) -> Self {
        let mut offered = ExtensionSet::default();
        for extension in Extension::ALL {
            if extension.offered(version, backend) {
                offered.add(*extension);
            }
        }
        Self { backend: backend.clone(), limits: Limits::new(backend), offered, enabled: ExtensionSet::default() }
    }

    /// Has script enabled the extension?
    #[inline]
    pub fn enabled(&self, extension: Extension) -> bool {
        self.enabled.has(extension)
    }
}
