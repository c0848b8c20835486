//! Addresses of packages on public CDNs: which package, version and file they mean. Nothing is fetched.

use url::Url;

/// A package file named by a CDN address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CdnFile {
    /// npm name, e.g. `three` or `@tweenjs/tween.js`.
    pub package: String,
    /// Version or range after `@`, as written; empty if none.
    pub version: String,
    /// Path in the package without leading slash; empty for the package's entry.
    pub path: String,
    /// Does the CDN resolve `path` through `exports` (esm.sh, skypack) rather than as a file?
    pub by_exports: bool,
}

/// What `url` means as a package file; `None` if it is no known CDN address.
pub fn parse(url: &Url) -> Option<CdnFile> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let path = percent_encoding::percent_decode_str(url.path()).decode_utf8().ok()?.into_owned();
    let path = path.trim_start_matches('/');
    match url.host_str()? {
        // `?module` asks for the package's module form.
        "unpkg.com" | "www.unpkg.com" | "npmcdn.com" => npm(path, url.query_pairs().any(|(key, _)| key == "module")),
        "cdn.jsdelivr.net" | "fastly.jsdelivr.net" | "gcore.jsdelivr.net" => {
            if let Some(rest) = path.strip_prefix("npm/") {
                // `/+esm` asks for the package's module form.
                return match rest.strip_suffix("/+esm") {
                    Some(module) => npm(module, true),
                    None => npm(rest, false),
                };
            }
            path.strip_prefix("gh/").and_then(github)
        }
        "esm.sh" | "cdn.esm.sh" => npm(strip_esm_build(path), true),
        "esm.run" => npm(path, true),
        "cdn.skypack.dev" => {
            let pinned = path.strip_prefix("pin/").or_else(|| path.strip_prefix("-/"));
            npm(pinned.unwrap_or(path), true).map(strip_skypack_hash)
        }
        "ga.jspm.io" | "jspm.dev" => npm(path.strip_prefix("npm:").unwrap_or(path), false),
        "cdnjs.cloudflare.com" | "cdnjs.com" => cdnjs(path.strip_prefix("ajax/libs/")?),
        "ajax.googleapis.com" => cdnjs(path.strip_prefix("ajax/libs/")?),
        // The decoders that loaders and their wrappers name by default are in three.js' own package.
        "www.gstatic.com" => {
            let (tool, file) = (path.split('/').next()?, path.rsplit('/').next()?);
            let folder = match tool {
                "draco" => "draco",
                "basis-universal" => "basis",
                _ => return None,
            };
            Some(three(String::new(), &format!("examples/jsm/libs/{folder}/{file}")))
        }
        "threejs.org" | "www.threejs.org" | "mrdoob.github.io" => {
            let path = path.strip_prefix("three.js/").unwrap_or(path);
            (path.starts_with("build/") || path.starts_with("examples/js") || path.starts_with("examples/fonts"))
                .then(|| three(String::new(), path))
        }
        "raw.githubusercontent.com" | "rawcdn.githack.com" | "raw.githack.com" | "cdn.rawgit.com" | "rawgit.com" => {
            let (owner_repo, rest) = split_at_slash(path, 2)?;
            let (branch, file) = rest.split_once('/')?;
            (owner_repo == "mrdoob/three.js").then(|| three(three_version(branch), file))
        }
        _ => None,
    }
}

fn three(version: String, path: &str) -> CdnFile {
    CdnFile { package: "three".into(), version, path: path.to_owned(), by_exports: false }
}

/// `name@version/path` or `@scope/name@version/path`.
fn npm(text: &str, by_exports: bool) -> Option<CdnFile> {
    let (head, path) = if text.starts_with('@') {
        split_at_slash(text, 2).or_else(|| (text.contains('/')).then_some((text, "")))?
    } else {
        text.split_once('/').unwrap_or((text, ""))
    };
    let (package, version) = match head.get(1..).and_then(|tail| tail.find('@')) {
        Some(at) => (head.get(..=at)?, head.get(at + 2..)?),
        None => (head, ""),
    };
    let named = |s: &str| !s.is_empty() && !s.starts_with('.') && !s.contains("..");
    (named(package)).then(|| CdnFile {
        package: package.to_owned(),
        version: version.to_owned(),
        path: path.trim_matches('/').to_owned(),
        by_exports,
    })
}

/// GitHub folders that are npm packages.
fn github(text: &str) -> Option<CdnFile> {
    let (owner_repo, path) = split_at_slash(text, 2)?;
    let (name, version) = owner_repo.split_once('@').unwrap_or((owner_repo, ""));
    if name == "pmndrs/drei-assets" {
        let (folder, file) = (path.split('/').next()?, path.rsplit('/').next()?);
        let folder = match folder {
            "basis" => "basis",
            "draco" => "draco",
            "draco-gltf" => "draco/gltf",
            _ => return None,
        };
        return Some(three(String::new(), &format!("examples/jsm/libs/{folder}/{file}")));
    }
    (name == "mrdoob/three.js").then(|| three(three_version(version), path))
}

/// `r128` → `0.128.0`; anything else as it is.
fn three_version(text: &str) -> String {
    match text.strip_prefix('r') {
        Some(n) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => format!("0.{n}.0"),
        _ if matches!(text, "dev" | "master" | "main" | "latest") => String::new(),
        _ => text.to_owned(),
    }
}

