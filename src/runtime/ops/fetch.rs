//! Files for the page: `fetch`, images, scripts. Reads the project; the network is refused and noted.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use deno_core::{OpState, ToJsBuffer, op2, v8};
use serde::Serialize;
use url::Url;

use super::console::{Console, Level};
use crate::project::{Project, ResolveError};
use crate::runtime::blame::{self, Spot};
use crate::runtime::error::{out_of_worker, split_site};
use crate::runtime::memory::admit;
use crate::runtime::report::OwnBytes;

/// Entries of [`Refusals`] that a message names.
const SHOWN: usize = 3;
/// Addresses remembered of calls that make a new one each time.
const MOST_BLOCKED: usize = 4096;

/// What was asked for and is not there; shared by the ops (in `OpState`) and the module loader.
#[derive(Debug, Default)]
pub struct Refusals {
    pub missing: BTreeSet<String>,
    pub blocked: BTreeSet<String>,
    /// Who asked for each address first.
    asked: BTreeMap<String, Spot>,
    /// The file that was asked for last and is there, and who asked.
    last: Option<(String, Spot)>,
    /// Reads of `data:` and `blob:` addresses, by media type.
    pub own: BTreeMap<String, OwnBytes>,
    /// Style sheets that modules import for their effect, as bundlers allow, and in words who does.
    pub sheets: BTreeMap<String, String>,
}

impl Refusals {
    /// Is it the first time?
    pub fn note(&mut self, url: &str, error: &ResolveError) -> bool {
        if error.is_network() { self.blocked.insert(url.to_owned()) } else { self.missing.insert(error.to_string()) }
    }

    /// Remembers who asked for `url`.
    fn note_asker(&mut self, url: &str, asker: Spot) {
        self.asked.entry(url.to_owned()).or_insert(asker);
    }

    /// Who asked for the address that an error's `message` names.
    pub fn asked_by(&self, message: &str) -> Option<Spot> {
        let mut named = self.asked.iter().filter(|(url, _)| message.contains(url.as_str()));
        // The longest: one address may begin as another does.
        let first = named.next()?;
        Some(named.fold(first, |best, other| if other.0.len() > best.0.len() { other } else { best }).1.clone())
    }

    /// The file that was loaded last: often what an error in a library is about.
    pub fn last_loaded(&self, display: &dyn Fn(&str) -> String) -> Option<String> {
        let (url, (by, line, column)) = self.last.as_ref()?;
        Some(format!(
            "the last file that it loaded is {}, asked for by {}:{line}:{column}: is it whole?",
            display(url),
            display(by)
        ))
    }

    /// One line for all, if there are any; `display` gives an address as users write it.
    pub fn summary(&self, display: &dyn Fn(&str) -> String) -> Option<String> {
        let blocked = self.blocked.iter().map(|url| match self.asked.get(url) {
            None => format!("{url} (network)"),
            Some((by, line, column)) => format!("{url} (network, asked for by {}:{line}:{column})", display(by)),
        });
        let listed: Vec<String> = self.missing.iter().cloned().chain(blocked).collect();
        let more = listed.len().saturating_sub(SHOWN);
        let shown = listed.get(..SHOWN).unwrap_or(&listed).join("; ");
        let more = if more > 0 { format!("; {more} more in manifest.json") } else { String::new() };
        (!listed.is_empty()).then(|| format!("the program asked for what is not there: {shown}{more} (put it where it is asked for, or mend the address)"))
    }
}

/// Is the file that a script's tag or a style names not in the project? Browsers go on without it: noted, and told as `what` by the
/// place `from` (`address:line:column`). What only an installation or a setting lacks, a browser would have.
#[op2(fast)]
pub fn op_lacks(state: &mut OpState, #[string] url: &str, #[string] from: &str, #[string] what: &str) -> bool {
    lacks(state, url, from, what)
}

fn lacks(state: &mut OpState, url: &str, from: &str, what: &str) -> bool {
    let project = state.borrow::<Arc<Project>>().clone();
    let at = split_site(from).map(out_of_worker);
    let at = at.map(|(file, line, column)| format!("{}:{line}:{column}", project.display_url(&file)));
    let located = Url::parse(url).ok().and_then(|url| project.locate(&url, at.as_deref()).err());
    let Some(error) = located.filter(|e| matches!(e, ResolveError::NotFound { hint, .. } if hint.is_empty())) else {
        return false;
    };
    if state.borrow::<Rc<RefCell<Refusals>>>().borrow_mut().note(url, &error) {
        state.borrow_mut::<Console>().push(Level::Error, &format!("Failed to load resource: {error}"));
    }
    let place = at.map(|at| format!("{at}: ")).unwrap_or_default();
    let file = project.display_url(url);
    project.warn(format!("{place}the {what} `{file}` is not there; the program went on without it, as in a browser"));
    true
}

