//! A sequence of PNG files: is it whole, and what its manifest says?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::{GenericImageView as _, ImageDecoder as _};
use rayon::prelude::*;
use serde::Serialize;

use super::facts::{Consistency, Finding};
use super::profile::Profile;
use super::report::{ManifestCheck, with};
use crate::evidence::pictures::numbered;
use crate::evidence::{self, Manifest, frame_list, ordinary};
use crate::frame::hash::Hash;
use crate::rules::{RuleResult, Verdict};

/// The JSON schema of [`PicturesReport`], draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/pictures.schema.json");

/// Most bytes of a picture's file.
const MAX_FILE: u64 = 1 << 30;
/// Things told of a kind.
const SHOWN: usize = 4;

/// The verdict on a PNG sequence. It is no video: no rule on videos applies.
#[derive(Clone, Debug, Serialize)]
pub struct PicturesReport {
    /// Version of this format.
    pub format: u32,
    pub path: PathBuf,
    /// Nothing is missing, unreadable or not what the manifest says.
    pub ok: bool,
    /// Name of the rules.
    pub profile: String,
    /// None of them applies.
    pub rules: Vec<RuleResult>,
    /// What `manifest.json` says against what there is; `None` for pictures alone.
    pub manifest: Option<Vec<ManifestCheck>>,
    pub pictures: Pictures,
    pub consistency: Consistency,
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pictures {
    pub files: u64,
    /// Of the files, all together.
    pub bytes: u64,
    /// Numbers of the first and the last one.
    pub first: u64,
    pub last: u64,
    /// Of the first picture, pixels.
    pub width: Option<u32>,
    pub height: Option<u32>,
}

/// One file, read whole.
struct Read {
    name: String,
    number: u64,
    bytes: u64,
    file: Hash,
    /// Size and digest of the pixels, or why there are none.
    picture: Result<(u32, u32, Option<Hash>), String>,
}

/// Looks at the PNG files of `folder` (`frames/` of `out`, or `out` itself). `listed`: what `SHA256SUMS` says of the manifest.
pub fn verify(
    out: &Path,
    folder: &Path,
    manifest: Option<&Manifest>,
    listed: Option<ManifestCheck>,
    profile: &Profile,
) -> PicturesReport {
    // Without the files' own digests, those of the pixels tell.
    let decode = manifest.is_some_and(|m| m.pictures.is_none());
    let read: Vec<Read> = numbered(folder).par_iter().map(|path| read(path, decode)).collect();
    let size = read.iter().find_map(|r| r.picture.as_ref().ok().map(|p| (p.0, p.1)));
    let pictures = Pictures {
        files: read.len() as u64,
        bytes: read.iter().map(|r| r.bytes).sum(),
        first: read.first().map_or(0, |r| r.number),
        last: read.last().map_or(0, |r| r.number),
        width: size.map(|s| s.0),
        height: size.map(|s| s.1),
    };
    let findings = findings(&read, size);
    let failed = findings.iter().filter(|f| f.ok == Some(false)).count() as u64;
    let manifest = manifest.map(|manifest| against_manifest(out, manifest, &read, size));
    let manifest = with(manifest, listed);
    let rule = |rule: &crate::rules::Rule| RuleResult {
        id: rule.id.clone(),
        title: rule.title.clone(),
        requirement: rule.requirement.clone(),
        measured: "a sequence of pictures is no video file".to_owned(),
        verdict: Verdict::NotApplicable,
        checks: Vec::new(),
    };
    PicturesReport {
        format: 1,
        path: folder.to_owned(),
        ok: failed == 0 && manifest.iter().flatten().all(|check| check.ok),
        profile: profile.name.clone(),
        rules: profile.rules.iter().map(rule).collect(),
        manifest,
        pictures,
        consistency: Consistency { failed, findings, notes: Vec::new() },
    }
}

fn read(path: &Path, decode: bool) -> Read {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let number = path.file_stem().and_then(|s| s.to_str()).and_then(|s| s.parse().ok()).unwrap_or(0);
    let whole = || {
        let mut bytes = Vec::new();
        let file = ordinary::open(path).map_err(|e| e.to_string())?;
        let length = file.metadata().map_err(|e| e.to_string())?.len();
        if length > MAX_FILE {
            return Err(format!("it has {length} bytes, more than {MAX_FILE}"));
        }
        std::io::Read::read_to_end(&mut std::io::Read::take(file, MAX_FILE), &mut bytes).map_err(|e| e.to_string())?;
        Ok(bytes)
    };
    let (bytes, picture) = match whole() {
        Ok(bytes) => {
            let picture = picture(&bytes, decode);
            (bytes, picture)
        }
        Err(why) => (Vec::new(), Err(why)),
    };
    Read { name, number, bytes: bytes.len() as u64, file: Hash::of(&bytes), picture }
}

/// Size, and, if asked for, the digest of the RGBA pixels.
fn picture(bytes: &[u8], decode: bool) -> Result<(u32, u32, Option<Hash>), String> {
    if decode {
        let picture = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).map_err(|e| e.to_string())?;
        let (width, height) = picture.dimensions();
        return Ok((width, height, Some(Hash::of(&picture.into_rgba8()))));
    }
    let decoder = image::codecs::png::PngDecoder::new(std::io::Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions();
    // PNG ends with an IEND chunk (PNG specification, 11.2.5): what was cut lacks it.
    let whole = bytes.ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82");
    if whole { Ok((width, height, None)) } else { Err("the file is cut short: it has no IEND at its end".to_owned()) }
}

fn list(mut names: impl Iterator<Item = String>) -> String {
    let shown: Vec<String> = names.by_ref().take(SHOWN).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Does the sequence agree with itself?
fn findings(read: &[Read], size: Option<(u32, u32)>) -> Vec<Finding> {
    let finding = |id, title, wrong: String, right: String| {
        let ok = wrong.is_empty();
        Finding { id, title, ok: Some(ok), detail: if ok { right } else { wrong } }
    };
    let astray = read.iter().enumerate().find(|(at, r)| r.number != *at as u64);
    let order = match astray {
        Some((at, r)) => format!("{} stands where picture {at} should", r.name),
        None => String::new(),
    };
    let broken = read.iter().filter_map(|r| Some(format!("{}: {}", r.name, r.picture.as_ref().err()?)));
    let odd = read.iter().filter_map(|r| {
        let (width, height, _) = r.picture.as_ref().ok()?;
        (Some((*width, *height)) != size).then(|| format!("{} is {width}x{height}", r.name))
    });
    let shape = size.map_or_else(String::new, |(width, height)| format!("{width}x{height}"));
    vec![
        finding(
            "sequence",
            "the pictures are numbered from 0 without a gap",
            order,
            format!("{} pictures", read.len()),
        ),
        finding("readable", "every picture is a whole PNG file", list(broken), "all".to_owned()),
        finding("one-size", "all pictures have one size", list(odd), shape),
    ]
}

fn against_manifest(out: &Path, manifest: &Manifest, read: &[Read], size: Option<(u32, u32)>) -> Vec<ManifestCheck> {
    let mut checks = Vec::new();
    let mut check = |name: &'static str, said: String, found: String, ok: bool| {
        checks.push(ManifestCheck { name, said, found, ok });
    };
    if let Some(video) = &manifest.video {
        check("video", format!("a video, {}", video.file), "pictures".to_owned(), false);
    }
    let (said, found) = (manifest.frames.len(), read.len());
    check("frames", said.to_string(), found.to_string(), said == found);
    let side = |name: &str| manifest.settings.get(name).and_then(serde_json::Value::as_u64);
    if let Some((width, height)) = side("width").zip(side("height")) {
        let found = size.map_or_else(|| "none".to_owned(), |(width, height)| format!("{width}x{height}"));
        let said = format!("{width}x{height}");
        let ok = said == found;
        check("size", said, found, ok);
    }
    let other: Vec<String> = match &manifest.pictures {
        Some(files) => {
            let named = |file: &evidence::File| file.path.rsplit('/').next().unwrap_or_default().to_owned();
            let mut said: BTreeMap<String, &str> = files.iter().map(|f| (named(f), f.sha256.as_str())).collect();
            let is = |r: &Read, said: Option<&str>| said.is_some_and(|said| r.file.to_string() == said);
            let mut others: Vec<String> =
                read.iter().filter(|r| !is(r, said.remove(&r.name))).map(|r| r.name.clone()).collect();
            others.extend(said.into_keys().map(|name| format!("{name} (gone)")));
            others
        }
        None => {
            let said = manifest.frames.iter().map(Some).chain(std::iter::repeat(None));
            let pixels = |r: &Read| r.picture.as_ref().ok().and_then(|p| p.2);
            read.iter().zip(said).filter(|(r, said)| pixels(r).as_ref() != *said).map(|(r, _)| r.name.clone()).collect()
        }
    };
    let what = if manifest.pictures.is_some() { "files" } else { "pixels" };
    let found = match other.len() {
        0 => "all the same".to_owned(),
        n => format!("{n} others: {}", list(other.iter().cloned())),
    };
    check("sha256", format!("of the {what} of {} pictures", manifest.frames.len()), found, other.is_empty());
    let list = ordinary::open(&out.join("frames.sha256")).and_then(Hash::of_reader).ok();
    let ok = list == Some(Hash::of(frame_list(&manifest.frames).as_bytes()));
    let found = match list {
        _ if ok => "the same",
        Some(_) => "another list",
        None => "no list",
    };
    check("frames.sha256", "the list of frame hashes".to_owned(), found.to_owned(), ok);
    check("complete", manifest.complete.to_string(), "true".to_owned(), manifest.complete);
    checks
}
