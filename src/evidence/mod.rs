//! What a render can prove about itself: inputs, engine, pictures, omissions.
//!
//! Takes what the stages report, gives `manifest.json` and the list of frame hashes. Everything in
//! them repeats with the same input on the same machine; wall-clock times live in `timing.json`.

pub mod choose;
pub mod clearance;
pub mod collision;
pub mod cut;
pub mod exports;
pub mod gpu;
mod manifest;
pub mod meta;
pub mod motion;
pub mod observer;
pub mod ordinary;
pub mod partial;
mod people;
pub mod pictures;
pub mod pose;
pub mod poses;
pub mod recorder;
pub mod scene_stats;
mod space;
mod still;
pub mod sums;
pub mod topdown;
pub mod up;
pub mod usage;

pub use manifest::{
    Adapter, Engine, File, MANIFEST, Manifest, Page, SCHEMA, Unsupported, Video, frame_list, frames_digest,
};

#[cfg(test)]
mod schema_tests;
