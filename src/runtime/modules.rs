//! Modules for V8 from the project: import maps, packages, CDN addresses, JSON, inline modules, `data:` and `blob:`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use deno_core::error::ModuleLoaderError;
use deno_core::{
    ModuleLoadOptions, ModuleLoadReferrer, ModuleLoadResponse, ModuleLoader, ModuleSource, ModuleSourceCode,
    ModuleSpecifier, ModuleType, RequestedModuleType, ResolutionKind,
};
use deno_error::JsErrorBox;
use import_map::ImportMap;
use url::Url;

use super::commonjs::{self, Dependency, DependencyKind};
use super::ops::fetch::Refusals;
use crate::project::{Project, ResolveError};

/// The page's import map; shared by the loader and the op that fills it.
#[derive(Clone, Default)]
pub struct ImportMaps(Rc<RefCell<Option<ImportMap>>>);

impl ImportMaps {
    /// Adds a `<script type="importmap">`; the first entry for a specifier wins (HTML, "merge import maps").
    pub fn add(&self, json: &str, base: &str) -> Result<(), String> {
        let base = Url::parse(base).map_err(|e| e.to_string())?;
        let new = import_map::parse_from_json(base, json).map_err(|e| e.to_string())?.import_map;
        let mut slot = self.0.borrow_mut();
        let Some(map) = slot.as_mut() else {
            *slot = Some(new);
            return Ok(());
        };
        for entry in new.imports().entries() {
            if !map.imports().contains(entry.raw_key)
                && let Some(value) = entry.raw_value
            {
                map.imports_mut().append(entry.raw_key.to_owned(), value.to_owned())?;
            }
        }
        Ok(())
    }

    /// What the map makes of `specifier`; `None` if it has no entry for it.
    fn resolve(&self, specifier: &str, referrer: &Url) -> Option<Url> {
        let map = self.0.borrow();
        let resolved = map.as_ref()?.resolve(specifier, referrer).ok()?;
        // Without an entry, the crate resolves plain addresses itself; the project does that with more care.
        let plain = Url::parse(specifier).ok().or_else(|| referrer.join(specifier).ok());
        let relative = specifier.starts_with(['.', '/']) || Url::parse(specifier).is_ok();
        (!relative || plain.as_ref() != Some(&resolved)).then_some(resolved)
    }
}

/// Modules written in the page itself, and texts behind `blob:` addresses; by address.
#[derive(Clone, Default)]
pub struct InlineModules(Rc<RefCell<BTreeMap<String, String>>>);

impl InlineModules {
    /// Stores `source`, which begins on `line` of `page` behind `units` of UTF-16; positions in errors are the page's.
    pub fn add(&self, source: String, page: &str, line: u32, units: usize) -> String {
        let mut map = self.0.borrow_mut();
        let url = format!("{page}#script-{}", map.len() + 1);
        let lead = "\n".repeat(usize::try_from(line.saturating_sub(1)).unwrap_or(0));
        map.insert(url.clone(), lead + &" ".repeat(units) + &source);
        url
    }

    /// Stores the text behind a `blob:` address.
    pub fn put(&self, url: &str, source: String) {
        self.0.borrow_mut().insert(url.to_owned(), source);
    }

    /// The text at `url`.
    pub fn get(&self, url: &str) -> Option<String> {
        self.0.borrow().get(url).cloned()
    }
}

/// UTF-16 units that stand before an inline script on the line of `page` where it begins. HTML parsers tell lines only.
pub fn units_before(page: &str, line: u32, source: &str) -> usize {
    let (first, more) = source.split_once('\n').map_or((source, false), |(first, _)| (first, true));
    let line = usize::try_from(line.saturating_sub(1)).ok().and_then(|line| page.lines().nth(line)).unwrap_or("");
    // Of an empty line nobody asks.
    if first.trim().is_empty() {
        return 0;
    }
    let whole = |at: usize| {
        let (before, rest) = (line.get(..at).unwrap_or(""), line.get(at + first.len()..).unwrap_or(""));
        before.ends_with('>') && (if more { rest.is_empty() } else { rest.starts_with("</") })
    };
    let at = line.match_indices(first).map(|(at, _)| at).find(|at| whole(*at));
    at.and_then(|at| line.get(..at)).map_or(0, |before| before.encode_utf16().count())
}

/// The address of a module as one of worker `number`: each worker has instances of its own.
pub fn of_worker(url: &Url, number: u32) -> Url {
    let mut marked = url.clone();
    marked.set_fragment(Some(&format!("{WORKER}{number}")));
    marked
}

