//! The flight against the route: reading it, laying the scene on the map, distances, progress, waypoints.
//!
//! All is measured in the horizontal plane, in metres of the map. Heights are compared apart.

mod follow;
mod geodesy;
mod geojson;
mod hints;
mod line;
mod parse;
mod place;
mod table;
mod xml;

use glam::DVec2;

use super::error::MetricsError;
use super::input::RouteFile;
use super::kinematics::Path;
use super::record::{Flight, Georeference, GeoreferenceKind, Range, Route};
use super::series::{RouteMap, WaypointOnMap};
use super::stat;
use crate::evidence::cut::cuts;
use crate::evidence::up::Up;
use crate::project::RouteSettings;
use geodesy::{Geodetic, TangentPlane};
use line::{Line, directed_hausdorff, frechet};
use parse::{Parsed, Raw, parse};
use place::{Fixed, Similarity, fit};

/// Most points that distances between whole lines are taken over.
const MOST_SAMPLES: usize = 1500;
/// A route of more points is sampled evenly.
const MOST_VERTICES: usize = 5000;
/// Metres short of the furthest place that count as there: rounding, and a hover that trembles.
const THERE: f64 = 1e-3;

/// What the flight is held against, and how.
pub struct Task<'a> {
    pub file: &'a RouteFile,
    pub settings: &'a RouteSettings,
    pub metres_per_unit: f64,
    /// Of the scene, as its coordinates are in the file.
    pub up: Up,
    /// Metres, unless the settings say otherwise.
    pub waypoint_radius: f64,
    /// Frames a second.
    pub rate: f64,
    pub camera: &'a Path,
    pub drone: &'a Path,
    /// Height above the ground of each, metres.
    pub camera_height: Vec<Option<f64>>,
    pub drone_height: Vec<Option<f64>>,
}

/// The measures, and what plots and maps need.
#[derive(Clone, Debug)]
pub struct Measured {
    pub route: Route,
    pub cross_track: Vec<Option<f64>>,
    pub progress: Vec<Option<f64>>,
    /// Of the camera, where the above are the drone's.
    pub camera_cross_track: Option<Vec<Option<f64>>>,
    pub map: RouteMap,
    pub notes: Vec<String>,
}

/// The route on the map: east and north of its first point or of the scene's origin, in metres.
struct OnMap {
    line: Line,
    /// Up, of each point of the line, if the file has all.
    heights: Option<Vec<f64>>,
    waypoints: Vec<(DVec2, Option<String>)>,
}

