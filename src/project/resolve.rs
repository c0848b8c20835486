//! From what a program writes to a file: addresses, CDN addresses, module specifiers.

use url::Url;

use super::packages::{self, Found, InBrowsers};
use super::{Asset, ORIGIN, Project, ResolveError, cdn, mime_of};
use crate::host::{EntryKind, HostError, RelPath};

impl Project {
    /// The file `url` means. CDN addresses of packages come to the installed package; other hosts are blocked.
    pub fn locate(&self, url: &Url, referrer: Option<&str>) -> Result<RelPath, ResolveError> {
        let path = self.candidate(url, referrer)?;
        match self.files.kind(&path) {
            EntryKind::File => Ok(path),
            EntryKind::Outside => Err(ResolveError::Outside { path: path.to_string(), referrer: self.name(referrer) }),
            EntryKind::Folder => match path.join("index.html").filter(|p| self.files.kind(p) == EntryKind::File) {
                Some(index) => Ok(index),
                None => Err(self.not_found(path.to_string(), self.name(referrer))),
            },
            EntryKind::Missing => Err(self.not_found(path.to_string(), self.name(referrer))),
        }
    }

    /// The asset at `url`.
    pub fn load(&self, url: &Url, referrer: Option<&str>) -> Result<Asset, ResolveError> {
        let path = self.locate(url, referrer)?;
        let bytes = self.files.read(&path).map_err(|error| match error {
            HostError::NotFound(_) => self.not_found(path.to_string(), self.name(referrer)),
            HostError::Outside(_) => ResolveError::Outside { path: path.to_string(), referrer: self.name(referrer) },
            other => ResolveError::Io(other.to_string()),
        })?;
        Ok(Asset { url: self.url_of(&path), bytes, mime: mime_of(&path) })
    }

    /// The address of the module `specifier` in a module at `referrer`, after the import map had its say in
    /// `mapped`. The address of a file of the project is canonical: one file, one module.
    pub fn resolve_module(&self, specifier: &str, referrer: &Url, mapped: Option<Url>) -> Result<Url, ResolveError> {
        let invalid =
            || ResolveError::Invalid { specifier: specifier.to_owned(), referrer: self.name(Some(referrer.as_str())) };
        let url = match mapped {
            Some(url) => url,
            None => match Url::parse(specifier) {
                Ok(url) => url,
                Err(_) if specifier.starts_with(['.', '/']) => referrer.join(specifier).map_err(|_| invalid())?,
                Err(_) => return self.resolve_bare(specifier, referrer),
            },
        };
        match url.scheme() {
            "http" | "https" => {}
            "blob" | "data" => return Ok(url),
            _ => return Err(invalid()),
        }
        let path = self.candidate(&url, Some(referrer.as_str()))?;
        let mut found = packages::with_extension(&self.files, &path).unwrap_or(path);
        // Only a bundler would have looked; what a page names by its address is that file.
        if specifier.starts_with('.') && path_of(referrer).is_some_and(|from| from.as_str().contains("node_modules/")) {
            match packages::file_in_browsers(&self.files, &found) {
                Some(InBrowsers::File(path)) => found = path,
                Some(InBrowsers::Module(name)) => return self.resolve_bare(&name, referrer),
                Some(InBrowsers::Nothing) => return Ok(nothing()),
                None => {}
            }
        }
        let mut canonical = self.url_of(&found);
        canonical.set_query(url.query().filter(|_| url.as_str().starts_with(ORIGIN)));
        canonical.set_fragment(url.fragment());
        Ok(canonical)
    }

