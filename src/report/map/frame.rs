//! Which part of the ground the map shows, and how large.

use super::Map;

/// Ground to paper: x right, z down, one scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// Ground at the upper left corner.
    pub origin: [f64; 2],
    /// Pixels a scene unit.
    pub scale: f64,
    pub width: u32,
    pub height: u32,
}

/// Largest and least sides.
const MOST: [f64; 2] = [1180.0, 1000.0];
const LEAST: [f64; 2] = [640.0, 480.0];
/// Share of the extent left free on each side.
const MARGIN: f64 = 0.08;

impl Frame {
    /// Around the flight and the route; `None` when neither is there.
    pub fn around(map: &Map) -> Option<Self> {
        let points =
            map.flown.iter().chain(&map.drone).flatten().chain(&map.route).chain(map.waypoints.iter().map(|w| &w.at));
        let mut points = points.filter(|p| p.iter().all(|v| v.is_finite()));
        let first = *points.next()?;
        let (mut low, mut high) = (first, first);
        for point in points {
            for axis in [0, 1] {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        // A flight that stays in one place still shows some ground.
        let least = 10.0 / map.metres_per_unit;
        let center = [0, 1].map(|axis| (low[axis] + high[axis]) / 2.0);
        let extent = [0, 1].map(|axis| (high[axis] - low[axis]).max(least) * (1.0 + 2.0 * MARGIN));
        let scale = (MOST[0] / extent[0]).min(MOST[1] / extent[1]);
        let [width, height] = [0, 1].map(|axis| (extent[axis] * scale).round().clamp(LEAST[axis], MOST[axis]));
        let origin = [center[0] - width / scale / 2.0, center[1] - height / scale / 2.0];
        Some(Self { origin, scale, width: width as u32, height: height as u32 })
    }

    pub fn place(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        [(x - self.origin[0]) * self.scale, (z - self.origin[1]) * self.scale]
    }
}