/// Measures the flight against the route. The inner error tells why there is nothing to measure.
///
/// # Errors
/// The route or its settings make no sense.
pub fn measure(task: &Task<'_>) -> Result<Result<Measured, String>, MetricsError> {
    let parsed = parse(task.file, task.up)?;
    let has_drone = task.drone.places.iter().flatten().count() > 1;
    let (of, path) = if has_drone { ("drone", task.drone) } else { ("camera", task.camera) };
    if path.places.iter().flatten().count() < 2 {
        return Ok(Err("neither camera nor drone is known in two frames".to_owned()));
    }
    let (plane, base) = base(&parsed, task.settings)?;
    let scale = task.settings.scale.unwrap_or(task.metres_per_unit);
    if !(1e-6..=1e6).contains(&scale) {
        return Err(MetricsError::RouteSettings(format!("scale is {scale}; it must be from 0.000001 to 1000000")));
    }
    for (name, value) in [("heading", task.settings.heading), ("waypoint_radius", task.settings.waypoint_radius)] {
        if let Some(value) = value.filter(|v| !v.is_finite() || (name == "waypoint_radius" && *v <= 0.0)) {
            return Err(MetricsError::RouteSettings(format!("{name} is {value}, which makes no sense")));
        }
    }
    let heading = task.settings.heading.map(f64::to_radians);
    let mut notes = Vec::new();
    let on_map = on_map(&parsed, plane.as_ref(), task.metres_per_unit, &mut notes);
    let turned = || hints::swapped(&parsed).filter(|_| !parsed.scene);
    let mut warnings = Vec::new();
    let flown = Track::new(path);
    // Lengths of paths are metres as set; the map may know them better.
    let ratio = scale / task.metres_per_unit;
    let (place, georeference) = if parsed.scene {
        let note = "the route is given in scene coordinates".to_owned();
        let geo = Georeference {
            kind: GeoreferenceKind::Scene,
            note,
            origin: None,
            heading: 0.0,
            scale: task.metres_per_unit,
            residual: None,
        };
        (Similarity::IDENTITY, geo)
    } else if task.settings.origin.is_some() {
        let place = Similarity { scale: ratio, heading: heading.unwrap_or(0.0), offset: DVec2::ZERO };
        let begins = |line: &[Raw]| {
            let first = line.first()?;
            let at = Geodetic { lat: first.y, lon: first.x, height: first.height.unwrap_or(0.0) };
            Some(plane.as_ref()?.local(at).length())
        };
        let apart = begins(&parsed.line).zip(turned().and_then(|turned| begins(&turned.line)));
        warnings.extend(apart.and_then(|(is, turned)| hints::swapped_by_origin(is, turned)));
        let geo = Georeference {
            kind: GeoreferenceKind::Given,
            note: "given by the settings".to_owned(),
            origin: base.map(|b| [b.lat, b.lon, b.height]),
            heading: place.heading.to_degrees(),
            scale,
            residual: None,
        };
        (place, geo)
    } else {
        let fixed = Fixed { scale: task.settings.scale.map(|_| ratio), heading };
        let Some(fit) = fit(&flown.line, &on_map.line, fixed) else {
            return Ok(Err(unfitted(of, &flown.line, &on_map.line, task.settings.heading)));
        };
        let other = || {
            let turned = turned()?;
            let (plane, _) = self::base(&turned, task.settings).ok()?;
            Some(self::on_map(&turned, plane.as_ref(), task.metres_per_unit, &mut Vec::new()).line)
        };
        warnings.extend(hints::swapped_by_fit(&flown.line, &fit, other, fixed));
        let origin = plane.as_ref().map(|plane| plane.geodetic(fit.place.offset.extend(0.0)));
        let free: Vec<&str> =
            [("rotation", fixed.heading.is_none()), ("scale", fixed.scale.is_none()), ("position", true)]
                .into_iter()
                .filter_map(|(name, free)| free.then_some(name))
                .collect();
        let geo = Georeference {
            kind: GeoreferenceKind::Fitted,
            note: format!(
                "no origin in [route]: {} of the scene on the map were fitted to the flight itself ({:.0} % of it), the \
                 whole route taken as flown. A flight that is turned, moved or scaled as a whole does not show",
                free.join(", "),
                fit.matched * 100.0
            ),
            origin: origin.map(|o| [o.lat, o.lon, o.height]),
            heading: fit.place.heading.to_degrees().rem_euclid(360.0),
            scale: fit.place.scale * task.metres_per_unit,
            residual: Some(fit.residual),
        };
        (fit.place, geo)
    };
    let laid = Line::with_jumps(flown.line.points.iter().map(|w| place.apply(*w)).collect(), flown.jumps.clone());
    let radius = task.settings.waypoint_radius.filter(|r| r.is_finite() && *r > 0.0).unwrap_or(task.waypoint_radius);
    if warnings.is_empty() {
        warnings = hints::extents(&laid, &on_map.line, radius);
    }
    let against = Against { on_map: &on_map, place, radius, rate: task.rate };
    let height = if has_drone { &task.drone_height } else { &task.camera_height };
    let first = against.measure(&flown, height);
    let camera = has_drone.then(|| Track::new(task.camera)).filter(|track| track.frames.len() > 1);
    let camera = camera.map(|track| against.measure(&track, &task.camera_height));
    let unlay = |g: &DVec2| {
        let w = place.invert(*g) / task.metres_per_unit;
        [w.x, -w.y]
    };
    let map = RouteMap {
        line: on_map.line.points.iter().map(unlay).collect(),
        waypoints: on_map
            .waypoints
            .iter()
            .zip(&first.passings)
            .map(|((at, name), p)| WaypointOnMap {
                name: name.clone(),
                at: unlay(at),
                passed: !p.passes.is_empty(),
                distance: p.distance,
                frame: flown.frames.get(p.nearest).map_or(0, |at| *at as u64),
            })
            .collect(),
    };
    let all = path.places.len();
    Ok(Ok(Measured {
        cross_track: flown.spread(all, first.places.iter().map(|n| n.distance)),
        progress: flown.spread(all, first.places.iter().map(|n| n.along)),
        camera_cross_track: camera
            .as_ref()
            .map(|c| Track::new(task.camera).spread(all, c.places.iter().map(|n| n.distance))),
        route: Route {
            file: task.file.name.clone(),
            kind: parsed.kind.to_owned(),
            length: on_map.line.length(),
            waypoints: on_map.waypoints.len() as u64,
            georeference,
            of: of.to_owned(),
            flight: first.flight,
            camera: camera.map(|c| c.flight),
            warnings,
        },
        map,
        notes,
    }))
}

