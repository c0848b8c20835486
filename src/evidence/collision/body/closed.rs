//! Whether a surface encloses a space: a tunnel has a rim at either end, a house has none.

use rustc_hash::FxHashMap;

use super::Body;
use crate::evidence::collision::placing::extent;

/// Corners nearer than this part of the size are one: seams, cracks.
const WELD: f32 = 1e-3;
/// A rim of less than this part of a side, of a square of the surface's area, is a crack.
const CRACK: f32 = 0.1;
/// Of more triangles nobody asks.
const MOST: usize = 1 << 20;

impl Body {
    /// Has its surface no rim, but for cracks? Asked of the first instance; larger ones than [`MOST`] triangles have none.
    pub fn is_closed(&self) -> bool {
        *self.closed.get_or_init(|| {
            let Some(now) = self.now.as_ref().filter(|_| self.topology.each <= MOST) else { return true };
            let positions = now.positions.get(..self.topology.vertices).unwrap_or_default();
            is_without_rim(positions, (0..self.topology.each).filter_map(|triangle| self.topology.corners(triangle)))
        })
    }
}

fn is_without_rim(positions: &[[f32; 4]], triangles: impl Iterator<Item = [usize; 3]>) -> bool {
    let (low, high) = extent(positions);
    let cell = (high - low).truncate().max_element() * WELD;
    if !(cell > 0.0 && cell.is_finite()) {
        return true;
    }
    let point = |corner: usize| positions.get(corner).map(|position| glam::Vec3::from_slice(position));
    let weld = |point: glam::Vec3| ((point - low.truncate()) / cell).round().as_ivec3().to_array();
    // How many triangles each edge has, and how long it is, in cells: whole numbers add up alike in any order.
    let mut edges: FxHashMap<[[i32; 3]; 2], (u32, u64)> = FxHashMap::default();
    let mut area = 0.0;
    for corners in triangles {
        let [Some(a), Some(b), Some(c)] = corners.map(point) else { continue };
        area += (b - a).cross(c - a).length() / 2.0;
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let mut ends = [from, to].map(weld);
            ends.sort_unstable();
            if ends[0] != ends[1] {
                edges.entry(ends).or_insert((0, (from.distance(to) / cell) as u64)).0 += 1;
            }
        }
    }
    let rim: u64 = edges.values().filter(|(triangles, _)| *triangles == 1).map(|(_, length)| length).sum();
    (rim as f32) * cell < CRACK * area.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tube of 12 sides along z, from 0 to 40, with or without its ends.
    fn tube(ends: bool) -> bool {
        let ring = |n: usize, z: f32| {
            let (sine, cosine) = (std::f32::consts::TAU * n as f32 / 12.0).sin_cos();
            [1.2 * cosine, 1.2 * sine, z, 1.0]
        };
        // The last side ends where the first begins, but for rounding.
        let mut positions: Vec<[f32; 4]> = (0..=12).flat_map(|n| [ring(n, 0.0), ring(n, 40.0)]).collect();
        let mut triangles: Vec<[usize; 3]> =
            (0..12).flat_map(|n| [[2 * n, 2 * n + 1, 2 * n + 2], [2 * n + 1, 2 * n + 3, 2 * n + 2]]).collect();
        if ends {
            positions.extend([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 40.0, 1.0]]);
            triangles.extend((0..12).flat_map(|n| [[2 * n, 2 * n + 2, 26], [2 * n + 1, 27, 2 * n + 3]]));
        }
        is_without_rim(&positions, triangles.into_iter())
    }

    #[test]
    fn a_tunnel_has_a_rim_and_a_tank_has_none() {
        assert!(!tube(false));
        assert!(tube(true));
    }

    /// Six planes, each a hair off the others.
    #[test]
    fn cracks_are_no_rim() {
        let mut positions = Vec::new();
        for (axis, side) in [(0, -1.0_f32), (0, 1.0), (1, -1.0), (1, 1.0), (2, -1.0), (2, 1.0)] {
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut corner = [0.0, 0.0, 0.0, 1.0];
                (corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (side * 1.0003, u, v);
                positions.push(corner);
            }
        }
        let box_of =
            |planes: usize| (0..planes).flat_map(|p| [[4 * p, 4 * p + 1, 4 * p + 2], [4 * p, 4 * p + 2, 4 * p + 3]]);
        assert!(is_without_rim(&positions, box_of(6)));
        assert!(!is_without_rim(&positions, box_of(5)), "a box without its lid");
    }
}
