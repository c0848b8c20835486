//! `filter` (Filter Effects 1 §6): a CSS list of filter functions, applied to a premultiplied layer.

use tiny_skia::{Pixmap, PixmapPaint, Transform};

use super::color::{Rgba, angle, parse_color};
use super::image::{premultiply, unpremultiply};

/// Most functions of a list; a longer one counts as malformed.
const MAX_FILTERS: usize = 64;
/// Greatest deviation that is blurred with a Gaussian's own weights; three boxes stand for greater ones (Filter
/// Effects 1 §9.5), which cost the same whatever it is.
const MAX_GAUSSIAN: f64 = 100.0;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Filter {
    /// Standard deviation in pixels.
    Blur(f64),
    /// Row-major 3×4 matrix on straight RGB and 1.
    Matrix([f32; 12]),
    /// Slope and intercept on straight RGB.
    Linear(f32, f32),
    Opacity(f32),
    DropShadow {
        x: f64,
        y: f64,
        deviation: f64,
        color: Rgba,
    },
}

impl Filter {
    /// `none`, or functions one after the other; `None` when it does not parse. `em` is the font size in pixels.
    pub(super) fn parse_list(css: &str, em: f32) -> Option<Vec<Self>> {
        let mut rest = css.trim();
        let mut list = Vec::new();
        if rest.is_empty() || rest.eq_ignore_ascii_case("none") {
            return Some(list);
        }
        while !rest.is_empty() {
            if list.len() == MAX_FILTERS {
                return None;
            }
            let (name, after) = rest.split_once('(')?;
            let end = matching_parenthesis(after)?;
            list.push(Self::parse(&name.trim().to_ascii_lowercase(), after[..end].trim(), em)?);
            rest = after[end + 1..].trim_start();
        }
        Some(list)
    }

    fn parse(name: &str, arguments: &str, em: f32) -> Option<Self> {
        let amount = |otherwise: f32| if arguments.is_empty() { Some(otherwise) } else { parse_amount(arguments) };
        Some(match name {
            "blur" => Self::Blur(if arguments.is_empty() { 0.0 } else { parse_length(arguments, em)? }),
            "brightness" => Self::Linear(amount(1.0)?, 0.0),
            "contrast" => {
                let amount = amount(1.0)?;
                Self::Linear(amount, 0.5 - 0.5 * amount)
            }
            "invert" => {
                let amount = amount(1.0)?.min(1.0);
                Self::Linear(1.0 - 2.0 * amount, amount)
            }
            "opacity" => Self::Opacity(amount(1.0)?.min(1.0)),
            "grayscale" => Self::Matrix(saturation(1.0 - amount(1.0)?.min(1.0))),
            "saturate" => Self::Matrix(saturation(amount(1.0)?)),
            "sepia" => Self::Matrix(sepia(1.0 - amount(1.0)?.min(1.0))),
            "hue-rotate" => {
                let degrees = if arguments.is_empty() { 0.0 } else { angle(arguments)? };
                Self::Matrix(hue_rotation(degrees.to_radians() as f32))
            }
            "drop-shadow" => Self::parse_shadow(arguments, em)?,
            _ => return None,
        })
    }

    fn parse_shadow(arguments: &str, em: f32) -> Option<Self> {
        let mut lengths = Vec::new();
        let mut color = String::new();
        for word in arguments.split_whitespace() {
            match parse_length(word, em) {
                Some(length) if color.is_empty() || !color.contains('(') || color.ends_with(')') => {
                    lengths.push(length)
                }
                _ => {
                    color.push_str(word);
                    color.push(' ');
                }
            }
        }
        let color = if color.is_empty() { Rgba::BLACK } else { parse_color(&color)? };
        let deviation = lengths.get(2).copied().unwrap_or(0.0);
        (lengths.len() >= 2).then(|| Self::DropShadow { x: lengths[0], y: lengths[1], deviation, color })
    }

