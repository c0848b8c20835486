//! `render_meta.json`: a [`RenderMeta`] for every run, whatever the program wrote itself; its schema is
//! `schema/render_meta.schema.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::motion::PictureMotion;
use super::pose::{NoCamera, Pose};
use super::scene_stats::SceneStats;
use super::up::UpTold;
use crate::scene::ObjectInfo;

/// The JSON schema, draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/render_meta.schema.json");

/// What a run drew and loaded, in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RenderMeta {
    /// Version of this format.
    pub format: u32,
    /// three.js' revision, if it was loaded.
    pub three: Option<String>,
    pub width: u32,
    pub height: u32,
    pub fps: String,
    /// Frames that the figures are over.
    pub frames: u64,
    pub scene: BTreeMap<String, Range>,
    pub pedestrians: Pedestrians,
    pub cameras: Vec<CameraUse>,
    /// Which axis of the scene is up, and what told it; `None` in files of older versions.
    #[serde(default)]
    pub up: Option<UpTold>,
    /// Does the picture move as the camera does? `None` in files of older versions.
    #[serde(default)]
    pub picture_motion: Option<PictureMotion>,
    /// Name of the object taken for the drone, the first that was found.
    pub drone: Option<String>,
    /// Frames by flag of their poses.
    pub flags: BTreeMap<String, u64>,
    /// Frames without a camera by the reason.
    #[serde(default)]
    pub no_camera: BTreeMap<NoCamera, u64>,
    /// Names of the objects drawn and of the groups that they are in, most frequent first, digits written as `#`: what patterns of
    /// `[evidence]` could match.
    #[serde(default)]
    pub names: Vec<NameUse>,
    pub loaded: Loaded,
}

/// Over the frames of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Range {
    pub min: f64,
    pub mean: f64,
    pub max: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pedestrians {
    /// Most at once.
    pub total: u32,
    pub visible: Range,
    pub moving: Range,
}

/// A camera that made presented pictures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CameraUse {
    pub number: u32,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub frames: u64,
}

/// A name, and how many objects drawn have it, or are in a group of that name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameUse {
    pub name: String,
    pub objects: u64,
}

/// Everything the program loaded or tried to load.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// By kind: script, json, image, model, font, audio, video, shader, wasm, style, text, page, other.
    pub kinds: BTreeMap<String, Amount>,
    pub files: Vec<LoadedFile>,
    /// `data:` and `blob:` addresses, whose bytes came from the program itself, by media type.
    pub own: BTreeMap<String, Amount>,
    /// Asked for, not there.
    pub missing: Vec<String>,
    /// Network addresses asked for; all were refused.
    pub network: Vec<String>,
    /// No picture, model, font, sound, film or unknown file was loaded or tried, and no network: what is seen comes from
    /// the program's own code.
    pub procedural: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    pub count: u64,
    pub bytes: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadedFile {
    pub kind: String,
    pub path: String,
    pub bytes: u64,
}

/// Kinds whose presence makes a program not procedural.
const ASSETS: [&str; 7] = ["image", "model", "font", "audio", "video", "wasm", "other"];

/// Does this kind hold something that a program's own code did not make?
pub fn is_asset(kind: &str) -> bool {
    ASSETS.contains(&kind)
}

impl Loaded {
    /// `files`: path, bytes, and what its contents say, of what was read; `own`: media type, count, bytes of what the program made.
    pub fn new(
        files: impl IntoIterator<Item = (String, u64, Option<String>)>,
        own: impl IntoIterator<Item = (String, Amount)>,
        missing: Vec<String>,
        network: Vec<String>,
    ) -> Self {
        let mut loaded = Self { missing, network, own: own.into_iter().collect(), ..Self::default() };
        for (path, bytes, holds) in files {
            // The name may say less than the contents, and a name of something loaded counts whatever it holds.
            let named = kind_of(&path);
            let kind = holds.filter(|_| !is_asset(named) || named == "other").unwrap_or_else(|| named.to_owned());
            let amount = loaded.kinds.entry(kind.clone()).or_default();
            amount.count += 1;
            amount.bytes = amount.bytes.saturating_add(bytes);
            loaded.files.push(LoadedFile { kind, path, bytes });
        }
        let tried = loaded.missing.iter().any(|what| is_asset(kind_of(address_in(what))));
        let assets = loaded.files.iter().any(|file| is_asset(&file.kind));
        loaded.procedural = !tried && loaded.network.is_empty() && !assets;
        loaded
    }
}

