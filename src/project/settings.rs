mod evidence;

pub use evidence::{EvidenceSettings, RouteSettings, UpAxis};

use serde::{Deserialize, Serialize};

use super::ProjectError;
use crate::clock::Rational;

/// What `replay.toml` says; every key may be absent, flags of the command line override each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Entry file, relative to the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// What follows the page's address: `"capture=1"`, `"?capture=1#x"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Video size in pixels: `"1080x1920"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
    /// Frames per second: `30`, `"30000/1001"`, `29.97`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fps: Option<Rational>,
    /// Length in frames; excludes `duration`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
    /// Length in seconds; excludes `frames`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Seed of `Math.random` and `crypto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// `devicePixelRatio`; the viewport is `size / pixel_ratio` CSS pixels.
    #[serde(alias = "pixel-ratio", skip_serializing_if = "Option::is_none")]
    pub pixel_ratio: Option<f64>,
    /// CSS selector of the canvas to film.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canvas: Option<String>,
    /// Frames that run before the first one filmed.
    #[serde(alias = "warm-up", alias = "warmup", skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<u64>,
    /// `"raf"`, or an expression evaluated for each frame, e.g. `"renderAt({ time })"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drive: Option<Drive>,
    /// `Date.now()` at load, in ms since 1970.
    #[serde(alias = "start-time", skip_serializing_if = "Option::is_none")]
    pub start_time: Option<u64>,
    /// More folders to find packages in, relative to the project; they may lie outside it.
    #[serde(alias = "node-modules", skip_serializing_if = "Vec::is_empty")]
    pub node_modules: Vec<String>,
    /// Longest time JavaScript may take for the load or for one frame, in real seconds.
    #[serde(alias = "time-limit", skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
    /// Most memory JavaScript may use, in MiB.
    #[serde(alias = "memory-limit", skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// Most memory buffers and textures may take, in MiB.
    #[serde(alias = "gpu-memory-limit", skip_serializing_if = "Option::is_none")]
    pub gpu_memory_limit: Option<u64>,
    /// A video that never shows anything is an error unless this is set.
    #[serde(alias = "allow-blank", skip_serializing_if = "Option::is_none")]
    pub allow_blank: Option<bool>,
    /// WAV file for the sound track, relative to the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<String>,
    /// Video codec: `"h264"`, `"av1"`, or `"png"` for pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codec: Option<String>,
    /// What is looked for in the scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceSettings>,
    /// The route the flight should follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<RouteSettings>,
}

/// A size in pixels, written `"1920x1080"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

/// Largest side of a picture.
pub const MAX_SIDE: u32 = 16_384;

impl Size {
    /// `None` unless both sides are 1 to [`MAX_SIDE`].
    pub fn new(width: u32, height: u32) -> Option<Self> {
        let fits = |side| (1..=MAX_SIDE).contains(&side);
        (fits(width) && fits(height)).then_some(Self { width, height })
    }
}

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split_once(['x', 'X', '×'])
            .and_then(|(w, h)| Self::new(w.trim().parse().ok()?, h.trim().parse().ok()?))
            .ok_or_else(|| {
                format!("`{text}` is no size; write WIDTHxHEIGHT with sides from 1 to {MAX_SIDE}, e.g. 1920x1080")
            })
    }
}

impl TryFrom<String> for Size {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> Self {
        size.to_string()
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// What makes the page draw the next frame.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Drive {
    /// `requestAnimationFrame` callbacks alone.
    #[default]
    Raf,
    /// This expression, evaluated per frame with `time` (s), `frame`, `fps`, `duration` (s), `frames`, `t` (0 to 1)
    /// in scope; a promise it gives is awaited.
    Seek(String),
}

impl From<String> for Drive {
    fn from(text: String) -> Self {
        match text.trim() {
            "raf" | "requestAnimationFrame" | "" => Self::Raf,
            // As the flag has it, or the expression alone.
            seek => Self::Seek(seek.strip_prefix("seek:").unwrap_or(seek).trim().to_owned()),
        }
    }
}

impl From<Drive> for String {
    fn from(drive: Drive) -> Self {
        match drive {
            Drive::Raf => "raf".into(),
            Drive::Seek(expression) => expression,
        }
    }
}

impl Settings {
    /// Parses the text of a `replay.toml`; `file` names it in messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, ProjectError> {
        let settings: Self = toml::from_str(text).map_err(|error| {
            let message = error.message().trim().to_owned();
            let help =
                message.contains("unknown field").then(|| "keys are listed in README.md, `replay.toml`".to_owned());
            fault(file, text, error.span(), message, help)
        })?;
        settings.check().map_err(|(key, message)| fault(file, text, key_span(text, key), message, None))?;
        Ok(settings)
    }

