//! The front end, top to bottom: source text → checked HIR.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::error::{Diagnostic, InfoLog};
use super::hir::{self, Stage};
use super::{parse, preprocess, sema};

bitflags::bitflags! {
    /// WebGL extensions a context has enabled that change the shading language.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct ExtensionSet: u32 {
        const OES_STANDARD_DERIVATIVES = 1 << 0;
        const EXT_FRAG_DEPTH = 1 << 1;
        const EXT_SHADER_TEXTURE_LOD = 1 << 2;
        const EXT_DRAW_BUFFERS = 1 << 3;
        const WEBGL_MULTI_DRAW = 1 << 4;
        const WEBGL_CLIP_CULL_DISTANCE = 1 << 5;
        const EXT_BLEND_FUNC_EXTENDED = 1 << 6;
        const WEBGL_DRAW_INSTANCED_BASE_VERTEX_BASE_INSTANCE = 1 << 7;
    }
}

/// The context's limits as the language sees them (`gl_MaxVertexAttribs`, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShaderLimits {
    pub max_vertex_attribs: u32,
    pub max_vertex_uniform_vectors: u32,
    pub max_fragment_uniform_vectors: u32,
    pub max_varying_vectors: u32,
    pub max_vertex_texture_image_units: u32,
    pub max_fragment_texture_image_units: u32,
    pub max_combined_texture_image_units: u32,
    pub max_draw_buffers: u32,
    pub max_dual_source_draw_buffers: u32,
    pub max_clip_distances: u32,
    pub min_program_texel_offset: i32,
    pub max_program_texel_offset: i32,
}

impl Default for ShaderLimits {
    /// What this engine's contexts report.
    fn default() -> Self {
        Self {
            max_vertex_attribs: 16,
            max_vertex_uniform_vectors: 1024,
            max_fragment_uniform_vectors: 1024,
            max_varying_vectors: 30,
            max_vertex_texture_image_units: 16,
            max_fragment_texture_image_units: 16,
            max_combined_texture_image_units: 32,
            max_draw_buffers: 8,
            max_dual_source_draw_buffers: 1,
            max_clip_distances: 8,
            min_program_texel_offset: -8,
            max_program_texel_offset: 7,
        }
    }
}

/// The context a shader is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CompileOptions {
    /// A WebGL 2 context: `#version 300 es` is understood.
    pub webgl2: bool,
    pub extensions: ExtensionSet,
    pub limits: ShaderLimits,
}

/// Stack of the thread a shader is compiled on: room for the deepest nesting the parser lets through, several
/// times over, in a build without optimisation.
const STACK: usize = 16 << 20;

/// Compiles one shader: preprocesses, parses and checks it.
///
/// Never panics and never recurses without bound, whatever the text; it does not matter how much stack the caller
/// has left. The log of a failure is never empty.
pub fn compile(stage: Stage, source: &str, options: &CompileOptions) -> Result<Arc<hir::Shader>, InfoLog> {
    let failed = || InfoLog::from(Diagnostic::new(hir::Span { line: 1, column: 1 }, "", "internal compiler error"));
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("shader".into()).stack_size(STACK);
        match thread.spawn_scoped(scope, || compile_here(stage, source, options)) {
            Ok(running) => running.join().unwrap_or_else(|_| Err(failed())),
            Err(_) => Err(failed()),
        }
    })
}

fn compile_here(stage: Stage, source: &str, options: &CompileOptions) -> Result<Arc<hir::Shader>, InfoLog> {
    let unit = preprocess::preprocess(source, stage, options)?;
    let tree = parse::parse(&unit)?;
    let mut shader = sema::analyze(stage, &tree, &unit, options)?;
    shader.name = shader_name(source);
    shader.loop_lines = loop_lines(&shader, source);
    Ok(Arc::new(shader))
}

/// The argument of `#define SHADER_NAME`.
fn shader_name(source: &str) -> Option<String> {
    let name = source.lines().find_map(|line| line.trim_start().strip_prefix("#define SHADER_NAME "))?.trim();
    (!name.is_empty()).then(|| excerpt(name))
}

/// Longest piece of source a message quotes, in characters.
const EXCERPT: usize = 80;

fn excerpt(text: &str) -> String {
    text.trim().chars().take(EXCERPT).collect()
}

fn loop_lines(shader: &hir::Shader, source: &str) -> BTreeMap<u32, String> {
    let mut lines = BTreeMap::new();
    let mut lists: Vec<&[hir::Stmt]> = shader.functions.iter().map(|function| function.body.as_slice()).collect();
    while let Some(list) = lists.pop() {
        for stmt in list {
            if let hir::Stmt::Loop(repeat) = stmt {
                lines.insert(repeat.span.line, String::new());
            }
            stmt.each_part(&mut |_| {}, &mut |nested| lists.push(nested));
        }
    }
    for (number, text) in (1..).zip(source.lines()) {
        if let Some(line) = lines.get_mut(&number) {
            *line = excerpt(text);
        }
    }
    lines
}
