//! Paths (HTML "Building paths"): the current default path in canvas coordinates, `Path2D` in user space.

use kurbo::{Affine, Arc, BezPath, PathEl, Point, Shape, Vec2};

/// What the path methods throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// `IndexSizeError`.
    #[error("the radius is negative")]
    NegativeRadius,
}

/// Flattening tolerance of arcs, in pixels.
const TOLERANCE: f64 = 0.01;

/// Subpaths as HTML defines them. Methods take user-space numbers and the transform in force; numbers that are not finite
/// make a method do nothing, as the specification asks.
#[derive(Clone, Debug, Default)]
pub struct Path {
    bezier: BezPath,
    /// First point of the current subpath.
    start: Point,
    /// The current point; `None` while the path needs a new subpath.
    current: Option<Point>,
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

impl Path {
    /// `new Path2D(svg)`: an empty path when `svg` does not parse.
    pub fn from_svg(svg: &str) -> Self {
        let bezier = BezPath::from_svg(svg).unwrap_or_default();
        let current = bezier.elements().iter().rev().find_map(PathEl::end_point);
        Self { start: current.unwrap_or_default(), current, bezier }
    }

    pub fn bezier(&self) -> &BezPath {
        &self.bezier
    }

    /// Appends another path, transformed.
    pub fn add_path(&mut self, other: &Path, transform: Affine) {
        self.bezier.extend(transform * other.bezier.clone());
        self.start = transform * other.start;
        self.current = other.current.map(|point| transform * point);
    }

    pub fn move_to(&mut self, x: f64, y: f64, transform: Affine) {
        if finite(&[x, y]) {
            self.begin(transform * Point::new(x, y));
        }
    }

    fn begin(&mut self, at: Point) {
        self.bezier.move_to(at);
        self.start = at;
        self.current = Some(at);
    }

    /// "Ensure there is a subpath for (x, y)".
    fn ensure(&mut self, at: Point) -> Point {
        if self.current.is_none() {
            self.begin(at);
        } else if matches!(self.bezier.elements().last(), Some(PathEl::ClosePath)) {
            self.begin(self.start);
        }
        self.current.unwrap_or(at)
    }

    fn line(&mut self, to: Point) {
        if self.current.is_none() {
            self.begin(to);
            return;
        }
        self.ensure(to);
        self.bezier.line_to(to);
        self.current = Some(to);
    }

    pub fn line_to(&mut self, x: f64, y: f64, transform: Affine) {
        if finite(&[x, y]) {
            self.line(transform * Point::new(x, y));
        }
    }

    pub fn quadratic_curve_to(&mut self, [cx, cy, x, y]: [f64; 4], transform: Affine) {
        if !finite(&[cx, cy, x, y]) {
            return;
        }
        let (control, to) = (transform * Point::new(cx, cy), transform * Point::new(x, y));
        self.ensure(control);
        self.bezier.quad_to(control, to);
        self.current = Some(to);
    }

    pub fn bezier_curve_to(&mut self, [ax, ay, bx, by, x, y]: [f64; 6], transform: Affine) {
        if !finite(&[ax, ay, bx, by, x, y]) {
            return;
        }
        let points = [(ax, ay), (bx, by), (x, y)].map(|(x, y)| transform * Point::new(x, y));
        self.ensure(points[0]);
        self.bezier.curve_to(points[0], points[1], points[2]);
        self.current = Some(points[2]);
    }

    pub fn close(&mut self) {
        if self.current.is_some() && !matches!(self.bezier.elements().last(), Some(PathEl::ClosePath)) {
            self.bezier.close_path();
            self.current = Some(self.start);
        }
    }

