//! Lengths along a path, for cameras and texts that follow one (SVG 2 §"Distance along a path").

use kurbo::{BezPath, ParamCurve, ParamCurveArclen, PathSeg, Point};

/// Of user units: a thousandth is nothing that shows.
const ACCURACY: f64 = 1e-4;

/// A path's pieces and how long each is. Moves between subpaths have no length.
#[derive(Clone, Debug, Default)]
pub struct MeasuredPath {
    pieces: Vec<(PathSeg, f64)>,
    start: Option<Point>,
}

impl MeasuredPath {
    /// Of path data; what follows an error in it does not count (SVG 2 §9.5.4).
    pub fn from_svg(data: &str) -> Self {
        Self::new(&BezPath::from_svg(sound_part(data)).unwrap_or_default())
    }

    fn new(path: &BezPath) -> Self {
        let pieces = path.segments().map(|piece| (piece, piece.arclen(ACCURACY)));
        let start = path.elements().first().and_then(kurbo::PathEl::end_point);
        Self { pieces: pieces.collect(), start }
    }

    pub fn length(&self) -> f64 {
        self.pieces.iter().map(|(_, length)| length).sum()
    }

    /// The point so far along, from the start to the end at most; `None` of an empty path.
    pub fn point(&self, distance: f64) -> Option<Point> {
        let mut left = distance.max(0.0);
        for (piece, length) in &self.pieces {
            if left <= *length && *length > 0.0 {
                return Some(piece.eval(piece.inv_arclen(left, ACCURACY)));
            }
            left -= length;
        }
        self.pieces.last().map(|(piece, _)| piece.end()).or(self.start)
    }
}

/// Up to the last command that can be read.
fn sound_part(data: &str) -> &str {
    let is_sound = |part: &str| BezPath::from_svg(part).is_ok();
    if is_sound(data) {
        return data;
    }
    // An `e` is part of a number.
    let commands: Vec<usize> = data
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'))
        .map(|(at, _)| at)
        .collect();
    let sound = commands.partition_point(|at| is_sound(data.get(..*at).unwrap_or("")));
    sound.checked_sub(1).and_then(|last| data.get(..*commands.get(last)?)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(svg: &str) -> MeasuredPath {
        MeasuredPath::from_svg(svg)
    }

    fn at(path: &MeasuredPath, distance: f64) -> [f64; 2] {
        path.point(distance).map(|point| [point.x, point.y]).unwrap()
    }

    fn near(found: [f64; 2], expected: [f64; 2]) {
        assert!((found[0] - expected[0]).hypot(found[1] - expected[1]) < 1e-2, "{found:?} instead of {expected:?}");
    }

    #[test]
    fn straight_ways_have_the_length_of_pythagoras() {
        let path = measured("M1 1 l3 4 M100 100 h6 v8 z");
        assert!((path.length() - (5.0 + 6.0 + 8.0 + 10.0)).abs() < 1e-9);
        near(at(&path, 2.5), [2.5, 3.0]);
        near(at(&path, 8.0), [103.0, 100.0]);
        near(at(&path, 24.0), [103.0, 104.0]);
        near(at(&path, -1.0), [1.0, 1.0]);
        near(at(&path, 1e9), [100.0, 100.0]);
        assert!(measured("").point(0.0).is_none() && measured("nonsense").point(0.0).is_none());
        near(at(&measured("M7 8"), 3.0), [7.0, 8.0]);
        assert_eq!(measured("M0 0 L10 0 V 1e1 X 5 L 3").length(), 20.0, "up to the error");
    }

    /// A circle of radius 10 around the origin; a parabola y = x²/4 from 0 to 2, whose length is (√2 + asinh 1).
    #[test]
    fn curves_have_the_length_of_their_closed_forms() {
        let circle = measured("M10 0 A10 10 0 0 1 -10 0 A10 10 0 0 1 10 0");
        assert!((circle.length() / std::f64::consts::TAU - 10.0).abs() < 0.01, "{}", circle.length());
        near(at(&circle, circle.length() / 8.0), [10.0 * 0.5_f64.sqrt(), 10.0 * 0.5_f64.sqrt()]);
        let parabola = measured("M0 0 Q1 0 2 1");
        assert!((parabola.length() - (2.0_f64.sqrt() + 1.0_f64.asinh())).abs() < 1e-4, "{}", parabola.length());
    }
}
