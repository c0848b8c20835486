//! Are the drone and the people seen, or does something stand in front of them?
//!
//! Of the drone's own surfaces, as the picture's camera had them drawn, corners are taken, and a ray goes from the camera
//! to each. What counts as in the way is solid, drawn from the side the ray meets, and lets nothing through: no glass,
//! and nothing that is harmless by its name. Leaves cut out of cards hide as whole cards. To a person go four rays, which end
//! before its own surfaces.

use glam::DVec3;

use super::body::Body;
use super::view::View;
use super::world::World;
use crate::evidence::people::Person;

/// Corners that are looked at, and of these the rays, at most.
const CORNERS: usize = 512;
const RAYS: usize = 32;
/// A ray ends so far short of its corner: the surface that the drone stands on is not in front of it.
const SHORT: f64 = 1e-3;

/// People that are looked at, at most: as many as tell the share of a crowd to a few hundredths.
const PEOPLE: usize = 256;
/// Along a person's height, in parts of its radius: the top of the head (all that shows of most in a crowd), chest, middle, legs.
const HEIGHTS: [f64; 4] = [0.85, 0.4, 0.0, -0.6];
/// Of a person whose size nobody knows, metres.
const RADIUS: f64 = 0.9;

/// Share of the people, all inside the picture, of whom a part is seen; `None` without people. Lengths in scene units,
/// places from the world's origin.
pub fn unhidden(world: &World, view: &View, people: &[Person], up: DVec3, metres_per_unit: f64) -> Option<f64> {
    let step = people.len().div_ceil(PEOPLE).max(1);
    let (mut all, mut seen) = (0_u32, 0_u32);
    for person in people.iter().step_by(step) {
        let radius = person.radius.unwrap_or(RADIUS / metres_per_unit);
        let is_seen = |height: &f64| {
            let at = person.at + up * (height * radius);
            let from = view.foremost(at);
            let way = at - from;
            let limit = 1.0 - radius / way.length().max(1e-9);
            limit <= 0.0 || !world.hides(from, way, limit)
        };
        all += 1;
        seen += u32::from(HEIGHTS.iter().any(is_seen));
    }
    (all > 0).then(|| f64::from(seen) / f64::from(all))
}

/// Share of the drone's surface inside the picture that nothing hides; 0 if none of it was drawn for this camera, or it lies
/// outside the picture. `None` if it is drawn with lines or points alone, which are not looked at.
pub fn visible(world: &World, view: &View, frame: u64) -> Option<f64> {
    let corners: usize = world.drone(frame).map(Body::point_count).sum();
    if corners == 0 {
        return if world.drone_has_no_surface() { None } else { Some(0.0) };
    }
    let step = corners.div_ceil(CORNERS).max(1);
    let inside: Vec<DVec3> = world
        .drone(frame)
        .flat_map(Body::points)
        .step_by(step)
        .map(|corner| corner.as_dvec3())
        .filter(|corner| view.shows(*corner))
        .collect();
    let step = inside.len().div_ceil(RAYS).max(1);
    let (mut all, mut seen) = (0_u32, 0_u32);
    for corner in inside.iter().step_by(step) {
        let from = view.foremost(*corner);
        all += 1;
        seen += u32::from(!world.hides(from, *corner - from, 1.0 - SHORT));
    }
    Some(if all == 0 { 0.0 } else { f64::from(seen) / f64::from(all) })
}