    pub fn rect(&mut self, [x, y, w, h]: [f64; 4], transform: Affine) {
        if !finite(&[x, y, w, h]) {
            return;
        }
        let corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)].map(|(x, y)| transform * Point::new(x, y));
        self.begin(corners[0]);
        corners[1..].iter().for_each(|corner| self.bezier.line_to(*corner));
        self.bezier.close_path();
        self.begin(corners[0]);
    }

    /// Radii of the four corners (upper left, upper right, lower right, lower left), each x and y.
    pub fn round_rect(&mut self, [x, y, w, h]: [f64; 4], radii: [(f64, f64); 4], transform: Affine) {
        if !finite(&[x, y, w, h]) {
            return;
        }
        // A negative size mirrors the corners.
        let (mut x, mut y, mut w, mut h, mut r) = (x, y, w, h, radii);
        if w < 0.0 {
            (x, w, r) = (x + w, -w, [r[1], r[0], r[3], r[2]]);
        }
        if h < 0.0 {
            (y, h, r) = (y + h, -h, [r[3], r[2], r[1], r[0]]);
        }
        let sums = [(r[0].0 + r[1].0, w), (r[1].1 + r[2].1, h), (r[2].0 + r[3].0, w), (r[3].1 + r[0].1, h)];
        let scale = sums.iter().filter(|(sum, _)| *sum > 0.0).map(|(sum, side)| side / sum).fold(1.0, f64::min);
        let r = r.map(|(rx, ry)| (rx * scale, ry * scale));
        let mut local = Path::default();
        local.move_to(x + r[0].0, y, Affine::IDENTITY);
        let corners = [
            ((x + w - r[1].0, y), (x + w - r[1].0, y + r[1].1), r[1], -0.25),
            ((x + w, y + h - r[2].1), (x + w - r[2].0, y + h - r[2].1), r[2], 0.0),
            ((x + r[3].0, y + h), (x + r[3].0, y + h - r[3].1), r[3], 0.25),
            ((x, y + r[0].1), (x + r[0].0, y + r[0].1), r[0], 0.5),
        ];
        for (line, center, radius, turn) in corners {
            local.line_to(line.0, line.1, Affine::IDENTITY);
            if radius.0 > 0.0 && radius.1 > 0.0 {
                let start = turn * std::f64::consts::TAU;
                let arc = Arc::new(center, radius, start, std::f64::consts::FRAC_PI_2, 0.0);
                local.bezier.extend(arc.append_iter(TOLERANCE));
            }
        }
        local.bezier.close_path();
        self.bezier.extend(transform * local.bezier);
        self.begin(transform * Point::new(x, y));
    }

    /// `arc` and `ellipse`.
    pub fn ellipse(
        &mut self,
        center: (f64, f64),
        radii: (f64, f64),
        rotation: f64,
        angles: (f64, f64),
        counterclockwise: bool,
        transform: Affine,
    ) -> Result<(), PathError> {
        if !finite(&[center.0, center.1, radii.0, radii.1, rotation, angles.0, angles.1]) {
            return Ok(());
        }
        if radii.0 < 0.0 || radii.1 < 0.0 {
            return Err(PathError::NegativeRadius);
        }
        let sweep = arc_sweep(angles.0, angles.1, counterclockwise);
        let arc = Arc::new(center, radii, angles.0, sweep, rotation);
        let at = |angle: f64| {
            let (sin, cos) = angle.sin_cos();
            let offset = Affine::rotate(rotation) * Point::new(radii.0 * cos, radii.1 * sin);
            transform * (Point::new(center.0, center.1) + offset.to_vec2())
        };
        self.line(at(angles.0));
        self.bezier.extend(arc.append_iter(TOLERANCE / scale_of(transform)).map(|element| transform * element));
        self.current = Some(at(angles.0 + sweep));
        Ok(())
    }

    /// `arcTo`.
    pub fn arc_to(&mut self, [ax, ay, bx, by, radius]: [f64; 5], transform: Affine) -> Result<(), PathError> {
        if !finite(&[ax, ay, bx, by, radius]) {
            return Ok(());
        }
        if radius < 0.0 {
            return Err(PathError::NegativeRadius);
        }
        let (a, b) = (Point::new(ax, ay), Point::new(bx, by));
        let current = self.ensure(transform * a);
        if transform.determinant() == 0.0 {
            return Ok(());
        }
        let from = transform.inverse() * current;
        let (u, v) = (from - a, b - a);
        let cross = u.cross(v);
        if u.hypot2() == 0.0 || v.hypot2() == 0.0 || radius == 0.0 || cross.abs() < 1e-12 {
            self.line(transform * a);
            return Ok(());
        }
        let (u, v) = (u.normalize(), v.normalize());
        let half = u.dot(v).clamp(-1.0, 1.0).acos() / 2.0;
        let bisector: Vec2 = (u + v).normalize();
        let center = a + bisector * (radius / half.sin());
        let reach = radius / half.tan();
        let (first, last) = ((a + u * reach) - center, (a + v * reach) - center);
        let center = (center.x, center.y);
        self.ellipse(center, (radius, radius), 0.0, (first.atan2(), last.atan2()), cross > 0.0, transform)
    }
}

/// Signed angle from `start` to `end` (HTML "determine the point on an ellipse" steps).
fn arc_sweep(start: f64, end: f64, counterclockwise: bool) -> f64 {
    use std::f64::consts::TAU;
    let difference = end - start;
    match counterclockwise {
        false if difference >= TAU => TAU,
        true if difference <= -TAU => -TAU,
        // Whole turns the wrong way round are a circle, as browsers draw `arc(x, y, r, 0, 2 * Math.PI, true)`.
        false if difference < 0.0 => TAU - (-difference % TAU),
        true if difference > 0.0 => (difference % TAU) - TAU,
        _ => difference,
    }
}

fn scale_of(transform: Affine) -> f64 {
    transform.determinant().abs().sqrt().clamp(1e-3, 1e6)
}

/// The same path with every subpath closed, as filling sees it.
pub(super) fn closed(path: &BezPath) -> BezPath {
    let mut result = BezPath::new();
    let mut open = false;
    for element in path.elements() {
        if matches!(element, PathEl::MoveTo(_)) && open {
            result.close_path();
        }
        open = !matches!(element, PathEl::MoveTo(_) | PathEl::ClosePath);
        result.push(*element);
    }
    if open {
        result.close_path();
    }
    result
}

/// For tiny-skia; `None` when nothing is left to draw.
pub(super) fn to_skia(path: &BezPath) -> Option<tiny_skia::Path> {
    let mut builder = tiny_skia::PathBuilder::new();
    for element in path.elements() {
        match *element {
            PathEl::MoveTo(p) => builder.move_to(p.x as f32, p.y as f32),
            PathEl::LineTo(p) => builder.line_to(p.x as f32, p.y as f32),
            PathEl::QuadTo(c, p) => builder.quad_to(c.x as f32, c.y as f32, p.x as f32, p.y as f32),
            PathEl::CurveTo(a, b, p) => {
                builder.cubic_to(a.x as f32, a.y as f32, b.x as f32, b.y as f32, p.x as f32, p.y as f32);
            }
            PathEl::ClosePath => builder.close(),
        }
    }
    builder.finish()
}

/// The outline of a rectangle in canvas coordinates.
pub(super) fn rectangle([x, y, w, h]: [f64; 4], transform: Affine) -> BezPath {
    transform * kurbo::Rect::new(x, y, x + w, y + h).to_path(TOLERANCE)
}
