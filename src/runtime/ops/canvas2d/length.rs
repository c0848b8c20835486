//! Lengths along paths of SVG.

use deno_core::op2;

use super::SvgLength;
use crate::canvas2d::MeasuredPath;

#[op2]
#[cppgc]
pub fn op_svg_length_new(#[string] path: &str) -> SvgLength {
    SvgLength(MeasuredPath::from_svg(path))
}

#[op2(fast)]
pub fn op_svg_length(#[cppgc] path: &SvgLength) -> f64 {
    path.0.length()
}

/// x and y; nothing of an empty path.
#[op2]
#[serde]
pub fn op_svg_point(#[cppgc] path: &SvgLength, distance: f64) -> Vec<f64> {
    path.0.point(distance).map_or_else(Vec::new, |point| vec![point.x, point.y])
}
