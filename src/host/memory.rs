use std::collections::{BTreeMap, BTreeSet};

use super::{EntryKind, HostError, RelPath, Root};

/// A folder tree held in memory, for tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryRoot {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryRoot {
    /// A tree of `(path, contents)`.
    pub fn new<B: AsRef<[u8]>>(files: impl IntoIterator<Item = (&'static str, B)>) -> Self {
        Self { files: files.into_iter().map(|(path, bytes)| (path.to_owned(), bytes.as_ref().to_vec())).collect() }
    }
}

impl Root for MemoryRoot {
    fn read(&self, path: &RelPath) -> Result<Vec<u8>, HostError> {
        self.files.get(path.as_str()).cloned().ok_or_else(|| HostError::NotFound(self.display(path)))
    }

    fn kind(&self, path: &RelPath) -> EntryKind {
        if self.files.contains_key(path.as_str()) {
            return EntryKind::File;
        }
        let prefix = if path.as_str().is_empty() { String::new() } else { format!("{path}/") };
        match self.files.keys().any(|key| key.starts_with(&prefix)) {
            true => EntryKind::Folder,
            false => EntryKind::Missing,
        }
    }

    fn list(&self, path: &RelPath) -> Vec<String> {
        let prefix = if path.as_str().is_empty() { String::new() } else { format!("{path}/") };
        let names: BTreeSet<String> = self
            .files
            .keys()
            .filter_map(|key| key.strip_prefix(&prefix))
            .filter_map(|rest| rest.split('/').next())
            .map(str::to_owned)
            .collect();
        names.into_iter().collect()
    }

    fn display(&self, path: &RelPath) -> String {
        path.to_string()
    }
}
