//! Pixels in and out: `drawImage`, `getImageData`, `putImageData`, patterns' sources.

use kurbo::Affine;
use tiny_skia::{FilterQuality, IntRect, IntSize, Pixmap, SpreadMode};

use super::paint::to_transform;
use super::path;
use super::{Canvas, FillRule, raster::Shape};

/// `imageSmoothingEnabled` and `imageSmoothingQuality`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    Off,
    Low,
    Medium,
    High,
}

impl Smoothing {
    pub(super) fn is_on(self) -> bool {
        self != Self::Off
    }

    fn quality(self) -> FilterQuality {
        match self {
            Self::Off => FilterQuality::Nearest,
            Self::Low | Self::Medium => FilterQuality::Bilinear,
            Self::High => FilterQuality::Bicubic,
        }
    }
}

/// A picture to draw from.
#[derive(Clone)]
pub struct Bitmap(Pixmap);

impl Bitmap {
    /// `rgba` is 4·width·height bytes, row 0 = top. `None` when it is not, or when a side is 0.
    pub fn new(width: u32, height: u32, rgba: &[u8], premultiplied: bool) -> Option<Self> {
        let mut data = rgba.to_vec();
        if !premultiplied {
            premultiply(&mut data);
        }
        Some(Self(Pixmap::from_vec(data, IntSize::from_wh(width, height)?)?))
    }

    pub fn size(&self) -> (u32, u32) {
        (self.0.width(), self.0.height())
    }

    pub(super) fn pixmap(&self) -> &Pixmap {
        &self.0
    }

    /// The part inside `[x, y, w, h]`, on whole pixels.
    fn cut(&self, x: i32, y: i32, width: u32, height: u32) -> Option<Pixmap> {
        self.0.clone_rect(IntRect::from_xywh(x, y, width, height)?)
    }

    /// Halves the picture until it is less than twice as large as drawn, as mipmaps do, so that shrinking does not alias.
    fn shrunk(pixmap: Pixmap, scale: (f64, f64)) -> Pixmap {
        let mut current = pixmap;
        let (mut sx, mut sy) = scale;
        while (sx <= 0.5 && current.width() > 1) || (sy <= 0.5 && current.height() > 1) {
            let (fx, fy) = (
                if sx <= 0.5 && current.width() > 1 { 2 } else { 1 },
                if sy <= 0.5 && current.height() > 1 { 2 } else { 1 },
            );
            let Some(half) = halve(&current, fx, fy) else { return current };
            current = half;
            sx *= f64::from(fx);
            sy *= f64::from(fy);
        }
        current
    }
}

fn halve(source: &Pixmap, fx: u32, fy: u32) -> Option<Pixmap> {
    let mut half = Pixmap::new(source.width().div_ceil(fx), source.height().div_ceil(fy))?;
    let (width, out) = (half.width(), half.data_mut());
    for (i, pixel) in out.chunks_exact_mut(4).enumerate() {
        let (x, y) = (i as u32 % width * fx, i as u32 / width * fy);
        let mut sum = [0u32; 4];
        for dy in 0..fy {
            for dx in 0..fx {
                let (sx, sy) = ((x + dx).min(source.width() - 1), (y + dy).min(source.height() - 1));
                let at = (sy * source.width() + sx) as usize * 4;
                sum.iter_mut().zip(&source.data()[at..at + 4]).for_each(|(sum, value)| *sum += u32::from(*value));
            }
        }
        let count = fx * fy;
        pixel.iter_mut().zip(sum).for_each(|(value, sum)| *value = ((sum + count / 2) / count) as u8);
    }
    Some(half)
}

/// Straight to premultiplied, rounded to nearest.
pub(super) fn premultiply(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        pixel[..3].iter_mut().for_each(|c| *c = ((u32::from(*c) * alpha + 127) / 255) as u8);
    }
}

/// Premultiplied to straight, rounded to nearest.
pub(super) fn unpremultiply(rgba: &mut [u8]) {
    for pixel in rgba.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        if alpha != 0 {
            pixel[..3].iter_mut().for_each(|c| *c = ((u32::from(*c) * 255 + alpha / 2) / alpha).min(255) as u8);
        }
    }
}

