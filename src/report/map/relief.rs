//! The ground as a shaded relief: how high everything is, lit from the upper left.

use crate::evidence::topdown::HeightMap;

/// Where nothing solid is.
const NOTHING: [f64; 3] = [226.0, 232.0, 234.0];
/// From the lowest to the highest: pale, so that lines stand out.
const TINTS: [[f64; 3]; 4] =
    [[240.0, 236.0, 226.0], [224.0, 214.0, 196.0], [207.0, 186.0, 161.0], [190.0, 155.0, 130.0]];
/// Cells that a shadow may reach.
const SHADOW: i64 = 24;

/// RGBA8, a pixel a cell, row by row.
pub fn relief(map: &HeightMap) -> Vec<u8> {
    let (low, high) = usual_range(map);
    let mut rgba = Vec::with_capacity(map.heights.len() * 4);
    for row in 0..map.height as i64 {
        for column in 0..map.width as i64 {
            let color = match cell(map, column, row) {
                None => NOTHING,
                Some(y) => {
                    let light = light(map, column, row, y);
                    lit(tint((f64::from(y) - low) / (high - low)), light)
                }
            };
            rgba.extend(color.map(|c| c.round().clamp(0.0, 255.0) as u8));
            rgba.push(255);
        }
    }
    rgba
}

/// Above 1 the colour goes towards white: channels that end at 255 one before the other would change the hue.
fn lit(color: [f64; 3], light: f64) -> [f64; 3] {
    color.map(|c| if light > 1.0 { c + (255.0 - c) * (light - 1.0) * 3.0 } else { c * light })
}

fn cell(map: &HeightMap, column: i64, row: i64) -> Option<f32> {
    let inside = (0..map.width as i64).contains(&column) && (0..map.height as i64).contains(&row);
    let at = inside.then(|| row as usize * map.width + column as usize)?;
    map.heights.get(at).copied().filter(|y| y.is_finite())
}

/// The heights between which nearly everything lies; a spire does not make all else flat, nor the last digit of a height flat
/// ground hilly.
fn usual_range(map: &HeightMap) -> (f64, f64) {
    let mut heights: Vec<f32> = map.heights.iter().copied().filter(|y| y.is_finite()).collect();
    heights.sort_by(f32::total_cmp);
    let at = |share: f64| heights.get((heights.len() as f64 * share) as usize).copied().map_or(0.0, f64::from);
    let (low, high) = (at(0.01), at(0.98));
    (low, high.max(low + map.cell))
}

fn tint(share: f64) -> [f64; 3] {
    let at = share.clamp(0.0, 1.0) * (TINTS.len() - 1) as f64;
    let below = (at as usize).min(TINTS.len() - 2);
    let part = at - below as f64;
    let (a, b) = (TINTS.get(below).copied().unwrap_or(NOTHING), TINTS.get(below + 1).copied().unwrap_or(NOTHING));
    [0, 1, 2].map(|c| a[c] + (b[c] - a[c]) * part)
}

/// How bright a cell is: by its slope towards the light at the upper left, half as high as far, and whether something
/// stands between.
fn light(map: &HeightMap, column: i64, row: i64, y: f32) -> f64 {
    let at = |dx: i64, dz: i64| f64::from(cell(map, column + dx, row + dz).unwrap_or(y));
    let rise = |a: f64, b: f64| (a - b) / (2.0 * map.cell);
    let (gx, gz) = (rise(at(1, 0), at(-1, 0)), rise(at(0, 1), at(0, -1)));
    let length = (gx * gx + gz * gz + 1.0).sqrt();
    // The light comes from −x, −z at 45°.
    let facing = (gx * 0.5 + gz * 0.5 + std::f64::consts::FRAC_1_SQRT_2) / length;
    let shadowed = (1..=SHADOW).any(|step| {
        let up = step as f64 * map.cell * std::f64::consts::SQRT_2;
        cell(map, column - step, row - step).is_some_and(|other| f64::from(other - y) > up)
    });
    let lit = 0.62 + 0.54 * facing.clamp(0.0, 1.0);
    if shadowed { lit.min(1.0) * 0.8 } else { lit }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40×40 cells of flat ground with a block 10 high on it.
    fn block() -> HeightMap {
        let mut heights = vec![0.0; 1600];
        for row in 15..25 {
            heights[row * 40 + 15..row * 40 + 25].fill(10.0);
        }
        heights[3] = f32::NAN;
        HeightMap { width: 40, height: 40, cell: 1.0, origin: [0.0, 0.0], heights }
    }

    #[test]
    fn a_block_is_darker_on_its_far_side_and_throws_a_shadow() {
        let picture = relief(&block());
        let at = |x: usize, y: usize| i32::from(picture[(y * 40 + x) * 4]);
        let ground = at(2, 30);
        assert_eq!(picture.len(), 6400);
        // The rim towards the light is bright, the one away from it dark.
        assert!(at(15, 20) > at(24, 20) + 40, "{} {}", at(15, 20), at(24, 20));
        assert!(at(27, 27) < ground - 20, "in the shadow {} of {ground}", at(27, 27));
        assert_eq!(at(10, 10), ground);
        assert_eq!(at(3, 0), 226);
    }

    #[test]
    fn a_slope_in_the_light_keeps_its_hue() {
        // Red over green over blue, and as far apart as paper gets on the way to white.
        for tint in TINTS {
            let [r, g, b] = lit(tint, 1.16);
            assert!(r < 255.0 && r > tint[0] && r - g < tint[0] - tint[1] && g - b < tint[1] - tint[2], "{r} {g} {b}");
            assert!((((r - g) / (g - b)) - ((tint[0] - tint[1]) / (tint[1] - tint[2]))).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_flat_but_for_rounding_has_one_colour() {
        // A plane at 0 through float32 matrices: some 1e-7 up and down.
        let heights = (0..1600_u32).map(|n| (n % 7) as f32 * 4e-8 - 1.2e-7).collect();
        let picture = relief(&HeightMap { heights, ..block() });
        assert!(picture.chunks(4).all(|p| p == &picture[..4]));
    }

    #[test]
    fn flat_and_empty_ground_is_no_trouble() {
        let flat = HeightMap { width: 2, height: 1, cell: 0.5, origin: [0.0; 2], heights: vec![5.0, f32::NAN] };
        assert_eq!(relief(&flat).len(), 8);
        let empty = HeightMap { width: 0, height: 0, cell: 0.5, origin: [0.0; 2], heights: Vec::new() };
        assert!(relief(&empty).is_empty());
    }
}
