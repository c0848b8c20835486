//! What stands behind a page's address: its query and fragment.

use std::path::{Path, PathBuf};

/// The path that is typed, and the query and fragment behind it; a path that exists has none.
pub fn split_query(path: &Path) -> (PathBuf, Option<String>) {
    if let Some((file, query)) = path.to_str().filter(|_| !path.exists()).and_then(split) {
        return (PathBuf::from(file), Some(query.to_owned()));
    }
    (path.to_owned(), None)
}

/// `text` up to its first `?` or `#`, and the rest.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    text.find(['?', '#']).filter(|at| *at > 0).map(|at| text.split_at(at))
}

/// A query as it stands in an address: `capture=1` is `?capture=1`; a lone fragment stays one.
pub fn normal_query(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.starts_with(['?', '#']) { text.to_owned() } else { format!("?{text}") }
}