/// The address that a message about a missing file quotes, else all of it.
fn address_in(message: &str) -> &str {
    message.split(['`', '"', '\'']).nth(1).unwrap_or(message)
}

/// What a file is, by its name.
pub fn kind_of(path: &str) -> &'static str {
    let name = path.split(['?', '#']).next().unwrap_or(path);
    let extension = name.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map(|(_, e)| e.to_ascii_lowercase());
    match extension.as_deref() {
        Some("js" | "mjs" | "cjs" | "ts") => "script",
        Some("html" | "htm" | "xhtml") => "page",
        Some("css") => "style",
        Some("json" | "map" | "toml") => "json",
        Some(
            "png" | "jpg" | "jpeg" | "webp" | "gif" | "bmp" | "avif" | "svg" | "hdr" | "exr" | "ktx" | "ktx2" | "dds"
            | "tga" | "tif" | "tiff" | "basis" | "pvr" | "cube" | "ico",
        ) => "image",
        Some(
            "gltf" | "glb" | "obj" | "mtl" | "fbx" | "dae" | "stl" | "ply" | "3ds" | "3mf" | "usdz" | "usd" | "vrm"
            | "pcd" | "xyz" | "drc" | "bvh" | "splat" | "vox" | "vtk" | "wrl",
        ) => "model",
        Some("ttf" | "otf" | "woff" | "woff2") => "font",
        Some("mp3" | "ogg" | "wav" | "m4a" | "aac" | "flac" | "opus") => "audio",
        Some("mp4" | "webm" | "mov" | "m4v" | "ogv") => "video",
        Some("glsl" | "vert" | "frag" | "vs" | "fs" | "wgsl") => "shader",
        Some("wasm") => "wasm",
        Some("txt" | "md" | "csv" | "xml" | "gpx" | "kml" | "geojson") => "text",
        _ => "other",
    }
}

/// Gathers a run's frames.
#[derive(Clone, Debug, Default)]
pub struct Gather {
    frames: u64,
    /// Least, sum, most, by name.
    ranges: BTreeMap<&'static str, (f64, f64, f64)>,
    total: u32,
    cameras: BTreeMap<u32, CameraUse>,
    drone: Option<String>,
    flags: BTreeMap<String, u64>,
    no_camera: BTreeMap<NoCamera, u64>,
    names: BTreeMap<String, u64>,
}

/// Different names counted, and told.
const MOST_NAMES: usize = 4096;
const NAMES: usize = 24;
/// Characters told of a name.
const NAME_LENGTH: usize = 64;

