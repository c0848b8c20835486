//! From GL state to draw commands.
//!
//! A draw brings each dirty group of state to what the stream last said, in a fixed order (targets first), then
//! pushes one draw command. In: `DrawCall`s from `entry/draw.rs`. Out: `Set*` and `Draw*` commands.

pub mod elements;
pub mod fixed_function;
pub mod issue;
pub mod resources;
pub mod sent;
pub mod vertex_input;

use rustc_hash::FxHashMap;

use super::command::RenderTargets;
use super::enums::{IndexType, PrimitiveMode};
use elements::{IndexCache, ScanCache};
use sent::Sent;
use vertex_input::{LoweredKey, LoweredVertices, VertexPlan};

/// Where a draw's vertices come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Arrays {
        first: u32,
        count: u32,
    },
    Elements {
        count: u32,
        ty: IndexType,
        /// Bytes into the element array buffer.
        offset: u64,
        base_vertex: i32,
    },
}

impl Source {
    pub fn count(self) -> u32 {
        match self {
            Self::Arrays { count, .. } | Self::Elements { count, .. } => count,
        }
    }
}

/// One draw, arguments checked for themselves but not yet against state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawCall {
    pub mode: PrimitiveMode,
    pub source: Source,
    pub instances: u32,
    pub base_instance: u32,
    /// `gl_DrawID`.
    pub draw_id: i32,
}

/// What draws remember between each other.
#[derive(Debug, Default)]
pub struct DrawCache {
    pub sent: Sent,
    /// Counts submitted streams: arena ranges are good within one.
    pub stream: u64,
    /// Targets of the last draw; others make everything that hangs on them dirty.
    pub targets: Option<RenderTargets>,
    pub plan: VertexPlan,
    pub scans: ScanCache,
    pub indices: IndexCache,
    pub vertices: FxHashMap<LoweredKey, LoweredVertices>,
    /// Buffers of generic attribute values, by their bits.
    pub constants: FxHashMap<[u32; 4], super::command::BufferId>,
    /// Serial number of the next executable.
    pub next_serial: u64,
}
