//! What moves nowhere on the map: it only rises, sinks or stands, and is told in words.

/// Pixels within which a way shows no line: the mark at its start covers them.
const STILL: f64 = 10.0;
/// Metres (or units) of height that are no movement.
const LEVEL: f64 = 0.05;

/// Where, on the paper, what stays in one place stands; `None` where it goes somewhere or is not known.
pub(super) fn place(places: &[Option<[f64; 2]>]) -> Option<[f64; 2]> {
    let first = *places.iter().flatten().next()?;
    let near = |[x, y]: &[f64; 2]| (x - first[0]).hypot(y - first[1]) < STILL;
    places.iter().flatten().all(near).then_some(first)
}

/// What the heights do: `only rises, y 0.2 to 30.0 m`. Heights in scene units.
pub(super) fn words(heights: &[Option<f64>], metres_per_unit: f64, unit: &str) -> Option<String> {
    let known: Vec<f64> = heights.iter().flatten().map(|y| y * metres_per_unit).filter(|y| y.is_finite()).collect();
    let (first, last) = (*known.first()?, *known.last()?);
    let low = known.iter().copied().fold(f64::INFINITY, f64::min);
    let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let goes = |down: bool| {
        known.windows(2).all(|w| matches!(w, [a, b] if if down { *b <= a + LEVEL } else { *b >= a - LEVEL }))
    };
    Some(if high - low < LEVEL {
        format!("stands still, y {first:.1} {unit}")
    } else if goes(false) && last > first {
        format!("only rises, y {first:.1} to {last:.1} {unit}")
    } else if goes(true) && last < first {
        format!("only sinks, y {first:.1} to {last:.1} {unit}")
    } else {
        format!("only up and down, y {low:.1} to {high:.1} {unit}")
    })
}