/// The plain address and the worker of a module's or script's address that [`of_worker`] marked.
pub fn worker_of(url: &str) -> Option<(&str, u32)> {
    let (plain, fragment) = url.rsplit_once('#')?;
    let number = fragment.strip_prefix(WORKER)?;
    Some((plain, number.strip_suffix(CLASSIC).unwrap_or(number).parse().ok()?))
}

/// The address without a worker's mark.
pub fn plain(url: &str) -> &str {
    worker_of(url).map_or(url, |(plain, _)| plain)
}

/// What stands in front of a worker's module, on its first line: `05_worker_scope.js` then knows whose code runs, and
/// the module knows its plain address.
pub fn lead_of(url: &str) -> String {
    let Some((plain, number)) = worker_of(url).filter(|_| !url.ends_with(CLASSIC)) else { return String::new() };
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    format!("import{};import.meta.url={};", quoted(&format!("{ENTER}{number}:{plain}")), quoted(plain))
}

/// Begins the fragment of a worker's modules; a classic script's ends in [`CLASSIC`].
const WORKER: &str = "worker-";
const CLASSIC: &str = "-script";
/// Scheme of the modules that tell whose code runs next; one for each module, since modules run once.
const ENTER: &str = "worker:";

/// The source of an [`ENTER`] module.
fn enter(url: &str) -> Option<String> {
    let number: u32 = url.strip_prefix(ENTER)?.split(':').next()?.parse().ok()?;
    Some(format!("globalThis[Symbol.for('replay.worker')]({number});"))
}

/// The loader; everything is there at once, so the order of completion is the order of asking.
pub struct Loader {
    project: Arc<Project>,
    maps: ImportMaps,
    inline: InlineModules,
    refusals: Rc<RefCell<Refusals>>,
    /// Of modules that `import()` asked for and that are not there: the specifier and who asked.
    lacking: RefCell<BTreeMap<String, (String, String)>>,
    /// Of style sheets that modules import: the specifier and who imports it first.
    sheets: RefCell<BTreeMap<String, (String, String)>>,
}

impl Loader {
    pub fn new(
        project: Arc<Project>,
        maps: ImportMaps,
        inline: InlineModules,
        refusals: Rc<RefCell<Refusals>>,
    ) -> Self {
        Self { project, maps, inline, refusals, lacking: RefCell::default(), sheets: RefCell::default() }
    }

    fn refuse(&self, url: &str, error: &ResolveError) -> ModuleLoaderError {
        self.refusals.borrow_mut().note(url, error);
        JsErrorBox::type_error(error.to_string())
    }

    /// The text of the module at `referrer`.
    fn importer(&self, referrer: &str) -> Option<String> {
        self.inline.get(plain(referrer)).or_else(|| {
            let url = Url::parse(referrer).ok().filter(|u| u.scheme() == "http")?;
            String::from_utf8(self.project.load(&url, None).ok()?.bytes.to_vec()).ok()
        })
    }

    /// Does the module at `referrer` import `specifier` only for what it does, and nothing from it?
    fn for_effect(&self, specifier: &str, referrer: &str) -> bool {
        // Parsed only where it looks so: most imports take names.
        let looks = |text: &str| {
            ['\'', '"', '`'].iter().any(|quote| {
                text.match_indices(&format!("{quote}{specifier}{quote}")).any(|(at, _)| {
                    let before = text.get(..at).unwrap_or("").trim_end();
                    before.ends_with("import") || before.trim_end_matches('(').trim_end().ends_with("import")
                })
            })
        };
        self.importer(referrer).is_some_and(|text| looks(&text) && commonjs::imported_for_effect(&text, specifier))
    }

    /// Where `specifier` stands in the module at `referrer`, in the form V8's stacks have.
    fn site(&self, specifier: &str, referrer: &str) -> String {
        let Some(text) = self.importer(referrer) else { return String::new() };
        let quoted = ['\'', '"', '`'].map(|q| format!("{q}{specifier}{q}"));
        let found = quoted.iter().filter_map(|q| text.find(q.as_str())).min();
        let Some(at) = found else { return String::new() };
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count() + 1;
        format!("\n    at {referrer}:{line}:{column}")
    }

