//! What the page knows about its window.

use std::sync::Arc;

use deno_core::{OpState, op2};
use serde::Serialize;

use crate::project::Project;
use crate::runtime::RuntimeOptions;

/// Constants of the run, read once by the shims.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Setup {
    /// Viewport in CSS pixels.
    width: f64,
    height: f64,
    pixel_ratio: f64,
    fps: f64,
    page: String,
}

#[op2]
#[serde]
pub fn op_setup(state: &mut OpState) -> Setup {
    let options = state.borrow::<RuntimeOptions>();
    let project = state.borrow::<Arc<Project>>();
    Setup {
        width: f64::from(options.width) / options.pixel_ratio,
        height: f64::from(options.height) / options.pixel_ratio,
        pixel_ratio: options.pixel_ratio,
        fps: options.fps.as_f64(),
        page: project.page_url().to_string(),
    }
}
