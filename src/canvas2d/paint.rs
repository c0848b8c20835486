//! Fill and stroke styles: colours, gradients, patterns (HTML "Fill and stroke styles").

use std::cell::RefCell;
use std::rc::Rc;

use kurbo::Affine;
use tiny_skia::{
    FilterQuality, GradientStop, LinearGradient, Pixmap, Point, RadialGradient, Shader, SpreadMode, SweepGradient,
    Transform,
};

use super::color::Rgba;
use super::image::Bitmap;
use super::raster::guarded;

/// What `fillStyle` and `strokeStyle` hold.
#[derive(Clone)]
pub enum Style {
    Color(Rgba),
    Gradient(Rc<RefCell<Gradient>>),
    Pattern(Rc<RefCell<Pattern>>),
}

/// Geometry of a gradient in user space.
#[derive(Clone, Copy, Debug)]
pub enum Geometry {
    /// x0, y0, x1, y1.
    Linear([f64; 4]),
    /// x0, y0, r0, x1, y1, r1.
    Radial([f64; 6]),
    /// Start angle (radians), x, y.
    Conic([f64; 3]),
}

/// A `CanvasGradient`.
#[derive(Clone, Debug)]
pub struct Gradient {
    geometry: Geometry,
    /// Offsets 0 to 1, ascending; equal ones in order of addition.
    stops: Vec<(f32, Rgba)>,
}

impl Gradient {
    pub fn linear(points: [f64; 4]) -> Self {
        Self { geometry: Geometry::Linear(points), stops: Vec::new() }
    }

    pub fn radial(circles: [f64; 6]) -> Self {
        Self { geometry: Geometry::Radial(circles), stops: Vec::new() }
    }

    pub fn conic(angle_and_center: [f64; 3]) -> Self {
        Self { geometry: Geometry::Conic(angle_and_center), stops: Vec::new() }
    }

    /// `offset` has been checked to lie in 0 to 1.
    pub fn add_stop(&mut self, offset: f32, color: Rgba) {
        let at = self.stops.partition_point(|(other, _)| *other <= offset);
        self.stops.insert(at, (offset, color));
    }

    fn shader(&self, transform: Affine, alpha: f32) -> Option<Shader<'static>> {
        let stops: Vec<GradientStop> =
            self.stops.iter().map(|(at, color)| GradientStop::new(*at, color.to_skia(alpha))).collect();
        if stops.is_empty() {
            return None;
        }
        let matrix = to_transform(transform);
        let point = |x: f64, y: f64| Point::from_xy(x as f32, y as f32);
        match self.geometry {
            Geometry::Linear([x0, y0, x1, y1]) if x0 != x1 || y0 != y1 => {
                LinearGradient::new(point(x0, y0), point(x1, y1), stops, SpreadMode::Pad, matrix)
            }
            Geometry::Linear(_) => None,
            Geometry::Radial([x0, y0, r0, x1, y1, r1]) => {
                if (x0, y0, r0) == (x1, y1, r1) {
                    return None;
                }
                let (start, end) = (point(x0, y0), point(x1, y1));
                RadialGradient::new(start, r0 as f32, end, r1 as f32, stops, SpreadMode::Pad, matrix)
            }
            Geometry::Conic([angle, x, y]) => {
                let turned = transform * Affine::rotate_about(angle, (x, y));
                SweepGradient::new(point(x, y), 0.0, 360.0, stops, SpreadMode::Pad, to_transform(turned))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    Both,
    X,
    Y,
    None,
}

/// A `CanvasPattern`.
pub struct Pattern {
    bitmap: Bitmap,
    repetition: Repetition,
    /// From `setTransform`.
    pub transform: Affine,
}

impl Pattern {
    pub fn new(bitmap: Bitmap, repetition: Repetition) -> Self {
        Self { bitmap, repetition, transform: Affine::IDENTITY }
    }

    fn tile(&self) -> &Pixmap {
        self.bitmap.pixmap()
    }
}

/// A paint ready for tiny-skia, owning what its shader borrows.
pub(super) enum Paint {
    Shader(Shader<'static>),
    Pattern { tile: Pixmap, repeat: bool, transform: Transform, alpha: f32, smooth: bool },
    Nothing,
}

impl Paint {
    /// Resolves `style` under the transform in force.
    pub(super) fn new(style: &Style, transform: Affine, alpha: f32, smooth: bool, size: (u32, u32)) -> Self {
        match style {
            Style::Color(color) => Self::Shader(Shader::SolidColor(color.to_skia(alpha))),
            Style::Gradient(gradient) => gradient.borrow().shader(transform, alpha).map_or(Self::Nothing, Self::Shader),
            Style::Pattern(pattern) => {
                let pattern = pattern.borrow();
                let placed = transform * pattern.transform;
                match pattern.repetition {
                    Repetition::Both => Self::Pattern {
                        tile: pattern.tile().clone(),
                        repeat: true,
                        transform: to_transform(placed),
                        alpha,
                        smooth,
                    },
                    repetition => Self::banded(pattern.tile(), repetition, placed, alpha, smooth, size),
                }
            }
        }
    }

    /// tiny-skia repeats in both directions or pads: a pattern that repeats in one direction or none is drawn once onto
    /// a transparent sheet of the canvas's size.
    fn banded(
        tile: &Pixmap,
        repetition: Repetition,
        placed: Affine,
        alpha: f32,
        smooth: bool,
        size: (u32, u32),
    ) -> Self {
        let Some(mut sheet) = Pixmap::new(size.0, size.1) else { return Self::Nothing };
        let (w, h) = (f64::from(tile.width()), f64::from(tile.height()));
        let far = 1e5;
        let area = match repetition {
            Repetition::X => [-far, 0.0, 2.0 * far, h],
            Repetition::Y => [0.0, -far, w, 2.0 * far],
            Repetition::Both | Repetition::None => [0.0, 0.0, w, h],
        };
        let paint = Self::Pattern { tile: tile.clone(), repeat: true, transform: to_transform(placed), alpha, smooth };
        if let (Some(path), Some(paint)) = (super::path::to_skia(&super::path::rectangle(area, placed)), paint.skia()) {
            let rule = tiny_skia::FillRule::Winding;
            guarded(|| sheet.fill_path(&path, &paint, rule, Transform::identity(), None));
        }
        Self::Pattern { tile: sheet, repeat: false, transform: Transform::identity(), alpha: 1.0, smooth: false }
    }

    /// `None`: nothing is drawn.
    pub(super) fn skia(&self) -> Option<tiny_skia::Paint<'_>> {
        let shader = match self {
            Self::Nothing => return None,
            Self::Shader(shader) => shader.clone(),
            Self::Pattern { tile, repeat, transform, alpha, smooth } => tiny_skia::Pattern::new(
                tile.as_ref(),
                if *repeat { SpreadMode::Repeat } else { SpreadMode::Pad },
                if *smooth { FilterQuality::Bilinear } else { FilterQuality::Nearest },
                *alpha,
                *transform,
            ),
        };
        Some(tiny_skia::Paint { shader, anti_alias: true, ..Default::default() })
    }
}

pub(super) fn to_transform(affine: Affine) -> Transform {
    let [a, b, c, d, e, f] = affine.as_coeffs().map(|value| value as f32);
    Transform::from_row(a, b, c, d, e, f)
}
