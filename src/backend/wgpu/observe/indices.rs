//! Indices of observed draws, copied out once for each content.

use std::sync::Arc;

use super::super::buffer::BufferSlot;
use super::super::context::WgpuBackend;
use super::super::draw::Call;
use super::super::pass::Op;
use super::{CHUNK, Chunk};
use crate::gl::backend::BackendError;
use crate::gl::command::IndexFormat;

/// Part of an index buffer's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct IndexKey {
    version: u64,
    first: u32,
    pub count: u32,
    pub wide: bool,
}

#[derive(Debug)]
pub(super) struct Indices {
    pub used: u64,
    /// `None` while on the way.
    pub data: Option<Arc<[u32]>>,
}

/// Indices being copied out.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexNew {
    pub key: IndexKey,
    pub min: u32,
    pub chunk: usize,
    /// Byte in the chunk at which the first index is.
    pub offset: u64,
}

impl WgpuBackend {
    /// Has the indices of a draw copied out, unless that was done before.
    pub(super) fn observe_indices(&mut self, call: &Call) -> Result<Option<IndexKey>, BackendError> {
        let Call::Indexed(draw) = call else { return Ok(None) };
        let Some((id, format)) = self.state.index else { return Ok(None) };
        let slot: BufferSlot = self.buffers.slot(id)?;
        let wide = format == IndexFormat::Uint32;
        let key = IndexKey { version: self.buffers.version(slot), first: draw.first_index, count: draw.count, wide };
        let uid = self.next_uid();
        let (_, len) = self.buffers.identity(slot)?;
        let (Some(observer), Some(src)) = (&mut self.observer, self.buffers.gpu(slot)) else { return Ok(None) };
        if let Some(known) = observer.indices.get_mut(&key) {
            known.used = observer.now;
            return Ok(Some(key));
        }
        observer.indices.insert(key, Indices { used: observer.now, data: None });
        let bytes = if wide { 4 } else { 2 };
        let start = u64::from(draw.first_index) * bytes;
        let end = start + u64::from(draw.count) * bytes;
        let (from, to) = (start & !3, end.next_multiple_of(4).min(len));
        let size = to.saturating_sub(from);
        let found = observer.index_reads.iter().rposition(|chunk| chunk.used + size <= chunk.buffer.size());
        let chunk = match found {
            Some(chunk) => chunk,
            None => {
                let buffer = self.device.device.create_buffer(&wgpu::BufferDescriptor {
                    label: Some("observed indices"),
                    size: size.max(CHUNK / 8),
                    usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                    mapped_at_creation: false,
                });
                observer.index_reads.push(Chunk { buffer, uid, used: 0 });
                observer.index_reads.len() - 1
            }
        };
        let place = &mut observer.index_reads[chunk];
        let offset = place.used;
        place.used += size;
        let op =
            Op::CopyBuffer { src: src.clone(), src_offset: from, dst: place.buffer.clone(), dst_offset: offset, size };
        observer.index_news.push(IndexNew { key, min: draw.range.0, chunk, offset: offset + (start - from) });
        self.push_before_pass(op);
        Ok(Some(key))
    }
}
