//! Shader objects.

use std::sync::Arc;

use crate::shader::hir;

#[derive(Debug)]
pub struct ShaderObject {
    pub stage: hir::Stage,
    pub source: String,
    /// Result of the last `compileShader`; `None` if it failed or never ran.
    pub compiled: Option<Arc<hir::Shader>>,
    pub info_log: String,
    pub deleted: bool,
    /// Programs it is attached to.
    pub refs: u32,
}
