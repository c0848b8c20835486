//! Pictures made smaller: the mean over each pixel's area, in linear light.
//!
//! Averaging the coded values would darken fine bright detail (windows, foliage, stars). The area mean needs no kernel
//! with negative lobes, so nothing rings, and is exact in integers: same bytes on every machine.

use std::sync::LazyLock;

use crate::verify::Picture;

/// sRGB codes (IEC 61966-2-1) in 16 bits of linear light.
static LINEAR: LazyLock<[u16; 256]> = LazyLock::new(|| {
    std::array::from_fn(|code| {
        let c = code as f64 / 255.0;
        let light = if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) };
        (light * 65_535.0).round() as u16
    })
});

/// 16 bits of linear light as the nearest sRGB code.
static CODE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    (0..=u16::MAX)
        .map(|light| {
            let l = f64::from(light) / 65_535.0;
            let c = if l <= 0.003_130_8 { l * 12.92 } else { 1.055 * libm::pow(l, 1.0 / 2.4) - 0.055 };
            (c * 255.0).round() as u8
        })
        .collect()
});

/// The pixels of one axis that an output pixel covers: the first, and the weight of each.
fn cover(at: u32, from: u32, to: u32) -> (u32, Vec<u64>) {
    // In units of 1/to of a source pixel the output pixel covers at·from .. (at + 1)·from.
    let (from, to) = (u64::from(from), u64::from(to));
    let (begin, end) = (u64::from(at) * from, (u64::from(at) + 1) * from);
    let first = begin / to;
    let weights = (first..end.div_ceil(to)).map(|pixel| end.min((pixel + 1) * to) - begin.max(pixel * to)).collect();
    (first as u32, weights)
}

/// `picture` at another size, opaque; what is transparent is shown over black, as in the video.
pub fn resize(picture: &Picture, width: u32, height: u32) -> Picture {
    let (from_width, from_height) = (picture.width, picture.height);
    let stride = from_width as usize * 4;
    let columns: Vec<_> = (0..width).map(|x| cover(x, from_width, width)).collect();
    let area = u64::from(from_width) * u64::from(from_height);
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
    let mut row_sums = vec![[0_u64; 3]; width as usize];
    for y in 0..height {
        row_sums.fill([0; 3]);
        let (top, weights) = cover(y, from_height, height);
        for (row, weight) in (top as usize..).zip(weights) {
            let line = picture.rgba.get(row * stride..(row + 1) * stride).unwrap_or_default();
            for ((left, weights), sum) in columns.iter().zip(&mut row_sums) {
                let mut part = [0_u64; 3];
                let pixels = line.get(*left as usize * 4..).unwrap_or_default().as_chunks::<4>().0;
                for (&[r, g, b, a], w) in pixels.iter().zip(weights) {
                    for (part, c) in part.iter_mut().zip([r, g, b]) {
                        let over_black = (u32::from(c) * u32::from(a) + 127) / 255;
                        *part += w * u64::from(LINEAR[over_black as usize & 255]);
                    }
                }
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += weight * part);
            }
        }
        for sum in &row_sums {
            let code = |s: u64| CODE.get(((s + area / 2) / area.max(1)) as usize).copied().unwrap_or(255);
            rgba.extend([code(sum[0]), code(sum[1]), code(sum[2]), 255]);
        }
    }
    Picture { width, height, rgba }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(width: u32, height: u32, values: &[u8]) -> Picture {
        Picture { width, height, rgba: values.iter().flat_map(|&v| [v, v, v, 255]).collect() }
    }

    fn values(picture: &Picture) -> Vec<u8> {
        picture.rgba.chunks_exact(4).map(|p| p[0]).collect()
    }

    #[test]
    fn black_and_white_mix_to_half_the_light() {
        // Half of the light is sRGB 187.5: 1.055 · 0.5^(1/2.4) − 0.055 = 0.7354.
        assert_eq!(values(&resize(&gray(2, 1, &[0, 255]), 1, 1)), [188]);
        assert_eq!(values(&resize(&gray(2, 2, &[255, 0, 0, 0]), 1, 1)), [137]);
    }

    #[test]
    fn pixels_count_by_the_area_they_give() {
        // 3 → 2: each output pixel is one whole and one half source pixel. Light 2/3 → 0.8353 · 255 = 213, 1/3 → 0.6124 → 156.
        assert_eq!(values(&resize(&gray(3, 1, &[255, 0, 0]), 2, 1)), [213, 0]);
        assert_eq!(values(&resize(&gray(3, 1, &[0, 255, 0]), 2, 1)), [156, 156]);
        assert_eq!(cover(1, 7, 3), (2, vec![2, 3, 2]));
    }

    #[test]
    fn every_flat_colour_and_every_unchanged_picture_stays() {
        for v in 0..=255 {
            assert_eq!(values(&resize(&gray(5, 3, &[v; 15]), 2, 2)), [v; 4]);
        }
        let picture = gray(4, 2, &[0, 9, 80, 255, 7, 3, 1, 200]);
        assert_eq!(resize(&picture, 4, 2), picture);
        assert_eq!(values(&resize(&gray(2, 1, &[10, 90]), 4, 1)), [10, 10, 90, 90]);
    }

    #[test]
    fn transparent_pixels_show_black() {
        let clear = Picture { width: 1, height: 1, rgba: vec![255, 255, 255, 0] };
        assert_eq!(resize(&clear, 1, 1).rgba, [0, 0, 0, 255]);
    }
}
