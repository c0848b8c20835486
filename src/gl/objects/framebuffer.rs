//! Framebuffer objects (helper `glb` owns this file).

#[derive(Debug, Default)]
pub struct Framebuffer {
    pub deleted: bool,
}
