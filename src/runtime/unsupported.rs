//! The registry of what a page used and this engine does not do: nothing is left out silently.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One thing the page used, with how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsupportedUse {
    /// Interface as the specification names it, e.g. `WebGL2RenderingContext`.
    pub interface: String,
    /// Member or feature, e.g. `texImage2D(video)`.
    pub member: String,
    /// What happened instead.
    pub detail: String,
    pub count: u64,
}

/// Collects uses in a stable order; lives in `OpState`.
#[derive(Clone, Debug, Default)]
pub struct Unsupported {
    uses: BTreeMap<(String, String), (String, u64)>,
}

impl Unsupported {
    /// Notes one use; the first `detail` is kept.
    pub fn note(&mut self, interface: &str, member: &str, detail: &str) {
        let entry =
            self.uses.entry((interface.to_owned(), member.to_owned())).or_insert_with(|| (detail.to_owned(), 0));
        entry.1 += 1;
    }

    pub fn is_empty(&self) -> bool {
        self.uses.is_empty()
    }

    /// All uses, sorted by interface and member.
    pub fn list(&self) -> Vec<UnsupportedUse> {
        self.uses
            .iter()
            .map(|((interface, member), (detail, count))| UnsupportedUse {
                interface: interface.clone(),
                member: member.clone(),
                detail: detail.clone(),
                count: *count,
            })
            .collect()
    }
}
