//! The map of a flight: route and flown path from above, over the ground where it is known.
//!
//! Seen from above as three.js has it: x to the right, z downwards, y towards the viewer.

mod draw;
mod figure;
mod frame;
pub mod ortho;
mod paint;
mod relief;
mod still;
#[cfg(test)]
mod tests;

pub use super::page::Contact;
pub use figure::{Anchor, Embedded, Figure, Shape};
pub use relief::relief;

/// What lies where, in scene units: `[x, z]`.
#[derive(Clone, Debug)]
pub struct Map {
    /// The camera per frame, where known.
    pub flown: Vec<Option<[f64; 2]>>,
    /// The drone per frame; may be empty.
    pub drone: Vec<Option<[f64; 2]>>,
    /// Heights (y) of the camera and the drone per frame, where known; may be empty.
    pub heights: Vec<Option<f64>>,
    pub drone_heights: Vec<Option<f64>>,
    /// Frames that begin a new shot.
    pub cuts: Vec<u64>,
    /// Per frame; may be empty.
    pub contacts: Vec<Contact>,
    /// Empty without one.
    pub route: Vec<[f64; 2]>,
    pub waypoints: Vec<Waypoint>,
    pub metres_per_unit: f64,
    /// Is `metres_per_unit` known? Else the scale bar counts units.
    pub metric: bool,
    /// Radians clockwise from −z to north, where the scene lies on the globe.
    pub north: Option<f64>,
    pub ground: Option<Ground>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    pub at: [f64; 2],
    /// `None`: not known.
    pub passed: Option<bool>,
}

/// The scene from above.
#[derive(Clone, Debug)]
pub struct Ground {
    pub picture: Embedded,
    /// Least x and z, greatest x and z of the picture.
    pub bounds: [f64; 4],
}

/// What the page moves over the map: the camera in the frame shown.
pub const HERE: &str = "\n<g id=\"map-here\" visibility=\"hidden\"><circle r=\"13\" fill=\"#ffffff\" fill-opacity=\".55\"/><circle r=\"7\" fill=\"#1b1d21\" stroke=\"#ffffff\" stroke-width=\"2.5\"/></g>";