    /// A module imports the style sheet `name`: where it goes on without its value that is told, else it is refused as in a browser.
    fn imported_sheet(&self, name: &str, url: &Url) -> Result<(), ModuleLoaderError> {
        const WHY: &str =
            "browsers refuse to import as a module (its MIME type is text/css): that is a bundler's feature";
        const REMEDY: &str = "build the project first (npm run build) and render its output folder, or load the style sheet by <link rel=stylesheet>";
        let asked = self.sheets.borrow().get(url.as_str()).cloned();
        let Some((specifier, by)) = asked else { return Ok(()) };
        let site = self.site(&specifier, &by);
        // What packages do with it nobody here can mend.
        if by.contains("/node_modules/") || self.for_effect(&specifier, &by) {
            let place = site.trim_start().strip_prefix("at ").and_then(super::error::split_site);
            let place =
                place.map(|(file, line, column)| format!("{}:{line}:{column}: ", self.project.display_url(&file)));
            let told = format!(
                "{}`{name}` is a style sheet, which {WHY}; its styles are left out: {REMEDY}",
                place.unwrap_or_default()
            );
            self.refusals.borrow_mut().sheets.insert(name.to_owned(), told);
            return Ok(());
        }
        Err(JsErrorBox::type_error(format!("`{name}` is a style sheet, which {WHY}{site}")))
    }

    /// The module at `url`, for a worker if the address says so.
    fn source(&self, url: &Url, referrer: Option<&str>, asked: Asked) -> Result<ModuleSource, ModuleLoaderError> {
        if let Some(text) = enter(url.as_str()) {
            return Ok(module(ModuleType::JavaScript, text, url));
        }
        let address = Url::parse(plain(url.as_str())).map_err(|e| JsErrorBox::type_error(e.to_string()))?;
        let (kind, mut text) = self.text(&address, referrer, asked)?;
        if kind == ModuleType::JavaScript {
            text.insert_str(0, &lead_of(url.as_str()));
        }
        Ok(module(kind, text, url))
    }

    /// Kind and text of the module at `url`.
    fn text(&self, url: &Url, referrer: Option<&str>, asked: Asked) -> Result<(ModuleType, String), ModuleLoaderError> {
        if let Some(text) = self.inline.get(url.as_str()) {
            return Ok((ModuleType::JavaScript, text));
        }
        if url.scheme() == "data" {
            let (mime, bytes) =
                data_url(url).ok_or_else(|| JsErrorBox::type_error("this data: address is malformed"))?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return if mime.contains("json") {
                json_module(&text, asked == Asked::Json, "this data: address")
            } else {
                Ok((ModuleType::JavaScript, text))
            };
        }
        if url.scheme() == "blob" {
            return Err(JsErrorBox::type_error(format!("`{url}` is no blob: address of this page, or was revoked")));
        }
        let asset = self.project.load(url, referrer).map_err(|e| self.refuse(url.as_str(), &e))?;
        let name = self.project.display_url(url.as_str());
        let text = String::from_utf8(asset.bytes.to_vec())
            .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        match asked {
            Asked::Json => return json_module(&text, true, &name),
            Asked::Sheet => return Ok((ModuleType::JavaScript, sheet_module(&text))),
            Asked::Script => {}
        }
        let query = url.query().unwrap_or("");
        match asset.mime {
            "text/javascript" if query != "raw" && query != "url" => {
                let text = if !commonjs::is(&name, &text) || commonjs::is_script(url) {
                    commonjs::with_process(&name, text)
                } else if commonjs::is_body(url) {
                    commonjs::as_body(&text, &self.dependencies(&text, url))
                } else {
                    let load = |specifier: &str, at: &Url| self.commonjs(&self.find(specifier, at).ok()?);
                    commonjs::as_facade(url, &commonjs::exported(&text, url, &load))
                };
                Ok((ModuleType::JavaScript, text))
            }
            "application/json" if query != "raw" && query != "url" => json_module(&text, false, &name),
            // What bundlers add to the web: texts and addresses are values; styles are of no effect here.
            "text/css" if query != "raw" && query != "url" => {
                self.imported_sheet(&name, url)?;
                Ok((ModuleType::JavaScript, "export default '';".into()))
            }
            mime if query != "url" && (query == "raw" || mime.starts_with("text/")) => {
                let literal = serde_json::to_string(&text).unwrap_or_default();
                Ok((ModuleType::JavaScript, format!("export default {literal};")))
            }
            "application/wasm" if query != "url" => Err(JsErrorBox::type_error(format!(
                "`{name}` is WebAssembly, which cannot be imported as a module (use WebAssembly.instantiateStreaming(fetch(…)))"
            ))),
            _ if name.ends_with(".ts") || name.ends_with(".tsx") || name.ends_with(".jsx") => {
                Err(JsErrorBox::type_error(format!(
                    "`{name}` is TypeScript or JSX, which browsers cannot run: the project must be built first"
                )))
            }
            _ => {
                let literal = serde_json::to_string(asset.url.as_str()).unwrap_or_default();
                Ok((ModuleType::JavaScript, format!("export default {literal};")))
            }
        }
    }
}

