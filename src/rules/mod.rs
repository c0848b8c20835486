//! The language of rules, in TOML, that `verify` and `metrics` share: checks on the numbers of a JSON document.
//!
//! Takes in a profile's text, the JSON schema of the document and the document itself; gives out verdicts. A check names
//! one value by its path. Must not know what any value means: who measured it says so in a [`Document`].
//!
//! ```toml
//! [[rule]]
//! id = "H5"
//! title = "At most 20 Mbit in any second"
//! when = { value = "video.codec", one_of = ["h264", "av1"] }    # else the rule does not apply
//! needs = [{ value = "video.frames", above = 0 }]               # else it can fail, but not pass
//! checks = [
//!   { value = "bit_rate.peak", max = 20_000_000 },              # is, not, one_of, min, max, above, below
//!   { value = "video.duration", is = 58, aim = true },          # told, but fails nothing
//!   { value = "a.known", min = 9, perhaps = "a.perhaps" },      # not measured if it fails and `a.perhaps` would hold
//! ]
//! ```

mod judge;
mod profile;
mod ratio;
mod rule;
pub mod schema;

pub use judge::{CheckResult, RuleResult, Verdict};
pub use profile::{Profile, Settings};
pub use ratio::Ratio;
pub use rule::{Check, Rule, RulesError};

/// What is held against rules.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// What messages call it, e.g. `metrics.json`.
    pub title: &'static str,
    /// JSON schema of its values.
    pub schema: &'static str,
    /// Where an example of a profile, and all values, can be seen.
    pub remedy: &'static str,
    pub missing: Missing,
}

/// What it means that a value is `null` or not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// All was measured, and the thing is not there: a file without sound has no sample rate. Whatever is asked of it fails.
    Fails,
    /// Nobody knows: it neither passes nor fails.
    NotMeasured,
}