    fn resolve_bare(&self, specifier: &str, referrer: &Url) -> Result<Url, ResolveError> {
        let name = self.name(Some(referrer.as_str()));
        let from = path_of(referrer).map(|p| p.parent()).unwrap_or_default();
        if specifier.starts_with('#') {
            let found = packages::import_target(&self.files, &from, specifier);
            return match found {
                Some((folder, target)) if target.starts_with("./") => {
                    let path = folder.join(&target).and_then(|path| packages::with_extension(&self.files, &path));
                    let path = path.ok_or_else(|| self.not_found(format!("{folder}/{target}"), name))?;
                    Ok(self.url_of(&path))
                }
                Some((_, target)) if !target.starts_with('#') => self.resolve_bare(&target, referrer),
                _ => Err(ResolveError::Invalid { specifier: specifier.to_owned(), referrer: name }),
            };
        }
        match packages::module_in_browsers(&self.files, &from, specifier) {
            Some(InBrowsers::File(path)) => return Ok(self.url_of(&path)),
            Some(InBrowsers::Module(other)) if other != specifier => return self.resolve_bare(&other, referrer),
            Some(InBrowsers::Nothing) => return Ok(nothing()),
            _ => {}
        }
        let (package, subpath) = packages::split_bare(specifier)
            .ok_or_else(|| ResolveError::Invalid { specifier: specifier.to_owned(), referrer: name.clone() })?;
        let folder = packages::find_package(&self.files, package, &from).ok_or_else(|| ResolveError::Package {
            package: package.to_owned(),
            install: package.to_owned(),
            referrer: name.clone(),
        })?;
        let subpath = subpath.split(['?', '#']).next().unwrap_or("");
        match packages::resolve(&self.files, &folder, subpath) {
            Found::File(path) => match packages::file_in_browsers(&self.files, &path) {
                Some(InBrowsers::File(path)) if !packages::has_exports(&self.files, &folder) => Ok(self.url_of(&path)),
                Some(InBrowsers::Nothing) if !packages::has_exports(&self.files, &folder) => Ok(nothing()),
                _ => Ok(self.url_of(&path)),
            },
            Found::NoFile(_) => Err(self.not_found(format!("{folder}/{subpath}"), name)),
            _ => Err(ResolveError::NotExported {
                package: package.to_owned(),
                subpath: if subpath.is_empty() { ".".into() } else { format!("./{subpath}") },
                referrer: name,
            }),
        }
    }

    /// Where the file of `url` would be.
    fn candidate(&self, url: &Url, referrer: Option<&str>) -> Result<RelPath, ResolveError> {
        if let Some(path) = path_of(url) {
            return Ok(path);
        }
        match cdn::parse(url) {
            Some(file) => self.cdn_file(url, &file, referrer),
            None => match copy_of(url).filter(|copy| self.files.kind(copy) == EntryKind::File) {
                Some(copy) => Ok(copy),
                None => Err(ResolveError::Network { url: url.to_string() }),
            },
        }
    }

    fn cdn_file(&self, url: &Url, file: &cdn::CdnFile, referrer: Option<&str>) -> Result<RelPath, ResolveError> {
        let install = match file.version.as_str() {
            "" => file.package.clone(),
            version => format!("{}@{version}", file.package),
        };
        let folder = packages::find_package(&self.files, &file.package, &RelPath::root()).ok_or_else(|| {
            ResolveError::Package {
                package: file.package.clone(),
                install,
                referrer: self.name(referrer).or_else(|| Some(url.to_string())),
            }
        })?;
        if !file.version.is_empty() {
            self.files.prefer(&file.package, &|version| same_version(&file.version, version));
        }
        let version = packages::version(&self.files, &folder);
        let found = if file.by_exports {
            match packages::resolve(&self.files, &folder, &file.path) {
                found @ Found::File(_) => found,
                _ => packages::raw_file(&self.files, &folder, &file.path),
            }
        } else if file.path.is_empty() && url.path().contains('+') {
            packages::resolve(&self.files, &folder, "")
        } else {
            packages::raw_file(&self.files, &folder, &file.path)
        };
        if !file.version.is_empty() && !same_version(&file.version, &version) {
            self.files.warn(format!(
                "the program asks for {}@{}, the installed version {version} is used instead",
                file.package, file.version
            ));
        }
        if let Found::File(path) = found {
            return Ok(path);
        }
        if let Some(path) = packages::other_build(&self.files, &folder, &file.path) {
            let used = path.as_str().strip_prefix(folder.as_str()).unwrap_or(path.as_str()).trim_start_matches('/');
            self.files.warn(format!(
                "the program asks for `{}` of package {}, which version {version} does not have: `{used}` is used instead",
                file.path, file.package
            ));
            return Ok(path);
        }
        Err(ResolveError::PackageFile {
            url: url.to_string(),
            package: file.package.clone(),
            path: file.path.clone(),
            advice: advice(file, &version),
            found: version,
        })
    }

