//! RGBA8 to BT.709 limited-range 4:2:0 (ITU-R BT.709-6 §3), in integers only.
//!
//! - The R'G'B' values are taken as they are (sRGB-encoded values shown as BT.709, as browsers and
//!   players do); alpha is straight and is composed over an opaque background, black unless told.
//! - Coefficients have 15 fractional bits and sum so that black, white and every grey come out exact;
//!   each output is rounded once, to nearest, halves up.
//! - Chroma is sited left, as H.264's default (chroma_sample_loc_type 0): level with an even luma
//!   column, between two luma rows. The filter is [1 2 1]/4 across, [1 1]/2 down; edges repeat.
//!
//! Every output depends on its own pixels only, so bytes are the same for any number of threads.

use rayon::prelude::*;

use super::yuv::{BadSize, Yuv420};

/// 2^15 · 219/255 · (Kr, Kg, Kb); the sum is 2^15 · 219/255 to the nearest integer.
const Y: [i32; 3] = [5983, 20127, 2032];
/// 2^15 · 224/255 · (-Kr, -Kg, 1-Kb) / (2 (1-Kb)); the sum is zero so that greys have no colour.
const CB: [i32; 3] = [-3298, -11094, 14392];
/// 2^15 · 224/255 · (1-Kr, -Kg, -Kb) / (2 (1-Kr)); the sum is zero.
const CR: [i32; 3] = [14392, -13072, -1320];

/// Luma rows per task: long enough to be worth a task, and even so that chroma rows stay whole.
const ROWS: usize = 64;

/// A source whose byte count is not width × height × 4, or a size 4:2:0 cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ColorError {
    #[error(transparent)]
    Size(#[from] BadSize),
    #[error("a picture of {width}x{height} needs {expected} bytes of RGBA, got {actual}")]
    Length { width: u32, height: u32, expected: usize, actual: usize },
}

/// Converts tightly packed RGBA8 (row 0 = top) of `out`'s size into `out`.
///
/// # Errors
/// `rgba` is not width × height × 4 bytes long.
pub fn rgba_to_yuv420(rgba: &[u8], background: [u8; 3], out: &mut Yuv420) -> Result<(), ColorError> {
    let (width, height) = (out.width(), out.height());
    let w = width as usize;
    let expected = w * height as usize * 4;
    if rgba.len() != expected {
        return Err(ColorError::Length { width, height, expected, actual: rgba.len() });
    }
    let source = rgba.par_chunks(ROWS * w * 4);
    let luma = out.y.par_chunks_mut(ROWS * w);
    let cb = out.cb.par_chunks_mut(ROWS / 2 * (w / 2));
    let cr = out.cr.par_chunks_mut(ROWS / 2 * (w / 2));
    (source, luma, cb, cr).into_par_iter().for_each_init(
        || (vec![0u8; w * 8], vec![[0u32; 2]; w + 1]),
        |(flat, sums), (source, luma, cb, cr)| {
            let chroma = cb.chunks_exact_mut(w / 2).zip(cr.chunks_exact_mut(w / 2));
            for ((pair, luma), (cb, cr)) in source.chunks_exact(w * 8).zip(luma.chunks_exact_mut(w * 2)).zip(chroma) {
                let pair = if is_opaque(pair) {
                    pair
                } else {
                    compose(pair, background, flat);
                    &flat[..]
                };
                luma_rows(pair, luma);
                chroma_row(pair, sums, cb, cr);
            }
        },
    );
    Ok(())
}

fn is_opaque(rgba: &[u8]) -> bool {
    rgba.chunks_exact(4).fold(255, |all, p| all & p[3]) == 255
}

/// Straight alpha over `background`, rounded to nearest: (c·a + bg·(255-a)) / 255.
fn compose(rgba: &[u8], background: [u8; 3], out: &mut [u8]) {
    for (p, o) in rgba.chunks_exact(4).zip(out.chunks_exact_mut(4)) {
        let a = u32::from(p[3]);
        for c in 0..3 {
            let sum = u32::from(p[c]) * a + u32::from(background[c]) * (255 - a);
            o[c] = ((sum + 127) / 255) as u8;
        }
        o[3] = 255;
    }
}

fn luma_rows(rgba: &[u8], luma: &mut [u8]) {
    for (p, y) in rgba.chunks_exact(4).zip(luma) {
        let sum = Y[0] * i32::from(p[0]) + Y[1] * i32::from(p[1]) + Y[2] * i32::from(p[2]);
        *y = ((sum + (16 << 15) + (1 << 14)) >> 15) as u8;
    }
}

/// One row of both chroma planes from two rows of pixels; `sums` is scratch, one entry per column and one more.
///
/// A sum holds red and blue in one word and green in another, 16 bits each: eight pixels' worth of a
/// channel is at most 2040, so nothing carries over, and the compiler makes vector code of it.
fn chroma_row(pair: &[u8], sums: &mut [[u32; 2]], cb: &mut [u8], cr: &mut [u8]) {
    let (upper, lower) = pair.split_at(pair.len() / 2);
    let rows = upper.as_chunks::<4>().0.iter().zip(lower.as_chunks::<4>().0);
    for ((u, l), sum) in rows.zip(sums[1..].iter_mut()) {
        let (u, l) = (u32::from_le_bytes(*u), u32::from_le_bytes(*l));
        *sum = [(u & 0xff_00ff) + (l & 0xff_00ff), (u >> 8 & 0xff_00ff) + (l >> 8 & 0xff_00ff)];
    }
    // The left edge repeats.
    sums[0] = sums[1];
    let count = cb.len().min(cr.len());
    let (cb, cr, sums) = (&mut cb[..count], &mut cr[..count], &sums[..2 * count + 1]);
    for i in 0..count {
        let (left, middle, right) = (sums[2 * i], sums[2 * i + 1], sums[2 * i + 2]);
        // Eight times the filtered colour: 1·left + 2·middle + 1·right, over two rows.
        let [red_blue, green] = [0, 1].map(|c| left[c] + 2 * middle[c] + right[c]);
        let rgb = [(red_blue & 0xffff) as i32, (green & 0xffff) as i32, (red_blue >> 16) as i32];
        cb[i] = chroma(CB, rgb);
        cr[i] = chroma(CR, rgb);
    }
}

/// `rgb` is eight times the colour; the result cannot leave 16..=240.
#[inline(always)]
fn chroma(by: [i32; 3], rgb: [i32; 3]) -> u8 {
    let sum = by[0] * rgb[0] + by[1] * rgb[1] + by[2] * rgb[2];
    ((sum + (128 << 18) + (1 << 17)) >> 18) as u8
}

#[cfg(test)]
#[path = "color/tests.rs"]
mod tests;
