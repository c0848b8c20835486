//! The first stage: frames in order, hashed, compared, converted.

#![expect(clippy::disallowed_methods, reason = "real time is reported, never used")]

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};

use super::{FilmSettings, Message, Picture, Prepared, Shared};
use crate::frame::color::{ColorError, rgba_to_yuv420};
use crate::frame::fit::fit;
use crate::frame::hash::Hash;
use crate::frame::{Yuv420, uniform_color};
use crate::gl::backend::PresentedFrame;
use crate::pipeline::{Codec, RenderError};

/// Frames that may arrive before the one that is due; more means one got lost.
const MAX_EARLY: usize = 16;

#[derive(Default)]
pub struct Outcome {
    pub hashes: Vec<Hash>,
    pub uniform: Option<[u8; 4]>,
    pub fitted: Vec<(u32, u32)>,
    pub ms: f64,
    pub error: Option<RenderError>,
}

pub struct Preparer {
    size: (u32, u32),
    background: [u8; 3],
    png: bool,
    expected: Vec<Hash>,
    early: BTreeMap<u64, PresentedFrame>,
    due: u64,
    out: Outcome,
}

impl Preparer {
    pub fn new(settings: &FilmSettings) -> Self {
        Self {
            size: (settings.width, settings.height),
            background: settings.background,
            png: settings.codec == Codec::Png,
            expected: settings.expected.clone(),
            early: BTreeMap::new(),
            due: 0,
            out: Outcome::default(),
        }
    }

    pub fn run(mut self, from: &Receiver<Message>, to: &Sender<Prepared>, shared: &Shared) -> Outcome {
        for message in from {
            let Message::Frame(frame) = message else { break };
            if shared.failed.load(Ordering::Relaxed) {
                continue;
            }
            if let Err(error) = self.take(frame, to) {
                self.out.error = error;
                shared.failed.store(true, Ordering::Relaxed);
            }
        }
        if self.out.error.is_none() && !self.early.is_empty() && !shared.failed.load(Ordering::Relaxed) {
            self.out.error = Some(RenderError::LostFrame { frame: self.due });
        }
        self.out
    }

    /// Fails without an error of its own when the next stage has stopped.
    fn take(&mut self, frame: PresentedFrame, to: &Sender<Prepared>) -> Result<(), Option<RenderError>> {
        self.early.insert(frame.frame, frame);
        if self.early.len() > MAX_EARLY {
            return Err(Some(RenderError::LostFrame { frame: self.due }));
        }
        while let Some(frame) = self.early.remove(&self.due) {
            let begin = Instant::now();
            let prepared = self.prepare(frame).map_err(Some)?;
            self.out.ms += begin.elapsed().as_secs_f64() * 1000.0;
            self.due += 1;
            to.send(prepared).map_err(|_| None)?;
        }
        Ok(())
    }

    fn prepare(&mut self, frame: PresentedFrame) -> Result<Prepared, RenderError> {
        let (width, height) = (frame.width, frame.height);
        let expected = width as usize * height as usize * 4;
        if frame.rgba.len() != expected || expected == 0 {
            let actual = frame.rgba.len();
            return Err(RenderError::Internal(ColorError::Length { width, height, expected, actual }.to_string()));
        }
        let first = self.out.hashes.is_empty();
        let (hash, picture) = rayon::join(|| Hash::of(&frame.rgba), || self.picture(&frame));
        let picture = picture?;
        let color = if first || self.out.uniform.is_some() { uniform_color(&frame.rgba) } else { None };
        self.out.uniform = if first { color } else { self.out.uniform.filter(|c| Some(*c) == color) };
        if (width, height) != self.size && !self.out.fitted.contains(&(width, height)) {
            self.out.fitted.push((width, height));
        }
        if self.expected.get(self.out.hashes.len()).is_some_and(|e| *e != hash) {
            return Err(RenderError::Diverged { frame: self.due });
        }
        self.out.hashes.push(hash);
        Ok(Prepared { hash, picture: picture.unwrap_or(Picture::Rgba { rgba: frame.rgba, width, height }) })
    }

    /// The picture in the film's size; `None` where the pixels are stored as they are.
    fn picture(&self, frame: &PresentedFrame) -> Result<Option<Picture>, RenderError> {
        let same = (frame.width, frame.height) == self.size;
        let fitted = (!same).then(|| fit(&frame.rgba, (frame.width, frame.height), self.size, self.background));
        if self.png {
            let (width, height) = self.size;
            return Ok(fitted.map(|rgba| Picture::Rgba { rgba, width, height }));
        }
        let internal = |e: String| RenderError::Internal(e);
        let mut yuv = Yuv420::black(self.size.0, self.size.1).map_err(|e| internal(e.to_string()))?;
        let rgba = fitted.as_deref().unwrap_or(&frame.rgba);
        rgba_to_yuv420(rgba, self.background, &mut yuv).map_err(|e| internal(e.to_string()))?;
        Ok(Some(Picture::Yuv(yuv)))
    }
}
