//! Where two outputs part.

use super::{Picture, Source, VerifyError};

/// The first difference between two outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Frame `frame` looks or hashes differently. The pictures are as read back: of videos, decoded.
    Frame { frame: u64, a: Picture, b: Picture },
    /// All frames of the shorter one are equal.
    Length { a: u64, b: u64 },
}

/// Compares by the frames' hashes where both outputs tell them, else pixel by pixel, both decoded side by side until the
/// first difference. `progress` hears of each frame found equal, and of how many there are to compare.
///
/// # Errors
/// A frame cannot be read.
pub fn compare(
    a: &mut Source,
    b: &mut Source,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Option<Difference>, VerifyError> {
    let lengths = (a.len(), b.len());
    let length = (lengths.0 != lengths.1).then_some(Difference::Length { a: lengths.0, b: lengths.1 });
    if let (Some(x), Some(y)) = (&a.hashes, &b.hashes) {
        let first = x.iter().zip(y).position(|(x, y)| x != y);
        let Some(frame) = first.map(|f| f as u64) else {
            // The hashes are of what the canvas showed: films of it may differ in size, or in the colour behind it, all the same.
            return Ok(match (a.picture_at(0), b.picture_at(0)) {
                (Ok(Some(a)), Ok(Some(b))) if look_apart(&a, &b) => Some(Difference::Frame { frame: 0, a, b }),
                _ => length,
            });
        };
        return Ok(match (a.picture_at(frame)?, b.picture_at(frame)?) {
            (Some(a), Some(b)) => Some(Difference::Frame { frame, a, b }),
            _ => length,
        });
    }
    let common = lengths.0.min(lengths.1);
    for frame in 0.. {
        let (a, b) = rayon::join(|| a.next_picture(), || b.next_picture());
        match (a?, b?) {
            (Some(a), Some(b)) if a == b => progress(frame + 1, common),
            (Some(a), Some(b)) => return Ok(Some(Difference::Frame { frame, a, b })),
            _ => break,
        }
    }
    Ok(length)
}

/// More than coding makes of one picture: another size, or one pixel in a hundred by more than [`CODING`].
fn look_apart(a: &Picture, b: &Picture) -> bool {
    if (a.width, a.height) != (b.width, b.height) {
        return true;
    }
    let far = |(a, b): (&[u8], &[u8])| a.iter().zip(b).take(3).any(|(a, b)| a.abs_diff(*b) > CODING);
    let differing = a.rgba.chunks(4).zip(b.rgba.chunks(4)).filter(|pair| far(*pair)).count();
    differing * 100 > a.rgba.len() / 4
}

/// Steps of 255 by which lossy coding may change a pixel.
const CODING: u8 = 48;

/// `a`, `b` and their difference (eight times, so that small ones show) beside each other, and how many
/// pixels differ.
pub fn side_by_side(a: &Picture, b: &Picture) -> (Picture, u64) {
    let (width, height) = (a.width.max(b.width), a.height.max(b.height));
    let at = |p: &Picture, x: u32, y: u32| -> [u8; 4] {
        let i = (y as usize * p.width as usize + x as usize) * 4;
        let inside = x < p.width && y < p.height;
        p.rgba.get(i..i + 4).filter(|_| inside).and_then(|px| px.try_into().ok()).unwrap_or_default()
    };
    let mut rgba = Vec::with_capacity(width as usize * height as usize * 12);
    let mut differing = 0;
    for y in 0..height {
        let row = |p| (0..width).flat_map(move |x| at(p, x, y)).collect::<Vec<u8>>();
        rgba.extend(row(a));
        rgba.extend(row(b));
        for x in 0..width {
            let (p, q) = (at(a, x, y), at(b, x, y));
            differing += u64::from(p != q);
            let d = [0, 1, 2, 3].map(|c| p[c].abs_diff(q[c]).saturating_mul(8));
            rgba.extend([d[0].max(d[3]), d[1].max(d[3]), d[2].max(d[3]), 255]);
        }
    }
    (Picture { width: width * 3, height, rgba }, differing)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::encode::png;

    fn folder(path: &Path, values: &[u8]) {
        std::fs::create_dir_all(path).unwrap();
        for (i, &v) in values.iter().enumerate() {
            png::write(path, i as u64, &[v, v, v, 255].repeat(6), 3, 2).unwrap();
        }
    }

    #[test]
    fn the_first_differing_frame_is_found_and_shown() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        folder(&a, &[1, 2, 3, 4]);
        folder(&b, &[1, 2, 9, 8]);
        let told = |a: &Path, b: &Path| {
            let mut told = Vec::new();
            let mut progress = |done, frames| told.push((done, frames));
            let found = compare(&mut Source::open(a).unwrap(), &mut Source::open(b).unwrap(), &mut progress).unwrap();
            (found, told)
        };
        let between = |a: &Path, b: &Path| told(a, b).0;
        // Nothing behind the first difference is looked at.
        assert_eq!(told(&a, &b).1, [(1, 4), (2, 4)]);
        let Some(Difference::Frame { frame: 2, a: x, b: y }) = between(&a, &b) else { panic!() };
        let (sheet, differing) = side_by_side(&x, &y);
        assert_eq!((sheet.width, sheet.height, differing), (9, 2, 6));
        assert_eq!(sheet.rgba[..4], [3, 3, 3, 255]);
        assert_eq!(sheet.rgba[3 * 4..4 * 4], [9, 9, 9, 255]);
        assert_eq!(sheet.rgba[6 * 4..7 * 4], [48, 48, 48, 255]);
        assert_eq!(between(&a, &a), None);
        folder(&b, &[1, 2, 3, 4]);
        png::write(&b, 4, &[0; 24], 3, 2).unwrap();
        assert_eq!(between(&a, &b), Some(Difference::Length { a: 4, b: 5 }));
        assert!(Source::open(dir.path()).is_err());
    }
}
