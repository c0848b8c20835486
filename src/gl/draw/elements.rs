//! Element arrays: scans for the greatest index, and lowered index lists, kept by buffer version.

use rustc_hash::FxHashMap;

use super::{DrawCall, Source};
use crate::gl::command::{BufferId, Command, IndexFormat, Topology};
use crate::gl::context::Context;
use crate::gl::enums::{IndexType, PrimitiveMode};
use crate::gl::error::{GlError, GlResult};
use crate::gl::lower::index::{self, IndexScan};

/// Entries after which a cache starts anew.
const MAX_SCANS: usize = 1 << 16;
const MAX_LISTS: usize = 4096;
/// Most vertices of a draw whose indices are written out for the GPU; three indices each.
pub(super) const MAX_LOWERED: u32 = 1 << 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Range {
    buffer: u32,
    offset: u64,
    count: u32,
    ty: IndexType,
}

/// What ranges of element arrays contain.
#[derive(Debug, Default)]
pub struct ScanCache {
    found: FxHashMap<Range, (u64, IndexScan)>,
}

impl ScanCache {
    pub fn forget(&mut self, buffer: u32) {
        self.found.retain(|range, _| range.buffer != buffer);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ListKey {
    /// `None`: the indices 0, 1, 2, … of an array draw.
    range: Option<Range>,
    count: u32,
    mode: PrimitiveMode,
    last_provokes: bool,
    /// Byte indices widened, mode kept.
    widen: bool,
}

#[derive(Clone, Copy, Debug)]
struct List {
    version: u64,
    id: BufferId,
    bytes: u64,
    count: u32,
}

/// Lowered index lists.
#[derive(Debug, Default)]
pub struct IndexCache {
    lists: FxHashMap<ListKey, List>,
}

impl IndexCache {
    pub fn forget(&mut self, buffer: u32, gone: &mut Vec<BufferId>) {
        self.lists.retain(|key, list| {
            let keep = key.range.is_none_or(|range| range.buffer != buffer);
            if !keep {
                gone.push(list.id);
            }
            keep
        });
    }
}

/// An index buffer and what to draw from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexDraw {
    pub id: BufferId,
    pub format: IndexFormat,
    pub topology: Topology,
    pub first_index: u32,
    pub count: u32,
    /// Smallest and greatest index.
    pub range: (u32, u32),
}

impl Context {
    /// Checks an element draw's range against the element array and the vertex arrays.
    pub(super) fn check_elements(&mut self, call: &DrawCall) -> GlResult<IndexScan> {
        let Source::Elements { count, ty, offset, base_vertex } = call.source else { return Ok(IndexScan::default()) };
        let name = self.objects.vertex_array(self.state.bindings.vertex_array).element_buffer;
        let Some(buffer) = self.objects.buffers.get(name) else {
            return Err(GlError::invalid_operation("no ELEMENT_ARRAY_BUFFER is bound"));
        };
        let bytes = u64::from(count) * ty.size();
        if offset.checked_add(bytes).is_none_or(|end| end > buffer.size()) {
            return Err(GlError::invalid_operation("the indices reach past the end of the element array buffer"));
        }
        if buffer.shadow_stale {
            self.refresh_shadow(name);
        }
        let restart = self.is_webgl2();
        let Some(buffer) = self.objects.buffers.get(name) else { return Ok(IndexScan::default()) };
        let range = Range { buffer: name, offset, count, ty };
        let scan = match self.draw.scans.found.get(&range) {
            Some(&(version, scan)) if version == buffer.version => scan,
            _ => {
                let bytes = buffer.shadow.get(offset as usize..(offset + bytes) as usize).unwrap_or_default();
                let scan = index::scan(bytes, ty, restart);
                if self.draw.scans.found.len() >= MAX_SCANS {
                    self.draw.scans.found.clear();
                }
                self.draw.scans.found.insert(range, (buffer.version, scan));
                scan
            }
        };
        if let Some((min, max)) = scan.range {
            let first = i64::from(min) + i64::from(base_vertex);
            let last = i64::from(max) + i64::from(base_vertex);
            if first < 0 || last as u64 >= self.draw.plan.vertex_limit {
                return Err(GlError::invalid_operation("an index reaches past the end of a vertex array"));
            }
        }
        Ok(scan)
    }

