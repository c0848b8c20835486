//! How the scene lies on the map: given, or the similarity in the horizontal plane that fits the flight best.

use glam::DVec2;

use super::line::Line;

/// Points that either line is cut into while a fit is looked for, and for its last rounds.
const COARSE: usize = 160;
const FINE: usize = 480;
/// Most rounds of either.
const ROUNDS: usize = 12;
const CLOSEST_ROUNDS: usize = 40;
/// Shares of the flight that are tried as a match of the whole route: the flight may go on after the route ends.
const SHARES: [f64; 8] = [1.0, 0.93, 0.86, 0.79, 0.72, 0.65, 0.58, 0.5];

/// Turns `(x, −z)` of the scene, in metres, into east and north.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    pub scale: f64,
    /// Compass bearing of the scene's −z axis, radians.
    pub heading: f64,
    /// East and north of the scene's origin.
    pub offset: DVec2,
}

impl Similarity {
    pub const IDENTITY: Self = Self { scale: 1.0, heading: 0.0, offset: DVec2::ZERO };

    pub fn apply(&self, w: DVec2) -> DVec2 {
        turned(w, -self.heading) * self.scale + self.offset
    }

    pub fn invert(&self, g: DVec2) -> DVec2 {
        turned((g - self.offset) / self.scale, self.heading)
    }
}

fn turned(v: DVec2, by: f64) -> DVec2 {
    DVec2::new(libm::cos(by), libm::sin(by)).rotate(v)
}

/// What a fit may not change.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixed {
    pub scale: Option<f64>,
    /// Radians.
    pub heading: Option<f64>,
}

/// A similarity and the RMS distance of the points it was fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    pub place: Similarity,
    pub residual: f64,
    /// Share of the flight, by length, that was matched.
    pub matched: f64,
}

/// The similarity without reflection that lays `flight` on `route`: S. Umeyama, "Least-squares estimation of
/// transformation parameters between two point patterns", 1991, here in the plane; over pairs of points that follow
/// both lines in order (dynamic time warping), found anew after each estimate, at last with each point's nearest one on
/// the other line beside its partner (Besl and McKay's closest points, both ways). The whole route is taken to be flown; the
/// flight may go on after it. `None` if one of them does not move.
pub fn fit(flight: &Line, route: &Line, fixed: Fixed) -> Option<Fit> {
    if flight.length() < 1e-6 || route.length() < 1e-6 {
        return None;
    }
    let even = |line: &Line, most: usize| line.sampled(line.length() / (most - 1) as f64, most);
    let (coarse, coarse_route) = (even(flight, COARSE), even(route, COARSE));
    let tries = SHARES.iter().filter_map(|share| {
        let used = ((COARSE as f64 * share) as usize).clamp(2, coarse.len());
        let pairs: Vec<_> = (0..coarse_route.len())
            .filter_map(|j| {
                let i = j * (used - 1) / (coarse_route.len() - 1).max(1);
                Some((*coarse.get(i)?, *coarse_route.get(j)?))
            })
            .collect();
        refine(&coarse, &coarse_route, umeyama(&pairs, fixed)?, fixed, false)
    });
    let tries: Vec<Fit> = tries.collect();
    let least = tries.iter().map(|fit| fit.residual).fold(f64::INFINITY, f64::min);
    // Of fits alike, the one that takes in most of the flight: a straight route fits any part of a straight flight.
    let best = tries.iter().filter(|fit| fit.residual <= 1.05 * least + 0.05);
    let best = best.fold(None, |best: Option<&Fit>, next| match best {
        Some(best) if next.matched <= best.matched + 1e-3 => Some(best),
        _ => Some(next),
    })?;
    refine(&even(flight, FINE), &even(route, FINE), best.place, fixed, true)
}

