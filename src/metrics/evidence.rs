//! Are the files that are measured the ones that the render wrote, and whole?

use std::path::{Component, Path};

use super::record::Evidence;
use crate::evidence::{Manifest, frame_list, ordinary};
use crate::frame::hash::Hash;

/// What the numbers, the map and the page are made from: more than a render lists must not be there.
const READ: [&str; 6] =
    ["poses.jsonl", "scene.jsonl", "clearance.jsonl", "render_meta.json", "topdown.png", "topdown.json"];

/// Holds the evidence of an output folder against the hashes in its manifest. Whether files lack frames is for who reads
/// them to add ([`Evidence::cut`]).
pub fn check(out: &Path, manifest: Option<&Manifest>) -> Evidence {
    let mut found = Evidence {
        ok: None,
        hashed: false,
        changed: Vec::new(),
        missing: Vec::new(),
        added: Vec::new(),
        cut: Vec::new(),
        complete: manifest.map(|m| m.complete),
    };
    if let Some((manifest, files)) = manifest.and_then(|m| Some((m, m.evidence.as_ref()?))) {
        found.hashed = true;
        for file in files.iter().filter(|file| is_inside(&file.path)) {
            match ordinary::open(&out.join(&file.path)).and_then(Hash::of_reader) {
                Ok(hash) if hash.to_string() == file.sha256 => {}
                Ok(_) => found.changed.push(file.path.clone()),
                Err(_) => found.missing.push(file.path.clone()),
            }
        }
        let listed = |name: &str| files.iter().any(|file| file.path == name);
        found.added =
            READ.into_iter().filter(|name| !listed(name) && out.join(name).exists()).map(str::to_owned).collect();
        if crate::evidence::frames_digest(&manifest.frames) != manifest.frames_sha256 {
            found.changed.push("manifest.json (its list of frames)".to_owned());
        }
        match ordinary::open(&out.join("frames.sha256")).and_then(Hash::of_reader) {
            Ok(hash) if hash == Hash::of(frame_list(&manifest.frames).as_bytes()) => {}
            Ok(_) => found.changed.push("frames.sha256".to_owned()),
            Err(_) => found.missing.push("frames.sha256".to_owned()),
        }
    }
    let gone = manifest.is_none() && !out.join("manifest.json").exists();
    if gone && READ.iter().any(|name| out.join(name).exists()) {
        found.missing.push("manifest.json".to_owned());
    }
    found.settle();
    found
}

/// A path that leads nowhere else.
fn is_inside(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

impl Evidence {
    /// After something was added.
    pub fn settle(&mut self) {
        let whole = [&self.changed, &self.missing, &self.added, &self.cut].iter().all(|list| list.is_empty());
        let wrong = !whole || self.complete == Some(false);
        self.ok = if wrong { Some(false) } else { self.hashed.then_some(true) };
    }

    /// What is wrong, loudest first; empty if nothing is.
    pub fn complaints(&self) -> Vec<String> {
        let list = |names: &[String]| names.join(", ");
        let mut out = Vec::new();
        let mut say = |names: &[String], what: &str| {
            if !names.is_empty() {
                out.push(format!("{}: {what}", list(names)));
            }
        };
        say(&self.changed, "TAMPERED EVIDENCE: not what the render wrote (SHA-256 in manifest.json)");
        say(&self.added, "TAMPERED EVIDENCE: the render wrote no such file (manifest.json does not list it)");
        say(&self.missing, "EVIDENCE IS MISSING: the render wrote it, and it is gone");
        say(&self.cut, "EVIDENCE IS CUT SHORT: what depends on it is not measured");
        if self.complete == Some(false) {
            out.push("INCOMPLETE RENDER: it did not end, only what there is was measured".to_owned());
        }
        out
    }
}
