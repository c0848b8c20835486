//! Drawing: the shape through filter, shadow, clip and compositing onto the bitmap (HTML "Drawing model").

use std::cell::Cell;
use std::sync::Once;

use kurbo::{Affine, BezPath};
use tiny_skia::{BlendMode, Pixmap, PixmapPaint, Transform};

use super::filter::{blur, tint};
use super::paint::{Paint, to_transform};
use super::path::{self, Path};
use super::{Canvas, Style};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillRule {
    NonZero,
    EvenOdd,
}

impl From<FillRule> for tiny_skia::FillRule {
    fn from(rule: FillRule) -> Self {
        match rule {
            FillRule::NonZero => Self::Winding,
            FillRule::EvenOdd => Self::EvenOdd,
        }
    }
}

/// What is drawn, in canvas coordinates unless said otherwise.
pub(super) enum Shape<'a> {
    Fill(&'a tiny_skia::Path, FillRule),
    /// Path in user space, stroked and then transformed.
    Stroke(&'a tiny_skia::Path, &'a tiny_skia::Stroke, Transform),
}

/// Modes that change the bitmap outside the shape too.
fn reaches_outside(mode: BlendMode) -> bool {
    use BlendMode::{DestinationAtop, DestinationIn, Source, SourceIn, SourceOut};
    matches!(mode, Source | SourceIn | SourceOut | DestinationIn | DestinationAtop)
}

impl Canvas {
    /// `fill()` with the current path or with `path` (user space).
    pub fn fill(&mut self, path: Option<&Path>, rule: FillRule) {
        let path = self.device_path(path);
        self.fill_bezier(&path, rule, &self.state.fill.clone());
    }

    /// `stroke()` likewise.
    pub fn stroke(&mut self, path: Option<&Path>) {
        let path = self.device_path(path);
        self.stroke_bezier(&path);
    }

    pub fn fill_rect(&mut self, rect: [f64; 4]) {
        if rect.iter().all(|value| value.is_finite()) {
            let path = path::rectangle(rect, self.state.transform);
            self.fill_bezier(&path, FillRule::NonZero, &self.state.fill.clone());
        }
    }

    pub fn stroke_rect(&mut self, rect: [f64; 4]) {
        if rect.iter().all(|value| value.is_finite()) {
            let path = path::rectangle(rect, self.state.transform);
            self.stroke_bezier(&path);
        }
    }

    /// Transparent black inside the rectangle and the clip.
    pub fn clear_rect(&mut self, rect: [f64; 4]) {
        if !rect.iter().all(|value| value.is_finite()) {
            return;
        }
        let Some(path) = path::to_skia(&path::rectangle(rect, self.state.transform)) else { return };
        let paint = tiny_skia::Paint { blend_mode: BlendMode::Clear, anti_alias: true, ..Default::default() };
        let rule = tiny_skia::FillRule::Winding;
        guarded(|| self.bitmap.fill_path(&path, &paint, rule, Transform::identity(), self.state.clip.as_deref()));
    }

    pub(super) fn fill_bezier(&mut self, path: &BezPath, rule: FillRule, style: &Style) {
        let Some(path) = path::to_skia(path) else { return };
        let paint = self.paint_for(style);
        self.draw(&Shape::Fill(&path, rule), &paint);
    }

    pub(super) fn stroke_bezier(&mut self, path: &BezPath) {
        let transform = self.state.transform;
        if transform.determinant() == 0.0 || !transform.determinant().is_finite() {
            return;
        }
        let Some(user) = path::to_skia(&(transform.inverse() * path.clone())) else { return };
        let paint = self.paint_for(&self.state.stroke.clone());
        let stroke = self.state.skia_stroke();
        // The paint is in canvas coordinates; tiny-skia transforms shaders along with the path, so undo that.
        let paint = paint.under(transform);
        self.draw(&Shape::Stroke(&user, &stroke, to_transform(transform)), &paint);
    }

    fn paint_for(&self, style: &Style) -> Paint {
        Paint::new(style, self.state.transform, self.state.alpha, self.state.smoothing.is_on(), self.size())
    }