/// The plane that positions on earth are taken in, and its origin; `None` for a route in scene coordinates.
fn base(parsed: &Parsed, settings: &RouteSettings) -> Result<(Option<TangentPlane>, Option<Geodetic>), MetricsError> {
    if parsed.scene {
        return Ok((None, None));
    }
    let first = parsed.line.first().map(|p| Geodetic { lat: p.y, lon: p.x, height: p.height.unwrap_or(0.0) });
    let origin = match settings.origin.as_deref() {
        None => first,
        Some([lat, lon]) => Some(Geodetic { lat: *lat, lon: *lon, height: first.map_or(0.0, |f| f.height) }),
        Some([lat, lon, height]) => Some(Geodetic { lat: *lat, lon: *lon, height: *height }),
        Some(other) => {
            return Err(MetricsError::RouteSettings(format!("origin has {} numbers instead of 2 or 3", other.len())));
        }
    };
    match origin {
        Some(o) if o.lat.abs() <= 90.0 && o.lon.abs() <= 180.0 && o.height.abs() < 1e6 => {
            Ok((Some(TangentPlane::at(o)), Some(o)))
        }
        _ => Err(MetricsError::RouteSettings("origin is no place on earth".to_owned())),
    }
}

fn on_map(parsed: &Parsed, plane: Option<&TangentPlane>, metres_per_unit: f64, notes: &mut Vec<String>) -> OnMap {
    let lay = |raw: &Raw, ground: f64| match plane {
        Some(plane) => plane.local(Geodetic { lat: raw.y, lon: raw.x, height: raw.height.unwrap_or(ground) }),
        None => glam::DVec3::new(raw.x, -raw.y, raw.height.unwrap_or(0.0)) * metres_per_unit,
    };
    let ground = parsed.line.iter().find_map(|p| p.height).unwrap_or(0.0);
    let laid: Vec<_> = parsed.line.iter().map(|raw| lay(raw, ground)).collect();
    let mut line = Line::new(laid.iter().map(|p| p.truncate()).collect());
    let mut heights = parsed.line.iter().all(|p| p.height.is_some()).then(|| laid.iter().map(|p| p.z).collect());
    if line.points.len() > MOST_VERTICES {
        notes.push(format!("the route's {} points were sampled evenly to {MOST_VERTICES}", line.points.len()));
        line = Line::new(line.sampled(line.length() / (MOST_VERTICES - 1) as f64, MOST_VERTICES));
        heights = None;
    }
    let waypoints = parsed.waypoints.iter().map(|raw| (lay(raw, ground).truncate(), raw.name.clone()));
    OnMap { waypoints: waypoints.collect(), line, heights }
}

/// A path in the horizontal plane of the scene, in metres: `(x, −z)`.
struct Track {
    /// Frame of each point.
    frames: Vec<usize>,
    heights: Vec<f64>,
    jumps: Vec<bool>,
    line: Line,
}

impl Track {
    fn new(path: &Path) -> Self {
        let begins = cuts(&path.places);
        let known = || path.places.iter().enumerate().filter_map(|(at, p)| Some((at, (*p)?)));
        let jumps: Vec<bool> = known().map(|(at, _)| begins.get(at).copied().unwrap_or(false)).collect();
        let points: Vec<_> = known().map(|(_, p)| DVec2::new(p.position.x, -p.position.z)).collect();
        Self {
            frames: known().map(|(at, _)| at).collect(),
            heights: known().map(|(_, p)| p.position.y).collect(),
            line: Line::with_jumps(points, jumps.clone()),
            jumps,
        }
    }

    /// Values of the points as a series of all frames.
    fn spread(&self, frames: usize, values: impl Iterator<Item = f64>) -> Vec<Option<f64>> {
        let mut out = vec![None; frames];
        for (at, value) in self.frames.iter().zip(values) {
            if let Some(slot) = out.get_mut(*at) {
                *slot = Some(value);
            }
        }
        out
    }
}

/// The route, the place of the scene on it, and the limits.
struct Against<'a> {
    on_map: &'a OnMap,
    place: Similarity,
    radius: f64,
    rate: f64,
}

struct Outcome {
    flight: Flight,
    places: Vec<line::Nearest>,
    passings: Vec<follow::Passing>,
}

