//! Are the files that are measured the ones that the render wrote, and whole?
//!
//! Two lists say what it wrote: `manifest.json` (evidence, video or pictures) and `SHA256SUMS` (every file, the manifest too).
//! A file must be what both say; where they part, the one that the file agrees with is right.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use rayon::prelude::*;

use super::record::Evidence;
use crate::evidence::pictures::{FRAMES, numbered};
use crate::evidence::sums::{self, SUMS};
use crate::evidence::{Manifest, frame_list, ordinary};
use crate::frame::hash::Hash;

/// What the numbers, the map and the page are made from: more than a render lists must not be there.
const READ: [&str; 11] = [
    "poses.jsonl",
    "scene.jsonl",
    "clearance.jsonl",
    "render_meta.json",
    "topdown.png",
    "topdown.json",
    "poses.csv",
    "transforms.json",
    "timing.json",
    "video.mp4",
    "video.incomplete.mp4",
];
/// What every render writes.
const ALWAYS: [&str; 5] = ["manifest.json", "frames.sha256", "console.log", "timing.json", SUMS];
/// Names told of a list.
const SHOWN: usize = 4;

/// What the lists say of a file, and what it is.
#[derive(Default)]
struct Said {
    /// Bytes, by the manifest.
    bytes: Option<u64>,
    manifest: Option<Hash>,
    sums: Option<Hash>,
}

/// Holds an output folder against what its lists say. Whether files lack frames is for who reads them to add
/// ([`Evidence::cut`]). `manifest` is `Err` with the reason if it lies there and can't be read.
pub fn check(out: &Path, manifest: Result<Option<&Manifest>, &str>) -> Evidence {
    let mut found = Evidence { complete: manifest.ok().flatten().map(|m| m.complete), ..Evidence::default() };
    let sums = match sums::read(out) {
        Ok(sums) => sums,
        Err(why) => {
            found.changed.push(format!("{SUMS} ({why})"));
            None
        }
    };
    let ours = READ.into_iter().chain(ALWAYS).any(|name| out.join(name).exists());
    if !ours {
        found.settle();
        return found;
    }
    let mut files: BTreeMap<&str, Said> = BTreeMap::new();
    for (name, hash) in sums.iter().flatten() {
        files.entry(name.as_str()).or_default().sums = Some(*hash);
    }
    if let Err(why) = manifest {
        found.changed.push(format!("manifest.json ({why})"));
    }
    if let Ok(Some(manifest)) = manifest {
        let listed = manifest.evidence.iter().chain(&manifest.pictures).flatten();
        for file in listed {
            // What is no digest matches no file.
            let hash = Hash::from_hex(&file.sha256).unwrap_or(Hash([0; 32]));
            let said = files.entry(&file.path).or_default();
            (said.manifest, said.bytes) = (Some(hash), Some(file.bytes));
        }
        if let Some(video) = &manifest.video {
            let said = files.entry(&video.file).or_default();
            (said.manifest, said.bytes) = (Some(video.sha256), Some(video.bytes));
        }
        let list = Hash::of(frame_list(&manifest.frames).as_bytes());
        files.entry("frames.sha256").or_default().manifest = Some(list);
        inner(manifest, &mut found);
    }
    found.hashed = files.values().any(|said| said.sums.is_some() || said.manifest.is_some());
    for name in ALWAYS {
        if !out.join(name).exists() {
            found.missing.push(name.to_owned());
        }
    }
    hold(out, &files, sums.is_some(), &mut found);
    let extra = |name: &&str| !files.contains_key(*name) && out.join(name).exists();
    // Without its list, what lies there is not known to be too much.
    if manifest.is_ok_and(|m| m.is_some()) {
        found
            .added
            .extend(READ.iter().filter(|name| !ALWAYS.contains(name)).filter(|n| extra(n)).map(|n| (*n).to_owned()));
        found.added.extend(strange_pictures(out, &files));
    }
    if sums.is_some() {
        let unlisted = ALWAYS.iter().filter(|name| **name != SUMS).filter(|name| extra(name));
        found.changed.extend(unlisted.map(|name| format!("{SUMS} (it does not list {name})")));
    }
    found.settle();
    found
}

/// What the manifest must say for itself.
fn inner(manifest: &Manifest, found: &mut Evidence) {
    if manifest.evidence.is_none() {
        found.changed.push("manifest.json (it lists no evidence, as that of every render does)".to_owned());
    }
    if crate::evidence::frames_digest(&manifest.frames) != manifest.frames_sha256 {
        found.changed.push("manifest.json (its list of frames)".to_owned());
    }
    let frames = manifest.frames.len() as u64;
    let filmed = manifest.video.as_ref().map(|v| v.frames).or(manifest.pictures.as_ref().map(|p| p.len() as u64));
    if filmed.unwrap_or(0) != frames {
        let filmed = filmed.map_or_else(|| "no pictures".to_owned(), |n| n.to_string());
        found.changed.push(format!("manifest.json ({filmed} for {frames} frames)"));
    }
}

