//! Is a piece of one picture in another one where it belongs, or elsewhere? By normalised cross-correlation of small squares.

use glam::DVec2;

use super::Thumb;

/// Squares reach so far from their middle.
const HALF: i32 = 4;
const PIXELS: usize = 81;
/// Standard deviation of its pixels, of 255, below which a square shows nothing.
const PLAIN: f32 = 4.0;
/// Matrices and pixels may differ so far.
const SLACK: i32 = 2;
/// How far around is looked for what is not where it belongs.
const AROUND: i32 = 14;
/// Correlation of squares that show the same, that show something else, and that show the same although they were looked for.
const SAME: f32 = 0.8;
const UNLIKE: f32 = 0.6;
const SURELY: f32 = 0.9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    WhereItBelongs,
    Elsewhere,
    /// It shows nothing, leaves the picture, or is nowhere to be found.
    Untold,
}

/// Looks for what is at `from` in one picture at `to` in the other, in pixels.
pub fn compare(first: &Thumb, from: DVec2, second: &Thumb, to: DVec2) -> Seen {
    let whole = |at: DVec2| (at.x.floor() as i32, at.y.floor() as i32);
    let (from, to) = (whole(from), whole(to));
    let Some(shown) = Square::of(first, from) else { return Seen::Untold };
    let like = |at: (i32, i32)| Square::of(second, at).map_or(0.0, |other| shown.like(&other));
    let there = square_of(to, SLACK).map(like).fold(0.0, f32::max);
    if there >= SAME {
        return Seen::WhereItBelongs;
    }
    let near = |at: (i32, i32)| (at.0 - to.0).abs() <= 2 * SLACK && (at.1 - to.1).abs() <= 2 * SLACK;
    let elsewhere = || square_of(from, AROUND).chain(square_of(to, AROUND)).any(|at| !near(at) && like(at) >= SURELY);
    if there < UNLIKE && elsewhere() { Seen::Elsewhere } else { Seen::Untold }
}

/// The pixels around one.
fn square_of((x, y): (i32, i32), reach: i32) -> impl Iterator<Item = (i32, i32)> {
    (y - reach..=y + reach).flat_map(move |y| (x - reach..=x + reach).map(move |x| (x, y)))
}

/// Pixels whose mean is 0, and the sum of whose squares is 1.
struct Square([f32; PIXELS]);

impl Square {
    /// `None` where it leaves the picture or shows nothing.
    fn of(picture: &Thumb, (x, y): (i32, i32)) -> Option<Self> {
        let mut values: [f32; PIXELS] = picture.square(x, y, HALF)?;
        let mean = values.iter().sum::<f32>() / PIXELS as f32;
        values.iter_mut().for_each(|value| *value -= mean);
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length < PLAIN * (PIXELS as f32).sqrt() {
            return None;
        }
        values.iter_mut().for_each(|value| *value /= length);
        Some(Self(values))
    }

    /// −1 to 1.
    fn like(&self, other: &Self) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }
}
