//! Why a render did not give what was asked for.

use std::fmt;
use std::path::PathBuf;

use crate::encode::EncodeError;
use crate::gl::backend::{Awaited, BackendError, Overdue};
use crate::mux::MuxError;

/// A failed render; `exit_code` tells a failed check from work that could not be done.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum RenderError {
    #[cfg(feature = "js")]
    #[error(transparent)]
    #[diagnostic(transparent)]
    Project(#[from] crate::project::ProjectError),
    #[cfg(feature = "js")]
    #[error(transparent)]
    #[diagnostic(transparent)]
    Runtime(crate::runtime::RuntimeError),
    #[error("no GPU could be opened: {0}")]
    #[diagnostic(help(
        "Mesa's software driver runs on any machine: sudo apt-get install -y libvulkan1 mesa-vulkan-drivers; `replay doctor` says what is there"
    ))]
    Backend(String),
    #[error("{0}")]
    #[diagnostic(help("give --adapter a part of one of these names, or leave it out"))]
    NoSuchAdapter(BackendError),
    #[error("drawing stopped: {0}")]
    #[diagnostic(help("{}", graphics_help(.0)))]
    Graphics(BackendError),
    #[error("{0}")]
    #[diagnostic(help("{}", overdue_help(.0)))]
    Overdue(Overdue),
    #[error("frame {frame} got lost on its way from the GPU")]
    LostFrame { frame: u64 },
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Mux(MuxError),
    #[error("the disk is full: {} could not be written", path.display())]
    #[diagnostic(help("free some space, then `replay resume` the output folder"))]
    DiskFull { path: PathBuf },
    #[error("{} cannot be written: {source}", path.display())]
    #[diagnostic(help("give another folder with -o, or change its permissions"))]
    Unwritable { path: PathBuf, source: std::io::Error },
    #[error("the route {} can't be read: {source}", path.display())]
    #[diagnostic(help("`file` of [route] in replay.toml is relative to the project"))]
    Route { path: PathBuf, source: std::io::Error },
    #[error("{} is in use by another render", path.display())]
    #[diagnostic(help("wait for it, end it, or give another folder with -o"))]
    InUse { path: PathBuf },
    #[error("{} is no output of replay, and a render into it would replace it", path.display())]
    #[diagnostic(help("give another folder with -o, or move it away"))]
    NotOurs { path: PathBuf },
    #[error("the page has no canvas to film{}: none with a context in the page (a small 2D canvas must be chosen with --canvas)", selector.as_ref().map(|s| format!(" that matches `{s}`")).unwrap_or_default())]
    #[diagnostic(help(
        "three.js adds one with document.body.appendChild(renderer.domElement); does the program wait for a click or a key (none comes)?{clues}"
    ))]
    NoCanvas { selector: Option<String>, clues: Clues },
    #[error("{}: {} the same single colour #{color}", if *.null { "the null back end draws nothing" } else { "the video is blank" }, if *.frames == 1 { "its one frame is all".to_owned() } else { format!("all {frames} frames are") })]
    #[diagnostic(help(
        "{} --allow-blank accepts it{clues}", if *.null { NULL_HELP } else { BLANK_HELP }
    ))]
    Blank {
        frames: u64,
        color: String,
        clues: Clues,
        /// Was nothing to be drawn (`--backend null`)?
        null: bool,
    },
    #[error("something is amiss, which --strict does not allow:{}", listed(.amiss))]
    #[diagnostic(help("without --strict these are warnings; manifest.json and console.log hold them all"))]
    Strict {
        /// A line each.
        amiss: Vec<String>,
    },
    #[error("{}: {why}", path.display())]
    #[diagnostic(help(
        "--audio (or `audio` in replay.toml) takes a WAV file; `ffmpeg -i SOUND -c:a pcm_s16le OUT.wav` makes one of any sound"
    ))]
    Audio { path: PathBuf, why: String },
    #[error("frame {frame} differs from the one rendered before the interruption")]
    #[diagnostic(help("the program, its files, the driver or the engine changed since: render anew"))]
    Diverged { frame: u64 },
    #[error("interrupted after {frames} frames")]
    #[diagnostic(help("what was rendered plays; `replay resume` continues to the same bytes"))]
    Interrupted { frames: u64 },
    #[error("{0}")]
    Internal(String),
}

/// Rounds that a shader's loops may take where no software driver is in use.
const GPU_ROUNDS: u32 = 1_000_000;

const BLANK_HELP: &str = "does the program call renderer.render()? does it begin later (--warmup, more frames), wait for a click or a key (none comes), or is it driven by something else than requestAnimationFrame (--drive)?";
const NULL_HELP: &str = "--backend null measures the rest of the engine, --backend wgpu draws.";

/// Lines of a list that a message shows.
const LISTED: usize = 12;

