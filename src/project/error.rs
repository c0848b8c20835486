use crate::host::HostError;

/// Why a project cannot be opened.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum ProjectError {
    #[error("`{0}` does not exist")]
    #[diagnostic(code(project::missing), help("give a folder, an HTML file or a JavaScript module"))]
    Missing(String),

    #[error("no program found in `{0}`")]
    #[diagnostic(
        code(project::no_entry),
        help(
            "add an index.html, name a module in package.json (\"main\"), or give the file itself: `replay render FILE`"
        )
    )]
    NoEntry(String),

    #[error("{manifest} names `{path}` as the program (\"{key}\"), which does not exist")]
    #[diagnostic(
        code(project::no_main),
        help(
            "build the project first if it is made by a build (npm run build), mend \"{key}\", or give the file itself: `replay render FILE`"
        )
    )]
    NoMain { manifest: String, key: &'static str, path: String },

    #[error("`{folder}` holds more than one candidate: {}", candidates.join(", "))]
    #[diagnostic(
        code(project::ambiguous_entry),
        help("name the one you mean: `replay render {folder}/{}`, or set `entry` in replay.toml", candidates.first().map_or("FILE", String::as_str))
    )]
    Ambiguous { folder: String, candidates: Vec<String> },

    #[error("`{0}` is neither an HTML file nor a JavaScript module")]
    #[diagnostic(code(project::entry_kind), help("give a folder, a .html file, or a .js or .mjs module"))]
    NotAProgram(String),

    #[error("`{0}` is TypeScript or JSX, which browsers cannot run")]
    #[diagnostic(
        code(project::not_built),
        help(
            "build the project first (npm run build), then render its output folder: with Vite `replay render dist/`"
        )
    )]
    NotBuilt(String),

    #[error("{file}: {message}")]
    #[diagnostic(code(project::settings))]
    Settings {
        file: String,
        message: String,
        #[source_code]
        source_code: miette::NamedSource<String>,
        #[label("{message}")]
        span: Option<miette::SourceSpan>,
        #[help]
        help: Option<String>,
    },

    #[error(transparent)]
    #[diagnostic(code(project::io))]
    Host(#[from] HostError),
}

/// Why an address of the page cannot be had. The text is what the program and the report see.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// `hint` begins with a space, unless it is empty.
    #[error("`{path}` does not exist in the project{}{hint}", from(referrer))]
    NotFound { path: String, referrer: Option<String>, hint: String },

    #[error("`{path}` lies outside the project, which may not be read{}", from(referrer))]
    Outside { path: String, referrer: Option<String> },

    #[error(
        "network call blocked: {url} (the network is never used; put a copy of the file into the project, as {})",
        copy(url)
    )]
    Network { url: String },

    #[error(
        "package `{package}` is not installed{} (run `npm install {install}` in the project, or pass --node-modules)",
        from(referrer)
    )]
    Package { package: String, install: String, referrer: Option<String> },

    #[error("{url} needs `{path}` of package `{package}`, which version {found} does not have ({advice})")]
    PackageFile { url: String, package: String, path: String, found: String, advice: String },

    #[error("package `{package}` does not export `{subpath}`{}", from(referrer))]
    NotExported { package: String, subpath: String, referrer: Option<String> },

    #[error("`{specifier}` is no valid module specifier{}", from(referrer))]
    Invalid { specifier: String, referrer: Option<String> },

    #[error("{0}")]
    Io(String),
}

fn from(referrer: &Option<String>) -> String {
    referrer.as_ref().map(|r| format!(" (asked for by {r})")).unwrap_or_default()
}

/// Where a copy of `url` is looked for.
fn copy(url: &str) -> String {
    let copy = url::Url::parse(url).ok().as_ref().and_then(super::resolve::copy_of);
    copy.map_or_else(|| "a file of its own".to_owned(), |path| path.to_string())
}

impl ResolveError {
    /// Was it the network that was asked for?
    pub fn is_network(&self) -> bool {
        matches!(self, Self::Network { .. })
    }
}
