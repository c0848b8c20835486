//! Finding the program in a folder.

use serde_json::Value;

use super::{Files, ProjectError};
use crate::host::{EntryKind, RelPath};

/// What the run starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A page.
    Html(RelPath),
    /// A module, run in an empty page.
    Module(RelPath),
}

impl Entry {
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Html(path) | Self::Module(path) => path,
        }
    }
}

const MODULES: [&str; 2] = ["js", "mjs"];
/// What only a build makes a program of.
const UNBUILT: [&str; 4] = ["ts", "mts", "tsx", "jsx"];
/// Where a module is looked for when nothing names one.
const MODULE_FOLDERS: [&str; 2] = ["", "src"];
/// Tools' own files, never the program.
const TOOL_FILES: [&str; 3] = [".config.js", ".config.mjs", ".test.js"];

/// `path` as an entry, by its extension.
pub(super) fn of_file(files: &Files, path: RelPath) -> Result<Entry, ProjectError> {
    match path.extension().as_deref() {
        Some("html" | "htm" | "xhtml") => Ok(Entry::Html(path)),
        Some("js" | "mjs") => Ok(Entry::Module(path)),
        Some(other) if UNBUILT.contains(&other) => Err(ProjectError::NotBuilt(files.display(&path))),
        _ => Err(ProjectError::NotAProgram(files.display(&path))),
    }
}

/// The program of the folder at the root: `index.html`; else package.json's `main` or `module`; else the one
/// HTML file; else the one module. Two candidates of the same rank are an error.
pub(super) fn find(files: &Files) -> Result<Entry, ProjectError> {
    let top = RelPath::root();
    let here = |name: &str| RelPath::new(name).filter(|p| files.kind(p) == EntryKind::File);
    if let Some(index) = here("index.html").or_else(|| here("index.htm")) {
        return Ok(Entry::Html(index));
    }
    if let Some(main) = package_main(files) {
        return of_file(files, main);
    }
    // A template in one, what is built from it in another: nobody can tell which is meant.
    let indices = ["public", "dist", "src", "www"].map(|folder| format!("{folder}/index.html"));
    let indices: Vec<String> = indices.into_iter().filter(|index| here(index).is_some()).collect();
    if let Some(index) = only(files, &indices)? {
        return Ok(Entry::Html(index));
    }
    let names = files.list(&top);
    let pages: Vec<&String> = names.iter().filter(|n| n.ends_with(".html") || n.ends_with(".htm")).collect();
    if let Some(page) = only(files, &pages.into_iter().cloned().collect::<Vec<_>>())? {
        return Ok(Entry::Html(page));
    }
    for folder in MODULE_FOLDERS {
        let folder_path = RelPath::new(folder).unwrap_or_default();
        let modules: Vec<String> = files
            .list(&folder_path)
            .into_iter()
            .filter(|n| MODULES.iter().any(|ext| n.ends_with(&format!(".{ext}"))))
            .filter(|n| !TOOL_FILES.iter().any(|tool| n.ends_with(tool)))
            .filter_map(|n| folder_path.join(&n).map(|p| p.to_string()))
            .collect();
        // A conventional name among helpers is no ambiguity; two conventional names are.
        let named: Vec<String> = modules
            .iter()
            .filter(|m| {
                let stem = m.rsplit('/').next().unwrap_or("").split('.').next().unwrap_or("");
                matches!(stem, "main" | "index" | "app" | "scene")
            })
            .cloned()
            .collect();
        if let Some(path) = only(files, if named.is_empty() { &modules } else { &named })? {
            return Ok(Entry::Module(path));
        }
    }
    if let Some(path) = unbuilt(files) {
        return Err(ProjectError::NotBuilt(files.display(&path)));
    }
    match package_names(files).into_iter().next() {
        Some((key, path)) => {
            let manifest = RelPath::new("package.json").map(|path| files.display(&path)).unwrap_or_default();
            Err(ProjectError::NoMain { manifest, key, path })
        }
        None => Err(ProjectError::NoEntry(files.display(&top))),
    }
}

/// How many folders up the addresses in `text` reach: the longest run of `../` at the start of a string.
pub(super) fn levels_up(text: &str) -> usize {
    let strings = text.split(['"', '\'', '`', '(', '=']);
    let levels = |mut part: &str| {
        part = part.strip_prefix("./").unwrap_or(part);
        let mut up = 0;
        while let Some(rest) = part.strip_prefix("../") {
            (part, up) = (rest, up + 1);
        }
        up
    };
    strings.map(levels).max().unwrap_or(0)
}

fn only(files: &Files, candidates: &[String]) -> Result<Option<RelPath>, ProjectError> {
    match candidates {
        [] => Ok(None),
        [one] => Ok(RelPath::new(one)),
        many => Err(ProjectError::Ambiguous { folder: files.display(&RelPath::root()), candidates: many.to_vec() }),
    }
}

fn package_main(files: &Files) -> Option<RelPath> {
    package_names(files).iter().filter_map(|(_, name)| RelPath::new(name)).find(|path| {
        files.kind(path) == EntryKind::File
            && path.extension().is_some_and(|e| MODULES.contains(&e.as_str()) || e == "html")
    })
}

/// The program that is there but not built: package.json's, or one of a usual name.
fn unbuilt(files: &Files) -> Option<RelPath> {
    let named = package_names(files).into_iter().map(|(_, name)| name);
    let usual = MODULE_FOLDERS.iter().flat_map(|folder| {
        let names = files.list(&RelPath::new(folder).unwrap_or_default()).into_iter();
        let usual =
            names.filter(|name| matches!(name.split('.').next(), Some("main" | "index" | "app" | "scene" | "App")));
        usual.map(move |name| format!("{folder}/{name}").trim_start_matches('/').to_owned())
    });
    let paths = named.chain(usual).filter_map(|name| RelPath::new(&name));
    paths
        .filter(|path| files.kind(path) == EntryKind::File)
        .find(|path| path.extension().is_some_and(|e| UNBUILT.contains(&e.as_str())))
}

/// What package.json names, with the key.
fn package_names(files: &Files) -> Vec<(&'static str, String)> {
    let bytes = RelPath::new("package.json").and_then(|path| files.read_quietly(&path));
    let manifest: Option<Value> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let name = |key| Some((key, manifest.as_ref()?.get(key)?.as_str()?.to_owned()));
    ["module", "main"].into_iter().filter_map(name).collect()
}
