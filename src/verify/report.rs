//! One file's verdict as a whole: numbers, rules, and what the folder it lies in says. Its schema is
//! `schema/verify.schema.json`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::VerifyError;
use super::facts::Facts;
use super::mp4::{FileInput, Input};
use super::output::{Filmed, filmed, read_manifest};
use super::pictures::{self, PicturesReport};
use super::profile::{ConsistencyRule, Profile};
use crate::evidence::sums::{self, SUMS};
use crate::evidence::{MANIFEST, Manifest, ordinary};
use crate::frame::hash::Hash;
use crate::rules::{Ratio, RuleResult, Verdict};

/// The JSON schema of [`Report`], draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/verify.schema.json");

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this format.
    pub format: u32,
    pub path: PathBuf,
    /// No rule failed, nor anything else that is required.
    pub ok: bool,
    /// Name of the rules.
    pub profile: String,
    pub rules: Vec<RuleResult>,
    /// Must the file agree with itself?
    pub consistency_required: bool,
    /// What `manifest.json` says against what the file is; `None` for a file alone.
    pub manifest: Option<Vec<ManifestCheck>>,
    #[serde(flatten)]
    pub facts: Facts,
}

/// One thing the manifest says of the video; of name `manifest.json`, what `SHA256SUMS` says of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ManifestCheck {
    pub name: &'static str,
    pub said: String,
    pub found: String,
    pub ok: bool,
}

/// What was looked at.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Verified {
    Video(Box<Report>),
    Pictures(Box<PicturesReport>),
}

impl Verified {
    /// Did nothing fail?
    pub fn ok(&self) -> bool {
        match self {
            Self::Video(report) => report.ok,
            Self::Pictures(report) => report.ok,
        }
    }
}

/// Measures an MP4 file, or the video or PNG sequence of an output folder and its manifest, and holds it against `profile`.
///
/// # Errors
/// There is none, or it can't be read.
pub fn verify(path: &Path, profile: &Profile) -> Result<Verified, VerifyError> {
    let fail = |path: &Path, why: String| VerifyError::Unreadable { path: path.to_owned(), why };
    if !path.exists() {
        return Err(VerifyError::Missing { path: path.to_owned() });
    }
    let (video, manifest, listed) = if path.is_dir() {
        let manifest = read_manifest(path)?;
        let listed = manifest_of_sums(path);
        match filmed(path, manifest.as_ref()) {
            Filmed::Video(video) => (video, manifest, listed),
            Filmed::Pictures(folder) => {
                let report = pictures::verify(path, &folder, manifest.as_ref(), listed, profile);
                return Ok(Verified::Pictures(Box::new(report)));
            }
            Filmed::Nothing => {
                let why = "no video.mp4 in it, nor PNG files".to_owned();
                return Err(VerifyError::NotOurs { path: path.to_owned(), why });
            }
        }
    } else {
        (path.to_owned(), None, None)
    };
    let input = FileInput::open(&video).map_err(|e| fail(&video, e.to_string()))?;
    let in_folder = path.is_dir();
    let (facts, digest) = rayon::join(|| Facts::of(&input), || in_folder.then(|| digest(&input)));
    let facts = facts.map_err(|e| fail(&video, e.to_string()))?;
    let digest = digest.transpose().map_err(|why| fail(&video, why))?;
    let manifest = manifest.zip(digest).map(|(manifest, digest)| against_manifest(&manifest, &facts, &digest));
    Ok(Verified::Video(Box::new(judge(video, facts, profile, with(manifest, listed)))))
}

/// The checks with one more in front.
pub fn with(checks: Option<Vec<ManifestCheck>>, first: Option<ManifestCheck>) -> Option<Vec<ManifestCheck>> {
    match first {
        Some(first) => Some([vec![first], checks.unwrap_or_default()].concat()),
        None => checks,
    }
}

