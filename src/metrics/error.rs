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
    Unreadable { path: PathBuf, why: String },
    #[error("{} can't be read: line {line}: {why}", path.display())]
    #[diagnostic(help("the file was changed, cut short or written by another version: render again"))]
    BadLine { path: PathBuf, line: u64, why: String },
    #[error("{} can't be written: {why}", path.display())]
    Unwritable { path: PathBuf, why: String },
    #[error("the route {name} can't be used: {why}")]
    #[diagnostic(help("GPX, GeoJSON, KML or CSV with lat, lon (and ele), or with x, y, z in scene units"))]
    Route { name: String, why: String },
    #[error("[route] makes no sense: {0}")]
    #[diagnostic(help("origin = [latitude, longitude, height], heading in degrees, scale in metres a scene unit"))]
    RouteSettings(String),
}
