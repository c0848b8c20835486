//! From presented frames to files: two threads behind the renderer, joined by bounded channels.
//!
//! `prepare` puts frames in order, hashes them and converts their colours; `code` encodes and writes.
//! Order, not timing, decides every byte. After a failure the renderer is told to stop, and what was
//! coded so far is still made playable.

mod code;
mod prepare;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Sender, bounded};

use super::RenderError;
use super::output::Journal;
use super::plan::Codec;
use crate::encode::wav::AudioSource;
use crate::evidence::motion::Witness;
use crate::frame::hash::Hash;
use crate::frame::{Behind, FrameRate, Yuv420};
use crate::gl::backend::PresentedFrame;

/// Frames that may wait between two stages: enough to even out, few enough to keep memory flat.
const WAITING: usize = 2;

/// What to make of the frames.
pub struct FilmSettings {
    /// Size of the video or of every PNG file; frames of another size are fitted.
    pub width: u32,
    pub height: u32,
    pub fps: FrameRate,
    pub frames: u64,
    pub codec: Codec,
    pub audio: AudioSource,
    /// What transparent pixels are shown over; `None`: what [`Feed::behind`] tells of each frame.
    pub background: Option<[u8; 3]>,
    pub max_bits_per_second: u64,
    pub max_bytes: u64,
    pub threads: usize,
    /// The growing video, or the folder of a PNG sequence.
    pub output: PathBuf,
    pub journal: Option<Journal>,
    /// Who wants to see small pictures of some frames.
    pub witness: Option<Arc<Witness>>,
    /// Hashes that the first frames must have (a resumed render).
    pub expected: Vec<Hash>,
}

/// What became of the frames.
#[derive(Debug, Default)]
pub struct FilmReport {
    /// One a frame, in order, of the pictures as presented.
    pub hashes: Vec<Hash>,
    /// Frames in the file.
    pub coded: u64,
    /// Size and digest of each PNG file; none of a video.
    pub pictures: Vec<(u64, Hash)>,
    /// The single colour that every frame consists of, if so.
    pub uniform: Option<[u8; 4]>,
    /// Could one see through the pictures to more than a colour?
    pub see_through: bool,
    /// Sizes of canvases that had to be fitted, each once.
    pub fitted: Vec<(u32, u32)>,
    pub bytes: u64,
    pub peak_bits_per_second: u64,
    /// Frames coarsened to keep the rate limit.
    pub degraded: Vec<u64>,
    /// Milliseconds in either stage.
    pub prepare_ms: f64,
    pub encode_ms: f64,
}

enum Message {
    Frame(PresentedFrame),
    Behind(u64, Behind),
    End,
}

/// A frame on its way to the coder.
struct Prepared {
    hash: Hash,
    picture: Picture,
}

enum Picture {
    Yuv(Yuv420),
    Rgba { rgba: Vec<u8>, width: u32, height: u32 },
}

/// Where frames are handed in.
#[derive(Clone)]
pub struct Feed(Sender<Message>);

impl Feed {
    /// Hands in a frame. Blocks while the stages are behind; after a failure it takes and drops.
    pub fn push(&self, frame: PresentedFrame) {
        drop(self.0.send(Message::Frame(frame)));
    }

    /// Tells what a frame is shown over; where the settings name no background, the frame waits for it.
    pub fn behind(&self, frame: u64, behind: Behind) {
        drop(self.0.send(Message::Behind(frame, behind)));
    }
}

#[derive(Default)]
struct Shared {
    failed: AtomicBool,
    coded: AtomicU64,
}

/// A running film.
pub struct Film {
    sender: Sender<Message>,
    shared: Arc<Shared>,
    /// Until they are waited for.
    stages: Mutex<Option<(JoinHandle<prepare::Outcome>, JoinHandle<code::Outcome>)>>,
}

impl Film {
    /// Starts both stages.
    ///
    /// # Errors
    /// The encoder refuses the settings or the file cannot be made.
    pub fn start(settings: FilmSettings) -> Result<Self, RenderError> {
        let shared = Arc::new(Shared::default());
        let (sender, presented) = bounded(WAITING);
        let (prepared, to_code) = bounded(WAITING);
        let preparer = prepare::Preparer::new(&settings);
        let coder = code::Coder::new(settings)?;
        let internal = |e: std::io::Error| RenderError::Internal(format!("a thread could not be started: {e}"));
        let spawn = |name: &str| std::thread::Builder::new().name(name.to_owned());
        let s = shared.clone();
        let prepare = spawn("prepare").spawn(move || preparer.run(&presented, &prepared, &s)).map_err(internal)?;
        let s = shared.clone();
        let code = spawn("code").spawn(move || coder.run(&to_code, &s)).map_err(internal)?;
        Ok(Self { sender, shared, stages: Mutex::new(Some((prepare, code))) })
    }

    /// A way in for frames; any number may exist, and they may outlive the film.
    pub fn feed(&self) -> Feed {
        Feed(self.sender.clone())
    }

    /// Has a stage failed, so that no more frames are wanted?
    pub fn failed(&self) -> bool {
        self.shared.failed.load(Ordering::Relaxed)
    }

    /// Frames in the file so far.
    pub fn coded(&self) -> u64 {
        self.shared.coded.load(Ordering::Relaxed)
    }

    /// Waits for both stages and makes the file playable; the first error of a stage comes beside what
    /// was done. Once only.
    pub fn finish(&self) -> (FilmReport, Option<RenderError>) {
        let died = || RenderError::Internal("a stage of the film ended abnormally".to_owned());
        let Some((prepare, code)) = self.stages.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return (FilmReport::default(), Some(died()));
        };
        drop(self.sender.send(Message::End));
        let mut report = FilmReport::default();
        let mut error = None;
        match prepare.join() {
            Ok(outcome) => {
                report.hashes = outcome.hashes;
                report.uniform = outcome.uniform;
                report.fitted = outcome.fitted;
                report.see_through = outcome.see_through;
                report.prepare_ms = outcome.ms;
                error = error.or(outcome.error);
            }
            Err(_) => error = Some(died()),
        }
        match code.join() {
            Ok(outcome) => {
                report.coded = outcome.coded;
                report.pictures = outcome.pictures;
                report.bytes = outcome.bytes;
                report.peak_bits_per_second = outcome.peak_bits_per_second;
                report.degraded = outcome.degraded;
                report.encode_ms = outcome.ms;
                error = error.or(outcome.error);
            }
            Err(_) => error = Some(died()),
        }
        report.hashes.truncate(usize::try_from(report.coded).unwrap_or(usize::MAX));
        (report, error)
    }
}

#[cfg(test)]
mod tests;