    /// Draws `shape` with `paint` through everything the state asks for.
    pub(super) fn draw(&mut self, shape: &Shape<'_>, paint: &Paint) {
        if let Some(paint) = paint.skia() {
            self.draw_shaded(shape, paint);
        }
    }

    /// The same with a paint of tiny-skia's, which may borrow its pixels.
    pub(super) fn draw_shaded(&mut self, shape: &Shape<'_>, mut paint: tiny_skia::Paint<'_>) {
        if self.needs_layer() {
            let Some(mut layer) = Pixmap::new(self.bitmap.width(), self.bitmap.height()) else { return };
            put(&mut layer, shape, &paint, None);
            self.composite(layer);
        } else {
            paint.blend_mode = self.state.blend;
            let clip = self.state.clip.clone();
            put(&mut self.bitmap, shape, &paint, clip.as_deref());
        }
    }

    fn needs_layer(&self) -> bool {
        reaches_outside(self.state.blend) || !self.state.filter.is_empty() || self.casts_shadow()
    }

    fn casts_shadow(&self) -> bool {
        let state = &self.state;
        state.shadow_color.a > 0.0 && (state.shadow_blur > 0.0 || state.shadow_offset != (0.0, 0.0))
    }

    /// A layer of the canvas's size: filter, then shadow beneath, then clip and blend onto the bitmap.
    fn composite(&mut self, mut layer: Pixmap) {
        for filter in &self.state.filter.clone() {
            filter.apply(&mut layer);
        }
        if self.casts_shadow() {
            let mut shadow = layer.clone();
            tint(&mut shadow, self.state.shadow_color);
            blur(&mut shadow, self.state.shadow_blur / 2.0);
            let (x, y) = self.state.shadow_offset;
            if let Some(mut moved) = Pixmap::new(layer.width(), layer.height()) {
                let place = Transform::from_translate(x as f32, y as f32);
                moved.draw_pixmap(0, 0, shadow.as_ref(), &PixmapPaint::default(), place, None);
                self.blend_layer(&moved);
            }
        }
        self.blend_layer(&layer);
    }

    fn blend_layer(&mut self, layer: &Pixmap) {
        let paint = PixmapPaint { blend_mode: self.state.blend, ..Default::default() };
        let clip = self.state.clip.clone();
        self.bitmap.draw_pixmap(0, 0, layer.as_ref(), &paint, Transform::identity(), clip.as_deref());
    }
}

fn put(target: &mut Pixmap, shape: &Shape<'_>, paint: &tiny_skia::Paint<'_>, clip: Option<&tiny_skia::Mask>) {
    guarded(|| match shape {
        Shape::Fill(path, rule) => target.fill_path(path, paint, (*rule).into(), Transform::identity(), clip),
        Shape::Stroke(path, stroke, transform) => target.stroke_path(path, paint, stroke, *transform, clip),
    });
}

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` of tiny-skia's, which panics on some far-off shapes: such a shape is then not drawn, or in part.
pub(super) fn guarded(work: impl FnOnce()) {
    static HOOK: Once = Once::new();
    // What is caught is not told as a crash.
    HOOK.call_once(|| {
        let tell = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                tell(panic);
            }
        }));
    });
    GUARDED.set(true);
    // What was drawn halfway is pixels, whatever they are.
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    GUARDED.set(false);
    if done.is_err() {
        tracing::warn!("a shape could not be drawn");
    }
}

impl Paint {
    /// The same paint for a path that is drawn under `transform`.
    fn under(self, transform: Affine) -> Self {
        let inverse = to_transform(transform.inverse());
        match self {
            Self::Shader(mut shader) => {
                shader.transform(inverse);
                Self::Shader(shader)
            }
            Self::Pattern { tile, repeat, transform: placed, alpha, smooth } => {
                Self::Pattern { tile, repeat, transform: placed.post_concat(inverse), alpha, smooth }
            }
            Self::Nothing => Self::Nothing,
        }
    }
}