    pub(super) fn apply(&self, layer: &mut Pixmap) {
        match self {
            Self::Blur(deviation) => blur(layer, *deviation),
            Self::Matrix(m) => map_straight(layer, |[r, g, b]| {
                [0, 4, 8].map(|row| m[row] * r + m[row + 1] * g + m[row + 2] * b + m[row + 3])
            }),
            Self::Linear(slope, intercept) => map_straight(layer, |rgb| rgb.map(|c| c * slope + intercept)),
            Self::Opacity(amount) => {
                layer.data_mut().iter_mut().for_each(|c| *c = (f32::from(*c) * amount).round() as u8);
            }
            Self::DropShadow { x, y, deviation, color } => {
                let mut shadow = layer.clone();
                tint(&mut shadow, *color);
                blur(&mut shadow, *deviation);
                let Some(mut result) = Pixmap::new(layer.width(), layer.height()) else { return };
                let place = Transform::from_translate(*x as f32, *y as f32);
                result.draw_pixmap(0, 0, shadow.as_ref(), &PixmapPaint::default(), place, None);
                result.draw_pixmap(0, 0, layer.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
                *layer = result;
            }
        }
    }
}

fn matching_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn parse_amount(text: &str) -> Option<f32> {
    let value = match text.strip_suffix('%') {
        Some(text) => text.parse::<f32>().ok()? / 100.0,
        None => text.parse().ok()?,
    };
    (value.is_finite() && value >= 0.0).then_some(value)
}

fn parse_length(text: &str, em: f32) -> Option<f64> {
    let units = [("px", 1.0), ("rem", 16.0), ("em", f64::from(em)), ("pt", 4.0 / 3.0)];
    let value = match units.iter().find(|(unit, _)| text.ends_with(unit)) {
        Some((unit, scale)) => text[..text.len() - unit.len()].parse::<f64>().ok()? * scale,
        None => text.parse::<f64>().ok().filter(|value| *value == 0.0)?,
    };
    value.is_finite().then_some(value)
}

/// Filter Effects 1 §9.6: `feColorMatrix` saturate.
fn saturation(s: f32) -> [f32; 12] {
    [
        0.213 + 0.787 * s,
        0.715 - 0.715 * s,
        0.072 - 0.072 * s,
        0.0,
        0.213 - 0.213 * s,
        0.715 + 0.285 * s,
        0.072 - 0.072 * s,
        0.0,
        0.213 - 0.213 * s,
        0.715 - 0.715 * s,
        0.072 + 0.928 * s,
        0.0,
    ]
}

/// Filter Effects 1 §13.1.2; `k` = 1 − amount.
fn sepia(k: f32) -> [f32; 12] {
    [
        0.393 + 0.607 * k,
        0.769 - 0.769 * k,
        0.189 - 0.189 * k,
        0.0,
        0.349 - 0.349 * k,
        0.686 + 0.314 * k,
        0.168 - 0.168 * k,
        0.0,
        0.272 - 0.272 * k,
        0.534 - 0.534 * k,
        0.131 + 0.869 * k,
        0.0,
    ]
}

/// Filter Effects 1 §9.6: `feColorMatrix` hueRotate.
fn hue_rotation(angle: f32) -> [f32; 12] {
    let (s, c) = angle.sin_cos();
    [
        0.213 + c * 0.787 - s * 0.213,
        0.715 - c * 0.715 - s * 0.715,
        0.072 - c * 0.072 + s * 0.928,
        0.0,
        0.213 - c * 0.213 + s * 0.143,
        0.715 + c * 0.285 + s * 0.140,
        0.072 - c * 0.072 - s * 0.283,
        0.0,
        0.213 - c * 0.213 - s * 0.787,
        0.715 - c * 0.715 + s * 0.715,
        0.072 + c * 0.928 + s * 0.072,
        0.0,
    ]
}

fn map_straight(layer: &mut Pixmap, map: impl Fn([f32; 3]) -> [f32; 3]) {
    let data = layer.data_mut();
    unpremultiply(data);
    for pixel in data.chunks_exact_mut(4) {
        let mapped = map([pixel[0], pixel[1], pixel[2]].map(|c| f32::from(c) / 255.0));
        for (channel, value) in pixel.iter_mut().zip(mapped) {
            *channel = (value * 255.0).round().clamp(0.0, 255.0) as u8;
        }
    }
    premultiply(data);
}

/// The layer's alpha in one colour.
pub(super) fn tint(layer: &mut Pixmap, color: Rgba) {
    for pixel in layer.data_mut().chunks_exact_mut(4) {
        let alpha = f32::from(pixel[3]) * color.a / 255.0;
        let channel = |c: u8| (f32::from(c) * alpha).round() as u8;
        pixel.copy_from_slice(&[channel(color.r), channel(color.g), channel(color.b), (alpha * 255.0).round() as u8]);
    }
}

/// Gaussian blur with transparent edges, separable, kernel cut at 3 deviations.
pub(super) fn blur(layer: &mut Pixmap, deviation: f64) {
    if deviation.is_nan() || deviation <= 0.0 {
        return;
    }
    if deviation > MAX_GAUSSIAN {
        return blur_by_boxes(layer, deviation);
    }
    let radius = (deviation * 3.0).ceil().min(f64::from(layer.width().max(layer.height()))) as usize;
    let weight = |i: usize| (-(i as f64).powi(2) / (2.0 * deviation * deviation)).exp();
    let total: f64 = weight(0) + 2.0 * (1..=radius).map(weight).sum::<f64>();
    let kernel: Vec<f32> = (0..=radius).map(|i| (weight(i) / total) as f32).collect();
    let (width, height) = (layer.width() as usize, layer.height() as usize);
    let rows: Vec<f32> = layer.data().iter().map(|value| f32::from(*value)).collect();
    let horizontal = convolve(&rows, height, width, width * 4, 4, &kernel);
    let vertical = convolve(&horizontal, width, height, 4, width * 4, &kernel);
    layer.data_mut().iter_mut().zip(vertical).for_each(|(byte, value)| *byte = value.round().clamp(0.0, 255.0) as u8);
}

/// Three box blurs each way.
fn blur_by_boxes(layer: &mut Pixmap, deviation: f64) {
    let (width, height) = (layer.width() as usize, layer.height() as usize);
    let size = (deviation * 3.0 * std::f64::consts::TAU.sqrt() / 4.0 + 0.5).floor();
    // Beyond both edges everything is transparent: a wider box only weakens.
    let radius = (size / 2.0).min(f64::from(layer.width().max(layer.height()))) as usize;
    let weight = 1.0 / (2.0 * (size / 2.0).floor() + 1.0);
    let mut values: Vec<f64> = layer.data().iter().map(|value| f64::from(*value)).collect();
    let mut line = Vec::new();
    for _ in 0..3 {
        for (lines, len, stride, step) in [(height, width, width * 4, 4), (width, height, 4, width * 4)] {
            for start in (0..lines).flat_map(|l| (0..4).map(move |c| l * stride + c)) {
                line.clear();
                line.extend((0..len).map(|i| values[start + i * step]));
                let mut sum: f64 = line.iter().take(radius).sum();
                for i in 0..len {
                    sum += line.get(i + radius).copied().unwrap_or(0.0);
                    values[start + i * step] = sum * weight;
                    sum -= if i >= radius { line[i - radius] } else { 0.0 };
                }
            }
        }
    }
    layer.data_mut().iter_mut().zip(values).for_each(|(byte, value)| *byte = value.round().clamp(0.0, 255.0) as u8);
}

/// Convolves `lines` lines of `len` pixels; `line` and `step` are strides in floats.
fn convolve(source: &[f32], lines: usize, len: usize, line: usize, step: usize, kernel: &[f32]) -> Vec<f32> {
    let mut result = vec![0.0; source.len()];
    for l in 0..lines {
        for i in 0..len {
            let at = l * line + i * step;
            for c in 0..4 {
                let mut sum = source[at + c] * kernel[0];
                for (k, weight) in kernel.iter().enumerate().skip(1) {
                    let before = if i >= k { source[at + c - k * step] } else { 0.0 };
                    let after = if i + k < len { source[at + c + k * step] } else { 0.0 };
                    sum += (before + after) * weight;
                }
                result[at + c] = sum;
            }
        }
    }
    result
}