/// CommonJS files of packages.
impl Loader {
    /// Where `specifier` leads in the package file at `at`.
    fn find(&self, specifier: &str, at: &Url) -> Result<Url, ResolveError> {
        let mut base = at.clone();
        base.set_query(None);
        self.project.resolve_module(specifier, &base, self.maps.resolve(specifier, &base))
    }

    /// The text at `url` and its address, if it is a file in CommonJS.
    fn commonjs(&self, url: &Url) -> Option<(String, Url)> {
        let asset = self.project.load(url, None).ok().filter(|asset| asset.mime == "text/javascript")?;
        let text = String::from_utf8(asset.bytes.to_vec()).ok()?;
        commonjs::is(&self.project.display_url(url.as_str()), &text).then(|| (text, url.clone()))
    }

    fn dependencies(&self, text: &str, at: &Url) -> Vec<Dependency> {
        let dependency = |specifier: String| {
            let there = |url: &Url| url.scheme() == "data" || self.project.locate(url, None).is_ok();
            let url = self.find(&specifier, at).ok().filter(there);
            let Some(url) = url else { return Dependency { specifier, url: None, kind: DependencyKind::Value } };
            if self.commonjs(&url).is_some() {
                return Dependency { specifier, url: Some(commonjs::body_url(&url)), kind: DependencyKind::CommonJs };
            }
            let script = url.query().is_none() && [".js", ".mjs"].iter().any(|end| url.path().ends_with(end));
            let kind = if script { DependencyKind::Module } else { DependencyKind::Value };
            Dependency { specifier, url: Some(url), kind }
        };
        commonjs::required(text).into_iter().map(dependency).collect()
    }
}

impl ModuleLoader for Loader {
    fn resolve(
        &self,
        specifier: &str,
        referrer: &str,
        kind: ResolutionKind,
    ) -> Result<ModuleSpecifier, ModuleLoaderError> {
        // The engine's own modules import each other; nobody else may name them.
        if specifier.starts_with("ext:") {
            return match Url::parse(specifier) {
                Ok(url) if referrer.starts_with("ext:") || referrer == "." => Ok(url),
                _ => Err(JsErrorBox::type_error(format!("`{specifier}` is no valid module specifier"))),
            };
        }
        let worker = worker_of(referrer).map(|(_, number)| number);
        if worker.is_some()
            && enter(specifier).is_some()
            && let Ok(url) = Url::parse(specifier)
        {
            return Ok(url);
        }
        let base = Url::parse(plain(referrer))
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https" | "blob" | "data"))
            .unwrap_or_else(|| self.project.page_url());
        if self.inline.get(specifier).is_some()
            && let Ok(url) = Url::parse(specifier)
        {
            return Ok(worker.map_or_else(|| url.clone(), |number| of_worker(&url, number)));
        }
        let base = if base.cannot_be_a_base() { self.project.page_url() } else { base };
        // Import maps are the page's alone.
        let mapped = match worker.or(worker_of(specifier).map(|(_, number)| number)) {
            Some(_) => None,
            None => self.maps.resolve(specifier, &base),
        };
        let mapped_by_page = mapped.is_some();
        let resolved = self.project.resolve_module(specifier, &base, mapped);
        if worker.is_some() && resolved.is_ok() && is_bare(specifier) && !base.path().contains("/node_modules/") {
            let file = self.project.display_url(base.as_str());
            self.project.warn(format!(
                "{file} imports `{specifier}` by its bare name in a worker: import maps do not reach workers, so that a browser \
                 stops there unless the program is bundled; replay finds the package"
            ));
        }
        if let Ok(url) = &resolved
            && url.path().ends_with(".css")
        {
            let asked = (specifier.to_owned(), plain(referrer).to_owned());
            self.sheets.borrow_mut().entry(url.to_string()).or_insert(asked);
        }
        let by_address = !is_bare(specifier) || mapped_by_page;
        let resolved = resolved.map(|url| {
            let global = by_address
                && self.for_effect(specifier, referrer)
                && self.commonjs(&url).is_some_and(|(text, _)| commonjs::is_umd(&text));
            if global { commonjs::script_url(&url) } else { url }
        });
        if matches!(kind, ResolutionKind::DynamicImport)
            && let Ok(url) = &resolved
            && self.project.locate(url, None).is_err()
        {
            let asked = (specifier.to_owned(), referrer.to_owned());
            self.lacking.borrow_mut().entry(url.to_string()).or_insert(asked);
        }
        resolved.map(|url| worker.map_or_else(|| url.clone(), |number| of_worker(&url, number))).map_err(|error| {
            self.refusals.borrow_mut().note(specifier, &error);
            JsErrorBox::type_error(format!("{error}{}", self.site(specifier, referrer)))
        })
    }

