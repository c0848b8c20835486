//! Where along the route each frame is, and which waypoints were passed.

use glam::DVec2;

use super::line::{Line, Nearest, nearest_on};

/// Places along the route that a frame is thought to be at, at most.
const CANDIDATES: usize = 8;

/// Nearest distance of each point to the route, and its length along the route.
///
/// A route may come near itself (a hairpin, a bridge crossed twice). So a frame's place is not simply the nearest one:
/// of all places where the route comes nearest locally, those are taken that together make the least sum of squared
/// distances, plus `rate` times the square of what the place moves beyond what the flight itself moved. `jumps`: the
/// flight did not move to this point but was cut to it.
pub fn follow(path: &[DVec2], jumps: &[bool], route: &Line, rate: f64) -> Vec<Nearest> {
    let mut states: Vec<Vec<(Nearest, f64, usize)>> = Vec::with_capacity(path.len());
    let mut before: Option<DVec2> = None;
    for (p, jump) in path.iter().zip(jumps) {
        let moved = before.map_or(0.0, |b| b.distance(*p));
        let last = states.last();
        let next = candidates(route, *p).into_iter().map(|place| {
            let from = last.into_iter().flatten().enumerate().map(|(at, (was, cost, _))| {
                let beyond = ((place.along - was.along).abs() - 1.5 * moved - 0.1).max(0.0);
                (cost + if *jump { 0.0 } else { rate * beyond * beyond }, at)
            });
            let (cost, at) = from.reduce(|a, b| if b.0 < a.0 { b } else { a }).unwrap_or((0.0, 0));
            (place, cost + place.distance * place.distance, at)
        });
        let next: Vec<_> = next.collect();
        states.push(next);
        before = Some(*p);
    }
    let mut at = states.last().map_or(0, |last| {
        (0..last.len())
            .min_by(|a, b| last.get(*a).map_or(0.0, |s| s.1).total_cmp(&last.get(*b).map_or(0.0, |s| s.1)))
            .unwrap_or(0)
    });
    let mut out = Vec::with_capacity(states.len());
    for options in states.iter().rev() {
        let Some((place, _, from)) = options.get(at) else { break };
        let distance = options.iter().map(|s| s.0.distance).fold(f64::INFINITY, f64::min);
        out.push(Nearest { distance, along: place.along });
        at = *from;
    }
    out.reverse();
    out
}

/// The route's locally nearest places, nearest first.
fn candidates(route: &Line, p: DVec2) -> Vec<Nearest> {
    let all: Vec<Nearest> = route.segments().map(|s| nearest_on(s, p)).collect();
    let distance = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or(f64::INFINITY, |n| n.distance);
    let least =
        |at: usize, n: &Nearest| n.distance < distance(at.checked_sub(1)) && n.distance <= distance(at.checked_add(1));
    let mut out: Vec<Nearest> = all.iter().enumerate().filter(|(at, n)| least(*at, n)).map(|(_, n)| *n).collect();
    out.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    out.truncate(CANDIDATES);
    out
}

/// How a waypoint was passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Passing {
    /// Least distance of the flight.
    pub distance: f64,
    /// Index of the point of the path nearest to it.
    pub nearest: usize,
    /// Nearest index of every time the flight was within the radius.
    pub passes: Vec<usize>,
}

/// The way between two points counts, unless the flight was cut there.
pub fn passings(path: &[DVec2], jumps: &[bool], waypoints: &[DVec2], radius: f64) -> Vec<Passing> {
    waypoints.iter().map(|waypoint| passing(path, jumps, *waypoint, radius)).collect()
}

fn passing(path: &[DVec2], jumps: &[bool], waypoint: DVec2, radius: f64) -> Passing {
    let mut out = Passing { distance: f64::INFINITY, nearest: 0, passes: Vec::new() };
    let mut inside: Option<(f64, usize)> = None;
    let mut before: Option<DVec2> = None;
    for (at, (p, jump)) in path.iter().zip(jumps).enumerate() {
        let from = before.filter(|_| !jump).unwrap_or(*p);
        let distance = nearest_on((from, *p, 0.0), waypoint).distance;
        if distance < out.distance {
            (out.distance, out.nearest) = (distance, at);
        }
        inside = match inside {
            _ if distance > radius => {
                out.passes.extend(inside.map(|(_, at)| at));
                None
            }
            Some((least, _)) if distance < least => Some((distance, at)),
            None => Some((distance, at)),
            kept => kept,
        };
        before = Some(*p);
    }
    out.passes.extend(inside.map(|(_, at)| at));
    out
}