/// cdnjs: `library/version/file`, with its own library names.
fn cdnjs(text: &str) -> Option<CdnFile> {
    let (library, rest) = text.split_once('/')?;
    let (version, file) = rest.split_once('/')?;
    let package = match library {
        "three.js" | "threejs" => {
            let path = if file.starts_with("three") && !file.contains('/') {
                format!("build/{file}")
            } else {
                file.to_owned()
            };
            return Some(three(three_version(version), &path));
        }
        "dat-gui" => "dat.gui",
        "tween.js" => "@tweenjs/tween.js",
        // cdnjs names its releases `r17`; npm has them as 0.17.0, in `build` and in lower case.
        "stats.js" => {
            let path = format!("build/{}", file.to_ascii_lowercase());
            let version = three_version(version);
            return Some(CdnFile { package: "stats.js".into(), version, path, by_exports: false });
        }
        "cannon.js" => "cannon",
        "simplex-noise" => "simplex-noise",
        "tone" => "tone",
        "p5.js" => "p5",
        other => other,
    };
    Some(CdnFile { package: package.to_owned(), version: version.to_owned(), path: file.to_owned(), by_exports: false })
}

/// esm.sh puts a build tag before the package (`v135/`, `stable/`) and a target before the file (`es2022/`).
fn strip_esm_build(path: &str) -> &str {
    match path.split_once('/') {
        Some((tag, rest))
            if tag == "stable"
                || (tag.starts_with('v') && tag[1..].bytes().all(|b| b.is_ascii_digit()) && tag.len() > 1) =>
        {
            rest
        }
        _ => path.strip_prefix('*').unwrap_or(path),
    }
}

/// Skypack's pinned addresses carry `@vX.Y.Z-hash/mode=imports/optimized/name.js`.
fn strip_skypack_hash(mut file: CdnFile) -> CdnFile {
    if let Some(rest) = file.version.strip_prefix('v') {
        file.version = rest.split('-').next().unwrap_or("").to_owned();
    }
    if file.path.contains("mode=imports") {
        file.path.clear();
    }
    file
}

fn split_at_slash(text: &str, nth: usize) -> Option<(&str, &str)> {
    let at = text.match_indices('/').nth(nth - 1)?.0;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(url: &str) -> Option<(String, String, String)> {
        parse(&Url::parse(url).expect("url")).map(|f| (f.package, f.version, f.path))
    }

    fn file(package: &str, version: &str, path: &str) -> Option<(String, String, String)> {
        Some((package.into(), version.into(), path.into()))
    }

    #[test]
    fn knows_the_usual_addresses() {
        assert_eq!(
            means("https://unpkg.com/three@0.160.0/examples/jsm/controls/OrbitControls.js"),
            file("three", "0.160.0", "examples/jsm/controls/OrbitControls.js")
        );
        assert_eq!(means("https://unpkg.com/three"), file("three", "", ""));
        assert_eq!(
            means("https://cdn.jsdelivr.net/npm/@tweenjs/tween.js@23.1.1/dist/tween.esm.js"),
            file("@tweenjs/tween.js", "23.1.1", "dist/tween.esm.js")
        );
        assert_eq!(means("https://cdn.jsdelivr.net/npm/three@0.150/+esm"), file("three", "0.150", ""));
        assert_eq!(
            means("https://esm.sh/three@0.170.0/addons/loaders/GLTFLoader.js"),
            file("three", "0.170.0", "addons/loaders/GLTFLoader.js")
        );
        assert_eq!(means("https://esm.sh/v135/three@0.155.0"), file("three", "0.155.0", ""));
        assert_eq!(means("https://cdn.skypack.dev/three@0.136"), file("three", "0.136", ""));
        assert_eq!(
            means("https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js"),
            file("three", "0.128.0", "build/three.min.js")
        );
        assert_eq!(
            means("https://cdnjs.cloudflare.com/ajax/libs/three.js/0.170.0/three.module.min.js"),
            file("three", "0.170.0", "build/three.module.min.js")
        );
        assert_eq!(
            means("https://cdnjs.cloudflare.com/ajax/libs/stats.js/r17/Stats.min.js"),
            file("stats.js", "0.17.0", "build/stats.min.js")
        );
        assert_eq!(means("https://threejs.org/build/three.module.js"), file("three", "", "build/three.module.js"));
        assert_eq!(
            means("https://cdn.jsdelivr.net/gh/mrdoob/three.js@r140/examples/js/controls/OrbitControls.js"),
            file("three", "0.140.0", "examples/js/controls/OrbitControls.js")
        );
        // As unpkg documents `?module`, and the addresses in DRACOLoader's and drei's own documentation.
        let by_exports = |url: &str| parse(&Url::parse(url).expect("url")).map(|f| (f.by_exports, f.path));
        assert_eq!(by_exports("https://unpkg.com/three?module"), Some((true, String::new())));
        assert_eq!(by_exports("https://unpkg.com/three"), Some((false, String::new())));
        let draco = |name: &str| file("three", "", &format!("examples/jsm/libs/draco/{name}"));
        assert_eq!(
            means("https://www.gstatic.com/draco/versioned/decoders/1.5.7/draco_decoder.wasm"),
            draco("draco_decoder.wasm")
        );
        assert_eq!(means("https://www.gstatic.com/draco/v1/decoders/draco_decoder.js"), draco("draco_decoder.js"));
        assert_eq!(
            means("https://cdn.jsdelivr.net/gh/pmndrs/drei-assets@master/basis/basis_transcoder.js"),
            file("three", "", "examples/jsm/libs/basis/basis_transcoder.js")
        );
        assert_eq!(means("https://www.gstatic.com/other/x.js"), None);
        assert_eq!(means("https://example.com/three.js"), None);
        assert_eq!(means("https://threejs.org/examples/textures/crate.gif"), None);
    }
}