fn refine(flight: &[DVec2], route: &[DVec2], mut place: Similarity, fixed: Fixed, closest: bool) -> Option<Fit> {
    let mut best: Option<Fit> = None;
    for _ in 0..if closest { CLOSEST_ROUNDS } else { ROUNDS } {
        let laid: Vec<DVec2> = flight.iter().map(|w| place.apply(*w)).collect();
        let partners = warp(&laid, route);
        let mut pairs: Vec<(DVec2, DVec2)> = Vec::with_capacity(2 * partners.len());
        for (i, j) in &partners {
            let (Some(w), Some(g)) = (laid.get(*i), route.get(*j)) else { continue };
            if closest {
                pairs.push((*w, beside(route, *j, *w)));
                pairs.push((beside(&laid, *i, *g), *g));
            } else {
                pairs.push((*w, *g));
            }
        }
        let squares: f64 = pairs.iter().map(|(w, g)| w.distance_squared(*g)).sum();
        let residual = (squares / pairs.len() as f64).sqrt();
        let last = partners.iter().map(|(i, _)| *i).max().unwrap_or(0);
        let matched = last as f64 / (flight.len().saturating_sub(1)).max(1) as f64;
        if best.is_some_and(|best| residual > best.residual * (1.0 - 1e-4)) {
            break;
        }
        best = Some(Fit { place, residual, matched });
        for (w, _) in &mut pairs {
            *w = place.invert(*w);
        }
        place = umeyama(&pairs, fixed)?;
    }
    best
}

/// The point nearest to `p` on the two pieces of `line` that meet in its point `at`.
fn beside(line: &[DVec2], at: usize, p: DVec2) -> DVec2 {
    let here = line.get(at).copied().unwrap_or(p);
    let ends =
        [at.checked_sub(1), at.checked_add(1)].map(|end| end.and_then(|end| line.get(end)).copied().unwrap_or(here));
    let on = ends.map(|end| {
        let d = end - here;
        let share = if d == DVec2::ZERO { 0.0 } else { ((p - here).dot(d) / d.length_squared()).clamp(0.0, 1.0) };
        here + d * share
    });
    let [a, b] = on;
    if a.distance_squared(p) < b.distance_squared(p) { a } else { b }
}

/// Least squares over pairs of (scene, map).
fn umeyama(pairs: &[(DVec2, DVec2)], fixed: Fixed) -> Option<Similarity> {
    let count = pairs.len() as f64;
    let mean = |f: fn(&(DVec2, DVec2)) -> DVec2| pairs.iter().map(f).sum::<DVec2>() / count;
    let (w0, g0) = (mean(|p| p.0), mean(|p| p.1));
    // As complex numbers: Σ conj(w) g, whose argument is the angle and whose length over Σ |w|² the scale.
    let (mut cross, mut square) = (DVec2::ZERO, 0.0);
    for (w, g) in pairs {
        let (w, g) = (*w - w0, *g - g0);
        cross += DVec2::new(w.dot(g), w.perp_dot(g));
        square += w.length_squared();
    }
    let angle = fixed.heading.map_or_else(|| libm::atan2(cross.y, cross.x), |heading| -heading);
    let along = cross.dot(DVec2::new(libm::cos(angle), libm::sin(angle)));
    let scale = fixed.scale.unwrap_or(along / square);
    let place = Similarity { scale, heading: -angle, offset: DVec2::ZERO };
    let place = Similarity { offset: g0 - place.apply(w0), ..place };
    (scale.is_finite() && scale > 0.0 && place.offset.is_finite() && angle.is_finite()).then_some(place)
}

