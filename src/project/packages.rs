//! Packages in `node_modules`: which file a package specifier means (`exports`, `module`, `main`).

use serde_json::Value;

use super::Files;
use crate::host::{EntryKind, RelPath};

/// What `import 'package/subpath'` came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// URL path (`node_modules/…`) of the file.
    File(RelPath),
    /// The package is there, but has no such file: its version.
    NoFile(String),
    /// The package is there, but `exports` hides the subpath.
    NotExported,
}

/// Conditions of `exports` that hold here, besides `default`.
const CONDITIONS: [&str; 5] = ["browser", "import", "module", "module-sync", "production"];

/// `package` as seen from the folder `from`: nearest `node_modules` upwards, then those at the top.
pub(super) fn find_package(files: &Files, package: &str, from: &RelPath) -> Option<RelPath> {
    let mut folder = from.clone();
    loop {
        if folder.name() != "node_modules"
            && let Some(candidate) = folder.join(&format!("node_modules/{package}"))
            && files.kind(&candidate) == EntryKind::Folder
        {
            return Some(candidate);
        }
        if folder.as_str().is_empty() {
            return None;
        }
        folder = folder.parent();
    }
}

/// `name` and `subpath` of a bare specifier; `None` if it is none.
pub(super) fn split_bare(specifier: &str) -> Option<(&str, &str)> {
    if specifier.is_empty() || specifier.starts_with(['.', '/', '#']) || specifier.contains("..") {
        return None;
    }
    let slash = match specifier.strip_prefix('@') {
        Some(rest) => rest.match_indices('/').nth(1).map(|(at, _)| at + 1),
        None => specifier.find('/'),
    };
    match slash {
        Some(at) => Some((specifier.get(..at)?, specifier.get(at + 1..)?)),
        None => Some((specifier, "")),
    }
}

/// What the `browser` map of a package puts in the place of one of its files, or of a module that its files ask for
/// (the package-browser-field specification; webpack's `aliasFields`, rollup's `browser: true`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InBrowsers {
    File(RelPath),
    /// A module by its bare name.
    Module(String),
    /// `false`: nothing.
    Nothing,
}

/// What a browser gets for the file at `path` of a package in `node_modules`; `None` where that is the file itself.
pub(super) fn file_in_browsers(files: &Files, path: &RelPath) -> Option<InBrowsers> {
    let folder = package_of(path)?;
    let map = browser_map(files, &folder)?;
    let own = path.as_str().strip_prefix(folder.as_str())?.trim_start_matches('/');
    let bare =
        ["/index.js", "/index.json", ".js", ".mjs", ".cjs", ".json"].iter().filter_map(|end| own.strip_suffix(end));
    let names = std::iter::once(own).chain(bare);
    let entry = names.flat_map(|name| [format!("./{name}"), name.to_owned()]).find_map(|key| map.get(&key))?;
    in_browsers(files, &folder, entry).filter(|found| *found != InBrowsers::File(path.clone()))
}

/// What a browser gets for `specifier`, a bare name in a file in the folder `from` of a package.
pub(super) fn module_in_browsers(files: &Files, from: &RelPath, specifier: &str) -> Option<InBrowsers> {
    let folder = package_of(from)?;
    let map = browser_map(files, &folder)?;
    in_browsers(files, &folder, map.get(specifier)?)
}

fn in_browsers(files: &Files, folder: &RelPath, entry: &Value) -> Option<InBrowsers> {
    match entry {
        Value::Bool(false) => Some(InBrowsers::Nothing),
        Value::String(text) if text.starts_with('.') => {
            let path = folder.join(text).filter(|path| package_of(path).as_ref() == Some(folder))?;
            with_extension(files, &path).map(InBrowsers::File)
        }
        Value::String(text) => Some(InBrowsers::Module(text.clone())),
        _ => None,
    }
}

