//! Plays a trace of graphics commands without V8: the engine's own cost, or a wrong picture to bisect.

#![expect(clippy::disallowed_methods, reason = "a trace is a file the user named; real time is what it measures")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{BackendKind, RenderError};
use crate::backend::null::NullBackend;
use crate::encode::png;
use crate::frame::hash::Hash;
use crate::gl::backend::{FrameSink, GlBackend};
use crate::gl::command::Command;
use crate::gl::trace::TraceReader;

/// What playing a trace showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    pub engine: String,
    pub renderer: String,
    pub streams: u64,
    pub commands: u64,
    pub draws: u64,
    /// SHA-256 of each presented frame, in order; none on the null back end.
    pub frames: Vec<Hash>,
    /// Reading and decoding the file, in ms.
    pub read_ms: f64,
    /// Executing it, in ms.
    pub play_ms: f64,
}

/// Frames as they come out.
#[derive(Default)]
struct Caught {
    hashes: Vec<Hash>,
    failure: Option<RenderError>,
}

/// Plays `path`; presented frames are written as PNG files into `out`, if given.
///
/// # Errors
/// Not a trace of this version, no GPU, or a picture that cannot be written.
pub fn play(
    path: &Path,
    kind: BackendKind,
    adapter: Option<&str>,
    out: Option<PathBuf>,
) -> Result<Played, RenderError> {
    let failed = |e: &dyn std::fmt::Display| RenderError::Internal(format!("{}: {e}", path.display()));
    if let Some(folder) = &out {
        std::fs::create_dir_all(folder).map_err(|e| RenderError::write(folder, e))?;
    }
    let mut reader = TraceReader::open(path).map_err(|e| failed(&e))?;
    let caught = Arc::new(Mutex::new(Caught::default()));
    let mut backend = open(kind, adapter, sink(caught.clone(), out))?;
    let mut played =
        Played { engine: reader.header.engine.clone(), renderer: backend.caps().renderer.clone(), ..Played::default() };
    loop {
        let begin = Instant::now();
        let Some(stream) = reader.next_stream().map_err(|e| failed(&e))? else { break };
        played.read_ms += begin.elapsed().as_secs_f64() * 1000.0;
        played.streams += 1;
        played.commands += stream.commands.len() as u64;
        let draw = |c: &&Command| matches!(c, Command::Draw(_) | Command::DrawIndexed(_));
        played.draws += stream.commands.iter().filter(draw).count() as u64;
        let begin = Instant::now();
        backend.submit(stream).map_err(|e| failed(&e))?;
        played.play_ms += begin.elapsed().as_secs_f64() * 1000.0;
    }
    let begin = Instant::now();
    backend.finish().map_err(|e| failed(&e))?;
    played.play_ms += begin.elapsed().as_secs_f64() * 1000.0;
    drop(backend);
    let mut caught = caught.lock().unwrap_or_else(PoisonError::into_inner);
    played.frames = std::mem::take(&mut caught.hashes);
    caught.failure.take().map_or(Ok(played), Err)
}

fn sink(caught: Arc<Mutex<Caught>>, out: Option<PathBuf>) -> FrameSink {
    Box::new(move |frame| {
        let mut caught = caught.lock().unwrap_or_else(PoisonError::into_inner);
        let index = caught.hashes.len() as u64;
        caught.hashes.push(Hash::of(&frame.rgba));
        if let Some(folder) = &out
            && let Err(e) = png::write(folder, index, &frame.rgba, frame.width, frame.height)
        {
            caught.failure.get_or_insert(e.into());
        }
    })
}

#[cfg(feature = "gpu")]
fn open(kind: BackendKind, adapter: Option<&str>, sink: FrameSink) -> Result<Box<dyn GlBackend>, RenderError> {
    use crate::backend::wgpu::{DeviceOptions, WgpuBackend, WgpuDevice, WgpuOptions};
    if kind == BackendKind::Null {
        return Ok(Box::new(NullBackend::new()));
    }
    let options = DeviceOptions { adapter: adapter.map(str::to_owned), ..DeviceOptions::default() };
    let device = WgpuDevice::open(&options).map_err(RenderError::no_gpu)?;
    Ok(Box::new(WgpuBackend::new(device, WgpuOptions::default(), sink)))
}

#[cfg(not(feature = "gpu"))]
fn open(kind: BackendKind, _: Option<&str>, _: FrameSink) -> Result<Box<dyn GlBackend>, RenderError> {
    match kind {
        BackendKind::Null => Ok(Box::new(NullBackend::new())),
        BackendKind::Wgpu => Err(RenderError::Backend("this build has no GPU back end (feature `gpu`)".to_owned())),
    }
}
