//! Occlusion queries. wgpu's begin and end in one pass: a GL query takes one slot in each pass it spans, and its answer is
//! whether any of them saw a sample.

use rustc_hash::FxHashMap;

use super::context::WgpuBackend;
use super::pass::{Item, Op};
use crate::gl::backend::BackendError;
use crate::gl::command::QueryId;

const SLOTS: u32 = 1024;
/// `resolve_query_set` writes at multiples of 256 bytes, 8 a slot.
const ALIGN: u32 = 32;

#[derive(Debug, Default)]
struct Query {
    slots: Vec<u32>,
    /// What slots already read back said.
    passed: bool,
}

/// Slots and who has them.
#[derive(Debug)]
pub struct QueryPool {
    set: wgpu::QuerySet,
    results: wgpu::Buffer,
    /// First slot not yet taken, first slot not yet resolved.
    next: u32,
    unresolved: u32,
    queries: FxHashMap<QueryId, Query>,
    active: Option<QueryId>,
}

impl QueryPool {
    pub fn new(device: &wgpu::Device) -> Self {
        Self {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Occlusion,
                count: SLOTS,
            }),
            results: device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: u64::from(SLOTS) * 8,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            next: 0,
            unresolved: 0,
            queries: FxHashMap::default(),
            active: None,
        }
    }

    pub fn set(&self) -> &wgpu::QuerySet {
        &self.set
    }

    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, range: std::ops::Range<u32>) {
        let offset = u64::from(range.start) * 8;
        encoder.resolve_query_set(&self.set, range, &self.results, offset);
    }

    pub fn delete(&mut self, id: QueryId) {
        self.queries.remove(&id);
    }
}

impl WgpuBackend {
    pub(super) fn begin_query(&mut self, id: QueryId) -> Result<(), BackendError> {
        self.queries.queries.insert(id, Query::default());
        self.queries.active = Some(id);
        if self.open.is_some() { self.begin_query_slot() } else { Ok(()) }
    }

    pub(super) fn end_query(&mut self, id: QueryId) {
        if self.queries.active != Some(id) {
            return;
        }
        self.queries.active = None;
        if std::mem::take(&mut self.query_slot_open)
            && let Some(pass) = self.open.as_mut()
        {
            pass.items.push(Item::EndQuery);
        }
    }

    /// Gives the active query, if there is one, a slot in the open pass.
    pub(super) fn begin_query_slot(&mut self) -> Result<(), BackendError> {
        let Some(id) = self.queries.active.filter(|_| !self.query_slot_open) else { return Ok(()) };
        if self.queries.next >= SLOTS {
            if self.open.as_ref().is_some_and(|pass| pass.draws > 0 || !pass.items.is_empty()) {
                // Comes back here with a fresh pass.
                self.close_pass();
                return self.ensure_pass();
            }
            let pass = self.open.take();
            self.harvest_queries()?;
            self.open = pass;
        }
        let slot = self.queries.next;
        self.queries.next += 1;
        if let Some(query) = self.queries.queries.get_mut(&id) {
            query.slots.push(slot);
        }
        if let Some(pass) = self.open.as_mut() {
            pass.queries = true;
            pass.items.push(Item::BeginQuery(slot));
            self.query_slot_open = true;
        }
        Ok(())
    }

    /// Records the copy of new results to the buffer; called at each flush, after the last pass.
    pub(super) fn resolve_queries(&mut self) {
        let range = self.queries.unresolved..self.queries.next;
        if !range.is_empty() {
            self.ops.push(Op::ResolveQueries { range });
            self.queries.next = self.queries.next.next_multiple_of(ALIGN).min(SLOTS);
            self.queries.unresolved = self.queries.next;
        }
    }

    /// Reads every result there is, so that all slots are free again.
    fn harvest_queries(&mut self) -> Result<(), BackendError> {
        let size = self.queries.results.size();
        let buffer = self.read_buffer_of(size)?;
        self.flush()?;
        self.push_before_pass(Op::CopyBuffer {
            src: self.queries.results.clone(),
            src_offset: 0,
            dst: buffer.clone(),
            dst_offset: 0,
            size,
        });
        let samples: Vec<u64> = self.map_now(&buffer, |bytes| {
            bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect()
        })?;
        #[expect(clippy::iter_over_hash_type, reason = "each query gets its own slots, in any order")]
        for query in self.queries.queries.values_mut() {
            query.passed |=
                query.slots.drain(..).any(|slot| samples.get(slot as usize).is_some_and(|count| *count > 0));
        }
        self.queries.next = 0;
        self.queries.unresolved = 0;
        Ok(())
    }

    pub(super) fn read_query(&mut self, id: QueryId) -> Result<bool, BackendError> {
        let unread = self.queries.queries.get(&id).is_some_and(|query| !query.slots.is_empty());
        if unread {
            self.close_pass();
            self.harvest_queries()?;
        }
        Ok(self.queries.queries.get(&id).is_some_and(|query| query.passed))
    }
}
