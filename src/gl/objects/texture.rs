//! Texture objects (helper `glb` owns this file).

#[derive(Debug, Default)]
pub struct Texture {
    pub deleted: bool,
}
