//! Depth and stencil tests, and clear values.

use crate::gl::command::{CompareFunction, StencilOperation};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StencilFaceGl {
    pub function: CompareFunction,
    /// As given; clamped to the stencil bits when used.
    pub reference: i32,
    pub read_mask: u32,
    pub write_mask: u32,
    pub fail: StencilOperation,
    pub depth_fail: StencilOperation,
    pub pass: StencilOperation,
}

impl Default for StencilFaceGl {
    fn default() -> Self {
        Self {
            function: CompareFunction::Always,
            reference: 0,
            read_mask: u32::MAX,
            write_mask: u32::MAX,
            fail: StencilOperation::Keep,
            depth_fail: StencilOperation::Keep,
            pass: StencilOperation::Keep,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthStencilGl {
    pub depth_test: bool,
    pub depth_function: CompareFunction,
    pub depth_mask: bool,
    pub stencil_test: bool,
    pub front: StencilFaceGl,
    pub back: StencilFaceGl,
}

impl Default for DepthStencilGl {
    fn default() -> Self {
        Self {
            depth_test: false,
            depth_function: CompareFunction::Less,
            depth_mask: true,
            stencil_test: false,
            front: StencilFaceGl::default(),
            back: StencilFaceGl::default(),
        }
    }
}

/// What `clear` writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearValues {
    pub color: [f32; 4],
    pub depth: f32,
    pub stencil: i32,
}

impl Default for ClearValues {
    fn default() -> Self {
        Self { color: [0.0; 4], depth: 1.0, stencil: 0 }
    }
}