impl Against<'_> {
    fn measure(&self, track: &Track, above_ground: &[Option<f64>]) -> Outcome {
        let route = &self.on_map.line;
        let path: Vec<DVec2> = track.line.points.iter().map(|w| self.place.apply(*w)).collect();
        let places = follow::follow(&path, &track.jumps, route, self.rate);
        let furthest = places.iter().map(|n| n.along).fold(0.0, f64::max);
        let there = places.iter().position(|n| n.along >= furthest - THERE).unwrap_or(0);
        let followed = places.get(..=there).unwrap_or(&places);
        let nearest = followed.iter().map(|n| n.along).fold(f64::INFINITY, f64::min).min(furthest);
        // An empty sum is −0.
        let backward: f64 = followed
            .windows(2)
            .map(|w| if let [a, b] = w { (a.along - b.along).max(0.0) } else { 0.0 })
            .fold(0.0, |sum, back| sum + back);
        let waypoints: Vec<DVec2> = self.on_map.waypoints.iter().map(|(at, _)| *at).collect();
        let passings = follow::passings(&path, &track.jumps, &waypoints, self.radius);
        let passed = passings.iter().filter(|p| !p.passes.is_empty()).count();
        let missed = passings.iter().enumerate().filter(|(_, p)| p.passes.is_empty()).map(|(at, _)| at as u64);

        let frame = |at: usize| track.frames.get(at).copied().unwrap_or(0) as u64;
        let distances = |places: &[line::Nearest]| {
            let values: Vec<_> = places.iter().map(|n| Some(n.distance)).collect();
            let mut found = stat::of(&values).unwrap_or(super::record::Stat {
                mean: 0.0,
                rms: 0.0,
                p95: 0.0,
                peak: 0.0,
                peak_frame: 0,
            });
            found.peak_frame = frame(usize::try_from(found.peak_frame).unwrap_or(0));
            found
        };
        let flown = Line::with_jumps(
            path.get(..=there).unwrap_or(&path).to_vec(),
            track.jumps.get(..=there).unwrap_or(&track.jumps).to_vec(),
        );
        let step = (route.length().max(flown.length()) / (MOST_SAMPLES - 1) as f64).max(0.5);
        let (a, b) = (flown.sampled(step, MOST_SAMPLES), route.sampled(step, MOST_SAMPLES));
        let directed = [distances(followed).peak, directed_hausdorff(&b, &flown)];
        let length = route.length();
        Outcome {
            flight: Flight {
                cross_track: distances(&places),
                cross_track_followed: distances(followed),
                furthest_frame: frame(there),
                flown_share: if length > 0.0 { (furthest - nearest) / length } else { 0.0 },
                monotone: backward < 0.01 * length,
                backward,
                waypoint_radius: self.radius,
                passed: passed as u64,
                passed_share: passed as f64 / waypoints.len().max(1) as f64,
                passed_in_order: follow::in_order(&passings) as u64,
                missed: missed.collect(),
                hausdorff: directed[0].max(directed[1]),
                hausdorff_directed: directed,
                frechet: frechet(&a, &b),
                frechet_step: step,
                above_route: self.above_route(track, followed),
                above_ground: above(above_ground),
            },
            places,
            passings,
        }
    }

    /// Mean height above the route's own heights, and RMS around it.
    fn above_route(&self, track: &Track, places: &[line::Nearest]) -> Option<[f64; 2]> {
        let heights = self.on_map.heights.as_ref()?;
        let route = &self.on_map.line;
        let apart: Vec<f64> = track
            .heights
            .iter()
            .zip(places)
            .filter_map(|(up, place)| {
                let after = route.along.partition_point(|along| *along < place.along).max(1);
                let (a, b) = (route.along.get(after - 1)?, route.along.get(after)?);
                let (from, to) = (heights.get(after - 1)?, heights.get(after)?);
                let share = if b > a { (place.along - a) / (b - a) } else { 0.0 };
                Some(up * self.place.scale - (from + (to - from) * share))
            })
            .collect();
        let mean = stat::range(apart.iter().copied())?.mean;
        let square = apart.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / apart.len() as f64;
        Some([mean, square.sqrt()])
    }
}

fn above(heights: &[Option<f64>]) -> Option<Range> {
    stat::range(heights.iter().flatten().copied())
}

/// Why no place on the map was found for the flight.
fn unfitted(of: &str, flown: &Line, route: &Line, heading: Option<f64>) -> String {
    if flown.length() < 1e-6 {
        return format!("the {of} does not move, so the route can't be fitted to it");
    }
    if route.length() < 1e-6 {
        return "all points of the route are one place, so it can't be fitted to the flight".to_owned();
    }
    let moved = flown.length();
    match heading {
        Some(heading) => format!(
            "the {of} flies {moved:.0} m, but with heading {heading}° and no origin no place was found in which the route \
             lies along it: a heading goes with the origin it is true at (origin = [latitude, longitude, height] in [route], \
             or --origin); without both, the heading is fitted too"
        ),
        None => format!("the {of} flies {moved:.0} m, but no place was found in which the route lies along it"),
    }
}

#[cfg(test)]
mod tests;
