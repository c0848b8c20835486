//! Validation of program calls.

use crate::gl::error::{GlError, GlResult};
use crate::gl::objects::Objects;
use crate::shader::hir::Stage;

/// Longest identifier (WebGL 2 §4.3.2; WebGL 1 allows 256, which three.js never reaches either).
const MAX_NAME: usize = 1024;

pub fn attach(objects: &Objects, program: u32, shader: u32) -> GlResult<Stage> {
    let Some(program) = objects.programs.get(program) else {
        return Err(GlError::invalid_value("the program has been deleted"));
    };
    let Some(object) = objects.shaders.get(shader) else {
        return Err(GlError::invalid_value("the shader has been deleted"));
    };
    let taken = match object.stage {
        Stage::Vertex => program.vertex,
        Stage::Fragment => program.fragment,
    };
    if taken != 0 {
        return Err(GlError::invalid_operation("a shader of that type is attached already"));
    }
    Ok(object.stage)
}

/// Names a shader may not use (WebGL 1 §6.17, GLSL ES §3.9).
pub fn is_reserved(name: &str) -> bool {
    name.starts_with("gl_") || name.starts_with("webgl_") || name.starts_with("_webgl_")
}

pub fn name(name: &str) -> GlResult<()> {
    if name.len() > MAX_NAME {
        return Err(GlError::invalid_value("the name is too long"));
    }
    // WebGL 1 §6.19: only characters of the GLSL ES source set.
    let allowed = |b: u8| matches!(b, b' '..=b'~' | 9..=13) && !matches!(b, b'"' | b'$' | b'\'' | b'@' | b'\\' | b'`');
    if !name.bytes().all(allowed) {
        return Err(GlError::invalid_value("the name has a character that GLSL ES does not know"));
    }
    Ok(())
}

pub fn attribute_binding(limit: u32, index: u32, attribute: &str) -> GlResult<()> {
    name(attribute)?;
    if index >= limit {
        return Err(GlError::invalid_value("index is not below MAX_VERTEX_ATTRIBS"));
    }
    if is_reserved(attribute) {
        return Err(GlError::invalid_operation("the name is reserved"));
    }
    Ok(())
}