/// Pairs `(flight, route)` in order of both, from both starts to the route's end, with the least sum of squared
/// distances.
fn warp(flight: &[DVec2], route: &[DVec2]) -> Vec<(usize, usize)> {
    let width = route.len();
    let mut cost = vec![f64::INFINITY; flight.len() * width];
    let at = |cost: &[f64], i: usize, j: usize| cost.get(i * width + j).copied().unwrap_or(f64::INFINITY);
    let steps = |i: usize, j: usize| {
        let (up, left) = (i.checked_sub(1), j.checked_sub(1));
        [up.zip(left), up.map(|i| (i, j)), left.map(|j| (i, j))]
    };
    for (i, w) in flight.iter().enumerate() {
        for (j, g) in route.iter().enumerate() {
            let before = steps(i, j).into_iter().flatten().map(|(i, j)| at(&cost, i, j)).fold(f64::INFINITY, f64::min);
            let before = if i == 0 && j == 0 { 0.0 } else { before };
            if let Some(slot) = cost.get_mut(i * width + j) {
                *slot = before + w.distance_squared(*g);
            }
        }
    }
    let last = width.saturating_sub(1);
    let Some(end) = (0..flight.len()).min_by(|a, b| at(&cost, *a, last).total_cmp(&at(&cost, *b, last))) else {
        return Vec::new();
    };
    let mut pairs = vec![(end, last)];
    let mut here = (end, last);
    while here != (0, 0) {
        let next = steps(here.0, here.1).into_iter().flatten();
        let Some(best) = next.min_by(|a, b| at(&cost, a.0, a.1).total_cmp(&at(&cost, b.0, b.1))) else { break };
        pairs.push(best);
        here = best;
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A route with a hairpin, like the benchmark's.
    fn route() -> Line {
        let points = [
            [0., 0.],
            [120., 40.],
            [180., -60.],
            [60., -90.],
            [70., -140.],
            [400., -150.],
            [700., -80.],
            [900., -120.],
        ];
        Line::new(points.map(DVec2::from).to_vec())
    }

    const PLACE: Similarity = Similarity { scale: 2.5, heading: 1.1, offset: DVec2::new(-350.0, 820.0) };

    fn flown(tail: &[[f64; 2]]) -> Line {
        let mut map = route().sampled(0.8, 100_000);
        map.extend(tail.iter().map(|p| DVec2::from(*p)));
        Line::new(map.into_iter().map(|g| PLACE.invert(g)).collect())
    }

    #[track_caller]
    fn same(fit: Fit, tolerance: f64) {
        assert!((fit.place.scale / PLACE.scale - 1.0).abs() < tolerance, "{fit:?}");
        assert!((fit.place.heading - PLACE.heading).abs() < tolerance, "{fit:?}");
        assert!((fit.place.offset - PLACE.offset).length() < 900.0 * tolerance, "{fit:?}");
    }

    #[test]
    fn the_compass_is_right() {
        // Heading 90°: the scene's −z points east, its x points south.
        let east = Similarity { scale: 1.0, heading: 90f64.to_radians(), offset: DVec2::ZERO };
        assert!(east.apply(DVec2::new(0.0, 1.0)).distance(DVec2::X) < 1e-12);
        assert!(east.apply(DVec2::new(1.0, 0.0)).distance(-DVec2::Y) < 1e-12);
        assert!(east.invert(east.apply(DVec2::new(3.0, -4.0))).distance(DVec2::new(3.0, -4.0)) < 1e-12);
    }

    #[test]
    fn a_turned_scaled_and_moved_flight_is_found() {
        let fit = fit(&flown(&[]), &route(), Fixed::default()).unwrap();
        same(fit, 1e-3);
        assert!(fit.residual < 0.5 && fit.matched > 0.99, "{fit:?}");
    }

    #[test]
    fn a_last_shot_that_leaves_the_route_is_no_part_of_the_fit() {
        let fit = fit(&flown(&[[820., -60.], [500., 100.], [200., 60.]]), &route(), Fixed::default()).unwrap();
        same(fit, 5e-3);
        assert!(fit.residual < 1.0 && fit.matched < 0.75, "{fit:?}");
    }

    #[test]
    fn what_is_fixed_stays_and_the_residual_tells() {
        let half = Fixed { scale: Some(1.25), heading: None };
        let fit = fit(&flown(&[]), &route(), half).unwrap();
        assert_eq!(fit.place.scale, 1.25);
        assert!(fit.residual > 50.0, "{fit:?}");
        let turned = Fixed { scale: None, heading: Some(PLACE.heading) };
        same(super::fit(&flown(&[]), &route(), turned).unwrap(), 1e-3);
        let still = Line::new(vec![DVec2::ZERO; 5]);
        assert_eq!(super::fit(&still, &route(), Fixed::default()), None);
    }

    #[test]
    fn a_mirrored_flight_does_not_fit() {
        let mirrored = Line::new(flown(&[]).points.iter().map(|p| DVec2::new(-p.x, p.y)).collect());
        assert!(fit(&mirrored, &route(), Fixed::default()).unwrap().residual > 20.0);
    }
}
