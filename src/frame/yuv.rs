//! Planar 8-bit 4:2:0 pictures.

/// Y, Cb and Cr planes, tightly packed; width and height are even.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yuv420 {
    width: u32,
    height: u32,
    pub y: Vec<u8>,
    pub cb: Vec<u8>,
    pub cr: Vec<u8>,
}

/// A size 4:2:0 cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}x{1} cannot be stored as 4:2:0: width and height must be even, from 2 to 16384")]
pub struct BadSize(pub u32, pub u32);

impl Yuv420 {
    /// A black picture (BT.709 limited range).
    ///
    /// # Errors
    /// Odd, zero or above 16384 in either direction.
    pub fn black(width: u32, height: u32) -> Result<Self, BadSize> {
        check_size(width, height)?;
        let luma = width as usize * height as usize;
        Ok(Self { width, height, y: vec![16; luma], cb: vec![128; luma / 4], cr: vec![128; luma / 4] })
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// Means over blocks of `size`×`size` luma pixels (a power of two, 2 at least), written back over
    /// each block: what an encoder falls back to when no quantiser keeps a picture small enough.
    pub fn pixelate(&mut self, size: usize) {
        let (w, h) = (self.width as usize, self.height as usize);
        pixelate_plane(&mut self.y, w, h, size);
        pixelate_plane(&mut self.cb, w / 2, h / 2, size / 2);
        pixelate_plane(&mut self.cr, w / 2, h / 2, size / 2);
    }
}

/// Can 4:2:0 hold a picture of this size?
///
/// # Errors
/// Odd, zero or above 16384 in either direction.
pub fn check_size(width: u32, height: u32) -> Result<(), BadSize> {
    let fits = |n: u32| n > 0 && n <= 16384 && n.is_multiple_of(2);
    if fits(width) && fits(height) { Ok(()) } else { Err(BadSize(width, height)) }
}

fn pixelate_plane(plane: &mut [u8], width: usize, height: usize, size: usize) {
    let size = size.max(1);
    for top in (0..height).step_by(size) {
        for left in (0..width).step_by(size) {
            let (bottom, right) = ((top + size).min(height), (left + size).min(width));
            let mut sum = 0u64;
            for y in top..bottom {
                sum += plane[y * width + left..y * width + right].iter().map(|&v| u64::from(v)).sum::<u64>();
            }
            let count = ((bottom - top) * (right - left)) as u64;
            let mean = ((sum + count / 2) / count) as u8;
            for y in top..bottom {
                plane[y * width + left..y * width + right].fill(mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_and_empty_sizes_are_refused() {
        assert!(Yuv420::black(2, 2).is_ok());
        for (w, h) in [(0, 2), (2, 0), (3, 2), (2, 5), (16386, 2), (u32::MAX, 2)] {
            assert_eq!(Yuv420::black(w, h), Err(BadSize(w, h)));
        }
    }

    #[test]
    fn pixelate_writes_the_mean_of_each_block_even_at_ragged_edges() {
        let mut yuv = Yuv420::black(6, 2).unwrap();
        yuv.y.copy_from_slice(&[10, 20, 30, 40, 1, 2, 10, 20, 30, 40, 1, 2]);
        yuv.pixelate(4);
        assert_eq!(yuv.y, [25, 25, 25, 25, 2, 2, 25, 25, 25, 25, 2, 2]);
        assert_eq!(yuv.cb, [128; 3]);
    }
}
