//! What to render, with every choice made: the flags and `replay.toml` turned into one value.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::frame::FrameRate;
use crate::project::{EvidenceSettings, RouteSettings};

/// A render with nothing left open. Stored as JSON beside an unfinished video, so that it can resume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RenderPlan {
    /// Folder, HTML file or module.
    pub project: PathBuf,
    pub node_modules: Vec<PathBuf>,
    /// Query and fragment of the page's address, as in `?capture=1#x`; empty for none.
    #[serde(default)]
    pub query: String,
    pub out: PathBuf,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    pub fps: FrameRate,
    pub frames: u64,
    pub warm_up: u64,
    pub seed: u64,
    pub pixel_ratio: f64,
    /// CSS selector of the canvas to film.
    pub canvas: Option<String>,
    /// `raf` or a seek expression.
    pub drive: String,
    /// `Date.now()` at load, in ms since 1970; the engine's own choice if absent.
    pub start_time: Option<u64>,
    pub codec: Codec,
    /// WAV file.
    pub audio: Option<PathBuf>,
    /// What transparent pixels are shown over; the page's own background if absent.
    pub background: Option<[u8; 3]>,
    /// Bits that may lie in any one-second window of the file.
    pub max_bits_per_second: u64,
    /// Bytes the file may take.
    pub max_bytes: u64,
    /// Uses of what is not supported are errors.
    pub strict: bool,
    pub allow_blank: bool,
    /// File for the command trace.
    pub trace: Option<PathBuf>,
    pub backend: BackendKind,
    /// Part of an adapter's name.
    pub adapter: Option<String>,
    /// Encoder and colour threads; never changes a byte.
    pub threads: usize,
    /// Real seconds JavaScript may take for the load or one frame.
    pub time_limit: Option<f64>,
    /// MiB JavaScript may use.
    pub memory_limit: Option<u64>,
    /// MiB buffers and textures may take; `None`: as the adapter and the machine allow.
    #[serde(default)]
    pub gpu_memory_limit: Option<u64>,
    /// What to look for in the scene; `None`: no evidence is kept.
    pub evidence: Option<EvidenceSettings>,
    /// The route to compare the flight with, its file named as in the output.
    #[serde(default)]
    pub route: Option<RouteSettings>,
    /// Where that file is copied from.
    #[serde(default)]
    pub route_file: Option<PathBuf>,
    /// Write each frame's depth as well.
    #[serde(default)]
    pub depth: bool,
}

impl RenderPlan {
    /// The plan with paths that hold from any folder.
    pub(super) fn at_home(&self) -> Self {
        let home = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Self {
            project: home(&self.project),
            node_modules: self.node_modules.iter().map(home).collect(),
            out: home(&self.out),
            audio: self.audio.as_ref().map(home),
            trace: self.trace.as_ref().map(home),
            route_file: self.route_file.as_ref().map(home),
            ..self.clone()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Codec {
    H264,
    Av1,
    Png,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendKind {
    /// Draws with Vulkan.
    Wgpu,
    /// Draws nothing: for measuring the engine alone.
    Null,
}

/// The file a finished video gets, and the one it has while it grows.
pub const VIDEO: &str = "video.mp4";
pub const INCOMPLETE_VIDEO: &str = "video.incomplete.mp4";
/// Folder of a PNG sequence.
pub use crate::evidence::pictures::FRAMES;
