//! The straight line: load > run frame > capture > hash and colour > encode > mux > manifest.
//!
//! JavaScript, GPU and encoder work overlap over bounded channels; pictures keep their order. Takes a
//! [`RenderPlan`], leaves an output folder, gives a [`Summary`]. Must not know arguments as typed, nor
//! print anything.

#[cfg(feature = "js")]
mod backends;
mod clearance;
mod cost;
mod depth;
mod error;
#[cfg(feature = "js")]
pub mod evidence;
pub mod film;
pub mod health;
mod last_resort;
pub mod output;
pub mod plan;
#[cfg(feature = "js")]
mod run;
mod summary;
pub mod trace;

pub use crate::backend::patience::threads_left;
pub use depth::{SCALE_SCHEMA, scale};
pub use error::RenderError;
pub use last_resort::on_lost_thread;
pub use plan::{BackendKind, Codec, RenderPlan};
#[cfg(feature = "js")]
pub use run::render;
pub use summary::{SUMMARY_SCHEMA, Summary, TIMING_SCHEMA, Timing};

/// What a render tells while it runs.
pub trait Observer {
    /// Work has begun on a video of so many frames.
    fn started(&mut self, _frames: u64) {}

    /// So many frames have been drawn and coded.
    fn progress(&mut self, _drawn: u64, _coded: u64) {}

    /// The program said something.
    fn console(&mut self, _level: &str, _text: &str) {}
}

/// Tells nobody.
pub struct Silent;

impl Observer for Silent {}
