//! Renderbuffer objects (helper `glb` owns this file).

#[derive(Debug, Default)]
pub struct Renderbuffer {
    pub deleted: bool,
}
