//! pixelmatch's rule: perceived colour difference in YIQ (Kotsarenko & Ramos 2010), anti-aliased pixels
//! excused (Vyšniauskas 2009). threshold 0.1, as in three.js' own end-to-end tests.

use image::{Rgba, RgbaImage};

const THRESHOLD: f64 = 0.1;
/// The largest possible YIQ distance, squared.
const MAX_DELTA: f64 = 35215.0;

pub struct Difference {
    /// Share of all pixels.
    pub share: f64,
    /// Differing pixels red on the pale expected image.
    pub picture: RgbaImage,
}

/// Both images must have one size.
pub fn compare(actual: &RgbaImage, expected: &RgbaImage) -> Difference {
    let limit = MAX_DELTA * THRESHOLD * THRESHOLD;
    let (width, height) = expected.dimensions();
    let mut picture = RgbaImage::new(width, height);
    let mut different = 0u64;
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let delta = color_delta(actual.get_pixel(x, y), expected.get_pixel(x, y)).abs();
        let excused = || anti_aliased(actual, expected, x, y) || anti_aliased(expected, actual, x, y);
        *pixel = if delta > limit && !excused() {
            different += 1;
            Rgba([255, 0, 0, 255])
        } else {
            let pale = 255.0 - (255.0 - luma(on_white(expected.get_pixel(x, y)))) * 0.2;
            Rgba([pale as u8, pale as u8, pale as u8, 255])
        };
    }
    Difference { share: different as f64 / (f64::from(width) * f64::from(height)), picture }
}

/// Signed squared distance: negative when `a` is lighter.
fn color_delta(a: &Rgba<u8>, b: &Rgba<u8>) -> f64 {
    let (a, b) = (on_white(a), on_white(b));
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let y = luma(d);
    let i = d[0] * 0.595_977_99 - d[1] * 0.274_171_76 - d[2] * 0.321_801_89;
    let q = d[0] * 0.211_470_17 - d[1] * 0.522_617_11 + d[2] * 0.311_146_94;
    let delta = 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q;
    if y > 0.0 { -delta } else { delta }
}

fn on_white(pixel: &Rgba<u8>) -> [f64; 3] {
    let alpha = f64::from(pixel[3]) / 255.0;
    [0, 1, 2].map(|c| 255.0 + (f64::from(pixel[c]) - 255.0) * alpha)
}

fn luma(rgb: [f64; 3]) -> f64 {
    rgb[0] * 0.298_895_31 + rgb[1] * 0.586_622_47 + rgb[2] * 0.114_482_23
}

/// Is (x, y) of `image` an edge that anti-aliasing made: between a darker and a lighter neighbour, one of
/// which has many equal neighbours in both images?
fn anti_aliased(image: &RgbaImage, other: &RgbaImage, x: u32, y: u32) -> bool {
    let center = image.get_pixel(x, y);
    let mut equal = u32::from(on_border(image, x, y));
    let (mut darkest, mut lightest) = ((0.0, x, y), (0.0, x, y));
    for (nx, ny) in neighbours(image, x, y) {
        let delta = brightness_delta(center, image.get_pixel(nx, ny));
        if delta == 0.0 {
            equal += 1;
            if equal > 2 {
                return false;
            }
        } else if delta < darkest.0 {
            darkest = (delta, nx, ny);
        } else if delta > lightest.0 {
            lightest = (delta, nx, ny);
        }
    }
    if darkest.0 == 0.0 || lightest.0 == 0.0 {
        return false;
    }
    let flat = |(_, x, y): (f64, u32, u32)| many_equal(image, x, y) && many_equal(other, x, y);
    flat(darkest) || flat(lightest)
}

fn brightness_delta(a: &Rgba<u8>, b: &Rgba<u8>) -> f64 {
    luma(on_white(a)) - luma(on_white(b))
}

fn many_equal(image: &RgbaImage, x: u32, y: u32) -> bool {
    let center = image.get_pixel(x, y);
    let equal = neighbours(image, x, y).filter(|&(nx, ny)| image.get_pixel(nx, ny) == center).count();
    equal + usize::from(on_border(image, x, y)) > 2
}

fn on_border(image: &RgbaImage, x: u32, y: u32) -> bool {
    x == 0 || y == 0 || x + 1 == image.width() || y + 1 == image.height()
}

fn neighbours(image: &RgbaImage, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (right, bottom) = ((x + 1).min(image.width() - 1), (y + 1).min(image.height() - 1));
    (x.saturating_sub(1)..=right)
        .flat_map(move |nx| (y.saturating_sub(1)..=bottom).map(move |ny| (nx, ny)))
        .filter(move |&at| at != (x, y))
}
