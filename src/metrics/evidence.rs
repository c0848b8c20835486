//! Are the files that are measured the ones that the render wrote, and whole?

#![expect(clippy::disallowed_methods, reason = "an output folder that the user named")]

use std::fs::File;
use std::path::Path;

use super::record::Evidence;
use crate::evidence::Manifest;
use crate::frame::hash::Hash;

/// What the numbers, the map and the page are made from.
const READ: [&str; 6] =
    ["poses.jsonl", "scene.jsonl", "clearance.jsonl", "render_meta.json", "topdown.png", "topdown.json"];

/// Holds the evidence of an output folder against the hashes in its manifest. Whether files lack frames is for who reads
/// them to add ([`Evidence::cut`]).
pub fn check(out: &Path, manifest: Option<&Manifest>) -> Evidence {
    let mut found = Evidence {
        ok: true,
        hashed: false,
        changed: Vec::new(),
        missing: Vec::new(),
        added: Vec::new(),
        cut: Vec::new(),
        complete: manifest.map(|m| m.complete),
    };
    if let Some((manifest, files)) = manifest.and_then(|m| Some((m, m.evidence.as_ref()?))) {
        found.hashed = true;
        let read = |name: &str| READ.contains(&name) || is_route(manifest, name);
        for file in files.iter().filter(|file| read(&file.path)) {
            match File::open(out.join(&file.path)).and_then(Hash::of_reader) {
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
    }
    found.settle();
    found
}

/// The route's copy in the folder: a plain name, which leads nowhere else.
fn is_route(manifest: &Manifest, name: &str) -> bool {
    let route = manifest.settings.pointer("/route/file").and_then(serde_json::Value::as_str);
    route == Some(name) && Path::new(name).file_name().is_some_and(|n| n == name)
}

impl Evidence {
    /// After something was added.
    pub fn settle(&mut self) {
        let whole = [&self.changed, &self.missing, &self.added, &self.cut].iter().all(|list| list.is_empty());
        self.ok = whole && self.complete != Some(false);
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
