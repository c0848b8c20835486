//! `scene.jsonl`: a [`SceneStats`] per line, a line per frame; its schema is `schema/scene.schema.json`.

use serde::{Deserialize, Serialize};

/// The JSON schema, draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/scene.schema.json");

/// How much one frame drew, and with what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneStats {
    pub frame: u64,
    /// Of the whole frame: shadow maps, reflections and passes included. Instances are counted out.
    pub all: Work,
    /// Of the camera behind the presented picture alone.
    pub camera: Work,
    pub render_calls: u32,
    pub lights: u32,
    /// Alive at the end of the frame.
    pub programs: u32,
    pub textures: u32,
    pub texture_bytes: u64,
    pub buffers: u32,
    pub buffer_bytes: u64,
    /// Objects (instances counted) whose names match `evidence.pedestrians`.
    pub pedestrians: u32,
    /// Those of them inside the camera's view and shown.
    pub pedestrians_visible: u32,
    /// Those of them that moved since the frame before.
    pub pedestrians_moving: u32,
    /// Those that did not, but are skinned, morphed or have a shader of their own, which may move them otherwise.
    #[serde(default)]
    pub pedestrians_maybe_moving: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    pub draws: u64,
    pub triangles: u64,
    pub lines: u64,
    pub points: u64,
    pub instances: u64,
    pub vertices: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        let add = |a: &mut u64, b: u64| *a = a.saturating_add(b);
        add(&mut self.draws, other.draws);
        add(&mut self.triangles, other.triangles);
        add(&mut self.lines, other.lines);
        add(&mut self.points, other.points);
        add(&mut self.instances, other.instances);
        add(&mut self.vertices, other.vertices);
    }
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}
