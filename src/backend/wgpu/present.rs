//! Presented frames: copied to mappable buffers, delivered in order while later frames render.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::context::WgpuBackend;
use super::copy::extent;
use super::observe::PendingObservation;
use super::pass::Op;
use super::texture::RowLayout;
use crate::gl::backend::{BackendError, PresentedFrame};
use crate::gl::command::{Aspect, ImageId, ImageRegion};

pub(super) const PENDING: u8 = 0;
pub(super) const MAPPED: u8 = 1;
pub(super) const FAILED: u8 = 2;

/// A frame whose pixels are on their way.
#[derive(Debug)]
pub struct PendingFrame {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    submission: Option<wgpu::SubmissionIndex>,
    layout: RowLayout,
    /// Where the loop flags begin in the buffer.
    flags_at: u64,
    frame: u64,
    width: u32,
    height: u32,
    opaque: bool,
    premultiplied: bool,
    observed: Option<PendingObservation>,
}

impl WgpuBackend {
    pub(super) fn present(
        &mut self,
        id: ImageId,
        frame: u64,
        opaque: bool,
        premultiplied: bool,
    ) -> Result<(), BackendError> {
        let slot = self.images.slot(id)?;
        self.close_pass();
        let image = self.images.get(slot)?;
        let rgba8 = matches!(image.format, wgpu::TextureFormat::Rgba8Unorm | wgpu::TextureFormat::Rgba8UnormSrgb);
        if !rgba8 || image.desc.samples > 1 {
            return Err(BackendError::Internal(format!("a frame must be single-sampled RGBA8, not {:?}", image.desc)));
        }
        let [width, height, _] = image.level_size(0);
        let region = ImageRegion { level: 0, origin: [0; 3], extent: [width, height, 1], aspect: Aspect::All };
        let layout = RowLayout::new(image.format, false, region.extent);
        let src = image.place(region);
        let flags_at = layout.padded_size().next_multiple_of(4);
        let size = flags_at + self.loop_flags.len();
        let free = self.frame_buffers.iter().position(|buffer| buffer.size() == size);
        let buffer = match free {
            Some(index) => self.frame_buffers.swap_remove(index),
            None => {
                self.frame_buffers.clear();
                self.read_buffer_of(size)?
            }
        };
        let op = Op::Download { src, dst: layout.place(buffer.clone(), 0), extent: extent(region.extent) };
        self.push_before_pass(op);
        if let Some(op) = self.loop_flags.copy(&buffer, flags_at) {
            self.ops.push(op);
        }
        let observed = self.take_observation()?;
        self.flush()?;
        // Mapped before the frame's own buffer, whose callback says that all are there.
        for buffer in observed.iter().flat_map(PendingObservation::buffers) {
            buffer.map_async(wgpu::MapMode::Read, .., |_| {});
        }
        let state = Arc::new(AtomicU8::new(PENDING));
        buffer.map_async(wgpu::MapMode::Read, .., {
            let state = state.clone();
            move |result| state.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release)
        });
        let submission = self.last_submission.clone();
        self.frames.push_back(PendingFrame {
            buffer,
            state,
            submission,
            layout,
            flags_at,
            frame,
            width,
            height,
            opaque,
            premultiplied,
            observed,
        });
        if let Some(watch) = &mut self.stopwatch {
            watch.presented();
        }
        // Before this one was submitted, the one before it was done.
        let in_flight = if self.device.software { 1 } else { self.options.frames_in_flight.max(1) };
        while self.frames.len() > in_flight {
            self.deliver_oldest()?;
        }
        Ok(())
    }

    /// Hands over frames that are done.
    pub(super) fn deliver_ready(&mut self) -> Result<(), BackendError> {
        if self.frames.is_empty() {
            return Ok(());
        }
        self.device.poll();
        self.deliver_done()
    }

    /// The same for those known to be done.
    pub(super) fn deliver_done(&mut self) -> Result<(), BackendError> {
        while self.frames.front().is_some_and(|frame| frame.state.load(Ordering::Acquire) != PENDING) {
            self.deliver_oldest()?;
        }
        Ok(())
    }

    pub(super) fn deliver_all(&mut self) -> Result<(), BackendError> {
        while !self.frames.is_empty() {
            self.deliver_oldest()?;
        }
        Ok(())
    }

    fn deliver_oldest(&mut self) -> Result<(), BackendError> {
        let Some(frame) = self.frames.pop_front() else { return Ok(()) };
        if frame.state.load(Ordering::Acquire) == PENDING {
            self.device.wait(frame.submission.clone())?;
        }
        if frame.state.load(Ordering::Acquire) != MAPPED {
            return Err(BackendError::Internal(format!("frame {} could not be read", frame.frame)));
        }
        let rgba = {
            let view = frame
                .buffer
                .get_mapped_range(..)
                .map_err(|error| BackendError::Internal(format!("a frame cannot be mapped: {error}")))?;
            let (picture, flags) = view.split_at_checked(frame.flags_at as usize).unwrap_or((&view, &[]));
            self.loop_flags.check(flags, Some(frame.frame))?;
            unpack(picture, &frame)
        };
        frame.buffer.unmap();
        self.frame_buffers.push(frame.buffer);
        if let Some(observed) = frame.observed {
            self.deliver_observation(frame.frame, observed)?;
        }
        if let Some(watch) = &mut self.stopwatch {
            watch.delivered(frame.frame);
        }
        (self.sink)(PresentedFrame { frame: frame.frame, width: frame.width, height: frame.height, rgba });
        Ok(())
    }
}

/// Top row first, padding off, alpha as encoders want it.
fn unpack(padded: &[u8], frame: &PendingFrame) -> Vec<u8> {
    let (tight_row, padded_row) = (frame.layout.tight_row as usize, frame.layout.padded_row as usize);
    let mut rgba = Vec::with_capacity(tight_row * frame.height as usize);
    for row in padded.chunks(padded_row).take(frame.height as usize).rev() {
        rgba.extend_from_slice(&row[..tight_row.min(row.len())]);
    }
    if frame.opaque {
        rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|pixel| pixel[3] = 255);
    } else if frame.premultiplied {
        rgba.as_chunks_mut::<4>().0.iter_mut().for_each(unpremultiply);
    }
    rgba
}

/// Nearest whole number to colour / alpha.
fn unpremultiply(pixel: &mut [u8; 4]) {
    let alpha = u32::from(pixel[3]);
    if alpha == 255 {
        return;
    }
    for channel in &mut pixel[..3] {
        *channel = match alpha {
            0 => 0,
            alpha => ((u32::from(*channel) * 255 + alpha / 2) / alpha).min(255) as u8,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::unpremultiply;

    #[test]
    fn unpremultiplies_to_the_nearest() {
        for (pixel, expected) in [
            ([64, 128, 0, 128], [128, 255, 0, 128]),
            ([10, 20, 30, 255], [10, 20, 30, 255]),
            ([9, 9, 9, 0], [0, 0, 0, 0]),
            // 1 · 255 / 2 = 127.5.
            ([1, 2, 3, 2], [128, 255, 255, 2]),
        ] {
            let mut got = pixel;
            unpremultiply(&mut got);
            assert_eq!(got, expected);
        }
    }
}
