//! What a back end saw being drawn: plain data for evidence, one [`ObservedFrame`] per presented frame.
//!
//! Filled by a back end that is asked to look (`BackendCaps::observes`), read by `evidence`. Positions are what the
//! program's own vertex shader put out, so skinning, morphing, instances and any other motion are in them.

use std::sync::Arc;

use super::command::{BufferId, Face, ImageId};
use crate::scene::Subject;

/// Draws in order.
#[derive(Clone, Debug, Default)]
pub struct ObservedFrame {
    /// As `Command::Present` names it.
    pub frame: u64,
    pub draws: Vec<ObservedDraw>,
    /// Depth of the passes that held observed draws, by render call.
    pub depths: Vec<ObservedDepth>,
    /// What else was drawn into colour.
    pub others: Vec<OtherDraw>,
}

/// A draw whose vertices were not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherDraw {
    pub subject: Subject,
    /// The first colour image that it goes to.
    pub target: Option<ImageId>,
    pub kind: OtherKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherKind {
    Points,
    Lines,
    /// Triangles of no object that leave no depth.
    Faint,
    /// Triangles that are too large to look at, or whose program tells no positions.
    Unreadable,
}

/// What a program calls its camera's matrices, where it does by a name that is known; column-major.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NamedMatrices {
    pub view: Option<[f32; 16]>,
    pub projection: Option<[f32; 16]>,
}

/// The same draw of the same object in another frame has the same key; instances of one geometry in a batch share theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DrawKey {
    pub object: crate::scene::ObjectNumber,
    /// First vertex buffer and index buffer.
    pub vertex_buffer: Option<BufferId>,
    pub index_buffer: Option<BufferId>,
    pub first: u32,
    pub count: u32,
    pub base_vertex: i32,
    pub first_instance: u32,
    pub cull: Option<bool>,
}

/// One draw of triangles.
#[derive(Clone, Debug)]
pub struct ObservedDraw {
    pub subject: Subject,
    pub key: DrawKey,
    /// Of `vertices` for each of `instances`; `to_clip` times one of them is `gl_Position` as it was written. The same
    /// memory as in a frame before if they are the same positions.
    pub positions: Arc<[[f32; 4]]>,
    /// The matrices that the vertex shader multiplies by last (`PositionInputs`), column-major.
    pub to_clip: [f64; 16],
    pub vertices: u32,
    pub instances: u32,
    /// Into one instance's vertices; `None`: 0, 1, 2, …. A value out of range restarts a strip.
    pub indices: Option<Arc<[u32]>>,
    pub strip: bool,
    pub front_face_ccw: bool,
    pub cull: Option<Face>,
    pub depth_test: bool,
    pub depth_write: bool,
    /// Adds light to what is there: nothing solid does.
    pub additive: bool,
    /// The first colour image that it goes to.
    pub target: Option<ImageId>,
    /// Told for draws of no object.
    pub named: NamedMatrices,
    /// Its fragment shader may leave pixels out, or its alpha decides which samples are covered: there may be holes.
    pub cut_out: bool,
}

/// The depth buffer behind a render call's last pass, sample 0, at some of its pixels: of `pixels` along a side, the one
/// in the middle of each of as many equal parts as there are values.
#[derive(Clone, Debug)]
pub struct ObservedDepth {
    pub subject: Subject,
    pub width: u32,
    pub height: u32,
    pub pixels: [u32; 2],
    /// As stored: 0 to 1, row 0 = GL bottom.
    pub values: Vec<f32>,
    /// Depths range over this part of 0 to 1.
    pub range: [f32; 2],
    /// Stored depth is z/w itself (EXT_clip_control), not mapped from −1…1.
    pub zero_to_one: bool,
}

impl ObservedDepth {
    /// What is stored at a place of the picture, −1 to 1 each way, y up.
    pub fn at(&self, x: f64, y: f64) -> Option<f32> {
        let (w, h) = (f64::from(self.width), f64::from(self.height));
        let column = ((x + 1.0) / 2.0 * w).floor().clamp(0.0, w - 1.0) as usize;
        let row = ((y + 1.0) / 2.0 * h).floor().clamp(0.0, h - 1.0) as usize;
        self.values.get(row * self.width as usize + column).copied()
    }
}

/// Takes what was seen, in frame order, possibly on the back end's thread.
pub type ObserverSink = Box<dyn FnMut(ObservedFrame) + Send>;