fn listed(lines: &[String]) -> String {
    let more = lines.len().saturating_sub(LISTED);
    let shown = lines.iter().take(LISTED).map(|line| format!("\n- {line}"));
    let more = (more > 0).then(|| format!("\n- and {more} more"));
    shown.chain(more).collect()
}

/// What may be behind a film without pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clues {
    /// The first error that the program logged.
    pub logged: Option<String>,
    /// Modules that wait in a top-level await.
    pub waiting: Vec<String>,
    /// HTML that the page shows.
    pub page: String,
    /// A function of the page's that harnesses call for each frame.
    pub seekable: String,
}

impl fmt::Display for Clues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for module in &self.waiting {
            write!(f, "; {module} still waits in a top-level await")?;
        }
        if !self.page.is_empty() {
            write!(f, "; the page shows {}", self.page)?;
        }
        if !self.seekable.is_empty() {
            let argument = if self.seekable.ends_with("Frame") { "frame" } else { "time" };
            let name = &self.seekable;
            write!(
                f,
                "; the page defines {name}(): is it driven by that, as with --drive 'seek:{name}({{ {argument} }})'?"
            )?;
        }
        match &self.logged {
            Some(text) => write!(f, "; the program logged an error first: {text} (whole in console.log)"),
            None => f.write_str("; console.log holds what the program said"),
        }
    }
}

fn overdue_help(over: &Overdue) -> &'static str {
    match over.awaited {
        Awaited::Gpu => {
            "is it too much to draw for this GPU (`replay doctor` lists what is there, --adapter chooses), or does a shader loop too long? A longer limit can be set with --time-limit or `time_limit` in replay.toml"
        }
        Awaited::Program => {
            "does the program hand something huge to Canvas 2D, to a decoder or a parser? A longer limit can be set with --time-limit or `time_limit` in replay.toml"
        }
        Awaited::Evidence => {
            "--no-evidence leaves it out; a longer limit can be set with --time-limit or `time_limit` in replay.toml"
        }
    }
}

fn graphics_help(error: &BackendError) -> &'static str {
    match error {
        BackendError::OutOfMemory(_) => {
            "does the program create textures or buffers without end, or larger than it needs? A higher limit can be set with --gpu-memory-limit or `gpu_memory_limit` in replay.toml"
        }
        BackendError::DeviceLost(_) => "is there an endless loop in a shader? `replay resume` tries the same again",
        BackendError::RunawayLoop(runaway) if !runaway.site.endless && runaway.rounds < GPU_ROUNDS => {
            "the loop may be finite: this software driver (lavapipe) silently leaves a shader's loops after 65,535 rounds in one pixel or vertex, nested and following ones together, so the picture would be wrong. Render on a GPU (`replay doctor` lists what is there, --adapter chooses), where 1,000,000 rounds are allowed, lower the number of rounds, or spread them over several passes. Lines count from the start of the source three.js or the program gave to shaderSource"
        }
        BackendError::RunawayLoop(_) => {
            "does the loop end for every pixel and vertex, whatever the uniforms are? lines count from the start of the source three.js or the program gave to shaderSource"
        }
        BackendError::Overdue(over) => overdue_help(over),
        BackendError::Stopped => "`replay resume` continues to the same bytes",
        BackendError::NoSuchAdapter { .. } | BackendError::Internal(_) => {
            "this is a fault of the engine, not of the program"
        }
    }
}

impl RenderError {
    /// 1: it ran and failed a check; 2: it could not run to its end.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Blank { .. } | Self::Strict { .. } | Self::Diverged { .. } => 1,
            _ => 2,
        }
    }

    /// The device cannot be opened.
    #[cfg(feature = "gpu")]
    pub(super) fn no_gpu(error: BackendError) -> Self {
        match error {
            BackendError::Internal(reason) => Self::Backend(reason),
            named @ BackendError::NoSuchAdapter { .. } => Self::NoSuchAdapter(named),
            other => Self::Backend(other.to_string()),
        }
    }

    /// A sound track that cannot be had.
    pub(super) fn audio(error: EncodeError) -> Self {
        match error {
            EncodeError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => {
                Self::Audio { path, why: "the sound track does not exist".to_owned() }
            }
            EncodeError::Io { path, source } => Self::Audio { path, why: source.to_string() },
            EncodeError::Audio { path, detail } => Self::Audio { path, why: detail },
            other => Self::Encode(other),
        }
    }

    /// A failed write, with the full disk told apart.
    pub fn write(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let path = path.into();
        match source.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Unwritable { path, source },
        }
    }
}

#[cfg(feature = "js")]
impl From<crate::runtime::RuntimeError> for RenderError {
    fn from(error: crate::runtime::RuntimeError) -> Self {
        match error {
            crate::runtime::RuntimeError::Backend(error) => Self::Graphics(error),
            other => Self::Runtime(other),
        }
    }
}

impl From<MuxError> for RenderError {
    fn from(error: MuxError) -> Self {
        match error {
            MuxError::Io { path, source } => Self::write(path, source),
            other => Self::Mux(other),
        }
    }
}
