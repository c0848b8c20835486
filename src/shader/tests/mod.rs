//! Tests of the front end on whole shaders. dEQP's cases and the three.js corpus are in `golden/shaders`.

mod folding;
mod hostile;
mod language;
mod loops;
mod position;
pub mod support;