/// Length of the longest sequence of waypoints passed in the route's order.
pub fn in_order(passings: &[Passing]) -> usize {
    // Least last frame of a sequence of each length; a later pass of the same waypoint may not follow an earlier one.
    let mut tails: Vec<usize> = Vec::new();
    for passing in passings {
        for frame in passing.passes.iter().rev() {
            let place = tails.partition_point(|tail| tail <= frame);
            match tails.get_mut(place) {
                Some(tail) => *tail = *frame,
                None => tails.push(*frame),
            }
        }
    }
    tails.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[[f64; 2]]) -> Line {
        Line::new(points.iter().map(|p| DVec2::from(*p)).collect())
    }

    /// Two lanes 6 m apart, joined at the far end.
    fn hairpin() -> Line {
        line(&[[0.0, 0.0], [100.0, 0.0], [100.0, 6.0], [0.0, 6.0]])
    }

    #[test]
    fn progress_keeps_to_its_lane() {
        // 1 m from the wrong lane for a while, on the way out.
        let path: Vec<_> = (0..=100)
            .map(|i| DVec2::new(f64::from(i), if (40..60).contains(&i) { 3.5 } else { 1.0 }))
            .chain((0..=100).rev().map(|i| DVec2::new(f64::from(i), 5.0)))
            .collect();
        let places = follow(&path, &vec![false; path.len()], &hairpin(), 30.0);
        assert_eq!(places.len(), path.len());
        let backward: f64 = places.windows(2).map(|w| (w[0].along - w[1].along).max(0.0)).sum();
        assert!(backward < 1e-9, "{backward}");
        assert_eq!((places[50].along, places[50].distance), (50.0, 2.5), "the distance is the nearest lane's");
        assert_eq!(places[201].along, 206.0);
    }

    #[test]
    fn a_flight_backwards_is_told() {
        let path: Vec<_> = (0..=100).rev().map(|i| DVec2::new(f64::from(i), 0.0)).collect();
        let places = follow(&path, &vec![false; path.len()], &line(&[[0.0, 0.0], [100.0, 0.0]]), 30.0);
        let backward: f64 = places.windows(2).map(|w| (w[0].along - w[1].along).max(0.0)).sum();
        assert!((backward - 100.0).abs() < 1e-9);
    }

    #[test]
    fn waypoints_are_passed_between_frames_and_in_order() {
        let path: Vec<_> = [0.0, 30.0, 60.0, 90.0].map(|x| DVec2::new(x, 0.0)).to_vec();
        let no = vec![false; 4];
        let of = |at: &[[f64; 2]], jumps: &[bool]| {
            passings(&path, jumps, &at.iter().map(|p| DVec2::from(*p)).collect::<Vec<_>>(), 5.0)
        };
        let found = of(&[[15.0, 4.0], [45.0, 6.0], [75.0, 0.0]], &no);
        assert_eq!(found.iter().map(|p| p.distance).collect::<Vec<_>>(), [4.0, 6.0, 0.0]);
        assert_eq!(found.iter().map(|p| p.passes.clone()).collect::<Vec<_>>(), [vec![1], vec![], vec![3]]);
        assert_eq!(in_order(&found), 2);
        assert_eq!(in_order(&of(&[[75.0, 0.0], [45.0, 0.0], [15.0, 0.0]], &no)), 1);
        assert!(of(&[[15.0, 0.0]], &[false, true, false, false])[0].passes.is_empty(), "cut over");
    }

    #[test]
    fn a_waypoint_met_twice_counts_once_and_at_the_better_time() {
        let p = |passes: &[usize]| Passing { distance: 0.0, nearest: 0, passes: passes.to_vec() };
        assert_eq!(in_order(&[p(&[10, 90]), p(&[20]), p(&[30])]), 3);
        assert_eq!(in_order(&[p(&[10]), p(&[5, 40]), p(&[50])]), 3);
        assert_eq!(in_order(&[p(&[1, 2, 3])]), 1);
    }
}
