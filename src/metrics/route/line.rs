//! Polylines in the horizontal plane: lengths, nearest points, even sampling.

use glam::DVec2;

/// A line of at least one point, with the length up to each point. A step across a cut has no length and no points.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub points: Vec<DVec2>,
    /// Length from the start to each point.
    pub along: Vec<f64>,
    /// The step to this point is a jump.
    jumps: Vec<bool>,
}

/// The point of a line nearest to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub distance: f64,
    /// Length along the line.
    pub along: f64,
}

impl Line {
    pub fn new(points: Vec<DVec2>) -> Self {
        let jumps = vec![false; points.len()];
        Self::with_jumps(points, jumps)
    }

    /// `jumps`, as long as `points`: no line is drawn to these points.
    pub fn with_jumps(points: Vec<DVec2>, jumps: Vec<bool>) -> Self {
        let mut length = 0.0;
        let mut along = Vec::with_capacity(points.len());
        let mut before: Option<DVec2> = None;
        for (point, jump) in points.iter().zip(&jumps) {
            if let Some(before) = before.filter(|_| !jump) {
                length += point.distance(before);
            }
            along.push(length);
            before = Some(*point);
        }
        Self { points, along, jumps }
    }

    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// `(from, to, length up to from)`; for a line of one point, that point.
    pub fn segments(&self) -> impl Iterator<Item = (DVec2, DVec2, f64)> {
        let single = (self.points.len() == 1).then(|| self.points.first().map(|p| (*p, *p, 0.0))).flatten();
        let pairs = self.points.windows(2).zip(self.along.iter().zip(self.jumps.iter().skip(1)));
        let pairs = pairs.filter_map(|(pair, (along, jump))| match pair {
            [a, b] if *jump => Some((*b, *b, *along)),
            [a, b] => Some((*a, *b, *along)),
            _ => None,
        });
        pairs.chain(single)
    }

    /// `None` for a line without points.
    pub fn nearest(&self, p: DVec2) -> Option<Nearest> {
        self.segments()
            .map(|s| nearest_on(s, p))
            .reduce(|best, next| if next.distance < best.distance { next } else { best })
    }

    /// Points at even lengths, at most `step` apart: both ends, and `most` at most. Jumps are stepped over.
    pub fn sampled(&self, step: f64, most: usize) -> Vec<DVec2> {
        let pieces = ((self.length() / step).ceil() as usize).clamp(1, most.max(2) - 1);
        let mut out = Vec::with_capacity(pieces + 1);
        let mut at = 0;
        for piece in 0..=pieces {
            let wanted = self.length() * piece as f64 / pieces as f64;
            while self.along.get(at + 1).is_some_and(|along| *along < wanted) {
                at += 1;
            }
            let (Some(a), from) = (self.points.get(at), self.along.get(at).copied().unwrap_or(0.0)) else { break };
            let (b, to) = (self.points.get(at + 1).unwrap_or(a), self.along.get(at + 1).copied().unwrap_or(from));
            let share = if to > from { (wanted - from) / (to - from) } else { 0.0 };
            out.push(a.lerp(*b, share.clamp(0.0, 1.0)));
        }
        out
    }
}

/// The nearest point of one segment.
pub fn nearest_on((a, b, along): (DVec2, DVec2, f64), p: DVec2) -> Nearest {
    let d = b - a;
    let length = d.length();
    let share = if length > 0.0 { ((p - a).dot(d) / (length * length)).clamp(0.0, 1.0) } else { 0.0 };
    Nearest { distance: p.distance(a + d * share), along: along + length * share }
}

/// Greatest distance from a point of `from` to the line `to`; 0 without points.
pub fn directed_hausdorff(from: &[DVec2], to: &Line) -> f64 {
    from.iter().filter_map(|p| to.nearest(*p)).map(|n| n.distance).fold(0.0, f64::max)
}

/// Discrete Fréchet distance (T. Eiter, H. Mannila, "Computing discrete Fréchet distance", 1994), with two rows of
/// memory; 0 without points.
pub fn frechet(a: &[DVec2], b: &[DVec2]) -> f64 {
    let mut row: Vec<f64> = Vec::with_capacity(b.len());
    for p in a {
        let mut diagonal = f64::INFINITY;
        let mut left = f64::INFINITY;
        let first = row.is_empty();
        for (j, q) in b.iter().enumerate() {
            let above = if first { f64::INFINITY } else { row.get(j).copied().unwrap_or(f64::INFINITY) };
            let reach = above.min(left).min(diagonal);
            let start = first && j == 0;
            let value = if start { p.distance_squared(*q) } else { p.distance_squared(*q).max(reach) };
            match row.get_mut(j) {
                Some(slot) => *slot = value,
                None => row.push(value),
            }
            diagonal = above;
            left = value;
        }
    }
    row.last().copied().unwrap_or(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[[f64; 2]]) -> Line {
        Line::new(points.iter().map(|p| DVec2::from(*p)).collect())
    }

    #[test]
    fn nearest_points_and_lengths() {
        let l = line(&[[0.0, 0.0], [10.0, 0.0], [10.0, 5.0]]);
        assert_eq!(l.length(), 15.0);
        assert_eq!(l.nearest(DVec2::new(4.0, -3.0)), Some(Nearest { distance: 3.0, along: 4.0 }));
        assert_eq!(l.nearest(DVec2::new(13.0, 9.0)), Some(Nearest { distance: 5.0, along: 15.0 }));
        assert_eq!(line(&[[1.0, 1.0]]).nearest(DVec2::new(4.0, 5.0)), Some(Nearest { distance: 5.0, along: 0.0 }));
        assert_eq!(line(&[]).nearest(DVec2::ZERO), None);
        let even = l.sampled(5.0, 100);
        assert_eq!(even, [[0.0, 0.0], [5.0, 0.0], [10.0, 0.0], [10.0, 5.0]].map(DVec2::from));
        let jump = Line::with_jumps(l.points.clone(), vec![false, true, false]);
        assert_eq!(jump.length(), 5.0);
        assert_eq!(jump.nearest(DVec2::new(5.0, 0.0)).unwrap().distance, 5.0, "nothing lies between");
    }

    #[test]
    fn hausdorff_and_frechet_of_known_shapes() {
        let (a, b) = (line(&[[0.0, 0.0], [100.0, 0.0]]), line(&[[0.0, 3.0], [100.0, 3.0]]));
        let dense = |l: &Line| l.sampled(1.0, 1000);
        assert!((frechet(&dense(&a), &dense(&b)) - 3.0).abs() < 1e-12);
        assert_eq!(directed_hausdorff(&dense(&a), &b), 3.0);
        // There and back: near everywhere, but no walk with a leash of less than half the way keeps up.
        let back = line(&[[0.0, 0.0], [100.0, 0.0], [0.0, 0.0], [100.0, 0.0]]);
        assert!(directed_hausdorff(&dense(&back), &a) < 1e-12);
        assert!((frechet(&dense(&back), &dense(&a)) - 50.0).abs() < 1.0);
        // The other way round.
        let reversed: Vec<_> = dense(&a).into_iter().rev().collect();
        assert_eq!(frechet(&dense(&a), &reversed), 100.0);
        assert_eq!(frechet(&[DVec2::ZERO], &dense(&a)), 100.0);
    }
}
