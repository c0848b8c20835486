//! Does all that is seen come from the program's own code? Out of `render_meta.json`, or of the manifest where that is
//! not there.

use super::record::{FileKind, Procedural};
use crate::evidence::Manifest;
use crate::evidence::meta::{Loaded, RenderMeta, is_asset};

/// What was loaded or asked for, by kind.
///
/// # Errors
/// Neither file is there, told as a reason.
pub fn measure(manifest: Result<&Manifest, &String>, meta: Option<&RenderMeta>) -> Result<Procedural, String> {
    let loaded = match (meta, manifest) {
        (Some(meta), _) => meta.loaded.clone(),
        (None, Ok(manifest)) => {
            let files = manifest.files.iter().map(|f| (f.path.clone(), f.bytes, None));
            Loaded::new(files, [], manifest.page.missing.clone(), manifest.page.blocked.clone())
        }
        (None, Err(why)) => return Err(why.clone()),
    };
    let kinds = |of: &std::collections::BTreeMap<String, crate::evidence::meta::Amount>| {
        let mut kinds: Vec<_> = of
            .iter()
            .map(|(kind, amount)| FileKind { kind: kind.clone(), files: amount.count, bytes: amount.bytes })
            .collect();
        kinds.sort_by_key(|k| std::cmp::Reverse(k.bytes));
        kinds
    };
    let assets: Vec<String> = loaded.files.iter().filter(|f| is_asset(&f.kind)).map(|f| f.path.clone()).collect();
    Ok(Procedural {
        procedural: loaded.procedural,
        files: kinds(&loaded.kinds),
        own: kinds(&loaded.own),
        assets: assets.len() as u64,
        asset_paths: assets,
        network_attempts: loaded.network.len() as u64,
        network: loaded.network,
        missing: loaded.missing.len() as u64,
        missing_paths: loaded.missing,
    })
}
