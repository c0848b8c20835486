//! `manifest.json`; its schema is `schema/manifest.schema.json`.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ordinary;
use crate::frame::hash::Hash;

/// The JSON schema of [`Manifest`], draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/manifest.schema.json");

/// The file's name.
pub const MANIFEST: &str = "manifest.json";

/// Most bytes of it that are read: a film of 34 hours at 30 frames a second, 12 of pictures.
const MOST: u64 = 256 << 20;

/// Provenance of one render.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format.
    pub format: u32,
    /// Does the output hold every frame that was asked for?
    pub complete: bool,
    /// Why not, if not.
    pub error: Option<String>,
    pub engine: Engine,
    pub adapter: Adapter,
    /// Every setting in effect.
    pub settings: serde_json::Value,
    pub page: Page,
    /// Files of the project and its packages that were read, by path.
    pub files: Vec<File>,
    /// SHA-256 of each frame's RGBA8 pixels as presented, in order.
    pub frames: Vec<Hash>,
    /// SHA-256 over the list of frame hashes (64 digits and a newline each).
    pub frames_sha256: Hash,
    /// `None` for a PNG sequence.
    pub video: Option<Video>,
    /// The files of a PNG sequence, by frame; `None` for a video, and in manifests of older versions.
    #[serde(default)]
    pub pictures: Option<Vec<File>>,
    /// The files of the output that tell of the run (`poses.jsonl`, `clearance.jsonl`, …), as the render left them: who
    /// reads them can tell whether they were changed since. `None` in manifests of older versions.
    #[serde(default)]
    pub evidence: Option<Vec<File>>,
    pub unsupported: Vec<Unsupported>,
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Engine {
    pub name: String,
    pub version: String,
    pub v8: String,
    pub three: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adapter {
    pub vendor: String,
    pub renderer: String,
    pub driver: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Addresses asked for that do not exist.
    pub missing: Vec<String>,
    /// Network addresses asked for and blocked.
    pub blocked: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    pub path: String,
    pub bytes: u64,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Video {
    pub file: String,
    pub sha256: Hash,
    pub bytes: u64,
    pub codec: String,
    pub width: u32,
    pub height: u32,
    /// Exact, e.g. `30000/1001`.
    pub fps: String,
    pub frames: u64,
    /// Exact seconds, e.g. `58` or `1001/30`.
    pub duration: String,
    /// Most bits within any second.
    pub peak_bits_per_second: u64,
    /// Frames coarsened to keep the rate limit.
    pub degraded: Vec<u64>,
    pub audio: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unsupported {
    /// Interface and member, e.g. `WebGL2RenderingContext.texImage2D(video)`.
    pub name: String,
    /// What happened instead.
    pub detail: String,
    pub count: u64,
}

/// The text of `frames.sha256`: a hash and a file name a line, as `sha256sum` writes them.
pub fn frame_list(hashes: &[Hash]) -> String {
    hashes.iter().enumerate().fold(String::new(), |mut text, (i, hash)| {
        let _ = writeln!(text, "{hash}  {i:06}");
        text
    })
}

/// One name for all frames.
pub fn frames_digest(hashes: &[Hash]) -> Hash {
    let list = hashes.iter().fold(String::new(), |mut text, hash| {
        let _ = writeln!(text, "{hash}");
        text
    });
    Hash::of(list.as_bytes())
}

impl Manifest {
    /// The file's text.
    ///
    /// # Errors
    /// Never for values of this type; serde says so only in general.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// That of an output folder, if it has one.
    ///
    /// # Errors
    /// Why it can't be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, String> {
        let file = match ordinary::open(&folder.join(MANIFEST)) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e.to_string()),
        };
        let mut bytes = Vec::new();
        file.take(MOST + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > MOST {
            return Err(format!("it has more than {MOST} bytes"));
        }
        serde_json::from_slice(&bytes).map(Some).map_err(|e| format!("no manifest of replay: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::schema::holds;

    fn sample() -> Manifest {
        let hash = Hash::of(b"");
        let text = |s: &str| s.to_owned();
        Manifest {
            format: 1,
            complete: true,
            error: Some(text("e")),
            engine: Engine { name: text("replay"), version: text("0"), v8: text("1"), three: Some(text("186")) },
            adapter: Adapter { vendor: text("v"), renderer: text("r"), driver: text("d") },
            settings: serde_json::json!({ "seed": 0 }),
            page: Page { missing: vec![text("m")], blocked: vec![text("b")] },
            files: vec![File { path: text("p"), bytes: 1, sha256: hash.to_string() }],
            frames: vec![hash],
            frames_sha256: frames_digest(&[hash]),
            video: Some(Video {
                file: text("video.mp4"),
                sha256: hash,
                bytes: 1,
                codec: text("h264"),
                width: 2,
                height: 2,
                fps: text("30"),
                frames: 1,
                duration: text("1/30"),
                peak_bits_per_second: 8,
                degraded: vec![0],
                audio: text("silence"),
            }),
            pictures: Some(vec![File { path: text("frames/000000.png"), bytes: 1, sha256: hash.to_string() }]),
            evidence: Some(vec![File { path: text("poses.jsonl"), bytes: 1, sha256: hash.to_string() }]),
            unsupported: vec![Unsupported { name: text("n"), detail: text("d"), count: 1 }],
            warnings: vec![text("w")],
        }
    }

    #[test]
    fn what_is_written_conforms_to_the_schema_and_is_read_back() {
        let manifest = sample();
        holds(&manifest, SCHEMA);
        holds(&Manifest { video: None, pictures: None, error: None, evidence: None, ..sample() }, SCHEMA);
        // In a folder, as the file is written.
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Manifest::read(dir.path()), Ok(None));
        std::fs::write(dir.path().join(MANIFEST), manifest.to_json().unwrap()).unwrap();
        assert_eq!(Manifest::read(dir.path()), Ok(Some(manifest)));
        std::fs::write(dir.path().join(MANIFEST), "{}").unwrap();
        assert!(Manifest::read(dir.path()).unwrap_err().starts_with("no manifest of replay: missing field"));
    }

    #[test]
    fn the_frame_list_is_what_sha256sum_would_say() {
        let empty = Hash::of(b"");
        let line = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  000000\n";
        assert_eq!(frame_list(&[empty]), line);
    }
}