/// The folder of the package in `node_modules` that `path` belongs to.
fn package_of(path: &RelPath) -> Option<RelPath> {
    let text = path.as_str();
    let at = text.rfind("node_modules/").filter(|at| *at == 0 || text.get(..*at).is_some_and(|t| t.ends_with('/')))?;
    let begin = at + "node_modules/".len();
    let rest = text.get(begin..)?;
    let names = if rest.starts_with('@') { 2 } else { 1 };
    let length = rest.split('/').take(names).map(|name| name.len() + 1).sum::<usize>().saturating_sub(1);
    RelPath::new(text.get(..begin + length)?)
}

fn browser_map(files: &Files, folder: &RelPath) -> Option<serde_json::Map<String, Value>> {
    let bytes = files.read_quietly(&folder.join("package.json")?)?;
    // Most have none: not worth reading for each import.
    bytes.windows(9).any(|word| word == b"\"browser\"").then_some(())?;
    let manifest: Value = serde_json::from_slice(&bytes).ok()?;
    manifest.get("browser")?.as_object().cloned()
}

/// Node's PACKAGE_RESOLVE with a bundler's leniency about extensions. `subpath` without leading slash.
pub(super) fn resolve(files: &Files, folder: &RelPath, subpath: &str) -> Found {
    let manifest = manifest(files, folder);
    if let Some(exports) = manifest.get("exports").filter(|e| !e.is_null()) {
        let key = if subpath.is_empty() { ".".to_owned() } else { format!("./{subpath}") };
        return match export_target(exports, &key) {
            Some(target) => match folder.join(&target).filter(|p| p.as_str().starts_with(folder.as_str())) {
                Some(path) => file_or(files, &path, &manifest),
                None => Found::NotExported,
            },
            None => Found::NotExported,
        };
    }
    if subpath.is_empty() {
        // As Vite does: the file for browsers, unless only another one is a module.
        let first = manifest.get("browser").and_then(Value::as_str).and_then(|path| folder.join(path));
        let first = first.and_then(|path| with_extension(files, &path)).filter(|path| is_module(files, path));
        match first {
            Some(path) => Found::File(path),
            None => entry(files, folder, &manifest, &["module", "jsnext:main", "browser", "main"]),
        }
    } else {
        match folder.join(subpath) {
            Some(path) => file_or(files, &path, &manifest),
            None => Found::NotExported,
        }
    }
}

/// Does the file hold an `import` or `export` statement at the beginning of a line?
fn is_module(files: &Files, path: &RelPath) -> bool {
    let Some(bytes) = files.read_quietly(path) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let follows = |rest: &str| rest.starts_with([' ', '{', '*', '"', '\'']);
    path.as_str().ends_with(".mjs")
        || text.contains(";export{")
        || text.contains("}export{")
        || text.lines().any(|line| ["import", "export"].iter().any(|w| line.strip_prefix(w).is_some_and(follows)))
}

/// A file of the package by its path, `exports` ignored, as unpkg and jsdelivr serve it. An empty path is the
/// file those CDNs serve for the package itself.
pub(super) fn raw_file(files: &Files, folder: &RelPath, path: &str) -> Found {
    let manifest = manifest(files, folder);
    if path.is_empty() {
        return entry(files, folder, &manifest, &["unpkg", "jsdelivr", "browser", "main", "module"]);
    }
    let direct = folder.join(path).map(|p| file_or(files, &p, &manifest)).unwrap_or(Found::NotExported);
    if matches!(direct, Found::File(_)) {
        return direct;
    }
    // three.js moved its libraries from js to jsm.
    let moved = match path.strip_prefix("examples/jsm/libs/") {
        Some(rest) => Some(format!("examples/js/libs/{rest}")),
        None => path.strip_prefix("examples/js/libs/").map(|rest| format!("examples/jsm/libs/{rest}")),
    };
    if let Some(moved) = moved.and_then(|moved| folder.join(&moved))
        && files.kind(&moved) == EntryKind::File
    {
        return Found::File(moved);
    }
    // cdnjs drops the folder that a package builds into, and several packages moved theirs.
    for prefix in ["build", "dist", "umd", "lib", "examples"] {
        if let Some(candidate) = folder.join(&format!("{prefix}/{path}"))
            && files.kind(&candidate) == EntryKind::File
        {
            return Found::File(candidate);
        }
    }
    direct
}

