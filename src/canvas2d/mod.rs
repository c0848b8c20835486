//! `CanvasRenderingContext2D` without a browser: state and commands of the HTML canvas, drawn on the CPU.
//!
//! In: calls with plain numbers and strings, already converted as WebIDL asks. Out: a premultiplied RGBA8 bitmap, row 0 =
//! top. The rasteriser is tiny-skia, so the same calls give the same bytes on every machine. Knows no V8, no wgpu.

mod color;
mod filter;
mod font;
mod image;
mod length;
mod page_fonts;
mod paint;
mod path;
mod raster;
mod state;
mod text;

#[cfg(test)]
mod tests;

pub use color::{Rgba, parse_color, serialize_color};
pub use image::{Bitmap, Smoothing};
pub use length::MeasuredPath;
pub use page_fonts::add_font;
pub use paint::{Gradient, Pattern, Repetition, Style};
pub use path::{Path, PathError};
pub use raster::FillRule;
pub use state::{LineCap, LineJoin, State, TextAlign, TextBaseline};
pub use text::{TextMetrics, missing_characters, new_page};

use tiny_skia::{Mask, Pixmap};

/// Largest side of a canvas, as in Chromium.
pub const MAX_SIDE: u32 = 16_384;

/// One 2D context and its bitmap.
pub struct Canvas {
    bitmap: Pixmap,
    state: State,
    saved: Vec<State>,
    path: Path,
}

impl Canvas {
    /// Is a canvas of this size not too large?
    pub fn fits(width: u32, height: u32) -> bool {
        width <= MAX_SIDE && height <= MAX_SIDE
    }

    /// A transparent canvas. A side of 0 keeps a 1×1 bitmap, so that drawing stays harmless; `None` when it is too large.
    pub fn new(width: u32, height: u32) -> Option<Self> {
        if !Self::fits(width, height) {
            return None;
        }
        let bitmap = Pixmap::new(width.max(1), height.max(1))?;
        Some(Self { bitmap, state: State::default(), saved: Vec::new(), path: Path::default() })
    }

    /// Width and height of the bitmap.
    pub fn size(&self) -> (u32, u32) {
        (self.bitmap.width(), self.bitmap.height())
    }

    /// Premultiplied RGBA8, row 0 = top.
    pub fn pixels(&self) -> &[u8] {
        self.bitmap.data()
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The current default path, in canvas coordinates.
    pub fn path_mut(&mut self) -> (&mut Path, kurbo::Affine) {
        (&mut self.path, self.state.transform)
    }

    pub fn begin_path(&mut self) {
        self.path = Path::default();
    }

    pub fn save(&mut self) {
        self.saved.push(self.state.clone());
    }

    pub fn restore(&mut self) {
        if let Some(state) = self.saved.pop() {
            self.state = state;
        }
    }

    /// `reset()`: everything as after creation.
    pub fn reset(&mut self) {
        self.bitmap.fill(tiny_skia::Color::TRANSPARENT);
        self.state = State::default();
        self.saved.clear();
        self.path = Path::default();
    }

    /// Cuts the clip to `path` (canvas coordinates).
    fn clip_to(&mut self, path: &kurbo::BezPath, rule: FillRule) {
        let (width, height) = self.size();
        let Some(mut mask) = Mask::new(width, height) else { return };
        if let Some(path) = path::to_skia(path) {
            raster::guarded(|| mask.fill_path(&path, rule.into(), true, tiny_skia::Transform::identity()));
        }
        if let Some(old) = &self.state.clip {
            for (new, old) in mask.data_mut().iter_mut().zip(old.data()) {
                *new = ((u32::from(*new) * u32::from(*old) + 127) / 255) as u8;
            }
        }
        self.state.clip = Some(std::rc::Rc::new(mask));
    }

    /// `clip()` with the current path, or with `path` (user space).
    pub fn clip(&mut self, path: Option<&Path>, rule: FillRule) {
        let path = self.device_path(path);
        self.clip_to(&path, rule);
    }

    /// `isPointInPath`: x and y are canvas coordinates.
    pub fn is_point_in_path(&self, path: Option<&Path>, x: f64, y: f64, rule: FillRule) -> bool {
        use kurbo::Shape;
        if !(x.is_finite() && y.is_finite()) {
            return false;
        }
        let winding = path::closed(&self.device_path(path)).winding(kurbo::Point::new(x, y));
        match rule {
            FillRule::NonZero => winding != 0,
            FillRule::EvenOdd => winding % 2 != 0,
        }
    }

    /// `isPointInStroke`: x and y are canvas coordinates.
    pub fn is_point_in_stroke(&self, path: Option<&Path>, x: f64, y: f64) -> bool {
        use kurbo::Shape;
        if !(x.is_finite() && y.is_finite()) || self.state.transform.determinant() == 0.0 {
            return false;
        }
        let inverse = self.state.transform.inverse();
        let user = inverse * self.device_path(path);
        let outline = kurbo::stroke(user, &self.state.kurbo_stroke(), &Default::default(), 0.01);
        outline.winding(inverse * kurbo::Point::new(x, y)) != 0
    }

    fn device_path(&self, path: Option<&Path>) -> kurbo::BezPath {
        match path {
            Some(path) => self.state.transform * path.bezier().clone(),
            None => self.path.bezier().clone(),
        }
    }
}