impl Canvas {
    /// `drawImage`: part `source` of the picture to `target` in user space; both `[x, y, w, h]`, sizes may be negative.
    pub fn draw_image(&mut self, bitmap: &Bitmap, source: [f64; 4], target: [f64; 4]) {
        if !source.iter().chain(&target).all(|value| value.is_finite()) {
            return;
        }
        let ([mut sx, mut sy, mut sw, mut sh], [mut dx, mut dy, mut dw, mut dh]) = (source, target);
        if sw == 0.0 || sh == 0.0 {
            return;
        }
        for (start, size) in [(&mut sx, &mut sw), (&mut sy, &mut sh), (&mut dx, &mut dw), (&mut dy, &mut dh)] {
            if *size < 0.0 {
                (*start, *size) = (*start + *size, -*size);
            }
        }
        // The part outside the picture is cut away on both sides in proportion.
        let (width, height) = (f64::from(bitmap.0.width()), f64::from(bitmap.0.height()));
        let (left, top, right, bottom) = (sx.max(0.0), sy.max(0.0), (sx + sw).min(width), (sy + sh).min(height));
        if left >= right || top >= bottom {
            return;
        }
        let (kx, ky) = (dw / sw, dh / sh);
        let placed = [dx + (left - sx) * kx, dy + (top - sy) * ky, (right - left) * kx, (bottom - top) * ky];
        let (px, py) = (left.floor() as i32, top.floor() as i32);
        let (pw, ph) = ((right.ceil() - left.floor()) as u32, (bottom.ceil() - top.floor()) as u32);
        let Some(mut part) = bitmap.cut(px, py, pw, ph) else { return };

        let transform = self.state.transform;
        let full = (f64::from(part.width()), f64::from(part.height()));
        if self.state.smoothing.is_on() {
            let [a, b, c, d, ..] = transform.as_coeffs();
            part = Bitmap::shrunk(part, (kx * a.hypot(b), ky * c.hypot(d)));
        }
        let stretch = (full.0 / f64::from(part.width()), full.1 / f64::from(part.height()));
        let to_user = Affine::translate((placed[0] - (left - left.floor()) * kx, placed[1] - (top - top.floor()) * ky))
            * Affine::scale_non_uniform(kx * stretch.0, ky * stretch.1);
        let Some(outline) = path::to_skia(&path::rectangle(placed, transform)) else { return };
        let shader = tiny_skia::Pattern::new(
            part.as_ref(),
            SpreadMode::Pad,
            self.state.smoothing.quality(),
            self.state.alpha,
            to_transform(transform * to_user),
        );
        let paint = tiny_skia::Paint { shader, anti_alias: true, ..Default::default() };
        self.draw_shaded(&Shape::Fill(&outline, FillRule::NonZero), paint);
    }

    /// `getImageData`: straight RGBA8 of a rectangle, transparent outside the bitmap. The caller bounds the size.
    pub fn image_data(&self, x: i32, y: i32, width: u32, height: u32) -> Vec<u8> {
        let mut data = vec![0; width as usize * height as usize * 4];
        self.for_each_row(x, y, width, height, |bitmap_at, data_at, len| {
            data[data_at..data_at + len].copy_from_slice(&self.bitmap.data()[bitmap_at..bitmap_at + len]);
        });
        unpremultiply(&mut data);
        data
    }

    /// `putImageData`: part `dirty` (`[x, y, w, h]` inside the data) of straight RGBA8 to (x, y); no clip, no blending.
    pub fn put_image_data(&mut self, rgba: &[u8], size: (u32, u32), x: i32, y: i32, dirty: [i32; 4]) {
        if rgba.len() != size.0 as usize * size.1 as usize * 4 {
            return;
        }
        let [left, top] = [dirty[0].max(0), dirty[1].max(0)];
        let right = dirty[0].saturating_add(dirty[2]).min(size.0 as i32);
        let bottom = dirty[1].saturating_add(dirty[3]).min(size.1 as i32);
        for row in top..bottom {
            for column in left..right {
                let (bx, by) = (x.saturating_add(column), y.saturating_add(row));
                if bx < 0 || by < 0 || bx >= self.bitmap.width() as i32 || by >= self.bitmap.height() as i32 {
                    continue;
                }
                let from = (row as usize * size.0 as usize + column as usize) * 4;
                let to = (by as usize * self.bitmap.width() as usize + bx as usize) * 4;
                let mut pixel = [rgba[from], rgba[from + 1], rgba[from + 2], rgba[from + 3]];
                premultiply(&mut pixel);
                self.bitmap.data_mut()[to..to + 4].copy_from_slice(&pixel);
            }
        }
    }

    /// Calls back with (offset in the bitmap, offset in the rectangle's data, bytes) for each overlapping row.
    fn for_each_row(&self, x: i32, y: i32, width: u32, height: u32, mut row: impl FnMut(usize, usize, usize)) {
        let (bw, bh) = (i64::from(self.bitmap.width()), i64::from(self.bitmap.height()));
        let (x, y) = (i64::from(x), i64::from(y));
        let (left, right) = (x.max(0), (x + i64::from(width)).min(bw));
        let (top, bottom) = (y.max(0), (y + i64::from(height)).min(bh));
        if left >= right {
            return;
        }
        for line in top..bottom.max(top) {
            let bitmap_at = (line * bw + left) as usize * 4;
            let data_at = ((line - y) * i64::from(width) + (left - x)) as usize * 4;
            row(bitmap_at, data_at, (right - left) as usize * 4);
        }
    }
}
