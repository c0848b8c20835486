//! Building paths, for the current path and for `Path2D` alike.

use deno_core::op2;
use kurbo::Affine;

use super::{Canvas2d, CanvasPath};
use crate::canvas2d::Path;

/// Verbs of `op_c2d_path`, as in `js_shims/08b_canvas2d_paths.js`.
const MOVE_TO: u32 = 0;
const LINE_TO: u32 = 1;
const QUADRATIC_CURVE_TO: u32 = 2;
const BEZIER_CURVE_TO: u32 = 3;
const RECT: u32 = 4;
const CLOSE: u32 = 5;
const ARC_TO: u32 = 6;

/// False: the radius was negative.
fn apply(path: &mut Path, transform: Affine, verb: u32, v: [f64; 6]) -> bool {
    let [a, b, c, d, e, _] = v;
    match verb {
        MOVE_TO => path.move_to(a, b, transform),
        LINE_TO => path.line_to(a, b, transform),
        QUADRATIC_CURVE_TO => path.quadratic_curve_to([a, b, c, d], transform),
        BEZIER_CURVE_TO => path.bezier_curve_to(v, transform),
        RECT => path.rect([a, b, c, d], transform),
        CLOSE => path.close(),
        ARC_TO => return path.arc_to([a, b, c, d, e], transform).is_ok(),
        _ => {}
    }
    true
}

#[op2(fast)]
pub fn op_c2d_begin_path(#[cppgc] canvas: &Canvas2d) {
    canvas.0.borrow_mut().begin_path();
}

#[op2(fast)]
pub fn op_c2d_path(#[cppgc] canvas: &Canvas2d, verb: u32, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) -> bool {
    let mut canvas = canvas.0.borrow_mut();
    let (path, transform) = canvas.path_mut();
    apply(path, transform, verb, [a, b, c, d, e, f])
}

#[op2(fast)]
pub fn op_c2d_path2d(#[cppgc] path: &CanvasPath, verb: u32, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) -> bool {
    apply(&mut path.0.borrow_mut(), Affine::IDENTITY, verb, [a, b, c, d, e, f])
}

#[op2(fast)]
pub fn op_c2d_ellipse(
    #[cppgc] canvas: &Canvas2d,
    x: f64,
    y: f64,
    rx: f64,
    ry: f64,
    rotation: f64,
    start: f64,
    end: f64,
    counterclockwise: bool,
) -> bool {
    let mut canvas = canvas.0.borrow_mut();
    let (path, transform) = canvas.path_mut();
    path.ellipse((x, y), (rx, ry), rotation, (start, end), counterclockwise, transform).is_ok()
}

#[op2(fast)]
pub fn op_c2d_ellipse2d(
    #[cppgc] path: &CanvasPath,
    x: f64,
    y: f64,
    rx: f64,
    ry: f64,
    rotation: f64,
    start: f64,
    end: f64,
    counterclockwise: bool,
) -> bool {
    let mut path = path.0.borrow_mut();
    path.ellipse((x, y), (rx, ry), rotation, (start, end), counterclockwise, Affine::IDENTITY).is_ok()
}

/// `v`: x, y, w, h, then x and y radii of the upper left, upper right, lower right and lower left corner.
fn round_rect(path: &mut Path, transform: Affine, v: &[f64]) {
    if let Ok(v) = <[f64; 12]>::try_from(v) {
        path.round_rect(
            [v[0], v[1], v[2], v[3]],
            [(v[4], v[5]), (v[6], v[7]), (v[8], v[9]), (v[10], v[11])],
            transform,
        );
    }
}

#[op2]
pub fn op_c2d_round_rect(#[cppgc] canvas: &Canvas2d, #[serde] values: Vec<f64>) {
    let mut canvas = canvas.0.borrow_mut();
    let (path, transform) = canvas.path_mut();
    round_rect(path, transform, &values);
}

#[op2]
pub fn op_c2d_round_rect2d(#[cppgc] path: &CanvasPath, #[serde] values: Vec<f64>) {
    round_rect(&mut path.0.borrow_mut(), Affine::IDENTITY, &values);
}

#[op2]
#[cppgc]
pub fn op_c2d_new_path(#[string] svg: &str) -> CanvasPath {
    CanvasPath(if svg.is_empty() { Path::default() } else { Path::from_svg(svg) }.into())
}

#[op2]
#[cppgc]
pub fn op_c2d_copy_path(#[cppgc] path: &CanvasPath) -> CanvasPath {
    CanvasPath(path.0.borrow().clone().into())
}

/// Appends `other` to `path`, transformed.
#[op2(fast)]
pub fn op_c2d_add_path(
    #[cppgc] path: &CanvasPath,
    #[cppgc] other: &CanvasPath,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
) {
    let other = other.0.borrow().clone();
    path.0.borrow_mut().add_path(&other, Affine::new([a, b, c, d, e, f]));
}
