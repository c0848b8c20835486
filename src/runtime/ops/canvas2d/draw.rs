//! Drawing, hit testing, text, pixels.

use deno_core::{OpState, ToJsBuffer, op2, v8};

use super::{Canvas2d, CanvasPath};
use crate::canvas2d::{Bitmap, FillRule};
use crate::runtime::memory::admit;

fn rule(even_odd: bool) -> FillRule {
    if even_odd { FillRule::EvenOdd } else { FillRule::NonZero }
}

/// `verb`: 0 fillRect, 1 strokeRect, 2 clearRect.
#[op2(fast)]
pub fn op_c2d_rect(#[cppgc] canvas: &Canvas2d, verb: u32, x: f64, y: f64, w: f64, h: f64) {
    let mut canvas = canvas.0.borrow_mut();
    match verb {
        0 => canvas.fill_rect([x, y, w, h]),
        1 => canvas.stroke_rect([x, y, w, h]),
        _ => canvas.clear_rect([x, y, w, h]),
    }
}

/// `verb`: 0 fill, 1 stroke, 2 clip; with the current path.
#[op2(fast)]
pub fn op_c2d_paint(#[cppgc] canvas: &Canvas2d, verb: u32, even_odd: bool) {
    let mut canvas = canvas.0.borrow_mut();
    match verb {
        0 => canvas.fill(None, rule(even_odd)),
        1 => canvas.stroke(None),
        _ => canvas.clip(None, rule(even_odd)),
    }
}

/// The same with a `Path2D`.
#[op2(fast)]
pub fn op_c2d_paint_path(#[cppgc] canvas: &Canvas2d, verb: u32, #[cppgc] path: &CanvasPath, even_odd: bool) {
    let path = path.0.borrow();
    let mut canvas = canvas.0.borrow_mut();
    match verb {
        0 => canvas.fill(Some(&path), rule(even_odd)),
        1 => canvas.stroke(Some(&path)),
        _ => canvas.clip(Some(&path), rule(even_odd)),
    }
}

#[op2(fast)]
pub fn op_c2d_is_point_in(#[cppgc] canvas: &Canvas2d, stroke: bool, x: f64, y: f64, even_odd: bool) -> bool {
    let canvas = canvas.0.borrow();
    if stroke { canvas.is_point_in_stroke(None, x, y) } else { canvas.is_point_in_path(None, x, y, rule(even_odd)) }
}

#[op2(fast)]
pub fn op_c2d_is_point_in_path2d(
    #[cppgc] canvas: &Canvas2d,
    #[cppgc] path: &CanvasPath,
    stroke: bool,
    x: f64,
    y: f64,
    even_odd: bool,
) -> bool {
    let (canvas, path) = (canvas.0.borrow(), path.0.borrow());
    if stroke {
        canvas.is_point_in_stroke(Some(&path), x, y)
    } else {
        canvas.is_point_in_path(Some(&path), x, y, rule(even_odd))
    }
}

/// `max_width` NaN = none.
#[op2(fast)]
pub fn op_c2d_text(#[cppgc] canvas: &Canvas2d, stroke: bool, #[string] text: &str, x: f64, y: f64, max_width: f64) {
    let mut canvas = canvas.0.borrow_mut();
    let max_width = (!max_width.is_nan()).then_some(max_width);
    if stroke { canvas.stroke_text(text, x, y, max_width) } else { canvas.fill_text(text, x, y, max_width) }
}

/// In the order of `TextMetrics`' members in `js_shims/08a_canvas2d_objects.js`.
#[op2]
#[serde]
pub fn op_c2d_measure_text(#[cppgc] canvas: &Canvas2d, #[string] text: &str) -> Vec<f64> {
    let m = canvas.0.borrow().measure_text(text);
    vec![
        m.width,
        m.actual_left,
        m.actual_right,
        m.actual_ascent,
        m.actual_descent,
        m.font_ascent,
        m.font_descent,
        m.em_ascent,
        m.em_descent,
        m.hanging,
        m.alphabetic,
        m.ideographic,
    ]
}

/// `rgba` is the picture's pixels; `v` is source x, y, w, h and target x, y, w, h.
#[op2]
pub fn op_c2d_draw_image(
    #[cppgc] canvas: &Canvas2d,
    width: u32,
    height: u32,
    #[buffer] rgba: &[u8],
    premultiplied: bool,
    #[serde] v: Vec<f64>,
) {
    let Ok(v) = <[f64; 8]>::try_from(v) else { return };
    if let Some(bitmap) = Bitmap::new(width, height, rgba, premultiplied) {
        canvas.0.borrow_mut().draw_image(&bitmap, [v[0], v[1], v[2], v[3]], [v[4], v[5], v[6], v[7]]);
    }
}

/// Straight RGBA8. The shim bounds the size.
#[op2]
#[serde]
pub fn op_c2d_image_data(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[cppgc] canvas: &Canvas2d,
    x: i32,
    y: i32,
    width: u32,
    height: u32,
) -> ToJsBuffer {
    if !admit(scope, state, 4 * width as usize * height as usize) {
        return Vec::new().into();
    }
    canvas.0.borrow().image_data(x, y, width, height).into()
}

#[op2]
pub fn op_c2d_put_image_data(
    #[cppgc] canvas: &Canvas2d,
    #[buffer] rgba: &[u8],
    width: u32,
    height: u32,
    x: i32,
    y: i32,
    #[serde] dirty: Vec<i32>,
) {
    let Ok(dirty) = <[i32; 4]>::try_from(dirty) else { return };
    canvas.0.borrow_mut().put_image_data(rgba, (width, height), x, y, dirty);
}

/// Premultiplied RGBA8 of the whole bitmap.
#[op2]
#[serde]
pub fn op_c2d_pixels(scope: &mut v8::PinScope<'_, '_>, state: &mut OpState, #[cppgc] canvas: &Canvas2d) -> ToJsBuffer {
    let canvas = canvas.0.borrow();
    if !admit(scope, state, canvas.pixels().len()) {
        return Vec::new().into();
    }
    canvas.pixels().to_vec().into()
}