/// The same file in the other build: `x.js` for `x.min.js`, or the other way about. Packages drop either with time.
pub(super) fn other_build(files: &Files, folder: &RelPath, path: &str) -> Option<RelPath> {
    let (stem, end) = path.rsplit_once('.').filter(|(_, end)| matches!(*end, "js" | "mjs" | "cjs"))?;
    let other = match stem.strip_suffix(".min") {
        Some(stem) => format!("{stem}.{end}"),
        None => format!("{stem}.min.{end}"),
    };
    match raw_file(files, folder, &other) {
        Found::File(path) => Some(path),
        _ => None,
    }
}

/// Does the package say by `exports` what it has?
pub(super) fn has_exports(files: &Files, folder: &RelPath) -> bool {
    manifest(files, folder).get("exports").is_some_and(|exports| !exports.is_null())
}

/// `version` of the package in `folder`.
pub(super) fn version(files: &Files, folder: &RelPath) -> String {
    version_of(&manifest(files, folder))
}

fn version_of(manifest: &Value) -> String {
    manifest.get("version").and_then(Value::as_str).unwrap_or("unknown").to_owned()
}

fn manifest(files: &Files, folder: &RelPath) -> Value {
    folder
        .join("package.json")
        .and_then(|path| files.read_quietly(&path))
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or(Value::Null)
}

fn entry(files: &Files, folder: &RelPath, manifest: &Value, keys: &[&str]) -> Found {
    for key in keys {
        if let Some(path) = manifest.get(key).and_then(Value::as_str)
            && let Some(path) = folder.join(path)
            && let Some(path) = with_extension(files, &path)
        {
            return Found::File(path);
        }
    }
    let index = folder.join("index").and_then(|p| with_extension(files, &p));
    index.map_or_else(|| Found::NoFile(version_of(manifest)), Found::File)
}

fn file_or(files: &Files, path: &RelPath, manifest: &Value) -> Found {
    with_extension(files, path).map_or_else(|| Found::NoFile(version_of(manifest)), Found::File)
}

/// `path` itself, or with the extension (or index file) a bundler would add.
pub(super) fn with_extension(files: &Files, path: &RelPath) -> Option<RelPath> {
    if files.kind(path) == EntryKind::File {
        return Some(path.clone());
    }
    ["js", "mjs", "json"]
        .iter()
        .map(|ext| format!("{path}.{ext}"))
        .chain(["js", "mjs"].iter().map(|ext| format!("{path}/index.{ext}")))
        .filter_map(|text| RelPath::new(&text))
        .find(|candidate| files.kind(candidate) == EntryKind::File)
}

/// Node's PACKAGE_EXPORTS_RESOLVE: target of `key` (`.` or `./sub`), relative to the package.
fn export_target(exports: &Value, key: &str) -> Option<String> {
    let has_subpaths = exports.as_object().is_some_and(|o| o.keys().any(|k| k.starts_with('.')));
    if !has_subpaths {
        return (key == ".").then(|| condition(exports, None)).flatten();
    }
    let (target, star) = matched(exports.as_object()?, key)?;
    condition(target, star)
}

/// Where the `#name` of a package's own `imports` leads (Node's PACKAGE_IMPORTS_RESOLVE): the folder of the package of
/// the file in `from`, and the target, `./…` in it or a specifier.
pub(super) fn import_target(files: &Files, from: &RelPath, specifier: &str) -> Option<(RelPath, String)> {
    let mut folder = from.clone();
    loop {
        let json = folder.join("package.json").is_some_and(|path| files.kind(&path) == EntryKind::File);
        if json || folder.as_str().is_empty() {
            let manifest = manifest(files, &folder);
            let (target, star) = matched(manifest.get("imports")?.as_object()?, specifier)?;
            return Some((folder, target_text(target, star, false)?));
        }
        folder = folder.parent();
    }
}