    /// Index buffer for an element draw. `None`: nothing to draw.
    pub(super) fn element_indices(&mut self, call: &DrawCall, scan: IndexScan, rotate: bool) -> Option<IndexDraw> {
        let Source::Elements { count, ty, offset, .. } = call.source else { return None };
        let scanned = scan.range?;
        let name = self.objects.vertex_array(self.state.bindings.vertex_array).element_buffer;
        let native = call.mode.native().filter(|topology| {
            let strip = matches!(topology, Topology::LineStrip | Topology::TriangleStrip);
            // Strips restart at the greatest index on the GPU, which WebGL 1 does not; lists never restart there.
            let restart_fits = if strip { self.is_webgl2() || !ends_in_restart(scan, ty) } else { !scan.has_restart };
            restart_fits && (!rotate || *topology == Topology::PointList)
        });
        let range = Range { buffer: name, offset, count, ty };
        match (native, ty) {
            (Some(topology), IndexType::U16 | IndexType::U32) => {
                let id = self.buffer_id(name)?;
                let format = if ty == IndexType::U16 { IndexFormat::Uint16 } else { IndexFormat::Uint32 };
                Some(IndexDraw {
                    id,
                    format,
                    topology,
                    first_index: (offset / ty.size()) as u32,
                    count,
                    range: scanned,
                })
            }
            (Some(topology), IndexType::U8) => {
                let key = ListKey { range: Some(range), count, mode: call.mode, last_provokes: false, widen: true };
                let list = self.list(key)?;
                Some(IndexDraw {
                    id: list.id,
                    format: IndexFormat::Uint16,
                    topology,
                    first_index: 0,
                    count: list.count,
                    range: scanned,
                })
            }
            (None, _) => {
                let key = ListKey { range: Some(range), count, mode: call.mode, last_provokes: rotate, widen: false };
                self.lowered(key, call.mode, scanned)
            }
        }
    }

    /// Index buffer for an array draw of a mode the GPU lacks (or whose provoking vertex matters).
    pub(super) fn array_indices(&mut self, mode: PrimitiveMode, count: u32, rotate: bool) -> Option<IndexDraw> {
        let key = ListKey { range: None, count, mode, last_provokes: rotate, widen: false };
        self.lowered(key, mode, (0, count.saturating_sub(1)))
    }

    fn lowered(&mut self, key: ListKey, mode: PrimitiveMode, range: (u32, u32)) -> Option<IndexDraw> {
        let list = self.list(key)?;
        (list.count > 0).then_some(IndexDraw {
            id: list.id,
            format: IndexFormat::Uint32,
            topology: index::list_topology(mode),
            first_index: 0,
            count: list.count,
            range,
        })
    }

    fn list(&mut self, key: ListKey) -> Option<List> {
        if key.count > MAX_LOWERED {
            self.unsupported("drawArrays", "more than 16,777,216 vertices in a mode that GPUs lack");
            return None;
        }
        let version =
            key.range.map_or(0, |range| self.objects.buffers.get(range.buffer).map_or(0, |buffer| buffer.version));
        let old = self.draw.indices.lists.get(&key).copied();
        if let Some(list) = old.filter(|list| list.version == version) {
            return Some(list);
        }
        let (bytes, count) = self.build_list(&key)?;
        let size = (bytes.len() as u64).max(4);
        let id = match old.filter(|old| old.bytes == size) {
            Some(old) => old.id,
            None => {
                if let Some(old) = old {
                    self.push(Command::DeleteBuffer { id: old.id });
                }
                self.trim_lists();
                let id = self.ids.buffer();
                self.push(Command::CreateBuffer { id, size });
                id
            }
        };
        if !bytes.is_empty() {
            let mut data = self.stream.push_data(&bytes);
            while !data.len.is_multiple_of(4) {
                self.stream.data.push(0);
                data.len += 1;
            }
            self.push(Command::WriteBuffer { id, offset: 0, data });
        }
        let list = List { version, id, bytes: size, count };
        self.draw.indices.lists.insert(key, list);
        Some(list)
    }

    /// Bytes and number of the lowered indices.
    fn build_list(&self, key: &ListKey) -> Option<(Vec<u8>, u32)> {
        let restart_on = self.is_webgl2();
        let (indices, restart) = match key.range {
            None => ((0..key.count).collect(), None),
            Some(range) => {
                let buffer = self.objects.buffers.get(range.buffer)?;
                let end = range.offset + u64::from(range.count) * range.ty.size();
                let bytes = buffer.shadow.get(range.offset as usize..end as usize)?;
                if key.widen {
                    return Some((index::widen_u8(bytes, restart_on), range.count));
                }
                (index::read(bytes, range.ty), restart_on.then(|| range.ty.restart()))
            }
        };
        let list = index::to_list(&indices, key.mode, restart, key.last_provokes);
        let count = list.len() as u32;
        Some((bytemuck::cast_slice(&list).to_vec(), count))
    }

    fn trim_lists(&mut self) {
        if self.draw.indices.lists.len() < MAX_LISTS {
            return;
        }
        let mut old: Vec<_> = self.draw.indices.lists.drain().map(|(_, list)| list.id).collect();
        old.sort_unstable();
        for id in old {
            self.push(Command::DeleteBuffer { id });
        }
    }
}

/// Does the range hold the value at which a GPU strip restarts?
fn ends_in_restart(scan: IndexScan, ty: IndexType) -> bool {
    scan.has_restart || scan.range.is_some_and(|(_, max)| ty != IndexType::U8 && max == ty.restart())
}
