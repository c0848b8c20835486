//! A picture of another size brought onto the video's: scaled to fit, centred, bars in the background.
//!
//! Area averaging with exact integer weights, so enlarging repeats pixels (with blended seams) and
//! shrinking averages; the same on every machine.

/// Scales RGBA8 `from` (straight alpha) into `to`, keeping its shape; what stays free is `background`.
/// Both sizes must be non-zero and the slice as long as its size says, else a plain background results.
pub fn fit(rgba: &[u8], from: (u32, u32), to: (u32, u32), background: [u8; 3]) -> Vec<u8> {
    let [r, g, b] = background;
    let mut out: Vec<u8> = [r, g, b, 255].repeat(to.0 as usize * to.1 as usize);
    let (fw, fh) = (u64::from(from.0), u64::from(from.1));
    let (tw, th) = (u64::from(to.0), u64::from(to.1));
    if fw * fh == 0 || tw * th == 0 || rgba.len() as u64 != fw * fh * 4 {
        return out;
    }
    // The larger of the two scales that still fits: compare tw/fw with th/fh without dividing.
    let (w, h) = if tw * fh <= th * fw { (tw, (fh * tw / fw).max(1)) } else { ((fw * th / fh).max(1), th) };
    let (left, top) = ((tw - w) / 2, (th - h) / 2);
    let columns = spans(fw, w);
    let rows = spans(fh, h);
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            let mut sum = [0u64; 4];
            for &(sy, wy) in row {
                for &(sx, wx) in column {
                    let at = ((sy * fw + sx) * 4) as usize;
                    let weight = wx * wy;
                    let alpha = u64::from(rgba[at + 3]);
                    for c in 0..3 {
                        sum[c] += u64::from(rgba[at + c]) * alpha * weight;
                    }
                    sum[3] += alpha * weight;
                }
            }
            // Weights of a row sum to fw, of a column to fh.
            let total = fw * fh;
            let at = (((top + y as u64) * tw + left + x as u64) * 4) as usize;
            for c in 0..3 {
                out[at + c] = (sum[c] + sum[3] / 2).checked_div(sum[3]).unwrap_or(0) as u8;
            }
            out[at + 3] = ((sum[3] + total / 2) / total) as u8;
        }
    }
    out
}

/// Which of `from` source cells each of `to` target cells covers, and how much of each; a target's
/// weights sum to `from`.
fn spans(from: u64, to: u64) -> Vec<Vec<(u64, u64)>> {
    (0..to)
        .map(|i| {
            // On a line of from·to units, a source cell is `to` long and a target cell `from`.
            let (start, end) = (i * from, (i + 1) * from);
            (start / to..end.div_ceil(to)).map(|s| (s, end.min((s + 1) * to) - start.max(s * to))).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn halving_averages_and_doubling_repeats() {
        let px = |v: u8| [v, v, v, 255];
        let small = fit(&[px(10), px(20), px(30), px(40)].concat(), (2, 2), (1, 1), [0; 3]);
        assert_eq!(small, px(25));
        let big = fit(&[px(10), px(20)].concat(), (2, 1), (4, 2), [0; 3]);
        assert_eq!(big, [px(10), px(10), px(20), px(20)].concat().repeat(2));
    }

    #[test]
    fn bars_fill_what_the_shape_leaves() {
        let out = fit(&[9, 9, 9, 255], (1, 1), (4, 2), [1, 2, 3]);
        let (bar, px) = ([1, 2, 3, 255], [9, 9, 9, 255]);
        assert_eq!(out, [bar, px, px, bar].concat().repeat(2));
    }

    #[test]
    fn clear_pixels_lend_no_colour() {
        let out = fit(&[200, 0, 0, 255, 0, 0, 0, 0], (2, 1), (1, 1), [0; 3]);
        assert_eq!(out, [200, 0, 0, 128]);
        assert_eq!(fit(&[1, 2], (1, 1), (1, 1), [5, 6, 7]), [5, 6, 7, 255]);
    }
}
