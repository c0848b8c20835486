//! A small grey copy of a picture.

/// Its longer side, at most.
const SIDE: u32 = 192;
/// Pixels that one of its own is the mean of, along a side, at most.
const TAPS: u32 = 4;

/// Rows from the top down.
#[derive(Clone, Debug)]
pub struct Thumb {
    width: u32,
    height: u32,
    values: Vec<u8>,
}

impl Thumb {
    /// Of a picture in RGBA, 8 bits each, rows from the top down.
    pub fn of(rgba: &[u8], width: u32, height: u32) -> Self {
        let longer = width.max(height).max(1);
        let side = |length: u32| (u64::from(length) * u64::from(SIDE.min(longer)) / u64::from(longer)).max(1) as u32;
        let (columns, rows) = (side(width), side(height));
        let pixels = rgba.as_chunks::<4>().0;
        let mut values = Vec::with_capacity(columns as usize * rows as usize);
        let across = taps(columns, width);
        for down in taps(rows, height) {
            for across in &across {
                let (mut sum, mut count) = (0_u32, 0_u32);
                for y in &down {
                    let row = *y as usize * width as usize;
                    for x in across {
                        // BT.709's weights, in parts of 256.
                        if let Some([r, g, b, _]) = pixels.get(row + *x as usize) {
                            sum += 54 * u32::from(*r) + 183 * u32::from(*g) + 19 * u32::from(*b);
                            count += 256;
                        }
                    }
                }
                values.push((sum / count.max(1)) as u8);
            }
        }
        Self { width: columns, height: rows, values }
    }

    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The values of a square around a pixel, row by row; `None` where it leaves the picture.
    pub fn square<const N: usize>(&self, x: i32, y: i32, half: i32) -> Option<[f32; N]> {
        let (left, top) = (u32::try_from(x - half).ok()?, u32::try_from(y - half).ok()?);
        let side = (2 * half + 1) as u32;
        if left + side > self.width || top + side > self.height {
            return None;
        }
        let mut out = [0.0; N];
        let rows = (top..top + side).filter_map(|row| {
            let start = (row * self.width + left) as usize;
            self.values.get(start..start + side as usize)
        });
        out.iter_mut().zip(rows.flatten()).for_each(|(out, value)| *out = f32::from(*value));
        Some(out)
    }
}

/// Which of `length` pixels each of `parts` is the mean of.
fn taps(parts: u32, length: u32) -> Vec<Vec<u32>> {
    let at = |n: u32, of: u32, tap: u32, taps: u32| {
        let place = (u64::from(n) * 2 * u64::from(taps) + 2 * u64::from(tap) + 1) * u64::from(length);
        (place / (2 * u64::from(taps) * u64::from(of))) as u32
    };
    let taps = length.div_ceil(parts).clamp(1, TAPS);
    (0..parts).map(|part| (0..taps).map(|tap| at(part, parts, tap, taps)).collect()).collect()
}
