//! The ground in its own colours: every place as the film shows it from where it is seen best.
//!
//! A place of the height map is looked up in frames whose camera is known. What stands between is told by the heights;
//! what moves through the picture (people, the drone) is told by the others: of the best views the middle value counts.

use glam::{DMat4, DVec3, DVec4};

use crate::evidence::topdown::HeightMap;
use crate::verify::Picture;

/// Views kept of each place.
const KEPT: usize = 5;
/// Share of the picture's border that is not looked at: vignettes, letter boxes, titles.
const BORDER: f64 = 0.02;
/// Sine of the least angle between the ground and the look at it. Flatter looks see haze, and what stands a little off from
/// where the heights have it, drawn out far over the ground.
const FLATTEST: f64 = 0.17;
/// Steps of the look from a place to the camera.
const STEPS: f64 = 160.0;

/// A frame and the camera behind it.
#[derive(Debug)]
pub struct View<'a> {
    /// World to camera, and projection; column-major.
    pub view: [f64; 16],
    pub projection: [f64; 16],
    pub eye: [f64; 3],
    pub picture: &'a Picture,
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    /// Ground a pixel covers, in some measure; smaller is better.
    cost: f32,
    rgb: [u8; 3],
}

/// Colours of a height map, gathered view by view.
#[derive(Debug)]
pub struct Ortho<'a> {
    map: &'a HeightMap,
    samples: Vec<[Option<Sample>; KEPT]>,
    /// Height difference that hides nothing.
    slack: f64,
}

impl<'a> Ortho<'a> {
    /// `metre` in scene units.
    pub fn new(map: &'a HeightMap, metre: f64) -> Self {
        Self { map, samples: vec![[None; KEPT]; map.heights.len()], slack: 0.4 * metre + 0.5 * map.cell }
    }

    pub fn add(&mut self, view: &View) {
        let matrix = DMat4::from_cols_array(&view.projection) * DMat4::from_cols_array(&view.view);
        let eye = DVec3::from_array(view.eye);
        if !(matrix.is_finite() && eye.is_finite()) || view.picture.rgba.is_empty() {
            return;
        }
        let map = self.map;
        for (at, (&y, kept)) in map.heights.iter().zip(&mut self.samples).enumerate() {
            if !y.is_finite() {
                continue;
            }
            let (column, row) = (at % map.width.max(1), at / map.width.max(1));
            let x = map.origin[0] + (column as f64 + 0.5) * map.cell;
            let z = map.origin[1] + (row as f64 + 0.5) * map.cell;
            let place = DVec3::new(x, f64::from(y), z);
            let Some(rgb) = look_up(matrix, place, view.picture) else { continue };
            let way = eye - place;
            let distance = way.length();
            // Seen flat, a pixel covers more of the ground. From below, nothing of it is seen.
            let slant = way.y / distance.max(1e-9);
            if slant < FLATTEST {
                continue;
            }
            let cost = (distance * distance / slant) as f32;
            let better = kept.last().is_some_and(|last| last.is_none_or(|last| cost < last.cost));
            if better && !hidden(map, place, way, self.slack) {
                let place = kept.iter().position(|k| k.is_none_or(|k| cost < k.cost)).unwrap_or(0);
                if let Some(tail) = kept.get_mut(place..) {
                    tail.rotate_right(1);
                    if let Some(first) = tail.first_mut() {
                        *first = Some(Sample { cost, rgb });
                    }
                }
            }
        }
    }

    /// RGBA8: `base` in the film's tints, and as it is where nothing was seen.
    pub fn finish(self, base: &[u8]) -> Vec<u8> {
        let mut out = base.to_vec();
        for (pixel, kept) in out.chunks_exact_mut(4).zip(&self.samples) {
            let seen: Vec<[u8; 3]> = kept.iter().flatten().map(|sample| sample.rgb).collect();
            if seen.is_empty() {
                continue;
            }
            for (channel, value) in pixel.iter_mut().take(3).enumerate() {
                let mut values: Vec<u8> = seen.iter().filter_map(|rgb| rgb.get(channel).copied()).collect();
                values.sort_unstable();
                let middle = values.get(values.len() / 2).copied().unwrap_or(*value);
                // The relief carries the shapes and lies under the lines: the film only tints it.
                *value = ((u16::from(middle) * 2 + u16::from(*value) * 3) / 5) as u8;
            }
        }
        out
    }
}

fn look_up(matrix: DMat4, place: DVec3, picture: &Picture) -> Option<[u8; 3]> {
    let clip: DVec4 = matrix * place.extend(1.0);
    if clip.w <= 0.0 {
        return None;
    }
    let (x, y) = (clip.x / clip.w, clip.y / clip.w);
    let inside = 1.0 - 2.0 * BORDER;
    if !(x.abs() < inside && y.abs() < inside) {
        return None;
    }
    let column = ((x + 1.0) / 2.0 * f64::from(picture.width)) as usize;
    let row = ((1.0 - y) / 2.0 * f64::from(picture.height)) as usize;
    let at = (row * picture.width as usize + column) * 4;
    picture.rgba.get(at..at + 3)?.try_into().ok()
}