/// The entry of `exports` or `imports` for `key`, and what stands for its `*`.
fn matched<'a>(map: &'a serde_json::Map<String, Value>, key: &'a str) -> Option<(&'a Value, Option<&'a str>)> {
    if let Some(target) = map.get(key).filter(|_| !key.contains('*')) {
        return Some((target, None));
    }
    // The longest prefix before `*` wins.
    map.iter()
        .filter_map(|(pattern, target)| {
            let (head, tail) = match pattern.split_once('*') {
                Some(parts) => parts,
                // The old folder form, `"./lib/": "./lib/"`.
                None if pattern.ends_with('/') => (pattern.as_str(), ""),
                None => return None,
            };
            let middle = key.strip_prefix(head)?.strip_suffix(tail)?;
            (!middle.is_empty()).then_some((head.len(), target, middle))
        })
        .max_by_key(|(len, ..)| *len)
        .map(|(_, target, middle)| (target, Some(middle)))
}

/// A target in the package, without its `./`.
fn condition(target: &Value, star: Option<&str>) -> Option<String> {
    target_text(target, star, true)?.strip_prefix("./").map(str::to_owned)
}

/// The first target whose conditions hold; one that begins with `./` if it must be the package's `own`.
fn target_text(target: &Value, star: Option<&str>, own: bool) -> Option<String> {
    match target {
        Value::String(text) if own && !text.starts_with("./") => None,
        Value::String(text) => Some(match star {
            Some(middle) if text.contains('*') => text.replace('*', middle),
            Some(middle) => format!("{text}{middle}"),
            None => text.clone(),
        }),
        Value::Array(list) => list.iter().find_map(|item| target_text(item, star, own)),
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| key.as_str() == "default" || CONDITIONS.contains(&key.as_str()))
            .find_map(|(_, value)| target_text(value, star, own)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tells_the_package_of_a_file() {
        let of = |path: &str| package_of(&RelPath::new(path).unwrap()).map(|p| p.to_string());
        assert_eq!(of("node_modules/a/lib/x.js").as_deref(), Some("node_modules/a"));
        assert_eq!(of("node_modules/@s/a/lib/x.js").as_deref(), Some("node_modules/@s/a"));
        assert_eq!(of("node_modules/a/node_modules/b/x.js").as_deref(), Some("node_modules/a/node_modules/b"));
        assert_eq!(of("src/x.js"), None);
    }

    #[test]
    fn follows_exports_as_node_does() {
        // Node's documentation, "Subpath patterns" and "Conditional exports".
        let exports = json!({
            ".": { "require": "./index.cjs", "import": "./index.js" },
            "./features/*.js": "./src/features/*.js",
            "./features/private-internal/*": null,
            "./lib/": "./dist/",
            "./nested": { "node": { "import": "./node.mjs" }, "browser": { "import": "./browser.mjs" }, "default": "./x.js" },
        });
        let target = |key: &str| export_target(&exports, key);
        assert_eq!(target(".").as_deref(), Some("index.js"));
        assert_eq!(target("./features/y/y.js").as_deref(), Some("src/features/y/y.js"));
        assert_eq!(target("./features/private-internal/m.js"), None);
        assert_eq!(target("./lib/a.js").as_deref(), Some("dist/a.js"));
        assert_eq!(target("./nested").as_deref(), Some("browser.mjs"));
        assert_eq!(target("./absent"), None);
        assert_eq!(export_target(&json!("./main.js"), ".").as_deref(), Some("main.js"));
        assert_eq!(export_target(&json!("../escape.js"), "."), None);
    }

    #[test]
    fn splits_bare_specifiers() {
        assert_eq!(split_bare("three"), Some(("three", "")));
        assert_eq!(split_bare("three/addons/x.js"), Some(("three", "addons/x.js")));
        assert_eq!(split_bare("@a/b/c/d"), Some(("@a/b", "c/d")));
        assert_eq!(split_bare("@a/b"), Some(("@a/b", "")));
        assert_eq!(split_bare("./x"), None);
        assert_eq!(split_bare("three/../../x"), None);
    }
}
