//! A program on disk: its entry, settings, packages, and every address its page may ask for.
//!
//! Takes in a path, gives out a [`Project`]: addresses in (`http://localhost/…`, CDN addresses, bare specifiers),
//! bytes out, each file read noted with its hash. Knows nothing of V8 or GL. The network is never used.

pub mod cdn;
mod contents;
mod entry;
mod error;
mod mime;
mod packages;
mod query;
mod resolve;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

pub use entry::Entry;
pub use error::{ProjectError, ResolveError};
pub use mime::mime_of;
pub use query::{normal_query, split_query};
pub use settings::{Drive, EvidenceSettings, MAX_SIDE, RouteSettings, Settings, Size, UpAxis};

use crate::host::{DiskRoot, EntryKind, HostError, RelPath, SharedRoot};

/// Where the project's files seem to come from: what `location.origin` says.
pub const ORIGIN: &str = "http://localhost";

/// A program that can be run: read-only, shared by everything that runs it.
#[derive(Debug)]
pub struct Project {
    files: Files,
    entry: Entry,
    settings: Settings,
    /// Query and fragment of the page's address, as in `?capture=1#x`.
    query: String,
    /// What to do where the page reaches above the project's folder; empty if it does not. Begins with a space.
    above: String,
}

/// A file of the project or of its packages.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Its canonical address.
    pub url: Url,
    pub bytes: Arc<[u8]>,
    pub mime: &'static str,
}

/// One file a run read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRead {
    /// Path below the project, or below `node_modules` of a given folder.
    pub path: String,
    pub bytes: u64,
    /// Hex SHA-256.
    pub sha256: String,
    /// What its first bytes say it is, whatever its name: `image`, `model`, `font`, `audio`, `video`, `wasm` or `other`.
    #[serde(default)]
    pub holds: Option<String>,
}

/// A file that was read, and its bytes.
type Loaded = (FileRead, Arc<[u8]>);

/// The roots, looked at as one tree: `node_modules/…` falls through to the given package folders.
#[derive(Debug)]
pub(crate) struct Files {
    root: SharedRoot,
    /// Folders that are a `node_modules`, in order.
    packages: Vec<SharedRoot>,
    /// The root a package is taken from where several have it: 0 is the project, then `packages` in order.
    chosen: Mutex<BTreeMap<String, usize>>,
    read: Mutex<BTreeMap<String, Loaded>>,
    warnings: Mutex<Vec<String>>,
}

impl Project {
    /// Opens a folder, an HTML file or a module, with more `node_modules` folders (or folders that hold one). A query
    /// may follow the path: it becomes the page's.
    pub fn open(path: &Path, node_modules: &[PathBuf]) -> Result<Self, ProjectError> {
        let (path, query) = split_query(path);
        let path = path.as_path();
        if !path.exists() {
            return Err(ProjectError::Missing(path.display().to_string()));
        }
        #[expect(clippy::disallowed_methods, reason = "before there is a root: the path the user named")]
        let real = std::fs::canonicalize(path).map_err(|_| ProjectError::Missing(path.display().to_string()))?;
        let (folder, file) = if real.is_dir() {
            (real.clone(), None)
        } else {
            let parent = real.parent().unwrap_or(Path::new("/"));
            let folder = project_folder(parent);
            let relative = real.strip_prefix(&folder).unwrap_or(&real).display().to_string();
            (folder, Some(relative))
        };
        let root: SharedRoot = Arc::new(DiskRoot::open(&folder)?);
        let settings = read_settings(&root)?;
        let mut packages: Vec<SharedRoot> = Vec::new();
        let named = settings.node_modules.iter().map(|p| folder.join(p));
        for dir in node_modules.iter().cloned().chain(named) {
            let inner = dir.join("node_modules");
            let dir = if inner.is_dir() { inner } else { dir };
            packages.push(Arc::new(DiskRoot::open(&dir)?));
        }
        // As Node.js looks for packages: then in the folders above.
        for above in folder.ancestors().skip(1).take(8).map(|above| above.join("node_modules")) {
            if above.is_dir() {
                packages.push(Arc::new(DiskRoot::open(&above)?));
            }
        }
        let mut project = Self::from_roots(root, packages, file.as_deref())?;
        project.above = project.reach(&folder);
        Ok(match query {
            Some(query) => project.with_query(&query),
            None => project,
        })
    }

