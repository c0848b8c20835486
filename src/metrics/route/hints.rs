//! What speaks for a route that is not the flight's, or is laid on the map the wrong way round.

use glam::DVec2;

use super::line::Line;
use super::parse::{Parsed, Raw};
use super::place::{Fit, Fixed, fit};

/// Points that a line is cut into.
const SAMPLES: usize = 500;
/// What lies so far outside of the other's extent, in parts of its diagonal, does not count as outside.
const MARGIN: f64 = 0.05;
/// Share of a line outside of the other's extent from which on it is told.
const OUTSIDE: f64 = 0.4;
/// Swapped, the route fits so many times better.
const BETTER: f64 = 4.0;
/// Metres of residual that are worth a second look.
const POOR: f64 = 5.0;
/// Metres from the scene's origin beyond which no route is flown.
const FAR: f64 = 100_000.0;
/// What is said.
const SWAPPED: &str =
    "latitude and longitude look swapped in it (GeoJSON and KML have longitude first, GPX and most tables latitude)";

/// Does a good part of the flight, in metres on the map, lie outside of the route's extent, or of the route outside of the flight's?
pub fn extents(flight: &Line, route: &Line, radius: f64) -> Vec<String> {
    let outside = |of: &Line, other: &Line| {
        let (low, high) = extent(&other.points);
        let room = DVec2::splat(radius + MARGIN * (high - low).length());
        let points = of.sampled(of.length() / (SAMPLES - 1) as f64, SAMPLES);
        let out = points.iter().filter(|p| p.cmplt(low - room).any() || p.cmpgt(high + room).any()).count();
        out as f64 / points.len().max(1) as f64
    };
    let (of_flight, of_route) = (outside(flight, route), outside(route, flight));
    let percent = |share: f64| (share * 100.0).round();
    let mut out = Vec::new();
    if of_flight >= OUTSIDE {
        out.push(format!(
            "{} % of the flight lie outside of the route's extent: is it the route of this flight, and all of it?",
            percent(of_flight)
        ));
    }
    if of_route >= OUTSIDE {
        out.push(format!(
            "{} % of the route lie outside of the flight's extent: they are not flown",
            percent(of_route)
        ));
    }
    out
}

fn extent(points: &[DVec2]) -> (DVec2, DVec2) {
    let start = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    points.iter().fold(start, |(low, high), p| (low.min(*p), high.max(*p)))
}

/// The route with latitude and longitude the other way round; `None` if that is no place on earth.
pub fn swapped(parsed: &Parsed) -> Option<Parsed> {
    let turn = |raw: &Raw| Raw { x: raw.y, y: raw.x, ..raw.clone() };
    let fits = parsed.line.iter().all(|p| p.x.abs() <= 90.0);
    fits.then(|| Parsed {
        line: parsed.line.iter().map(turn).collect(),
        waypoints: parsed.waypoints.iter().map(turn).collect(),
        ..parsed.clone()
    })
}

/// Points that can be no latitudes, and all could be if they were longitudes.
pub fn out_of_range(points: &[Raw]) -> Option<&'static str> {
    let swapped = points.iter().all(|p| p.x.abs() <= 90.0 && p.y.abs() <= 180.0);
    (swapped && points.iter().any(|p| p.y.abs() > 90.0)).then_some(SWAPPED)
}

/// With a given origin: is the route far from it as it is, and near to it the other way round? Distances of its first point, in
/// metres.
pub fn swapped_by_origin(as_it_is: f64, turned: f64) -> Option<String> {
    (as_it_is > FAR && turned < FAR / 10.0).then(|| {
        format!(
            "the route begins {:.0} km from the scene's origin, and {:.1} km if turned: {SWAPPED}",
            as_it_is / 1000.0,
            turned / 1000.0
        )
    })
}

/// With a fit: does the route the other way round fit far better?
pub fn swapped_by_fit(
    flight: &Line,
    found: &Fit,
    turned: impl FnOnce() -> Option<Line>,
    fixed: Fixed,
) -> Option<String> {
    if found.residual < POOR {
        return None;
    }
    let other = fit(flight, &turned()?, fixed)?;
    (other.residual * BETTER < found.residual).then(|| {
        format!(
            "the flight fits the route to {:.1} m, and to {:.1} m if turned: {SWAPPED}",
            found.residual, other.residual
        )
    })
}
