//! The first stage: frames in order, hashed, compared, converted.

#![expect(clippy::disallowed_methods, reason = "real time is reported, never used")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};

use super::{FilmSettings, Message, Picture, Prepared, Shared};
use crate::evidence::motion::{Thumb, Witness};
use crate::frame::color::{ColorError, rgba_to_yuv420};
use crate::frame::fit::fit;
use crate::frame::hash::Hash;
use crate::frame::{Behind, Yuv420, uniform_color};
use crate::gl::backend::PresentedFrame;
use crate::pipeline::{Codec, RenderError};

/// Frames that may arrive before the one that is due; more means one got lost.
const MAX_EARLY: usize = 16;

#[derive(Default)]
pub struct Outcome {
    pub hashes: Vec<Hash>,
    pub uniform: Option<[u8; 4]>,
    pub fitted: Vec<(u32, u32)>,
    pub see_through: bool,
    pub ms: f64,
    pub error: Option<RenderError>,
}

pub struct Preparer {
    size: (u32, u32),
    background: Option<[u8; 3]>,
    png: bool,
    witness: Option<Arc<Witness>>,
    expected: Vec<Hash>,
    early: BTreeMap<u64, PresentedFrame>,
    behind: BTreeMap<u64, Behind>,
    due: u64,
    out: Outcome,
}

impl Preparer {
    pub fn new(settings: &FilmSettings) -> Self {
        Self {
            size: (settings.width, settings.height),
            background: settings.background,
            png: settings.codec == Codec::Png,
            witness: settings.witness.clone(),
            expected: settings.expected.clone(),
            early: BTreeMap::new(),
            behind: BTreeMap::new(),
            due: 0,
            out: Outcome::default(),
        }
    }

    pub fn run(mut self, from: &Receiver<Message>, to: &Sender<Prepared>, shared: &Shared) -> Outcome {
        for message in from {
            if shared.failed.load(Ordering::Relaxed) && !matches!(message, Message::End) {
                continue;
            }
            match message {
                Message::Frame(frame) => drop(self.early.insert(frame.frame, frame)),
                Message::Behind(frame, behind) => drop(self.behind.insert(frame, behind)),
                Message::End => break,
            }
            if let Err(error) = self.take(to) {
                self.out.error = error;
                shared.failed.store(true, Ordering::Relaxed);
            }
        }
        // A frame that waits for what lies behind it came when the program failed.
        let lost = !self.early.is_empty() && !self.early.contains_key(&self.due);
        if self.out.error.is_none() && lost && !shared.failed.load(Ordering::Relaxed) {
            self.out.error = Some(RenderError::LostFrame { frame: self.due });
        }
        self.out
    }

    /// Passes on what is due. Fails without an error of its own when the next stage has stopped.
    fn take(&mut self, to: &Sender<Prepared>) -> Result<(), Option<RenderError>> {
        if self.early.len() > MAX_EARLY {
            return Err(Some(RenderError::LostFrame { frame: self.due }));
        }
        while self.early.contains_key(&self.due) {
            let told = self.behind.remove(&self.due);
            let behind = match (self.background, told) {
                (Some(color), _) => Behind { color, picture: false },
                (None, Some(behind)) => behind,
                (None, None) => break,
            };
            let Some(frame) = self.early.remove(&self.due) else { break };
            let begin = Instant::now();
            let prepared = self.prepare(frame, behind).map_err(Some)?;
            self.out.ms += begin.elapsed().as_secs_f64() * 1000.0;
            self.due += 1;
            to.send(prepared).map_err(|_| None)?;
        }
        Ok(())
    }

    fn prepare(&mut self, frame: PresentedFrame, behind: Behind) -> Result<Prepared, RenderError> {
        let (width, height) = (frame.width, frame.height);
        let expected = width as usize * height as usize * 4;
        if frame.rgba.len() != expected || expected == 0 {
            let actual = frame.rgba.len();
            return Err(RenderError::Internal(ColorError::Length { width, height, expected, actual }.to_string()));
        }
        let first = self.out.hashes.is_empty();
        let (hash, picture) = rayon::join(|| Hash::of(&frame.rgba), || self.picture(&frame, behind.color));
        let picture = picture?;
        let color = if first || self.out.uniform.is_some() { uniform_color(&frame.rgba) } else { None };
        self.out.uniform = if first { color } else { self.out.uniform.filter(|c| Some(*c) == color) };
        if behind.picture && !self.out.see_through {
            self.out.see_through = frame.rgba.as_chunks::<4>().0.iter().any(|pixel| pixel[3] < 255);
        }
        if (width, height) != self.size && !self.out.fitted.contains(&(width, height)) {
            self.out.fitted.push((width, height));
        }
        if self.expected.get(self.out.hashes.len()).is_some_and(|e| *e != hash) {
            return Err(RenderError::Diverged { frame: self.due });
        }
        self.out.hashes.push(hash);
        if let Some(witness) = self.witness.as_ref().filter(|witness| witness.wants(frame.frame)) {
            witness.picture(frame.frame, Thumb::of(&frame.rgba, width, height));
        }
        Ok(Prepared { hash, picture: picture.unwrap_or(Picture::Rgba { rgba: frame.rgba, width, height }) })
    }

    /// The picture in the film's size; `None` where the pixels are stored as they are.
    fn picture(&self, frame: &PresentedFrame, behind: [u8; 3]) -> Result<Option<Picture>, RenderError> {
        let same = (frame.width, frame.height) == self.size;
        let bars = self.background.unwrap_or([0; 3]);
        let fitted = (!same).then(|| fit(&frame.rgba, (frame.width, frame.height), self.size, bars));
        if self.png {
            let (width, height) = self.size;
            return Ok(fitted.map(|rgba| Picture::Rgba { rgba, width, height }));
        }
        let internal = |e: String| RenderError::Internal(e);
        let mut yuv = Yuv420::black(self.size.0, self.size.1).map_err(|e| internal(e.to_string()))?;
        let rgba = fitted.as_deref().unwrap_or(&frame.rgba);
        rgba_to_yuv420(rgba, behind, &mut yuv).map_err(|e| internal(e.to_string()))?;
        Ok(Some(Picture::Yuv(yuv)))
    }
}
