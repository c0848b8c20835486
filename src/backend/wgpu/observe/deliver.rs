//! What was seen in a frame: copied out with its pixels, handed over with them.

use std::sync::Arc;

use super::super::context::WgpuBackend;
use super::super::pass::Op;
use super::super::texture::RowLayout;
use super::depth::DepthNow;
use super::indices::IndexNew;
use super::{CaptureNew, KEEP, RECORD, Seen};
use crate::gl::backend::BackendError;
use crate::gl::command::{Aspect, ImageRegion};
use crate::gl::observe::{ObservedDepth, ObservedFrame, OtherDraw};

/// A frame's observations on their way out.
#[derive(Debug)]
pub struct PendingObservation {
    draws: Vec<Seen>,
    news: Vec<CaptureNew>,
    /// By chunk; `None` where nothing was stored.
    stores: Vec<Option<(wgpu::Buffer, u64)>>,
    indices: Vec<wgpu::Buffer>,
    index_news: Vec<IndexNew>,
    depths: Vec<(DepthNow, wgpu::Buffer, RowLayout)>,
    others: Vec<OtherDraw>,
}

impl WgpuBackend {
    /// Records the copies of everything seen in the frame to memory that can be mapped.
    pub(in super::super) fn take_observation(&mut self) -> Result<Option<PendingObservation>, BackendError> {
        let Some(observer) = &mut self.observer else { return Ok(None) };
        observer.now += 1;
        observer.large.clear();
        observer.known.begin();
        observer.times.clear();
        let others = std::mem::take(&mut observer.others);
        // Frames are much alike.
        let room = Vec::with_capacity(observer.draws.len());
        let (draws, depths) = (std::mem::replace(&mut observer.draws, room), std::mem::take(&mut observer.depths));
        let (news, index_news) = (std::mem::take(&mut observer.news), std::mem::take(&mut observer.index_news));
        let indices = std::mem::take(&mut observer.index_reads).into_iter().map(|chunk| chunk.buffer).collect();
        let mut spare = std::mem::take(&mut observer.spare);
        let used: Vec<_> =
            observer.store.iter_mut().map(|chunk| (chunk.buffer.clone(), std::mem::take(&mut chunk.used))).collect();
        if observer.now.is_multiple_of(KEEP) {
            let mut sizes = used.iter().map(|(_, size)| *size);
            observer.store.retain(|_| sizes.next().is_some_and(|size| size > 0));
            spare.clear();
        }
        let (mut stores, mut ops) = (Vec::new(), Vec::new());
        for (src, size) in used {
            if size == 0 {
                stores.push(None);
                continue;
            }
            let dst = self.spare_or_new(&mut spare, src.size())?;
            ops.push(Op::CopyBuffer { src, src_offset: 0, dst: dst.clone(), dst_offset: 0, size });
            stores.push(Some((dst, size)));
        }
        let mut depth_reads = Vec::new();
        for now in depths {
            let extent = [now.width, now.height, 1];
            let region = ImageRegion { level: 0, origin: [0; 3], extent, aspect: Aspect::All };
            let image = self.images.get(now.image)?;
            let layout = RowLayout::new(image.format, false, extent);
            let src = image.place(region);
            let buffer = self.spare_or_new(&mut spare, layout.padded_size())?;
            let dst = layout.place(buffer.clone(), 0);
            ops.push(Op::Download { src, dst, extent: super::super::copy::extent(extent) });
            depth_reads.push((now, buffer, layout));
        }
        if let Some(observer) = &mut self.observer {
            observer.spare = spare;
        }
        ops.into_iter().for_each(|op| self.push_before_pass(op));
        Ok(Some(PendingObservation { draws, news, stores, indices, index_news, depths: depth_reads, others }))
    }

    /// Memory to read `size` bytes from, of an earlier frame if there is any.
    fn spare_or_new(&self, spare: &mut Vec<wgpu::Buffer>, size: u64) -> Result<wgpu::Buffer, BackendError> {
        match spare.iter().position(|buffer| buffer.size() == size) {
            Some(index) => Ok(spare.swap_remove(index)),
            None => self.read_buffer_of(size),
        }
    }

