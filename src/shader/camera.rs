//! Which uniforms of a program hold the camera, by the names programs give them.
//!
//! GLSL names are text inside strings, which no bundler renames. three.js has the same ones since its first releases;
//! the other spellings are those of the WebGL literature (MDN, WebGL Fundamentals, glTF viewers, regl, Babylon.js).

use serde::{Deserialize, Serialize};

use super::program::{ActiveUniform, BlockPlace, Reflection, VariableType};

/// Where a uniform of four floats, or of four columns of four, lies in the default blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UniformPlace {
    /// In the vertex stage's block, else in the fragment stage's.
    pub vertex: bool,
    /// Bytes from the start of the block.
    pub offset: u32,
}

/// The camera's uniforms, as far as the program has them active.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CameraUniforms {
    /// World to camera, mat4.
    pub view: Option<UniformPlace>,
    /// Camera to clip space, mat4.
    pub projection: Option<UniformPlace>,
    /// Object to camera, mat4.
    pub model_view: Option<UniformPlace>,
    /// Object to world, mat4.
    pub model: Option<UniformPlace>,
}

const VIEW: [&str; 4] = ["viewmatrix", "view", "viewmat", "vmatrix"];
const PROJECTION: [&str; 6] =
    ["projectionmatrix", "projection", "projmatrix", "projectionmat", "pmatrix", "perspectivematrix"];
const MODEL_VIEW: [&str; 4] = ["modelviewmatrix", "modelview", "mvmatrix", "modelviewmat"];
const MODEL: [&str; 5] = ["modelmatrix", "model", "worldmatrix", "mmatrix", "world"];

impl CameraUniforms {
    pub fn of(reflection: &Reflection) -> Self {
        let find = |names: &[&str]| {
            // In the order of the names: the most explicit spelling wins.
            names.iter().find_map(|name| {
                reflection.uniforms.iter().filter(|uniform| plain(&uniform.name) == *name).find_map(place)
            })
        };
        Self { view: find(&VIEW), projection: find(&PROJECTION), model_view: find(&MODEL_VIEW), model: find(&MODEL) }
    }

    /// Does the program transform by a camera at all?
    pub fn any(&self) -> bool {
        self.view.is_some() || self.projection.is_some() || self.model_view.is_some()
    }
}

/// `u_viewMatrix`, `uViewMatrix`, `view_matrix`, `VIEW_MATRIX` → `viewmatrix`.
fn plain(name: &str) -> String {
    let mut rest = name;
    if let Some(after) = name.strip_prefix("u_") {
        rest = after;
    } else if let Some(after) = name.strip_prefix('u')
        && after.starts_with(|c: char| c.is_ascii_uppercase())
    {
        rest = after;
    }
    rest.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

fn place(uniform: &ActiveUniform) -> Option<UniformPlace> {
    let matrix = uniform.ty == VariableType::Matrix { columns: 4, rows: 4 };
    if !matrix || uniform.is_array {
        return None;
    }
    let at = |vertex| move |place: BlockPlace| UniformPlace { vertex, offset: place.offset };
    uniform.vertex.map(at(true)).or(uniform.fragment.map(at(false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::hir::Scalar;

    fn uniform(name: &str, ty: VariableType, offset: u32) -> ActiveUniform {
        let place = BlockPlace { offset, array_stride: 0, matrix_stride: 16 };
        ActiveUniform {
            name: name.to_owned(),
            ty,
            size: 1,
            is_array: false,
            location: 0,
            vertex: Some(place),
            fragment: None,
            texture_slot: None,
        }
    }

    #[test]
    fn spellings_are_one_and_types_count() {
        let mat4 = VariableType::Matrix { columns: 4, rows: 4 };
        let uniforms = vec![
            uniform("view", VariableType::Vector(Scalar::Float, 3), 0),
            uniform("u_projection", mat4, 16),
            uniform("projectionMatrix", mat4, 80),
            uniform("uMVMatrix", mat4, 144),
            uniform("unview", mat4, 208),
        ];
        let found = CameraUniforms::of(&Reflection { uniforms, ..Reflection::default() });
        let at = |offset| Some(UniformPlace { vertex: true, offset });
        assert_eq!(found, CameraUniforms { view: None, projection: at(80), model_view: at(144), model: None });
    }
}