/// Notes that a browser would load `url` for what is not shown here: a background picture, a frame, what a link fetches ahead. A
/// file of the project counts as loaded, what is not there is told as by [`op_lacks`], and an address elsewhere is an attempt to
/// reach the network. Is there such a file?
#[op2(fast)]
pub fn op_asks(state: &mut OpState, #[string] url: &str, #[string] from: &str, #[string] what: &str) -> bool {
    let project = state.borrow::<Arc<Project>>().clone();
    let Ok(parsed) = Url::parse(url) else { return false };
    let asker = split_site(from).map(out_of_worker);
    let at = asker.as_ref().map(|(file, line, column)| format!("{}:{line}:{column}", project.display_url(file)));
    match project.load(&parsed, at.as_deref()) {
        Ok(_) => true,
        // What an installation would have is not there either: a browser asks the network.
        Err(error) if !is_own(&parsed) => {
            note_attempt(state, url.to_owned(), asker, &error.to_string());
            false
        }
        Err(_) => {
            lacks(state, url, from, what);
            false
        }
    }
}

/// Notes that the page would leave for `address` or sends something there, if that is not in the project.
#[op2(nofast)]
pub fn op_leaves(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, #[string] address: &str) {
    let Ok(url) = Url::parse(address) else { return };
    if is_own(&url) || !matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp") {
        return;
    }
    let asker = blame::here(scope).map(out_of_worker);
    note_attempt(state, url.to_string(), asker, &format!("network call blocked: {url} (the network is never used)"));
}

/// Notes that the program tried to reach `address` other than by asking for a file: nothing is sent, and it is told once as what
/// was asked for is.
#[op2(nofast)]
pub fn op_network(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, #[string] address: &str) {
    let page = Url::parse(crate::project::ORIGIN).and_then(|page| page.join(address));
    let url = page.map_or_else(|_| address.to_owned(), |url| url.to_string());
    let asker = blame::here(scope).map(out_of_worker);
    let told = format!("network call blocked: {url} (the network is never used)");
    note_attempt(state, url, asker, &told);
}

/// Is it an address of the project's own?
fn is_own(url: &Url) -> bool {
    Url::parse(crate::project::ORIGIN).is_ok_and(|own| own.origin() == url.origin())
}

fn note_attempt(state: &mut OpState, url: String, asker: Option<Spot>, told: &str) {
    let refusals = state.borrow::<Rc<RefCell<Refusals>>>().clone();
    let mut refusals = refusals.borrow_mut();
    if refusals.blocked.len() >= MOST_BLOCKED || !refusals.blocked.insert(url.clone()) {
        return;
    }
    if let Some(asker) = asker {
        refusals.note_asker(&url, asker);
    }
    state.borrow_mut::<Console>().push(Level::Error, &format!("Failed to load resource: {told}"));
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

/// The file at `url`; `from` names who asks, for messages: a file, or `address:line:column`. The program's own line that is
/// running if it is empty.
#[op2]
#[serde]
pub fn op_fetch(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[string] url: &str,
    #[string] from: &str,
) -> Answer {
    let project = state.borrow::<Arc<Project>>().clone();
    let mut asker = split_site(from).map(out_of_worker);
    let mut from = (!from.is_empty() && asker.is_none()).then(|| from.to_owned());
    // Only what fails is told of, and costs.
    if from.is_none() && Url::parse(url).is_ok_and(|url| project.locate(&url, None).is_err()) {
        asker = asker.or_else(|| blame::here(scope).map(out_of_worker));
        from = asker.as_ref().map(|(file, line, column)| format!("{}:{line}:{column}", project.display_url(file)));
    }
    let from = from.as_deref();
    let result = Url::parse(url)
        .map_err(|_| ResolveError::Invalid { specifier: url.to_owned(), referrer: from.map(str::to_owned) })
        .and_then(|parsed| project.load(&parsed, from));
    match result {
        Ok(asset) => {
            if let Some(asker) = asker {
                state.borrow::<Rc<RefCell<Refusals>>>().borrow_mut().last = Some((url.to_owned(), asker));
            }
            let room = admit(scope, state, asset.bytes.len());
            let body = if room { asset.bytes.to_vec() } else { Vec::new() };
            Answer { status: 200, url: url.to_owned(), mime: asset.mime, body: body.into(), error: String::new() }
        }
        Err(error) => {
            let refusals = state.borrow::<Rc<RefCell<Refusals>>>().clone();
            let new = refusals.borrow_mut().note(url, &error);
            if let Some(asker) = asker {
                refusals.borrow_mut().note_asker(url, asker);
            }
            if new {
                // As browsers do, whether or not the program looks at the answer.
                state.borrow_mut::<Console>().push(Level::Error, &format!("Failed to load resource: {error}"));
            }
            let status = if error.is_network() { 0 } else { 404 };
            Answer { status, url: url.to_owned(), mime: "", body: Vec::new().into(), error: error.to_string() }
        }
    }
}
