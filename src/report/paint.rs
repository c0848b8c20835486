//! A picture under construction, and its bytes as PNG or JPEG.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

use super::ReportError;
use crate::canvas2d::{Bitmap, Canvas, FillRule, LineCap, LineJoin, Rgba, Smoothing, Style, TextAlign, TextBaseline};
use crate::encode::png;
use crate::verify::Picture;

/// How a picture is stored. Neither form holds names, times or any other metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Png,
    /// Quality 1 to 100.
    Jpeg(u8),
}

impl Format {
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg(_) => "jpg",
        }
    }

    /// The picture's bytes.
    ///
    /// # Errors
    /// The coder refused it.
    pub fn encode(self, picture: &Picture) -> Result<Vec<u8>, ReportError> {
        let Picture { width, height, rgba } = picture;
        match self {
            Self::Png => Ok(png::encode(rgba, *width, *height)?),
            Self::Jpeg(quality) => {
                let rgb: Vec<u8> = rgba.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
                let mut out = Vec::new();
                JpegEncoder::new_with_quality(&mut out, quality)
                    .write_image(&rgb, *width, *height, ExtendedColorType::Rgb8)
                    .map_err(|e| ReportError::Picture(e.to_string()))?;
                Ok(out)
            }
        }
    }
}

/// An opaque colour, `0xRRGGBB`.
pub fn rgb(code: u32) -> Rgba {
    let [_, r, g, b] = code.to_be_bytes();
    Rgba { r, g, b, a: 1.0 }
}

/// Draws with whole-picture coordinates, y down.
pub struct Painter {
    canvas: Canvas,
}

impl Painter {
    /// A picture of one colour; `None` when it is too large.
    pub fn new(width: u32, height: u32, background: Rgba) -> Option<Self> {
        let mut painter = Self { canvas: Canvas::new(width, height)? };
        painter.rect([0.0, 0.0, f64::from(width), f64::from(height)], background);
        Some(painter)
    }

    pub fn rect(&mut self, rect: [f64; 4], color: Rgba) {
        self.canvas.state_mut().fill = Style::Color(color);
        self.canvas.fill_rect(rect);
    }

    /// Text of the bundled sans-serif face on the baseline `y`.
    pub fn text(&mut self, text: &str, [x, y]: [f64; 2], size: f64, align: TextAlign, color: Rgba) {
        self.set_text(size, align);
        self.canvas.state_mut().fill = Style::Color(color);
        self.canvas.fill_text(text, x, y, None);
    }

    /// The edge that makes a text readable on any ground: width and colour; the text goes on top.
    pub fn text_edge(&mut self, text: &str, at: [f64; 2], size: f64, align: TextAlign, (width, color): (f64, Rgba)) {
        self.set_text(size, align);
        self.set_stroke(width, color);
        self.canvas.stroke_text(text, at[0], at[1], None);
    }

    fn set_text(&mut self, size: f64, align: TextAlign) {
        let state = self.canvas.state_mut();
        state.set_font(&format!("{size}px sans-serif"));
        state.text_align = align;
        state.text_baseline = TextBaseline::Alphabetic;
    }

    fn set_stroke(&mut self, width: f64, color: Rgba) {
        let state = self.canvas.state_mut();
        state.stroke = Style::Color(color);
        state.line_width = width;
        state.line_cap = LineCap::Round;
        state.line_join = LineJoin::Round;
    }

    fn trace(&mut self, points: &[[f64; 2]]) {
        self.canvas.begin_path();
        let mut points = points.iter();
        if let Some([x, y]) = points.next() {
            let (path, transform) = self.canvas.path_mut();
            path.move_to(*x, *y, transform);
            points.for_each(|[x, y]| path.line_to(*x, *y, transform));
        }
    }

    pub fn line(&mut self, points: &[[f64; 2]], width: f64, color: Rgba, dash: Option<[f64; 2]>) {
        self.set_stroke(width, color);
        self.canvas.state_mut().dash = dash.map(Vec::from).unwrap_or_default();
        self.trace(points);
        self.canvas.stroke(None);
        self.canvas.state_mut().dash = Vec::new();
    }

    pub fn area(&mut self, points: &[[f64; 2]], color: Rgba) {
        self.canvas.state_mut().fill = Style::Color(color);
        self.trace(points);
        self.canvas.fill(None, FillRule::NonZero);
    }

    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, fill: Option<Rgba>, stroke: Option<(f64, Rgba)>) {
        self.canvas.begin_path();
        let (path, transform) = self.canvas.path_mut();
        // A positive radius is never refused.
        let _ = path.ellipse((x, y), (radius.abs(), radius.abs()), 0.0, (0.0, std::f64::consts::TAU), false, transform);
        if let Some(fill) = fill {
            self.canvas.state_mut().fill = Style::Color(fill);
            self.canvas.fill(None, FillRule::NonZero);
        }
        if let Some((width, color)) = stroke {
            self.set_stroke(width, color);
            self.canvas.stroke(None);
        }
    }

    /// Straight RGBA8 into the rectangle `[x, y, w, h]`, smoothly.
    pub fn picture(&mut self, (width, height): (u32, u32), rgba: &[u8], rect: [f64; 4]) {
        if let Some(bitmap) = Bitmap::new(width, height, rgba, false) {
            self.canvas.state_mut().smoothing = Smoothing::High;
            self.canvas.draw_image(&bitmap, [0.0, 0.0, f64::from(width), f64::from(height)], rect);
        }
    }

    /// An opaque picture, pixel by pixel.
    pub fn paste(&mut self, picture: &Picture, x: u32, y: u32) {
        let clamp = |v: u32| i32::try_from(v).unwrap_or(i32::MAX);
        let (width, height) = (picture.width, picture.height);
        let whole = [0, 0, clamp(width), clamp(height)];
        self.canvas.put_image_data(&picture.rgba, (width, height), clamp(x), clamp(y), whole);
    }

    pub fn finish(self) -> Picture {
        let (width, height) = self.canvas.size();
        // Opaque throughout, so premultiplied or not is the same.
        Picture { width, height, rgba: self.canvas.pixels().to_vec() }
    }
}
