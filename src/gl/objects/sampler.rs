//! Sampler objects (helper `glb` owns this file).

#[derive(Debug, Default)]
pub struct Sampler {
    pub deleted: bool,
}