    fn load(
        &self,
        url: &ModuleSpecifier,
        referrer: Option<&ModuleLoadReferrer>,
        options: ModuleLoadOptions,
    ) -> ModuleLoadResponse {
        let asked = match &options.requested_module_type {
            RequestedModuleType::Json => Asked::Json,
            RequestedModuleType::Other(kind) if kind == "css" => Asked::Sheet,
            _ => Asked::Script,
        };
        let from = referrer.map(|r| {
            format!("{}:{}:{}", self.project.display_url(plain(r.specifier.as_str())), r.line_number, r.column_number)
        });
        let from = from.filter(|f| !f.starts_with("ext:"));
        // Messages show the line that imports.
        let site = referrer.filter(|r| from.is_some() && r.line_number > 0);
        let site = site.map(|r| format!("\n    at {}:{}:{}", r.specifier, r.line_number, r.column_number));
        let site = site.or_else(|| {
            let lacking = self.lacking.borrow();
            lacking.get(plain(url.as_str())).map(|(specifier, by)| self.site(specifier, by)).filter(|s| !s.is_empty())
        });
        let source = self.source(url, from.as_deref(), asked);
        ModuleLoadResponse::Sync(source.map_err(|error| match site {
            Some(site) if !error.to_string().contains("\n    at ") => JsErrorBox::type_error(format!("{error}{site}")),
            _ => error,
        }))
    }
}

/// What an import says that it is of (HTML "module type from module request").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Script,
    Json,
    /// `with { type: 'css' }`.
    Sheet,
}

/// A module whose value is a style sheet.
fn sheet_module(text: &str) -> String {
    let literal = serde_json::to_string(text).unwrap_or_default();
    format!("const sheet = new CSSStyleSheet();\nsheet.replaceSync({literal});\nexport default sheet;")
}

/// Is it a package's name rather than an address?
fn is_bare(specifier: &str) -> bool {
    !specifier.starts_with(['.', '/', '#']) && Url::parse(specifier).is_err()
}

fn module(kind: ModuleType, text: String, url: &Url) -> ModuleSource {
    ModuleSource::new(kind, ModuleSourceCode::String(text.into()), url, None)
}

/// JSON asked for as JSON stays JSON; imported without an attribute it becomes a module, as bundlers do.
fn json_module(text: &str, asked: bool, name: &str) -> Result<(ModuleType, String), JsErrorBox> {
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text.trim_start_matches('\u{feff}')) {
        return Err(JsErrorBox::generic(format!("`{name}` is no JSON: {error}")));
    }
    if asked {
        return Ok((ModuleType::Json, text.to_owned()));
    }
    let literal = serde_json::to_string(text).unwrap_or_default();
    Ok((ModuleType::JavaScript, format!("export default JSON.parse({literal});")))
}

/// Media type and bytes of a `data:` address (RFC 2397, Fetch "data: URL processor").
pub fn data_url(url: &Url) -> Option<(String, Vec<u8>)> {
    let rest = url.as_str().strip_prefix("data:")?;
    let rest = rest.split('#').next().unwrap_or(rest);
    let (head, body) = rest.split_once(',')?;
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(body).collect();
    let (mime, base64) = match head.trim_end().strip_suffix("base64").and_then(|h| h.trim_end().strip_suffix(';')) {
        Some(mime) => (mime, true),
        None => (head, false),
    };
    let mime = if mime.is_empty() || mime.starts_with(';') { "text/plain;charset=US-ASCII" } else { mime };
    let bytes = if base64 { super::ops::encoding::base64_decode(&bytes)? } else { bytes };
    Some((mime.to_owned(), bytes))
}