    /// The same over any roots; `entry` names the entry file below `root`.
    pub fn from_roots(root: SharedRoot, packages: Vec<SharedRoot>, entry: Option<&str>) -> Result<Self, ProjectError> {
        let settings = read_settings(&root)?;
        let files =
            Files { root, packages, chosen: Mutex::default(), read: Mutex::default(), warnings: Mutex::default() };
        let mut query = "";
        let entry = match entry.or(settings.entry.as_deref()) {
            Some(name) => {
                let named = |name: &str| RelPath::new(name).ok_or_else(|| HostError::Outside(name.to_owned()));
                let mut path = named(name)?;
                if let Some((file, rest)) = query::split(name).filter(|_| files.kind(&path) == EntryKind::Missing) {
                    (path, query) = (named(file)?, rest);
                }
                if files.kind(&path) != EntryKind::File {
                    let shown = files.display(&path);
                    if entry.is_some() {
                        return Err(ProjectError::Missing(shown));
                    }
                    let toml = RelPath::new("replay.toml").unwrap_or_default();
                    let text = files.root.read(&toml).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                    return Err(settings::no_entry(&files.root.display(&toml), &text.unwrap_or_default(), &shown));
                }
                entry::of_file(&files, path)?
            }
            None => entry::find(&files)?,
        };
        let query = normal_query(settings.query.as_deref().unwrap_or(query));
        Ok(Self { files, entry, settings, query, above: String::new() })
    }

    /// The same with this query and fragment (`capture=1`, `?capture=1#x`, `#x`, or empty for none) in the page's address.
    pub fn with_query(mut self, query: &str) -> Self {
        self.query = normal_query(query);
        self
    }

    /// Query and fragment of the page's address; empty if there are none.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Whether the entry names files above the project's folder, as [`Self::above`] says it.
    fn reach(&self, folder: &Path) -> String {
        let path = self.entry.path();
        let text = self.files.read_quietly(path).unwrap_or_default();
        let depth = path.as_str().matches('/').count();
        let levels = entry::levels_up(&String::from_utf8_lossy(&text)).saturating_sub(depth);
        match folder.ancestors().nth(levels).filter(|_| levels > 0) {
            Some(above) => format!(
                " ({path} reaches above the project's folder `{}`; with an empty replay.toml in `{}`, that is the project)",
                folder.display(),
                above.display()
            ),
            None => String::new(),
        }
    }

    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Address of the page, with its query: the HTML file's, or for a module that of a page beside it.
    pub fn page_url(&self) -> Url {
        let url = self.bare_page_url();
        url.join(&self.query).unwrap_or(url)
    }

    fn bare_page_url(&self) -> Url {
        match &self.entry {
            Entry::Html(path) => self.url_of(path),
            Entry::Module(path) => {
                let mut url = self.url_of(&path.parent());
                // A folder's address ends in a slash, or its files would be looked for beside it.
                if !url.path().ends_with('/') {
                    url.set_path(&format!("{}/", url.path()));
                }
                url
            }
        }
    }

    /// Canonical address of a file.
    pub fn url_of(&self, path: &RelPath) -> Url {
        let mut url = Url::parse(ORIGIN).unwrap_or_else(|_| unreachable!("constant"));
        url.set_path(path.as_str());
        url
    }

    /// How messages name an address: the path for files of the project, the address itself otherwise.
    pub fn display_url(&self, url: &str) -> String {
        let Some(path) = url.strip_prefix(ORIGIN) else { return url.to_owned() };
        let path = path.split(['#', '?']).next().unwrap_or("").trim_start_matches('/');
        percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned()
    }

    /// Every file read so far, by path.
    pub fn files_read(&self) -> Vec<FileRead> {
        lock(&self.files.read).values().map(|(file, _)| file.clone()).collect()
    }

    /// Notes something odd, once.
    pub fn warn(&self, text: String) {
        self.files.warn(text);
    }

    /// What was odd but not wrong, in order.
    pub fn warnings(&self) -> Vec<String> {
        lock(&self.files.warnings).clone()
    }
}

/// Where a file's project begins: the nearest folder above with a `replay.toml` or `package.json`, else its own.
fn project_folder(parent: &Path) -> PathBuf {
    parent
        .ancestors()
        .take(8)
        .find(|dir| dir.join("replay.toml").is_file() || dir.join("package.json").is_file())
        .unwrap_or(parent)
        .to_path_buf()
}

fn read_settings(root: &SharedRoot) -> Result<Settings, ProjectError> {
    let path = RelPath::new("replay.toml").unwrap_or_default();
    match root.read(&path) {
        Ok(bytes) => Settings::parse(&root.display(&path), &String::from_utf8_lossy(&bytes)),
        Err(HostError::NotFound(_)) => Ok(Settings::default()),
        Err(error) => Err(error.into()),
    }
}

