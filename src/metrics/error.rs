use std::path::PathBuf;

/// Why an output could not be measured at all.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
#[non_exhaustive]
pub enum MetricsError {
    #[error("{} is no output of replay: {why}", path.display())]
    #[diagnostic(help("give the folder that `replay render -o` wrote"))]
    NotOurs { path: PathBuf, why: String },
    #[error("{} can't be measured: the render did not end", path.display())]
    #[diagnostic(help("{remedy}"))]
    Unended { path: PathBuf, remedy: String },
    #[error("{} can't be read: {why}", path.display())]
    #[diagnostic(help("{remedy}"))]
    Unreadable { path: PathBuf, why: String, remedy: &'static str },
    #[error("{} can't be read: line {line}: {why}", path.display())]
    #[diagnostic(help("the file was changed, cut short or written by another version: render again"))]
    BadLine { path: PathBuf, line: u64, why: String },
    #[error("{} can't be written: {why}", path.display())]
    #[diagnostic(help("give a folder that can be written to, or --no-write"))]
    Unwritable { path: PathBuf, why: String },
    #[error("the route {name} can't be used: {why}")]
    #[diagnostic(help("GPX, GeoJSON, KML or CSV with lat, lon (and ele), or with x, y, z in scene units"))]
    Route { name: String, why: String },
    #[error("[route] makes no sense: {0}")]
    #[diagnostic(help("origin = [latitude, longitude, height], heading in degrees, scale in metres a scene unit"))]
    RouteSettings(String),
}

impl MetricsError {
    /// The same, with another remedy where a file can't be read.
    pub(super) fn or_else(self, other: &'static str) -> Self {
        match self {
            Self::Unreadable { path, why, .. } => Self::Unreadable { path, why, remedy: other },
            error => error,
        }
    }
}
