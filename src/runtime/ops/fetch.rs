//! Files for the page: `fetch`, images, scripts. Reads the project; the network is refused and noted.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use deno_core::{OpState, ToJsBuffer, op2};
use serde::Serialize;
use url::Url;

use super::console::{Console, Level};
use crate::project::{Project, ResolveError};
use crate::runtime::report::OwnBytes;

/// Entries of [`Refusals`] that a message names.
const SHOWN: usize = 3;

/// What was asked for and is not there; shared by the ops (in `OpState`) and the module loader.
#[derive(Debug, Default)]
pub struct Refusals {
    pub missing: BTreeSet<String>,
    pub blocked: BTreeSet<String>,
    /// Reads of `data:` and `blob:` addresses, by media type.
    pub own: BTreeMap<String, OwnBytes>,
}

impl Refusals {
    /// Is it the first time?
    pub fn note(&mut self, url: &str, error: &ResolveError) -> bool {
        if error.is_network() { self.blocked.insert(url.to_owned()) } else { self.missing.insert(error.to_string()) }
    }

    /// One line for all, if there are any.
    pub fn summary(&self) -> Option<String> {
        let listed = self.missing.iter().cloned().chain(self.blocked.iter().map(|url| format!("{url} (network)")));
        let listed: Vec<String> = listed.collect();
        let more = listed.len().saturating_sub(SHOWN);
        let shown = listed.get(..SHOWN).unwrap_or(&listed).join("; ");
        let more = if more > 0 { format!("; {more} more in manifest.json") } else { String::new() };
        (!listed.is_empty()).then(|| format!("the program asked for what is not there: {shown}{more}"))
    }
}

/// Notes that the page read a `data:` or `blob:` address of its own.
#[op2(fast)]
pub fn op_own_bytes(state: &mut OpState, #[string] mime: &str, #[number] bytes: u64) {
    let kind = mime.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let refusals = state.borrow::<Rc<RefCell<Refusals>>>();
    let mut refusals = refusals.borrow_mut();
    let own = refusals.own.entry(kind).or_default();
    own.count += 1;
    own.bytes = own.bytes.saturating_add(bytes);
}

/// An answer, as a server would give it. `status` 0 is a network error.
#[derive(Serialize)]
pub struct Answer {
    status: u16,
    url: String,
    mime: &'static str,
    body: ToJsBuffer,
    error: String,
}

/// The file at `url`; `from` names who asks, for messages.
#[op2]
#[serde]
pub fn op_fetch(state: &mut OpState, #[string] url: &str, #[string] from: &str) -> Answer {
    let project = state.borrow::<Arc<Project>>().clone();
    let from = (!from.is_empty()).then_some(from);
    let result = Url::parse(url)
        .map_err(|_| ResolveError::Invalid { specifier: url.to_owned(), referrer: from.map(str::to_owned) })
        .and_then(|parsed| project.load(&parsed, from));
    match result {
        Ok(asset) => Answer {
            status: 200,
            url: url.to_owned(),
            mime: asset.mime,
            body: asset.bytes.to_vec().into(),
            error: String::new(),
        },
        Err(error) => {
            let new = state.borrow::<Rc<RefCell<Refusals>>>().borrow_mut().note(url, &error);
            if new {
                // As browsers do, whether or not the program looks at the answer.
                state.borrow_mut::<Console>().push(Level::Error, &format!("Failed to load resource: {error}"));
            }
            let status = if error.is_network() { 0 } else { 404 };
            Answer { status, url: url.to_owned(), mime: "", body: Vec::new().into(), error: error.to_string() }
        }
    }
}
