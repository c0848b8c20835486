//! `replay` runs a three.js program without a browser and turns it into a video that can be trusted.
//!
//! The modules stand in the order the data flows through them; `ARCHITECTURE.md` tells the whole story.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests read, write and measure"))]

pub mod host;

pub mod project;

pub mod clock;

pub mod scene;

#[cfg(feature = "canvas")]
pub mod canvas2d;

#[cfg(feature = "js")]
pub mod runtime;

pub mod shader;

pub mod gl;

pub mod frame;

pub mod backend;

#[cfg(feature = "codec")]
pub mod encode;

#[cfg(feature = "codec")]
pub mod mux;

#[cfg(feature = "codec")]
pub mod evidence;

#[cfg(feature = "codec")]
pub mod rules;

#[cfg(feature = "codec")]
pub mod verify;

#[cfg(all(feature = "canvas", feature = "codec"))]
pub mod report;

#[cfg(feature = "codec")]
pub mod metrics;

#[cfg(feature = "codec")]
pub mod pipeline;

#[cfg(all(feature = "js", feature = "codec"))]
pub mod cli;

#[cfg(test)]
mod layering_tests;
