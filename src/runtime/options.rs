use crate::clock::{DEFAULT_EPOCH_MS, Rational};
pub use crate::project::Drive;
use crate::project::EvidenceSettings;

/// How a program is run.
#[derive(Clone, Debug)]
pub struct RuntimeOptions {
    /// Picture size in device pixels; the viewport is this divided by `pixel_ratio`.
    pub width: u32,
    pub height: u32,
    /// `devicePixelRatio`.
    pub pixel_ratio: f64,
    pub fps: Rational,
    /// Seed of `Math.random` and `crypto`.
    pub seed: u64,
    pub drive: Drive,
    /// CSS selector of the canvas to film; the largest canvas with a context if absent.
    pub canvas: Option<String>,
    /// Frames the video will have, if known: what seek expressions see as `frames` and `duration`.
    pub frames: Option<u64>,
    /// `Date.now()` at load, in ms since 1970.
    pub epoch_ms: u64,
    /// Most memory JavaScript may use, in bytes: its heap, once more its ArrayBuffers, and once more its 2D canvases.
    pub heap_limit: usize,
    /// Longest real time JavaScript may take for the load, in seconds.
    pub load_time_limit: f64,
    /// Longest real time JavaScript may take for one frame, in seconds.
    pub frame_time_limit: f64,
    /// Watch three.js' objects, and for what; `None`: not at all.
    pub evidence: Option<EvidenceSettings>,
}

impl Default for RuntimeOptions {
    fn default() -> Self {
        Self {
            width: 1920,
            height: 1080,
            pixel_ratio: 1.0,
            fps: Rational::whole(30).unwrap_or_else(|| unreachable!("constant")),
            seed: 0,
            drive: Drive::Raf,
            canvas: None,
            frames: None,
            epoch_ms: DEFAULT_EPOCH_MS,
            heap_limit: 4 << 30,
            load_time_limit: 300.0,
            frame_time_limit: 120.0,
            evidence: None,
        }
    }
}