/// The manifest as `SHA256SUMS` lists it: who takes it away takes its word of the film with it. `None` without such a list.
fn manifest_of_sums(folder: &Path) -> Option<ManifestCheck> {
    let check = |said: String, found: String| {
        let ok = said == found;
        Some(ManifestCheck { name: MANIFEST, said, found, ok })
    };
    let said = match sums::read(folder) {
        Ok(list) => list?.into_iter().find(|(name, _)| name == MANIFEST)?.1,
        Err(why) => return check("listed".to_owned(), format!("unknown: {SUMS} can't be read, {why}")),
    };
    match ordinary::open(&folder.join(MANIFEST)).and_then(Hash::of_reader) {
        Ok(found) => check(said.to_string(), found.to_string()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => check(said.to_string(), "gone".to_owned()),
        Err(e) => check(said.to_string(), format!("not readable: {e}")),
    }
}

/// The report on facts that are known.
pub fn judge(path: PathBuf, facts: Facts, profile: &Profile, manifest: Option<Vec<ManifestCheck>>) -> Report {
    let json = serde_json::to_value(&facts).unwrap_or(Value::Null);
    let rules = profile.judge(&json);
    let required = profile.settings.consistency == ConsistencyRule::Require;
    let ok = rules.iter().all(|r| r.verdict != Verdict::Fail)
        && !(required && facts.consistency.failed > 0)
        && manifest.iter().flatten().all(|check| check.ok);
    Report {
        format: 1,
        path,
        ok,
        profile: profile.name.clone(),
        rules,
        consistency_required: required,
        manifest,
        facts,
    }
}

fn digest(input: &FileInput) -> Result<String, String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut at = 0;
    while at < input.len() {
        let len = (input.len() - at).min(1 << 20);
        let part = buffer.get_mut(..len as usize).unwrap_or_default();
        input.read_at(at, part).map_err(|e| e.to_string())?;
        hash.update(&*part);
        at += len;
    }
    Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
}

fn against_manifest(manifest: &Manifest, facts: &Facts, digest: &str) -> Vec<ManifestCheck> {
    let Some(said) = &manifest.video else {
        let (said, found) = ("no video".to_owned(), "a video".to_owned());
        return vec![ManifestCheck { name: "video", said, found, ok: false }];
    };
    let video = facts.video.as_ref();
    let number = |n: Option<String>| n.unwrap_or_else(|| "none".to_owned());
    let mut out = Vec::new();
    let mut check = |name: &'static str, said: String, found: String| {
        let ok = said == found;
        out.push(ManifestCheck { name, said, found, ok });
    };
    check("sha256", said.sha256.to_string(), digest.to_owned());
    check("bytes", said.bytes.to_string(), facts.file.bytes.to_string());
    check("codec", said.codec.clone(), number(video.map(|v| v.codec.clone())));
    let size = |w: u32, h: u32| format!("{w}x{h}");
    check("size", size(said.width, said.height), number(video.map(|v| size(v.width, v.height))));
    check("frames", said.frames.to_string(), number(video.map(|v| v.presented_frames.to_string())));
    check("frame hashes", manifest.frames.len().to_string(), number(video.map(|v| v.presented_frames.to_string())));
    let exact = |text: &str| Ratio::parse(text).map_or_else(|| text.to_owned(), |r| r.to_string());
    check("fps", exact(&said.fps), number(video.and_then(|v| v.frame_rate.exact).map(|r| r.to_string())));
    check("duration", exact(&said.duration), number(video.map(|v| v.duration.to_string())));
    check("complete", manifest.complete.to_string(), "true".to_owned());
    // What the muxer promises is a bound: the busiest second of each track, wherever they lie.
    let (bound, peak) = (said.peak_bits_per_second, facts.bit_rate.peak);
    let (said, found) = (format!("at most {bound}"), peak.to_string());
    out.push(ManifestCheck { name: "peak_bits_per_second", said, found, ok: peak <= bound });
    out
}
