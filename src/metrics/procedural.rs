//! Does all that is seen come from the program's own code? Out of the manifest's list of files and addresses.

use std::collections::BTreeMap;

use super::record::{FileKind, Procedural};
use crate::evidence::Manifest;

/// Counts what was loaded or asked for. Pictures written into the code as `data:` addresses are code here.
pub fn measure(manifest: &Manifest) -> Procedural {
    let mut kinds: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut assets = Vec::new();
    for file in &manifest.files {
        let kind = kind_of(&file.path);
        let entry = kinds.entry(kind).or_default();
        entry.0 += 1;
        entry.1 += file.bytes;
        if !matches!(kind, "code" | "page" | "data") {
            assets.push(file.path.clone());
        }
    }
    let mut files: Vec<_> =
        kinds.into_iter().map(|(kind, (files, bytes))| FileKind { kind: kind.to_owned(), files, bytes }).collect();
    files.sort_by_key(|k| std::cmp::Reverse(k.bytes));
    let page = &manifest.page;
    Procedural {
        procedural: assets.is_empty() && page.blocked.is_empty() && page.missing.is_empty(),
        files,
        assets: assets.len() as u64,
        asset_paths: assets,
        network_attempts: page.blocked.len() as u64,
        network: page.blocked.clone(),
        missing: page.missing.len() as u64,
        missing_paths: page.missing.clone(),
    }
}

/// What a file holds, by the end of its name. What is not known is `binary`: no code, no plain data.
fn kind_of(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let name = name.split(['?', '#']).next().unwrap_or_default();
    if name.ends_with(".typeface.json") {
        return "font";
    }
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "js" | "mjs" | "cjs" | "ts" | "jsx" | "tsx" | "wasm" | "glsl" | "vert" | "frag" | "vs" | "fs" | "wgsl"
        | "map" => "code",
        "html" | "htm" | "xhtml" | "css" => "page",
        "json" | "jsonc" | "json5" | "toml" | "yaml" | "yml" | "csv" | "tsv" | "txt" | "md" | "gpx" | "geojson"
        | "kml" | "xml" => "data",
        "png" | "jpg" | "jpeg" | "webp" | "gif" | "bmp" | "avif" | "ico" | "svg" | "hdr" | "exr" | "ktx" | "ktx2"
        | "dds" | "basis" | "tga" | "tif" | "tiff" | "pvr" | "cube" | "3dl" => "image",
        "gltf" | "glb" | "obj" | "mtl" | "fbx" | "stl" | "ply" | "dae" | "3ds" | "3mf" | "usdz" | "usd" | "usda"
        | "usdc" | "drc" | "vox" | "pcd" | "bvh" | "md2" | "wrl" | "ifc" | "b3dm" | "pnts" | "spz" | "splat" => "model",
        "mp3" | "wav" | "ogg" | "oga" | "flac" | "m4a" | "aac" | "opus" | "mid" | "midi" => "audio",
        "mp4" | "webm" | "mov" | "m4v" | "ogv" | "avi" | "mkv" => "video",
        "woff" | "woff2" | "ttf" | "otf" | "ttc" => "font",
        _ => "binary",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_the_name() {
        let of =
            ["node_modules/three/build/three.module.js", "a/Photo.JPG", "city.glb", "x.typeface.json", "route.gpx"];
        assert_eq!(of.map(kind_of), ["code", "image", "model", "font", "data"]);
        assert_eq!(["LICENSE", "tile.pbf", "i.svg?v=2"].map(kind_of), ["binary", "binary", "image"]);
    }
}
