//! Buffer objects: GPU id, CPU shadow, version.

use crate::gl::command::BufferId;

/// What a buffer may be bound to for the rest of its life (WebGL: element arrays never mix with other uses).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BufferKind {
    /// Never bound, or bound only to copy targets.
    #[default]
    Undefined,
    ElementArray,
    Other,
}

#[derive(Debug, Default)]
pub struct Buffer {
    /// Was bound once: from then on the name is a buffer for `isBuffer`.
    pub bound: bool,
    pub kind: BufferKind,
    /// GPU buffer of the present data store; `None` before `bufferData` or at size 0.
    pub id: Option<BufferId>,
    /// The bytes as the CPU last wrote them. `shadow_stale`: the GPU has written since.
    pub shadow: Vec<u8>,
    pub shadow_stale: bool,
    /// BUFFER_USAGE as given.
    pub usage: u32,
    /// Goes up with each change of content; caches of derived data compare it.
    pub version: u64,
    /// Has vertex or index data derived from it: writes must mark VERTEX_INPUT dirty.
    pub lowered: bool,
    /// Attachments to containers (VAOs, transform feedback objects, indexed bindings) that keep it alive.
    pub refs: u32,
    /// `deleteBuffer` was called; the object goes with its last reference.
    pub deleted: bool,
}

impl Buffer {
    pub fn size(&self) -> u64 {
        self.shadow.len() as u64
    }
}
