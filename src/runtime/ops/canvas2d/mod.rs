//! The ops behind `CanvasRenderingContext2D`, `Path2D`, `CanvasGradient` and `CanvasPattern`.
//!
//! In: numbers and strings that `js_shims/08*_canvas2d*.js` has converted as WebIDL says. Out: calls of
//! [`crate::canvas2d`], one to one. Members that take no more than numbers share an op and are told apart by a verb.

use std::cell::RefCell;
use std::rc::Rc;

use deno_core::{GarbageCollected, v8};

use self::budget::{Charge, charge};
use crate::canvas2d::{Canvas, Gradient, MeasuredPath, Path, Pattern};

mod budget;
mod draw;
mod length;
mod list;
mod path;
mod state;
mod style;

pub use budget::Bitmaps;
pub use list::canvas2d_ops;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident($($inner:ty),+) as $text:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name($(pub(super) $inner),+);

        // SAFETY: holds no V8 handles, so there is nothing to trace.
        unsafe impl GarbageCollected for $name {
            fn trace(&self, _visitor: &mut v8::cppgc::Visitor) {}

            fn get_name(&self) -> &'static std::ffi::CStr {
                $text
            }
        }
    )*};
}

handles! {
    /// What a 2D context object holds, and what its bitmap takes.
    Canvas2d(RefCell<Canvas>, RefCell<Charge>) as c"Canvas2d";
    /// What a `Path2D` holds.
    CanvasPath(RefCell<Path>) as c"CanvasPath";
    /// The path of an SVG element, measured.
    SvgLength(MeasuredPath) as c"SvgLength";
    /// What a `CanvasGradient` holds.
    CanvasGradient(Rc<RefCell<Gradient>>) as c"CanvasGradient";
    /// What a `CanvasPattern` holds.
    CanvasPattern(Rc<RefCell<Pattern>>) as c"CanvasPattern";
}