/// The package that a path in a folder of packages belongs to.
fn package_of(inner: &str) -> &str {
    let end = match inner.strip_prefix('@') {
        Some(rest) => rest.match_indices('/').nth(1).map(|(at, _)| at + 1),
        None => inner.find('/'),
    };
    end.and_then(|end| inner.get(..end)).unwrap_or(inner)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Files {
    fn place(&self, path: &RelPath) -> Option<(&SharedRoot, RelPath)> {
        let inner = path.as_str().strip_prefix("node_modules/").and_then(RelPath::new);
        let Some(inner) = inner else {
            return (self.root.kind(path) != EntryKind::Missing).then(|| (&self.root, path.clone()));
        };
        // A package is taken from one place, whole.
        let package = package_of(inner.as_str());
        let known = lock(&self.chosen).get(package).copied();
        let index = match known {
            Some(index) => index,
            None => {
                let index = self.holders(package).next()?;
                lock(&self.chosen).insert(package.to_owned(), index);
                index
            }
        };
        let (root, path) = self.root_of(index, path, &inner)?;
        (root.kind(&path) != EntryKind::Missing).then_some((root, path))
    }

    /// A root by number, and the path there of what is `path` in the project and `inner` in a folder of packages.
    fn root_of(&self, index: usize, path: &RelPath, inner: &RelPath) -> Option<(&SharedRoot, RelPath)> {
        match index.checked_sub(1) {
            None => Some((&self.root, path.clone())),
            Some(at) => self.packages.get(at).map(|root| (root, inner.clone())),
        }
    }

    /// Numbers of the roots that have `package`, in order. One that is a link out of its root does not.
    fn holders(&self, package: &str) -> impl Iterator<Item = usize> {
        let paths = RelPath::new(&format!("node_modules/{package}")).zip(RelPath::new(package));
        (0..=self.packages.len()).filter(move |&index| {
            let place = paths.as_ref().and_then(|(path, inner)| self.root_of(index, path, inner));
            place.is_some_and(|(root, path)| !matches!(root.kind(&path), EntryKind::Missing | EntryKind::Outside))
        })
    }

    /// Takes `package` from the first root that has it in a version that `fits`, unless files of it were read already.
    pub(crate) fn prefer(&self, package: &str, fits: &dyn Fn(&str) -> bool) {
        let begun = lock(&self.read)
            .keys()
            .any(|path| path.strip_prefix("node_modules/").is_some_and(|inner| package_of(inner) == package));
        let Some(path) = RelPath::new(&format!("node_modules/{package}")).filter(|_| !begun) else { return };
        let holders: Vec<usize> = self.holders(package).collect();
        for index in holders {
            lock(&self.chosen).insert(package.to_owned(), index);
            if fits(&packages::version(self, &path)) {
                return;
            }
        }
        // None fits: the first, as ever.
        lock(&self.chosen).remove(package);
    }

    pub(crate) fn kind(&self, path: &RelPath) -> EntryKind {
        self.place(path).map_or(EntryKind::Missing, |(root, inner)| root.kind(&inner))
    }

    pub(crate) fn list(&self, path: &RelPath) -> Vec<String> {
        self.root.list(path)
    }

    pub(crate) fn display(&self, path: &RelPath) -> String {
        self.place(path).map_or_else(|| self.root.display(path), |(root, inner)| root.display(&inner))
    }

    /// For the engine's own look-ups (manifests): not noted as read by the program.
    pub(crate) fn read_quietly(&self, path: &RelPath) -> Option<Vec<u8>> {
        let (root, inner) = self.place(path)?;
        root.read(&inner).ok()
    }

    /// The file's bytes; the same for the whole run, whatever happens on disk.
    pub(crate) fn read(&self, path: &RelPath) -> Result<Arc<[u8]>, HostError> {
        if let Some((_, bytes)) = lock(&self.read).get(path.as_str()) {
            return Ok(bytes.clone());
        }
        let (root, inner) = self.place(path).ok_or_else(|| HostError::NotFound(self.display(path)))?;
        let bytes: Arc<[u8]> = root.read(&inner)?.into();
        let sha256 = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        let holds = contents::held(&bytes).map(str::to_owned);
        let file = FileRead { path: path.to_string(), bytes: bytes.len() as u64, sha256, holds };
        lock(&self.read).insert(path.to_string(), (file, bytes.clone()));
        Ok(bytes)
    }

    pub(crate) fn warn(&self, text: String) {
        let mut warnings = lock(&self.warnings);
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }
}
