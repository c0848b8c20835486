//! A case on disk: `golden/cases/<area>/<name>/` with `main.js` or `index.html`, `test.toml` and `frame-N.expected.png`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Share of differing pixels that three.js' own tests allow; no case may ask for more.
const MAX_DIFFERENT: f64 = 0.01;

/// `test.toml`. Also read by `tools/reference/render.mjs`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Width and height in pixels.
    #[serde(default = "default_size")]
    pub size: [u32; 2],
    /// Frames to compare.
    #[serde(default = "default_frames")]
    pub frames: Vec<u64>,
    /// Largest share of differing pixels (pixelmatch, threshold 0.1).
    #[serde(default = "default_different")]
    pub max_different: f64,
    /// Why this case fails today. It must fail; when it passes, the line must go.
    pub known_failure: Option<String>,
    /// The failure is that of drivers whose name holds this; on all others the case must pass.
    pub known_failure_driver: Option<String>,
    /// Where the expected images come from; written by the reference tool.
    #[allow(dead_code, reason = "for readers")]
    pub reference: Option<toml::Table>,
}

fn default_size() -> [u32; 2] {
    [256, 256]
}

fn default_frames() -> Vec<u64> {
    vec![0]
}

fn default_different() -> f64 {
    MAX_DIFFERENT
}

#[derive(Clone, Debug)]
pub struct Case {
    /// `area/name`.
    pub name: String,
    pub folder: PathBuf,
    pub entry: PathBuf,
    pub options: Options,
}

/// All cases, in the order of their names.
pub fn find() -> Result<Vec<Case>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/cases");
    let mut cases = Vec::new();
    for area in folders(&root)? {
        for folder in folders(&area)? {
            let name = format!("{}/{}", file_name(&area), file_name(&folder));
            cases.push(read(name, folder)?);
        }
    }
    Ok(cases)
}

fn read(name: String, folder: PathBuf) -> Result<Case, String> {
    let file = folder.join("test.toml");
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let options: Options = toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    if options.max_different > MAX_DIFFERENT {
        return Err(format!("{}: max_different is capped at {MAX_DIFFERENT}", file.display()));
    }
    let entry = ["index.html", "main.js"]
        .map(|name| folder.join(name))
        .into_iter()
        .find(|path| path.exists())
        .ok_or_else(|| format!("{name}: neither index.html nor main.js"))?;
    Ok(Case { name, folder, entry, options })
}

fn folders(parent: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(parent).map_err(|error| format!("{}: {error}", parent.display()))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(|path| path.is_dir()).collect();
    found.sort();
    Ok(found)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
