//! Which uniforms of a program hold the camera, by the names programs give them.
//!
//! GLSL names are text inside strings, which no bundler renames. three.js has the same ones since its first releases;
//! the other spellings are those of the WebGL literature (MDN, WebGL Fundamentals, glTF viewers, regl, Babylon.js).

use serde::{Deserialize, Serialize};

use super::program::{ActiveUniform, BlockPlace, BlockUniform, Reflection, VariableType};

/// The block that a uniform lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UniformHome {
    /// The default block of the vertex stage.
    Vertex,
    /// The default block of the fragment stage.
    Fragment,
    /// The uniform block of that slot.
    Block(u32),
}

/// Where a mat4 lies: 64 bytes, column after column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UniformPlace {
    pub home: UniformHome,
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

// `cameraViewMatrix` and `cameraProjectionMatrix` are three/webgpu's.
const VIEW: [&str; 5] = ["viewmatrix", "cameraviewmatrix", "view", "viewmat", "vmatrix"];
const PROJECTION: [&str; 7] = [
    "projectionmatrix",
    "cameraprojectionmatrix",
    "projection",
    "projmatrix",
    "projectionmat",
    "pmatrix",
    "perspectivematrix",
];
const MODEL_VIEW: [&str; 4] = ["modelviewmatrix", "modelview", "mvmatrix", "modelviewmat"];
const MODEL: [&str; 5] = ["modelmatrix", "model", "worldmatrix", "mmatrix", "world"];

impl CameraUniforms {
    pub fn of(reflection: &Reflection) -> Self {
        let find = |names: &[&str]| {
            // In the order of the names: the most explicit spelling wins.
            names.iter().find_map(|name| {
                let alone = reflection.uniforms.iter().filter(|uniform| plain(&uniform.name) == *name);
                let in_block = reflection.block_uniforms.iter().filter(|uniform| plain(&uniform.name) == *name);
                alone.filter_map(place).chain(in_block.filter_map(place_in_block)).next()
            })
        };
        Self { view: find(&VIEW), projection: find(&PROJECTION), model_view: find(&MODEL_VIEW), model: find(&MODEL) }
    }

    fn places(&self) -> impl Iterator<Item = UniformPlace> {
        [self.view, self.projection, self.model_view, self.model].into_iter().flatten()
    }

    /// Does some of it lie in uniform blocks?
    pub fn in_blocks(&self) -> bool {
        self.places().any(|place| matches!(place.home, UniformHome::Block(_)))
    }

    /// Does the program transform by a camera at all?
    pub fn any(&self) -> bool {
        self.view.is_some() || self.projection.is_some() || self.model_view.is_some()
    }
}

/// `u_viewMatrix`, `uViewMatrix`, `view_matrix`, `VIEW_MATRIX`, `Camera.viewMatrix` → `viewmatrix`.
fn plain(name: &str) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
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
    let at = |home| move |place: BlockPlace| UniformPlace { home, offset: place.offset };
    uniform.vertex.map(at(UniformHome::Vertex)).or(uniform.fragment.map(at(UniformHome::Fragment)))
}

fn place_in_block(uniform: &BlockUniform) -> Option<UniformPlace> {
    let matrix = uniform.ty == VariableType::Matrix { columns: 4, rows: 4 };
    (matrix && !uniform.is_array && !uniform.row_major)
        .then_some(UniformPlace { home: UniformHome::Block(uniform.block_index), offset: uniform.place.offset })
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
        let at = |offset| Some(UniformPlace { home: UniformHome::Vertex, offset });
        assert_eq!(found, CameraUniforms { view: None, projection: at(80), model_view: at(144), model: None });
    }
}