/// What a file is.
enum Is {
    Hashed(Hash),
    /// Of another size than the manifest says.
    Sized {
        found: u64,
        bytes: u64,
    },
}

/// Holds each file that is listed against its digests.
fn hold(out: &Path, files: &BTreeMap<&str, Said>, have_sums: bool, found: &mut Evidence) {
    let files: Vec<(&str, &Said)> = files.iter().map(|(name, said)| (*name, said)).collect();
    // What has another size is another file, and may be larger than anybody wants to read.
    let digest = |name: &str, said: &Said| {
        let file = is_inside(name).then(|| ordinary::open(&out.join(name)).ok())??;
        match (file.metadata().ok()?.len(), said.bytes) {
            (found, Some(bytes)) if found != bytes => Some(Is::Sized { found, bytes }),
            _ => Hash::of_reader(file).ok().map(Is::Hashed),
        }
    };
    let digests: Vec<Option<Is>> = files.par_iter().map(|(name, said)| digest(name, said)).collect();
    let mut told_sums = false;
    for ((name, said), digest) in files.into_iter().zip(digests) {
        let Some(digest) = digest else {
            if !found.missing.iter().any(|n| n == name) {
                found.missing.push(name.to_owned());
            }
            continue;
        };
        let digest = match digest {
            Is::Hashed(digest) => digest,
            Is::Sized { found: is, bytes } => {
                found.changed.push(format!("{name} ({is} bytes, not {bytes})"));
                continue;
            }
        };
        let mut sums_are_wrong = |why: String| {
            if !std::mem::replace(&mut told_sums, true) {
                found.changed.push(format!("{SUMS} ({why})"));
            }
        };
        match (said.manifest.map(|h| h == digest), said.sums.map(|h| h == digest)) {
            (Some(true), Some(false)) => sums_are_wrong(format!("what it says of {name}")),
            (Some(true), None) if have_sums => sums_are_wrong(format!("it does not list {name}")),
            (Some(false), Some(true)) => found.changed.push(format!("{name} (or what manifest.json says of it)")),
            (Some(false), _) | (None, Some(false)) => found.changed.push(name.to_owned()),
            _ => {}
        }
    }
}

/// Pictures by number that no list has: a sheet would show them.
fn strange_pictures(out: &Path, files: &BTreeMap<&str, Said>) -> Vec<String> {
    let names = numbered(&out.join(FRAMES)).into_iter();
    let mut names: Vec<String> = names
        .filter_map(|path| Some(format!("{FRAMES}/{}", path.file_name()?.to_str()?)))
        .filter(|name| !files.contains_key(name.as_str()))
        .collect();
    names.sort();
    names
}

/// A path that leads nowhere else.
fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

impl Evidence {
    /// After something was added.
    pub fn settle(&mut self) {
        let whole = [&self.changed, &self.missing, &self.added, &self.cut].iter().all(|list| list.is_empty());
        let wrong = !whole || self.complete == Some(false);
        self.ok = if wrong { Some(false) } else { self.hashed.then_some(true) };
    }

    /// Is `name` known to be something else than what the render wrote?
    pub fn is_changed(&self, name: &str) -> bool {
        self.changed
            .iter()
            .any(|told| told == name || told.strip_prefix(name).is_some_and(|rest| rest.starts_with(" (")))
    }

    /// What is wrong, loudest first; empty if nothing is.
    pub fn complaints(&self) -> Vec<String> {
        let list = |names: &[String]| match names.len().saturating_sub(SHOWN) {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ")),
        };
        let mut out = Vec::new();
        let mut say = |names: &[String], what: &str| {
            if !names.is_empty() {
                out.push(format!("{}: {what}", list(names)));
            }
        };
        say(&self.changed, "TAMPERED EVIDENCE: not what the render wrote (SHA-256 in manifest.json and SHA256SUMS)");
        say(&self.added, "TAMPERED EVIDENCE: the render wrote no such file (manifest.json does not list it)");
        say(&self.missing, "EVIDENCE IS MISSING: the render wrote it, and it is gone");
        say(&self.cut, "EVIDENCE IS CUT SHORT: what depends on it is not measured");
        if self.complete == Some(false) {
            out.push("INCOMPLETE RENDER: it did not end, only what there is was measured".to_owned());
        }
        out
    }
}
