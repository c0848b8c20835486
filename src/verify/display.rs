//! How a player shows a film's stored pictures: pixels that are not square stretched, then turned or mirrored as `tkhd` says.

use super::bitstream::Sequence;
use super::mp4::{Track, VisualEntry};
use super::source::Picture;

/// Most pixels a side: what a hostile `pasp` asks for beyond is held here.
const MOST: u64 = 1 << 20;

/// Width to height of a pixel, and who says so: `pasp`, `stream` or `default`.
pub fn pixel_aspect(visual: &VisualEntry, sequence: Option<&Sequence>) -> ((u32, u32), &'static str) {
    let in_container = visual.pixel_aspect.filter(|(x, y)| *x > 0 && *y > 0);
    let in_stream = sequence.and_then(|s| s.sample_aspect).filter(|(x, y)| *x > 0 && *y > 0);
    match (in_container, in_stream) {
        (Some(pasp), _) => (pasp, "pasp"),
        (None, Some(vui)) => (vui, "stream"),
        _ => ((1, 1), "default"),
    }
}

/// From stored pictures to shown ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// `x' = a·x + c·y`, `y' = b·x + d·y` (ISO/IEC 14496-12 §6.2.2), each −1, 0 or 1: one of the eight ways to lay a rectangle.
    turn: [i8; 4],
    /// Width to height of a stored pixel.
    pixel: (u32, u32),
}

impl Display {
    /// Pictures are shown as they are stored.
    pub const AS_STORED: Self = Self { turn: [1, 0, 0, 1], pixel: (1, 1) };

    pub fn of(track: &Track, visual: &VisualEntry, sequence: Option<&Sequence>) -> Self {
        let [a, b, c, d] = track.matrix;
        let size = |v: i32| v.unsigned_abs();
        let lies = match (a, b, c, d) {
            (_, 0, 0, _) => a != 0 && size(a) == size(d),
            (0, _, _, 0) => b != 0 && size(b) == size(c),
            _ => false,
        };
        // Any other matrix leaves the rectangle: it is shown as it is stored.
        let turn = if lies { [a, b, c, d].map(|v| v.signum() as i8) } else { Self::AS_STORED.turn };
        Self { turn, pixel: pixel_aspect(visual, sequence).0 }
    }

    /// Do columns become rows?
    fn swaps(self) -> bool {
        self.turn[0] == 0
    }

    /// Width and height as shown of a picture of this stored size; stretched, never shrunk.
    pub fn size(self, (width, height): (u32, u32)) -> (u32, u32) {
        let (x, y) = (u64::from(self.pixel.0.max(1)), u64::from(self.pixel.1.max(1)));
        let by = |side: u32, num: u64, den: u64| {
            let stretched = (u128::from(side) * u128::from(num) + u128::from(den / 2)) / u128::from(den);
            u64::try_from(stretched).unwrap_or(MOST).clamp(1, MOST) as u32
        };
        let (width, height) = if x >= y { (by(width, x, y), height) } else { (width, by(height, y, x)) };
        if self.swaps() { (height, width) } else { (width, height) }
    }

    /// The size, before it is turned, of what is to be shown `width` by `height` large.
    pub fn unturned(self, (width, height): (u32, u32)) -> (u32, u32) {
        if self.swaps() { (height, width) } else { (width, height) }
    }

    /// Turns and mirrors; stretches nothing.
    pub fn turn(self, picture: Picture) -> Picture {
        if self.turn == Self::AS_STORED.turn {
            return picture;
        }
        let (width, height) = self.unturned((picture.width, picture.height));
        // The inverse of such a matrix is its transpose; negative axes count from the other end.
        let along = |sign: i8, at: u32, side: u32| match sign {
            0 => 0,
            1 => at,
            _ => side - 1 - at,
        };
        let [a, b, c, d] = self.turn;
        let mut rgba = Vec::with_capacity(picture.rgba.len());
        for y in 0..height {
            for x in 0..width {
                let from_x = along(a, x, width) + along(b, y, height);
                let from_y = along(c, x, width) + along(d, y, height);
                let at = (from_y as usize * picture.width as usize + from_x as usize) * 4;
                rgba.extend_from_slice(picture.rgba.get(at..at + 4).unwrap_or(&[0, 0, 0, 255]));
            }
        }
        Picture { width, height, rgba }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_by_ninety_degrees_lays_the_top_on_the_right() {
        // 1 2 3      4 1
        // 4 5 6  →   5 2
        //            6 3
        let dots = |values: &[u8]| values.iter().flat_map(|v| [*v, 0, 0, 255]).collect::<Vec<_>>();
        let picture = Picture { width: 3, height: 2, rgba: dots(&[1, 2, 3, 4, 5, 6]) };
        let turned = Display { turn: [0, 1, -1, 0], pixel: (1, 1) }.turn(picture);
        assert_eq!((turned.width, turned.height, turned.rgba), (2, 3, dots(&[4, 1, 5, 2, 6, 3])));
    }

    #[test]
    fn hostile_pixels_stay_in_bounds() {
        let of = |pixel| Display { turn: [0, 1, -1, 0], pixel }.size((1920, 1080));
        assert_eq!(of((u32::MAX, 1)), (1080, 1 << 20));
        assert_eq!(of((1, u32::MAX)), (1 << 20, 1920));
        assert_eq!(of((2, 1)), (1080, 3840));
    }
}
