//! Colours, gradients and patterns.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::op2;
use kurbo::Affine;

use super::{Canvas2d, CanvasGradient, CanvasPattern};
use crate::canvas2d::{Bitmap, Gradient, Pattern, Repetition, Style, parse_color, serialize_color};

fn set(canvas: &Canvas2d, stroke: bool, style: Style) {
    let mut canvas = canvas.0.borrow_mut();
    let state = canvas.state_mut();
    if stroke { state.stroke = style } else { state.fill = style }
}

/// The serialised value, or null when `css` is no colour.
#[op2]
#[string]
pub fn op_c2d_set_color(#[cppgc] canvas: &Canvas2d, stroke: bool, #[string] css: &str) -> Option<String> {
    let color = parse_color(css)?;
    set(canvas, stroke, Style::Color(color));
    Some(serialize_color(color))
}

/// A CSS colour as computed styles have it, `rgb(r, g, b)` or `rgba(r, g, b, a)` (CSS Color 4, section 15.2); null if it is none.
#[op2]
#[string]
pub fn op_css_color(#[string] css: &str) -> Option<String> {
    let color = parse_color(css)?;
    Some(if color.a >= 1.0 { format!("rgb({}, {}, {})", color.r, color.g, color.b) } else { serialize_color(color) })
}

#[op2(fast)]
pub fn op_c2d_set_gradient(#[cppgc] canvas: &Canvas2d, stroke: bool, #[cppgc] gradient: &CanvasGradient) {
    set(canvas, stroke, Style::Gradient(gradient.0.clone()));
}

#[op2(fast)]
pub fn op_c2d_set_pattern(#[cppgc] canvas: &Canvas2d, stroke: bool, #[cppgc] pattern: &CanvasPattern) {
    set(canvas, stroke, Style::Pattern(pattern.0.clone()));
}

/// `kind`: 0 linear (x0, y0, x1, y1), 1 radial (x0, y0, r0, x1, y1, r1), 2 conic (angle, x, y).
#[op2]
#[cppgc]
pub fn op_c2d_new_gradient(kind: u32, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) -> CanvasGradient {
    let gradient = match kind {
        0 => Gradient::linear([a, b, c, d]),
        1 => Gradient::radial([a, b, c, d, e, f]),
        _ => Gradient::conic([a, b, c]),
    };
    CanvasGradient(Rc::new(RefCell::new(gradient)))
}

/// False when `css` is no colour.
#[op2(fast)]
pub fn op_c2d_add_stop(#[cppgc] gradient: &CanvasGradient, offset: f64, #[string] css: &str) -> bool {
    match parse_color(css) {
        Some(color) => {
            gradient.0.borrow_mut().add_stop(offset as f32, color);
            true
        }
        None => false,
    }
}

/// Null when the picture is empty. `repetition`: 0 both, 1 x, 2 y, 3 none.
#[op2]
#[cppgc]
pub fn op_c2d_new_pattern(
    width: u32,
    height: u32,
    #[buffer] rgba: &[u8],
    premultiplied: bool,
    repetition: u32,
) -> Option<CanvasPattern> {
    let repetition = match repetition {
        0 => Repetition::Both,
        1 => Repetition::X,
        2 => Repetition::Y,
        _ => Repetition::None,
    };
    let bitmap = Bitmap::new(width, height, rgba, premultiplied)?;
    Some(CanvasPattern(Rc::new(RefCell::new(Pattern::new(bitmap, repetition)))))
}

#[op2(fast)]
pub fn op_c2d_pattern_transform(#[cppgc] pattern: &CanvasPattern, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) {
    let values = [a, b, c, d, e, f];
    if values.iter().all(|value| value.is_finite()) {
        pattern.0.borrow_mut().transform = Affine::new(values);
    }
}