/// Does the ground stand between `place` and what lies `way` from it?
fn hidden(map: &HeightMap, place: DVec3, way: DVec3, slack: f64) -> bool {
    let across = (way.x * way.x + way.z * way.z).sqrt();
    let step = map.cell.max(across / STEPS);
    let count = (across / step) as u32;
    (1..count).any(|k| {
        let at = place + way * (f64::from(k) * step / across);
        map.at(at.x, at.z).is_some_and(|y| f64::from(y) > at.y + slack)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EYE: [f64; 3] = [0.0, 10.0, 0.0];

    /// Looks straight down from 10 above the origin; a square of 20 × 20 fills the picture. −z is up.
    fn down(picture: &Picture) -> View<'_> {
        // Columns for x, y, z and the place: right is x, up is −z, back is y.
        let view = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, -10.0, 1.0]];
        View { view: columns(view), projection: columns(PROJECTION), eye: EYE, picture }
    }

    /// 90° wide and high, from 0.1 to 100.
    const PROJECTION: [[f64; 4]; 4] =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -100.1 / 99.9, -1.0], [0.0, 0.0, -20.0 / 99.9, 0.0]];

    fn columns(matrix: [[f64; 4]; 4]) -> [f64; 16] {
        matrix.concat().try_into().unwrap()
    }

    fn ground() -> HeightMap {
        HeightMap { width: 16, height: 16, cell: 1.0, origin: [-8.0, -8.0], heights: vec![0.0; 256] }
    }

    /// Red on the left, blue on the right; green at the top.
    fn quarters() -> Picture {
        let mut rgba = Vec::new();
        for y in 0..20 {
            for x in 0..20 {
                let side = if x < 10 { [200, 0, 0, 255] } else { [0, 0, 200, 255] };
                rgba.extend(if y < 5 { [0, 200, 0, 255] } else { side });
            }
        }
        Picture { width: 20, height: 20, rgba }
    }

    fn pixel(rgba: &[u8], column: usize, row: usize) -> [u8; 3] {
        rgba[(row * 16 + column) * 4..][..3].try_into().unwrap()
    }

    #[test]
    fn places_get_the_colour_that_the_film_shows_there() {
        let (map, picture) = (ground(), quarters());
        let mut ortho = Ortho::new(&map, 1.0);
        ortho.add(&down(&picture));
        let out = ortho.finish(&[9; 1024]);
        // Two fifths of 200 and three of the base; the map's x is right and its −z up.
        assert_eq!(pixel(&out, 2, 12), [85, 5, 5]);
        assert_eq!(pixel(&out, 13, 12), [5, 5, 85]);
        assert_eq!(pixel(&out, 13, 1), [5, 85, 5]);
    }

    #[test]
    fn what_is_hidden_or_out_of_the_picture_keeps_the_base() {
        let (mut map, picture) = (ground(), quarters());
        // A wall at x = 4 … 5, 9.8 high: behind it the ground is out of sight.
        for row in 0..16 {
            map.heights[row * 16 + 12] = 9.8;
        }
        map.heights[0] = f32::NAN;
        let mut ortho = Ortho::new(&map, 1.0);
        ortho.add(&down(&picture));
        let out = ortho.finish(&[9; 1024]);
        assert_eq!(pixel(&out, 14, 8), [9; 3]);
        assert_eq!(pixel(&out, 10, 8), [5, 5, 85]);
        assert_eq!(pixel(&out, 0, 0), [9; 3]);
    }

    #[test]
    fn what_only_one_view_shows_does_not_count() {
        let (map, plain) = (ground(), Picture { width: 1, height: 1, rgba: vec![100, 100, 100, 255] });
        let passer = Picture { width: 1, height: 1, rgba: vec![255, 0, 0, 255] };
        let mut ortho = Ortho::new(&map, 1.0);
        for picture in [&plain, &passer, &plain] {
            ortho.add(&down(picture));
        }
        assert_eq!(pixel(&ortho.finish(&[9; 1024]), 8, 8), [45; 3]);
    }

    #[test]
    fn odd_cameras_show_nothing() {
        let (map, picture) = (ground(), quarters());
        let mut ortho = Ortho::new(&map, 1.0);
        ortho.add(&View { projection: [f64::NAN; 16], ..down(&picture) });
        ortho.add(&View { view: [0.0; 16], ..down(&picture) });
        // From below, upwards.
        let view = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -10.0, 1.0]];
        ortho.add(&View { view: columns(view), eye: [0.0, -10.0, 0.0], ..down(&picture) });
        assert_eq!(ortho.finish(&[9; 1024]), vec![9; 1024]);
    }
}
