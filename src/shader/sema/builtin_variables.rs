//! `gl_Position`, `gl_MaxDrawBuffers` and the like (GLSL ES 1.00 §7, 3.00 §7).

use super::{Analyzer, types};
use crate::shader::compile::ExtensionSet;
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{
    BuiltinVariable, Constant, Dialect, Expr, ExprKind, Field, Global, GlobalId, Precision, Scalar, Span, Stage,
    Storage, Struct, StructId, Type,
};

const VEC4: Type = Type::Vector(Scalar::Float, 4);

impl Analyzer<'_> {
    /// The expression a built-in's name stands for; `None` if this shader has no such built-in.
    pub fn builtin_name(&mut self, name: &str, span: Span) -> Checked<Option<Expr>> {
        if let Some((value, ty)) = self.builtin_constant(name) {
            return self.constant(value, ty, span).map(Some);
        }
        let Some(id) = self.builtin_global(name, span)? else { return Ok(None) };
        self.usage.globals.insert(id.0);
        let ty = self.global(id).map_or(Type::Void, |global| global.ty.clone());
        Ok(Some(Expr { kind: ExprKind::Global(id), ty, span }))
    }

    /// The global behind a built-in variable, made at its first use.
    pub fn builtin_global(&mut self, name: &str, span: Span) -> Checked<Option<GlobalId>> {
        if let Some(&id) = self.builtin_globals.get(name) {
            return Ok(Some(id));
        }
        let Some((name, variable, ty, precision)) = self.builtin_variable(name) else { return Ok(None) };
        let ty = if variable == BuiltinVariable::DepthRange { Type::Struct(self.depth_range()) } else { ty };
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: name.to_owned(),
            ty,
            storage: Storage::Builtin(variable),
            precision,
            init: None,
            used: false,
            span,
        });
        self.global_facts.push(super::GlobalFacts::default());
        self.builtin_globals.insert(name, id);
        Ok(Some(id))
    }

    fn depth_range(&mut self) -> StructId {
        if let Some(id) = self.depth_range_struct {
            return id;
        }
        let field = |name: &str| Field {
            name: name.to_owned(),
            ty: types::FLOAT,
            precision: Some(Precision::High),
            row_major: false,
        };
        let id = StructId(self.structs.len() as u32);
        self.structs.push(Struct {
            name: "gl_DepthRangeParameters".to_owned(),
            fields: vec![field("near"), field("far"), field("diff")],
        });
        self.depth_range_struct = Some(id);
        id
    }

    fn builtin_variable(&self, name: &str) -> Option<(&'static str, BuiltinVariable, Type, Option<Precision>)> {
        use BuiltinVariable as V;
        let (vertex, fragment) = (self.stage == Stage::Vertex, self.stage == Stage::Fragment);
        let (old, new) = (self.dialect == Dialect::Essl100, self.dialect == Dialect::Essl300);
        let has = |extension| self.extensions.contains(extension);
        let (high, medium) = (Some(Precision::High), Some(Precision::Medium));
        let base = ExtensionSet::WEBGL_DRAW_INSTANCED_BASE_VERTEX_BASE_INSTANCE;
        let data = Type::Array(Box::new(VEC4), self.draw_buffers().max(1));
        let distances = Type::Array(Box::new(types::FLOAT), self.options.limits.max_clip_distances.max(1));
        Some(match name {
            "gl_Position" if vertex => ("gl_Position", V::Position, VEC4, high),
            "gl_PointSize" if vertex => ("gl_PointSize", V::PointSize, types::FLOAT, if new { high } else { medium }),
            "gl_VertexID" if vertex && new => ("gl_VertexID", V::VertexId, types::INT, high),
            "gl_InstanceID" if vertex && new => ("gl_InstanceID", V::InstanceId, types::INT, high),
            "gl_DrawID" if vertex && has(ExtensionSet::WEBGL_MULTI_DRAW) => ("gl_DrawID", V::DrawId, types::INT, high),
            "gl_BaseVertex" if vertex && has(base) => ("gl_BaseVertex", V::BaseVertex, types::INT, high),
            "gl_BaseInstance" if vertex && has(base) => ("gl_BaseInstance", V::BaseInstance, types::INT, high),
            "gl_ClipDistance" if has(ExtensionSet::WEBGL_CLIP_CULL_DISTANCE) => {
                ("gl_ClipDistance", V::ClipDistance, distances, high)
            }
            "gl_FragCoord" if fragment => ("gl_FragCoord", V::FragCoord, VEC4, if new { high } else { medium }),
            "gl_FrontFacing" if fragment => ("gl_FrontFacing", V::FrontFacing, types::BOOL, None),
            "gl_PointCoord" if fragment => ("gl_PointCoord", V::PointCoord, Type::Vector(Scalar::Float, 2), medium),
            "gl_FragDepth" if fragment && new => ("gl_FragDepth", V::FragDepth, types::FLOAT, high),
            "gl_FragDepthEXT" if fragment && old && has(ExtensionSet::EXT_FRAG_DEPTH) => {
                ("gl_FragDepthEXT", V::FragDepth, types::FLOAT, high)
            }
            "gl_FragColor" if fragment && old => ("gl_FragColor", V::FragColor, VEC4, medium),
            "gl_FragData" if fragment && old => ("gl_FragData", V::FragData, data, medium),
            "gl_DepthRange" => ("gl_DepthRange", V::DepthRange, Type::Void, None),
            _ => return None,
        })
    }

    /// `gl_MaxDrawBuffers`: 1 in WebGL 1 until the context enables the extension.
    fn draw_buffers(&self) -> u32 {
        let limits = &self.options.limits;
        if self.options.webgl2 || self.options.extensions.contains(ExtensionSet::EXT_DRAW_BUFFERS) {
            limits.max_draw_buffers
        } else {
            1
        }
    }

    fn builtin_constant(&self, name: &str) -> Option<(Vec<Constant>, Type)> {
        let limits = &self.options.limits;
        let (old, new) = (self.dialect == Dialect::Essl100, self.dialect == Dialect::Essl300);
        let clip = self.extensions.contains(ExtensionSet::WEBGL_CLIP_CULL_DISTANCE);
        let dual = self.extensions.contains(ExtensionSet::EXT_BLEND_FUNC_EXTENDED);
        let value = match name {
            "gl_MaxVertexAttribs" => limits.max_vertex_attribs as i32,
            "gl_MaxVertexUniformVectors" => limits.max_vertex_uniform_vectors as i32,
            "gl_MaxVaryingVectors" if old => limits.max_varying_vectors as i32,
            "gl_MaxVertexOutputVectors" if new => limits.max_varying_vectors as i32,
            "gl_MaxFragmentInputVectors" if new => limits.max_varying_vectors as i32,
            "gl_MaxVertexTextureImageUnits" => limits.max_vertex_texture_image_units as i32,
            "gl_MaxCombinedTextureImageUnits" => limits.max_combined_texture_image_units as i32,
            "gl_MaxTextureImageUnits" => limits.max_fragment_texture_image_units as i32,
            "gl_MaxFragmentUniformVectors" => limits.max_fragment_uniform_vectors as i32,
            "gl_MaxDrawBuffers" => self.draw_buffers() as i32,
            "gl_MinProgramTexelOffset" if new => limits.min_program_texel_offset,
            "gl_MaxProgramTexelOffset" if new => limits.max_program_texel_offset,
            "gl_MaxClipDistances" if clip => limits.max_clip_distances as i32,
            "gl_MaxDualSourceDrawBuffersEXT" if dual => limits.max_dual_source_draw_buffers as i32,
            _ => return None,
        };
        Some((vec![Constant::Int(value)], types::INT))
    }

    /// `invariant gl_Position;` and redeclarations of `gl_ClipDistance`.
    pub fn redeclare_clip_distance(&mut self, span: Span, length: u32) -> Checked<()> {
        if length == 0 || length > self.options.limits.max_clip_distances {
            return Err(Diagnostic::new(span, "gl_ClipDistance", "redeclaration size out of range"));
        }
        let Some(id) = self.builtin_global("gl_ClipDistance", span)? else {
            return Err(Diagnostic::new(span, "gl_ClipDistance", "extension is disabled"));
        };
        if self.usage.globals.contains(&id.0) || self.functions.iter().any(|f| f.usage.globals.contains(&id.0)) {
            return Err(Diagnostic::new(span, "gl_ClipDistance", "redeclaration after use"));
        }
        if let Some(global) = self.globals.get_mut(id.0 as usize) {
            global.ty = Type::Array(Box::new(types::FLOAT), length);
        }
        Ok(())
    }
}
