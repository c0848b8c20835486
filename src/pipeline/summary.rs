//! What came of a render, for people and for machines.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::evidence::Unsupported;
use crate::evidence::usage::Usage;

/// The JSON schemas of [`Summary`] and [`Timing`], draft 2020-12.
pub const SUMMARY_SCHEMA: &str = include_str!("schema/render.schema.json");
pub const TIMING_SCHEMA: &str = include_str!("schema/timing.schema.json");

/// A finished render.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The video, or the folder of a PNG sequence.
    pub output: PathBuf,
    pub manifest: PathBuf,
    pub width: u32,
    pub height: u32,
    pub fps: String,
    pub frames: u64,
    pub seconds: f64,
    pub bytes: u64,
    /// Most bits within any second of the file.
    pub peak_bits_per_second: u64,
    /// SHA-256 over all frames' hashes: one name for what was drawn.
    pub frames_sha256: String,
    pub adapter: String,
    pub three_revision: Option<String>,
    pub warnings: Vec<String>,
    /// What is not supported and was asked for.
    pub unsupported: Vec<Unsupported>,
    pub timing: Timing,
}

/// Where the time went, in milliseconds of the wall clock. Never part of what must repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    pub total: f64,
    /// From the start to the end of the page's load.
    pub load: f64,
    /// From the start until the first frame was drawn.
    pub first_frame: f64,
    /// JavaScript and the GL front end, over all frames.
    pub script: f64,
    /// Waiting at the end for what the GPU still had to draw.
    pub drain: f64,
    /// Hash and colour conversion.
    pub prepare: f64,
    /// Video and audio encoder, and writing the file.
    pub encode: f64,
    /// Each frame's `script` share.
    pub frames: Vec<f64>,
    /// What the process took of the machine.
    #[serde(default)]
    pub usage: Usage,
}