    /// Do the values make sense? Gives the key at fault and what is wrong with it.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if self.frames.is_some() && self.duration.is_some() {
            return Err(("duration", "`frames` and `duration` exclude each other".into()));
        }
        if self.frames == Some(0) {
            return Err(("frames", "a video has at least one frame".into()));
        }
        let positive = |key, value: Option<f64>, most: f64| match value {
            Some(v) if !(v.is_finite() && v > 0.0 && v <= most) => {
                Err((key, format!("`{key}` is {v}; it must be above 0 and at most {most}")))
            }
            _ => Ok(()),
        };
        positive("duration", self.duration, 86_400.0)?;
        positive("pixel_ratio", self.pixel_ratio, 16.0)?;
        positive("time_limit", self.time_limit, 86_400.0)?;
        if let Some(fps) = self.fps
            && fps.as_f64() > 1000.0
        {
            return Err(("fps", format!("`fps` is {fps}; at most 1000")));
        }
        if let Some(evidence) = &self.evidence {
            positive("radius", Some(evidence.radius), 1e6)?;
            positive("near", Some(evidence.near), 1e6)?;
            positive("metres_per_unit", Some(evidence.metres_per_unit), 1e6)?;
        }
        match self.codec.as_deref() {
            None | Some("h264" | "av1" | "png") => Ok(()),
            Some(other) => Err(("codec", format!("`{other}` is no codec: `h264`, `av1` or `png`"))),
        }
    }
}

fn key_span(text: &str, key: &str) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let name = line.split('=').next().unwrap_or("").trim().replace('-', "_");
        if name == key && line.contains('=') {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

/// `entry` in the `replay.toml` `file` names `shown`, which does not exist.
pub(super) fn no_entry(file: &str, text: &str, shown: &str) -> ProjectError {
    let message = format!("`entry` names `{shown}`, which does not exist");
    let help = "`entry` is a file of the project, relative to replay.toml: mend it, or give the file itself: `replay render FILE`";
    fault(file, text, key_span(text, "entry"), message, Some(help.to_owned()))
}

fn fault(
    file: &str,
    text: &str,
    span: Option<std::ops::Range<usize>>,
    message: String,
    help: Option<String>,
) -> ProjectError {
    let line = span.as_ref().map(|s| text.get(..s.start).unwrap_or("").matches('\n').count() + 1);
    ProjectError::Settings {
        file: line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}")),
        message,
        source_code: miette::NamedSource::new(file, text.to_owned()),
        span: span.map(Into::into),
        help,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_notation() {
        let s = Settings::parse(
            "replay.toml",
            "size = \"1080x1920\"\nfps = 29.97\nframes = 1740\npixel-ratio = 2\ndrive = \"renderAt({ time })\"\n",
        )
        .expect("settings");
        assert_eq!(s.size, Size::new(1080, 1920));
        assert_eq!(s.fps.map(|f| f.to_string()).as_deref(), Some("2997/100"));
        assert_eq!(s.drive, Some(Drive::Seek("renderAt({ time })".into())));
        // The flag's form means the same.
        assert_eq!(Drive::from("seek: renderAt({ time })".to_owned()), s.drive.clone().unwrap());
        assert_eq!(s.pixel_ratio, Some(2.0));
    }

    #[test]
    fn names_file_and_line_of_a_fault() {
        let message = |text: &str| Settings::parse("replay.toml", text).expect_err("must fail").to_string();
        assert!(message("fps = 30\nsped = 1\n").starts_with("replay.toml:2: unknown field `sped`"));
        assert!(message("\n\nsize = \"0x9\"\n").starts_with("replay.toml:3: `0x9` is no size"));
        assert!(message("frames = 1\nduration = 2\n").starts_with("replay.toml:2: `frames` and `duration`"));
        assert!(message("fps = \"fast\"").contains("is not a rate"));
        assert!(message("duration = inf").contains("must be above 0"));
    }
}
