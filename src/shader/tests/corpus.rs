//! Every shader of the three.js corpus (`tools/shader-corpus` makes it) compiles.

use std::path::{Path, PathBuf};

use crate::shader::{CompileOptions, ExtensionSet, Stage, compile};

/// Where the corpus lies: `REPLAY_SHADER_CORPUS`, or what the tool makes by default.
pub fn corpus_folder() -> PathBuf {
    match std::env::var_os("REPLAY_SHADER_CORPUS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(".corpus/three"),
    }
}

/// All `*.vert` and `*.frag` files below a folder, sorted.
pub fn shader_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "vert" || extension == "frag") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn three_js_corpus_compiles() {
    let folder = corpus_folder();
    let files = shader_files(&folder);
    if files.is_empty() {
        assert!(
            std::env::var_os("REPLAY_REQUIRE_CORPUS").is_none(),
            "no shader corpus in {}: run tools/shader-corpus",
            folder.display()
        );
        eprintln!("SKIPPED: no shader corpus in {} (run tools/shader-corpus)", folder.display());
        return;
    }
    let mut failures = Vec::new();
    for file in &files {
        let source = std::fs::read_to_string(file).unwrap();
        let stage = if file.extension().unwrap() == "vert" { Stage::Vertex } else { Stage::Fragment };
        let webgl1 = file.to_string_lossy().contains("-gl1");
        let extensions = if webgl1 {
            ExtensionSet::OES_STANDARD_DERIVATIVES
                | ExtensionSet::EXT_FRAG_DEPTH
                | ExtensionSet::EXT_SHADER_TEXTURE_LOD
                | ExtensionSet::EXT_DRAW_BUFFERS
        } else {
            ExtensionSet::WEBGL_MULTI_DRAW | ExtensionSet::WEBGL_CLIP_CULL_DISTANCE
        };
        let options = CompileOptions { webgl2: !webgl1, extensions, ..CompileOptions::default() };
        if let Err(log) = compile(stage, &source, &options) {
            let line = log.diagnostics[0].line as usize;
            let text = source.lines().nth(line.saturating_sub(1)).unwrap_or("");
            failures.push(format!("{}: {log}    {text}", file.display()));
        }
    }
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), files.len(), failures.join("\n"));
    eprintln!("{} shaders compiled", files.len());
}