    /// Hands over what was seen in a frame whose copies are mapped.
    pub(in super::super) fn deliver_observation(
        &mut self,
        frame: u64,
        seen: PendingObservation,
    ) -> Result<(), BackendError> {
        let Some(observer) = &mut self.observer else { return Ok(()) };
        let now = observer.now;
        let mapped = |buffer: &wgpu::Buffer| {
            buffer
                .get_mapped_range(..)
                .map_err(|error| BackendError::Internal(format!("observations cannot be mapped: {error}")))
        };
        for new in &seen.index_news {
            let Some(buffer) = seen.indices.get(new.chunk) else { continue };
            let view = mapped(buffer)?;
            let size = if new.key.wide { 4 } else { 2 };
            let end = new.offset as usize + new.key.count as usize * size;
            let bytes = view.get(new.offset as usize..end).unwrap_or_default();
            let data: Arc<[u32]> = if new.key.wide {
                bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b).wrapping_sub(new.min)).collect()
            } else {
                let wide = |b: &[u8; 2]| match u16::from_le_bytes(*b) {
                    u16::MAX => u32::MAX,
                    index => u32::from(index).wrapping_sub(new.min),
                };
                bytes.as_chunks().0.iter().map(wide).collect()
            };
            if let Some(indices) = observer.indices.get_mut(&new.key) {
                indices.data = Some(data);
            }
        }
        for new in seen.news {
            let Some(Some((buffer, _))) = seen.stores.get(new.chunk) else { continue };
            let view = mapped(buffer)?;
            let (start, end) = (new.record * RECORD, (new.record + new.records) * RECORD);
            let bytes = view.get(start as usize..end as usize).unwrap_or_default();
            let before = new.before.as_ref().and_then(|before| before.get());
            let same = before.filter(|before| bytemuck::cast_slice::<_, u8>(before) == bytes);
            let positions = match same {
                Some(same) => same.clone(),
                None => bytes
                    .as_chunks::<16>()
                    .0
                    .iter()
                    .map(|bytes| bytemuck::pod_read_unaligned::<[f32; 4]>(bytes))
                    .collect(),
            };
            let _ = new.positions.set(positions);
        }
        let mut last: Option<(super::indices::IndexKey, Option<Arc<[u32]>>)> = None;
        // Collected where they lie.
        let draws = seen.draws.into_iter().filter_map(|Seen { mut draw, positions, indices }| {
            draw.positions = positions.get()?.clone();
            if let Some(key) = indices {
                // Draws of one geometry come one after another.
                draw.indices = match &last {
                    Some((known, indices)) if *known == key => indices.clone(),
                    _ => observer.indices.get(&key).and_then(|indices| indices.data.clone()),
                };
                last = Some((key, draw.indices.clone()));
                draw.indices.as_ref()?;
            }
            Some(draw)
        });
        let draws = draws.collect();
        let mut depths = Vec::new();
        for (now, buffer, layout) in seen.depths {
            let view = mapped(&buffer)?;
            let tight = layout.tighten(&view);
            depths.push(ObservedDepth {
                subject: now.subject,
                width: now.width,
                height: now.height,
                pixels: now.pixels,
                values: tight.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect(),
                range: now.range,
                zero_to_one: now.zero_to_one,
            });
            drop(tight);
            drop(view);
            buffer.unmap();
            observer.spare.push(buffer);
        }
        for (buffer, _) in seen.stores.into_iter().flatten() {
            buffer.unmap();
            observer.spare.push(buffer);
        }
        if now.is_multiple_of(KEEP) {
            observer.indices.retain(|_, indices| indices.data.is_none() || indices.used + KEEP > now);
            observer.known.sweep(now, KEEP);
        }
        (observer.sink)(ObservedFrame { frame, draws, depths, others: seen.others });
        Ok(())
    }
}

impl PendingObservation {
    /// Everything to map.
    pub fn buffers(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        let stores = self.stores.iter().flatten().map(|(buffer, _)| buffer);
        stores.chain(&self.indices).chain(self.depths.iter().map(|(_, buffer, _)| buffer))
    }
}