    fn not_found(&self, path: String, referrer: Option<String>) -> ResolveError {
        ResolveError::NotFound { path, referrer, hint: self.above.clone() }
    }

    fn name(&self, referrer: Option<&str>) -> Option<String> {
        referrer.map(|r| self.display_url(r)).filter(|r| !r.is_empty())
    }
}

/// What helps where package `file` lacks its file in the installed version.
fn advice(file: &cdn::CdnFile, installed: &str) -> String {
    let asked = Some(file.version.as_str()).filter(|v| !v.is_empty() && !is_tag(v) && !same_version(v, installed));
    // The last releases with the files that three.js has dropped since.
    let last = match file.path.as_str() {
        "build/three.js" | "build/three.min.js" if file.package == "three" => Some("0.159.0"),
        path if file.package == "three" && path.starts_with("examples/js/") => Some("0.147.0"),
        _ => None,
    };
    match asked.or(last) {
        Some(version) => format!("try `npm install {0}@{version}`", file.package),
        None if file.version.is_empty() || is_tag(&file.version) => {
            format!("install the version of {} that the program was written for, or mend the address", file.package)
        }
        None => "mend the address".to_owned(),
    }
}

/// The module that stands for what a package says browsers get nothing for.
fn nothing() -> Url {
    Url::parse("data:text/javascript,export%20default%20{}").unwrap_or_else(|_| unreachable!("constant"))
}

/// Is it a tag (`latest`, `next`) rather than a version?
fn is_tag(version: &str) -> bool {
    version.starts_with(|c: char| c.is_ascii_alphabetic()) && !version.contains(|c: char| c.is_ascii_digit())
}

/// Where a project may keep a copy of what is on the web: `network/HOST/PATH`.
pub(super) fn copy_of(url: &Url) -> Option<RelPath> {
    let path = percent_encoding::percent_decode_str(url.path()).decode_utf8().ok()?;
    RelPath::new(&format!("network/{}{path}", url.host_str()?)).filter(|_| matches!(url.scheme(), "http" | "https"))
}

/// Path below the project of an address of ours.
fn path_of(url: &Url) -> Option<RelPath> {
    let ours = matches!(url.scheme(), "http" | "https") && matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    if !ours {
        return None;
    }
    let decoded = percent_encoding::percent_decode_str(url.path()).decode_utf8().ok()?;
    RelPath::new(&decoded)
}

/// Does installed `have` satisfy `want`, as far as a prefix says (`0.160` is satisfied by `0.160.1`)?
fn same_version(want: &str, have: &str) -> bool {
    let want = want.trim_start_matches(['^', '~', 'v', '=']);
    let begins = |have: &str, want: &str| have.strip_prefix(want).is_some_and(|rest| rest.starts_with('.'));
    // cdnjs calls three.js 0.95.0 `95`, or `r95`.
    let revision = want.trim_start_matches('r');
    let is_revision = revision.parse::<u32>().is_ok_and(|r| r > 40);
    want == "latest"
        || have == want
        || begins(have, want)
        || is_revision && have.strip_prefix("0.").is_some_and(|have| begins(have, revision))
}

#[cfg(test)]
mod tests {
    use super::same_version;

    #[test]
    fn a_version_is_told_by_its_beginning() {
        for (want, have) in
            [("0.160", "0.160.1"), ("^0.160.1", "0.160.1"), ("95", "0.95.0"), ("r128", "0.128.0"), ("latest", "1.0.0")]
        {
            assert!(same_version(want, have), "{want} {have}");
        }
        for (want, have) in [("0.16", "0.160.1"), ("96", "0.95.0"), ("4", "0.4.2"), ("r12", "0.128.0")] {
            assert!(!same_version(want, have), "{want} {have}");
        }
    }
}
