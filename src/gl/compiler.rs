//! The seam to the shader compiler: what the front end asks of it.
//!
//! One real implementation; tests put reflection tables in by hand.

use std::sync::Arc;

use crate::shader::hir::{self, Stage};
use crate::shader::link::{LinkOptions, LinkedProgram};
use crate::shader::{ProgramCode, Reflection, Variant};

/// What the language depends on in a context.
#[derive(Clone, Copy, Debug)]
pub struct CompileRequest<'a> {
    pub stage: Stage,
    pub source: &'a str,
    pub webgl2: bool,
    pub caps: &'a super::caps::Caps,
}

/// Compiles and links shaders.
pub trait ShaderCompiler: Send {
    /// `Err` is the info log.
    fn compile(&self, request: &CompileRequest<'_>) -> Result<Arc<hir::Shader>, String>;

    /// `Err` is the info log.
    fn link(
        &self,
        vertex: &Arc<hir::Shader>,
        fragment: &Arc<hir::Shader>,
        options: &LinkOptions,
    ) -> Result<Box<dyn LinkedCode>, String>;
}

/// A linked program.
pub trait LinkedCode: Send {
    fn reflection(&self) -> &Reflection;

    /// Code of one variant. `Err` says what the engine cannot do.
    fn emit(&self, variant: Variant) -> Result<Arc<ProgramCode>, String>;
}

/// The GLSL ES compiler of this crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct EsslCompiler;

impl ShaderCompiler for EsslCompiler {
    fn compile(&self, _request: &CompileRequest<'_>) -> Result<Arc<hir::Shader>, String> {
        Err("ERROR: 0:1: '' : the GLSL front end is not there yet\n".into())
    }

    fn link(
        &self,
        vertex: &Arc<hir::Shader>,
        fragment: &Arc<hir::Shader>,
        options: &LinkOptions,
    ) -> Result<Box<dyn LinkedCode>, String> {
        match crate::shader::link::link(vertex, fragment, options) {
            Ok(program) => Ok(Box::new(program)),
            Err(log) => Err(log.to_string()),
        }
    }
}

impl LinkedCode for LinkedProgram {
    fn reflection(&self) -> &Reflection {
        &self.reflection
    }

    fn emit(&self, variant: Variant) -> Result<Arc<ProgramCode>, String> {
        LinkedProgram::emit(self, variant).map_err(|error| error.to_string())
    }
}