/// `house_12` as `house_#`: the same name for all of a kind.
fn of_a_kind(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(NAME_LENGTH) {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}

impl Gather {
    /// Objects seen for the first time.
    pub fn names(&mut self, objects: &[ObjectInfo]) {
        let cameras = |object: &&ObjectInfo| !object.kind.contains("Camera");
        for object in objects.iter().filter(cameras) {
            let all: BTreeSet<String> =
                std::iter::once(&object.name).chain(&object.ancestors).map(|n| of_a_kind(n)).collect();
            for name in all.into_iter().filter(|name| !name.is_empty()) {
                if self.names.len() < MOST_NAMES || self.names.contains_key(&name) {
                    *self.names.entry(name).or_default() += 1;
                }
            }
        }
    }

    pub fn frame(&mut self, pose: &Pose, stats: &SceneStats) {
        self.frames += 1;
        self.total = self.total.max(stats.pedestrians);
        let mut take = |name, value: f64| {
            let (least, sum, most) = self.ranges.entry(name).or_insert((f64::INFINITY, 0.0, f64::NEG_INFINITY));
            (*least, *sum, *most) = (least.min(value), *sum + value, most.max(value));
        };
        for (name, value) in [
            ("draws", stats.all.draws),
            ("triangles", stats.all.triangles),
            ("lines", stats.all.lines),
            ("points", stats.all.points),
            ("instances", stats.all.instances),
            ("vertices", stats.all.vertices),
            ("camera_draws", stats.camera.draws),
            ("camera_triangles", stats.camera.triangles),
            ("camera_instances", stats.camera.instances),
            ("render_calls", u64::from(stats.render_calls)),
            ("lights", u64::from(stats.lights)),
            ("programs", u64::from(stats.programs)),
            ("textures", u64::from(stats.textures)),
            ("texture_bytes", stats.texture_bytes),
            ("buffers", u64::from(stats.buffers)),
            ("buffer_bytes", stats.buffer_bytes),
            ("pedestrians", u64::from(stats.pedestrians)),
            ("pedestrians_visible", u64::from(stats.pedestrians_visible)),
            ("pedestrians_moving", u64::from(stats.pedestrians_moving)),
        ] {
            take(name, value as f64);
        }
        if let Some(camera) = &pose.camera {
            let entry = self.cameras.entry(camera.number).or_insert_with(|| CameraUse {
                number: camera.number,
                name: camera.name.clone(),
                kind: camera.kind.clone(),
                frames: 0,
            });
            entry.frames += 1;
        }
        if self.drone.is_none() {
            self.drone = pose.drone.as_ref().map(|drone| drone.name.clone());
        }
        if let Some(why) = pose.no_camera {
            *self.no_camera.entry(why).or_default() += 1;
        }
        for flag in &pose.flags {
            *self.flags.entry(flag.to_string()).or_default() += 1;
        }
    }

    /// The file, but for what only the end of the run knows.
    pub fn meta(&self) -> RenderMeta {
        let frames = self.frames.max(1) as f64;
        let scene: BTreeMap<String, Range> = (self.ranges.iter())
            .map(|(name, (min, sum, max))| ((*name).to_owned(), Range { min: *min, mean: sum / frames, max: *max }))
            .collect();
        let mut names: Vec<NameUse> =
            self.names.iter().map(|(name, objects)| NameUse { name: name.clone(), objects: *objects }).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.objects));
        names.truncate(NAMES);
        let range = |name: &str| scene.get(name).copied().unwrap_or_default();
        RenderMeta {
            format: 1,
            frames: self.frames,
            pedestrians: Pedestrians {
                total: self.total,
                visible: range("pedestrians_visible"),
                moving: range("pedestrians_moving"),
            },
            cameras: self.cameras.values().cloned().collect(),
            drone: self.drone.clone(),
            flags: self.flags.clone(),
            no_camera: self.no_camera.clone(),
            names,
            scene,
            ..RenderMeta::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_from_names_and_assets_end_the_procedural_claim() {
        assert_eq!(kind_of("node_modules/three/build/three.module.js"), "script");
        assert_eq!(kind_of("a/b.GLB?v=2"), "model");
        assert_eq!(kind_of("LICENSE"), "other");
        let loaded = |files: &[&str], missing: &[&str], network: &[&str]| {
            let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
            Loaded::new(files.iter().map(|f| ((*f).to_owned(), 10, None)), [], own(missing), own(network)).procedural
        };
        assert!(loaded(&["main.js", "index.html", "route.json", "a.glsl"], &["there is no `favicon.json`"], &[]));
        assert!(!loaded(&["main.js", "brick.png"], &[], &[]));
        assert!(!loaded(&["main.js"], &["there is no `models/car.glb`"], &[]));
        assert!(!loaded(&["main.js"], &[], &["https://example.com/x.js"]));
        let held = |path: &str, holds: &str| {
            let loaded = Loaded::new([(path.to_owned(), 10, Some(holds.to_owned()))], [], Vec::new(), Vec::new());
            (loaded.files[0].kind.clone(), loaded.procedural)
        };
        assert_eq!(held("tex.txt", "image"), ("image".to_owned(), false));
        assert_eq!(held("noise", "audio"), ("audio".to_owned(), false));
        assert_eq!(held("a.png", "model"), ("image".to_owned(), false));
    }
}
