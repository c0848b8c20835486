//! The ground from above: the highest solid surface at every place around the flight, gathered from what was drawn: where
//! it covers a cell's centre, and, of triangles thinner than a cell (walls, fences, whatever stands upright), in every cell
//! that an edge of theirs passes through.
//!
//! In: triangles of the scene in world space and where the camera is. Out: a [`HeightMap`] around the path. Memory is
//! bounded: where the flight is long, cells become coarser. The program draws nothing for it and cannot notice it.

use std::collections::BTreeMap;

/// Cells along a tile.
const TILE: i32 = 64;
/// Most tiles: 64 MiB of heights.
const MOST_TILES: usize = 4096;
/// Metres of a cell to begin with.
const CELL: f64 = 0.5;
/// Metres around the camera in which surfaces are known.
const REACH: f64 = 300.0;
/// Metres beyond those in which they are taken, so that the camera may go as far until they are taken again.
const AHEAD: f64 = 50.0;
/// Cells along a side of the map.
const MOST_SIDE: usize = 1600;
/// Metres around the path that the map shows at least, and as a share of the path's extent.
const MARGIN: (f64, f64) = (25.0, 0.15);

/// Heights on a grid. Lengths in scene units.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    /// Cells along x and z.
    pub width: usize,
    pub height: usize,
    /// Side of a cell.
    pub cell: f64,
    /// x and z of the first cell's outer corner.
    pub origin: [f64; 2],
    /// Row by row, z rising; not a number where nothing solid is.
    pub heights: Vec<f32>,
}

/// How much of a thing that stands still has been taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mapped {
    No,
    /// What lies around a camera at this x and z.
    Around([f64; 2]),
    All,
}

/// Gathers surfaces over a render.
#[derive(Debug)]
pub struct TopDown {
    cell: f64,
    reach: f64,
    ahead: f64,
    margin: f64,
    /// Heights by tile.
    tiles: Vec<Vec<f32>>,
    places: BTreeMap<(i32, i32), usize>,
    /// The tile asked for last: neighbours in a draw are neighbours in space nearly always.
    recent: Option<((i32, i32), usize)>,
    /// Least and greatest x and z of the camera.
    path: Option<[f64; 4]>,
}

impl TopDown {
    pub fn new(metres_per_unit: f64) -> Self {
        let units = 1.0 / metres_per_unit;
        Self {
            cell: CELL * units,
            reach: (REACH + AHEAD) * units,
            ahead: AHEAD * units,
            margin: MARGIN.0 * units,
            tiles: Vec::new(),
            places: BTreeMap::new(),
            recent: None,
            path: None,
        }
    }

    /// The camera is here.
    pub fn pass(&mut self, [x, z]: [f64; 2]) {
        if x.is_finite() && z.is_finite() {
            let [x0, z0, x1, z1] = self.path.unwrap_or([x, z, x, z]);
            self.path = Some([x0.min(x), z0.min(z), x1.max(x), z1.max(z)]);
        }
    }

    /// Was all that lies around a camera at `eye` taken before?
    pub fn knows(&self, mapped: Mapped, eye: [f64; 2]) -> bool {
        match mapped {
            Mapped::No => false,
            Mapped::Around(before) => within(before, eye, self.ahead),
            Mapped::All => true,
        }
    }

    /// How much is taken, for a camera at `eye`, of what lies between two places.
    pub fn taken(&self, corners: [[f64; 2]; 2], eye: [f64; 2]) -> Mapped {
        let all = corners.iter().all(|corner| within(*corner, eye, self.reach));
        if all { Mapped::All } else { Mapped::Around(eye) }
    }

    /// Takes a triangle, x, y, z a corner, as far as it lies around `eye`.
    pub fn add(&mut self, corners: [[f64; 3]; 3], eye: [f64; 2]) {
        let [a, b, c] = corners;
        if !corners.iter().flatten().chain(&eye).all(|v| v.is_finite()) {
            return;
        }
        let area = (b[0] - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (b[2] - a[2]);
        if self.add_small(corners, area, eye) {
            return;
        }
        let long = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]).powi(2) + (q[2] - p[2]).powi(2);
        let longest = long(a, b).max(long(b, c)).max(long(c, a));
        if area * area < longest * self.cell * self.cell {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                self.add_edge(from, to, eye);
            }
        }
        if area == 0.0 {
            return self.keep_small();
        }
        let range = |axis: usize, eye: f64| {
            let low = a[axis].min(b[axis]).min(c[axis]).max(eye - self.reach);
            let high = a[axis].max(b[axis]).max(c[axis]).min(eye + self.reach);
            // Cells whose centre lies between.
            let cells = [(low / self.cell - 0.5).ceil(), (high / self.cell - 0.5).floor()];
            cells.iter().all(|v| v.abs() < 1e9).then_some((cells[0] as i32, cells[1] as i32))
        };
        let (Some(columns), Some(rows)) = (range(0, eye[0]), range(2, eye[1])) else { return };
        for row in rows.0..=rows.1 {
            let z = (f64::from(row) + 0.5) * self.cell;
            let mut first = columns.0;
            while first <= columns.1 {
                let last = (first.div_euclid(TILE) * TILE + TILE - 1).min(columns.1);
                let mut tile = None;
                for column in first..=last {
                    let x = (f64::from(column) + 0.5) * self.cell;
                    let u = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area;
                    let v = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
                    if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
                        let y = a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]);
                        let (key, at) = place(column, row);
                        let tile = *tile.get_or_insert_with(|| self.tile_or_new(key));
                        self.raise_in(tile, at, y as f32);
                    }
                }
                first = last + 1;
            }
        }
        self.keep_small();
    }

    /// Takes a triangle of a cell's size if there is nothing higher to it than is known, or all of it lies in one cell. The
    /// same as [`Self::add`] would find, for scenes of millions of triangles.
    fn add_small(&mut self, corners: [[f64; 3]; 3], area: f64, eye: [f64; 2]) -> bool {
        let [a, b, c] = corners;
        let span = |axis: usize, eye: f64| {
            let (low, high) = (a[axis].min(b[axis]).min(c[axis]), a[axis].max(b[axis]).max(c[axis]));
            let cells = [(low / self.cell).floor(), (high / self.cell).floor()];
            let near = low >= eye - self.reach && high <= eye + self.reach;
            (near && cells[1] - cells[0] <= 1.0 && cells.iter().all(|v| v.abs() < 1e9))
                .then_some((cells[0] as i32, cells[1] as i32))
        };
        let (Some(columns), Some(rows)) = (span(0, eye[0]), span(2, eye[1])) else { return false };
        let top = a[1].max(b[1]).max(c[1]) as f32;
        let mut known = true;
        for row in rows.0..=rows.1 {
            for column in columns.0..=columns.1 {
                known &= self.height(column, row).is_some_and(|height| height >= top);
            }
        }
        if known || columns.0 != columns.1 || rows.0 != rows.1 {
            return known;
        }
        let centre = [columns.0, rows.0].map(|cell| (f64::from(cell) + 0.5) * self.cell);
        let [x, z] = centre;
        let mut highest = f64::NEG_INFINITY;
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
            let squared = way[0] * way[0] + way[2] * way[2];
            let along = ((x - from[0]) * way[0] + (z - from[2]) * way[2]) / squared;
            let y = if squared > 0.0 { from[1] + way[1] * along.clamp(0.0, 1.0) } else { from[1].max(to[1]) };
            highest = highest.max(y);
        }
        let u = ((x - a[0]) * (c[2] - a[2]) - (c[0] - a[0]) * (z - a[2])) / area;
        let v = ((b[0] - a[0]) * (z - a[2]) - (x - a[0]) * (b[2] - a[2])) / area;
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
            highest = highest.max(a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]));
        }
        self.raise(columns.0, rows.0, highest as f32);
        self.keep_small();
        true
    }

    /// Takes a line: of each cell that it passes through, its place nearest to the centre.
    fn add_edge(&mut self, from: [f64; 3], to: [f64; 3], eye: [f64; 2]) {
        let plan = |p: [f64; 3]| [p[0] / self.cell, p[2] / self.cell];
        let (start, end) = (plan(from), plan(to));
        let way = [end[0] - start[0], end[1] - start[1]];
        // The part around the eye, by Liang and Barsky.
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for axis in [0, 1] {
            let (low, high) = ((eye[axis] - self.reach) / self.cell, (eye[axis] + self.reach) / self.cell);
            if way[axis] == 0.0 {
                if start[axis] < low || start[axis] > high {
                    return;
                }
                continue;
            }
            let (t, u) = ((low - start[axis]) / way[axis], (high - start[axis]) / way[axis]);
            (first, last) = (first.max(t.min(u)), last.min(t.max(u)));
        }
        let place = |t: f64, axis: usize| start[axis] + way[axis] * t;
        if first > last
            || ![0, 1].into_iter().all(|axis| place(first, axis).abs() < 1e9 && place(last, axis).abs() < 1e9)
        {
            return;
        }
        // From cell to cell, by Amanatides and Woo.
        let mut cell = [0, 1].map(|axis| place(first, axis).floor() as i32);
        let goal = [0, 1].map(|axis| place(last, axis).floor() as i32);
        let steps = (0..2).map(|axis: usize| cell[axis].abs_diff(goal[axis]) as usize).sum::<usize>();
        let squared = way[0] * way[0] + way[1] * way[1];
        let mut entered = first;
        for _ in 0..=steps {
            let leaves = |axis: usize| {
                let border = if way[axis] > 0.0 { f64::from(cell[axis]) + 1.0 } else { f64::from(cell[axis]) };
                if way[axis] == 0.0 { f64::INFINITY } else { (border - start[axis]) / way[axis] }
            };
            let (x, z) = (leaves(0), leaves(1));
            let left = x.min(z).clamp(entered, last);
            let centre = [0, 1].map(|axis| f64::from(cell[axis]) + 0.5 - start[axis]);
            let nearest = if squared > 0.0 { (centre[0] * way[0] + centre[1] * way[1]) / squared } else { first };
            // A line that stands upright passes its cell at its top.
            let t = nearest.clamp(entered, left);
            let y = if squared > 0.0 { from[1] + (to[1] - from[1]) * t } else { from[1].max(to[1]) };
            self.raise(cell[0], cell[1], y as f32);
            entered = left;
            let axis = usize::from(z < x);
            cell[axis] += if way[axis] > 0.0 { 1 } else { -1 };
        }
    }

    fn keep_small(&mut self) {
        while self.tiles.len() > MOST_TILES {
            self.coarsen();
        }
    }

    fn raise(&mut self, column: i32, row: i32, y: f32) {
        let (key, at) = place(column, row);
        let tile = self.tile_or_new(key);
        self.raise_in(tile, at, y);
    }

    fn tile_or_new(&mut self, key: (i32, i32)) -> usize {
        let tile = self.tile(key).unwrap_or_else(|| {
            self.tiles.push(vec![f32::NAN; (TILE * TILE) as usize]);
            self.places.insert(key, self.tiles.len() - 1);
            self.tiles.len() - 1
        });
        self.recent = Some((key, tile));
        tile
    }

    fn raise_in(&mut self, tile: usize, at: usize, y: f32) {
        if let Some(height) = self.tiles.get_mut(tile).and_then(|tile| tile.get_mut(at)) {
            *height = height.max(y);
        }
    }

    fn tile(&self, key: (i32, i32)) -> Option<usize> {
        self.recent.filter(|(last, _)| *last == key).map(|(_, tile)| tile).or_else(|| self.places.get(&key).copied())
    }

    /// What is known of a cell; not a number where its tile is, and nothing else.
    fn height(&self, column: i32, row: i32) -> Option<f32> {
        let (key, at) = place(column, row);
        self.tiles.get(self.tile(key)?)?.get(at).copied()
    }

    /// Cells twice as large, each as high as the highest of four.
    fn coarsen(&mut self) {
        self.cell *= 2.0;
        self.recent = None;
        let mut tiles = std::mem::take(&mut self.tiles);
        for ((x, z), tile) in std::mem::take(&mut self.places) {
            let tile = tiles.get_mut(tile).map(std::mem::take).unwrap_or_default();
            for (at, y) in (0..).zip(tile) {
                if !y.is_nan() {
                    let (column, row) = (x * TILE + at % TILE, z * TILE + at / TILE);
                    self.raise(column.div_euclid(2), row.div_euclid(2), y);
                }
            }
        }
    }

    /// The map around the path; `origin` is added to all places. `None` if there was no camera or no surface.
    pub fn finish(mut self, origin: [f64; 3]) -> Option<HeightMap> {
        let [x0, z0, x1, z1] = self.path?;
        let margin = self.margin.max((x1 - x0).max(z1 - z0) * MARGIN.1);
        loop {
            let cells = |low: f64, high: f64| {
                let (low, high) = (((low - margin) / self.cell).floor(), ((high + margin) / self.cell).ceil());
                (low as i32, (high - low).max(1.0) as usize)
            };
            let ((left, width), (top, height)) = (cells(x0, x1), cells(z0, z1));
            if width.max(height) > MOST_SIDE {
                self.coarsen();
                continue;
            }
            let mut heights = Vec::with_capacity(width * height);
            for row in (top..).take(height) {
                for column in (left..).take(width) {
                    let y = self.height(column, row).unwrap_or(f32::NAN);
                    heights.push((f64::from(y) + origin[1]) as f32);
                }
            }
            let corner = [f64::from(left) * self.cell + origin[0], f64::from(top) * self.cell + origin[2]];
            let any = heights.iter().any(|y| !y.is_nan());
            return any.then_some(HeightMap { width, height, cell: self.cell, origin: corner, heights });
        }
    }
}

fn within(place: [f64; 2], eye: [f64; 2], distance: f64) -> bool {
    place.iter().zip(&eye).all(|(place, eye)| (place - eye).abs() <= distance)
}

/// A cell's tile, and its place in it.
fn place(column: i32, row: i32) -> ((i32, i32), usize) {
    let at = row.rem_euclid(TILE) * TILE + column.rem_euclid(TILE);
    ((column.div_euclid(TILE), row.div_euclid(TILE)), at as usize)
}

/// The JSON schema of [`About`], draft 2020-12.
pub const SCHEMA: &str = include_str!("schema/topdown.schema.json");

/// Of `topdown.json`, which says what `topdown.png` shows.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct About {
    /// Version of this format.
    pub format: u32,
    /// Least x and z, greatest x and z of the picture, scene units.
    pub bounds: [f64; 4],
    /// Side of a pixel, scene units.
    pub cell: f64,
    /// Heights of the values 1 and 65535, scene units; 0 is where nothing solid is.
    pub heights: [f64; 2],
}

impl HeightMap {
    /// A grey PNG of 16 bits and what it shows.
    ///
    /// # Errors
    /// It could not be coded.
    pub fn to_png(&self) -> Result<(Vec<u8>, About), image::ImageError> {
        let known = || self.heights.iter().copied().filter(|y| y.is_finite());
        let (low, high) = (known().fold(f32::INFINITY, f32::min), known().fold(f32::NEG_INFINITY, f32::max));
        let (low, high) = if low <= high { (f64::from(low), f64::from(high)) } else { (0.0, 0.0) };
        let span = if high > low { high - low } else { 1.0 };
        let value = |y: f32| if y.is_finite() { 1.0 + (f64::from(y) - low) / span * 65_534.0 } else { 0.0 };
        let values: Vec<u16> = self.heights.iter().map(|y| value(*y).round() as u16).collect();
        let (width, height) = (self.width as u32, self.height as u32);
        let mut out = std::io::Cursor::new(Vec::new());
        let picture = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(width, height, values).unwrap_or_default();
        picture.write_to(&mut out, image::ImageFormat::Png)?;
        let end = [self.origin[0] + self.cell * self.width as f64, self.origin[1] + self.cell * self.height as f64];
        let bounds = [self.origin[0], self.origin[1], end[0], end[1]];
        Ok((out.into_inner(), About { format: 1, bounds, cell: self.cell, heights: [low, low + span] }))
    }

    /// Back from what [`HeightMap::to_png`] wrote; `None` for anything else.
    pub fn from_png(png: &[u8], about: &About) -> Option<Self> {
        let picture = image::load_from_memory_with_format(png, image::ImageFormat::Png).ok()?.into_luma16();
        let [low, high] = about.heights;
        let finite = about.bounds.iter().chain(&about.heights).all(|v| v.is_finite());
        if !finite || !about.cell.is_finite() || about.cell <= 0.0 {
            return None;
        }
        let height = |v: u16| (low + (f64::from(v) - 1.0) / 65_534.0 * (high - low)) as f32;
        Some(Self {
            width: picture.width() as usize,
            height: picture.height() as usize,
            cell: about.cell,
            origin: [about.bounds[0], about.bounds[1]],
            heights: picture.as_raw().iter().map(|v| if *v == 0 { f32::NAN } else { height(*v) }).collect(),
        })
    }

    /// The height at a place, `None` outside and where nothing is.
    pub fn at(&self, x: f64, z: f64) -> Option<f32> {
        let (column, row) = ((x - self.origin[0]) / self.cell, (z - self.origin[1]) / self.cell);
        if !(column >= 0.0 && row >= 0.0 && column < self.width as f64 && row < self.height as f64) {
            return None;
        }
        self.heights.get(row as usize * self.width + column as usize).copied().filter(|y| y.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of side 2·`half` around (x, z) at height y.
    fn square(map: &mut TopDown, [x, y, z]: [f64; 3], half: f64, eye: [f64; 2]) {
        let corner = |sx: f64, sz: f64| [x + sx * half, y, z + sz * half];
        map.add([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)], eye);
        map.add([corner(-1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], eye);
    }

    /// A cone of thousands of small triangles is as high as its closed form says, from whichever side it is begun.
    #[test]
    fn small_triangles_tell_the_same_as_large_ones() {
        let ring = |n: u32, of: u32, r: f64| {
            let angle = std::f64::consts::TAU * f64::from(n) / f64::from(of);
            [0.11 + r * angle.cos(), 20.0 - 2.0 * r, 0.07 + r * angle.sin()]
        };
        let mut triangles = Vec::new();
        for level in 0..100 {
            let (inner, outer) = (f64::from(level) * 0.08, f64::from(level + 1) * 0.08);
            for n in 0..200 {
                let [a, b] = [n, n + 1].map(|n| ring(n, 200, inner));
                let [c, d] = [n, n + 1].map(|n| ring(n, 200, outer));
                triangles.extend([[a, b, c], [b, d, c]]);
            }
        }
        let heights = |triangles: &mut dyn Iterator<Item = &[[f64; 3]; 3]>| {
            let mut map = TopDown::new(1.0);
            map.pass([0.0, 0.0]);
            triangles.for_each(|corners| map.add(*corners, [0.0, 0.0]));
            map.finish([0.0; 3]).unwrap()
        };
        let (down, up) = (heights(&mut triangles.iter()), heights(&mut triangles.iter().rev()));
        assert!(down.heights.iter().zip(&up.heights).all(|(a, b)| a == b || a.is_nan() && b.is_nan()));
        for (x, z) in [(0.25, 0.25), (-3.25, 1.75), (5.25, -4.75), (0.25, 6.75)] {
            // Between the height in the middle of the cell and that of its highest corner.
            let cone = |x: f64, z: f64| 20.0 - 2.0 * f64::hypot(x, z);
            let found = f64::from(down.at(x, z).unwrap());
            let [x, z] = [f64::abs(x - 0.11), f64::abs(z - 0.07)];
            let range = cone(x, z) - 0.02..=cone((x - 0.25).max(0.0), (z - 0.25).max(0.0)) + 0.02;
            assert!(range.contains(&found), "{x} {z}: {found} is not in {range:?}");
        }
    }

    #[test]
    fn the_highest_surface_counts_and_places_are_kept() {
        let mut map = TopDown::new(1.0);
        map.pass([0.0, 0.0]);
        map.pass([10.0, 0.0]);
        square(&mut map, [0.0, 1.0, 0.0], 100.0, [0.0, 0.0]);
        square(&mut map, [5.25, 7.0, -3.25], 2.0, [0.0, 0.0]);
        square(&mut map, [5.25, 3.0, -3.25], 2.0, [0.0, 0.0]);
        let map = map.finish([1000.0, 100.0, 0.0]).unwrap();
        assert_eq!((map.cell, map.origin), (0.5, [975.0, -25.0]));
        assert_eq!((map.width, map.height), (120, 100));
        assert_eq!(map.at(1000.0, 10.0), Some(101.0));
        assert_eq!(map.at(1005.25, -3.25), Some(107.0));
        assert_eq!(map.at(1007.1, -3.25), Some(107.0));
        assert_eq!(map.at(1007.6, -3.25), Some(101.0));
        assert_eq!(map.at(974.9, 0.0), None);
    }

    /// A box of `size`, in the middle of `at`, turned by `angle` about the vertical: its six faces.
    fn wall(map: &mut TopDown, at: [f64; 3], size: [f64; 3], angle: f64) {
        let (sin, cos) = angle.sin_cos();
        let corner = |i: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| size[axis] * (f64::from(u8::from(i >> axis & 1 == 1)) - 0.5));
            [at[0] + x * cos - z * sin, at[1] + y, at[2] + x * sin + z * cos]
        };
        for [a, b, c, d] in [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]] {
            map.add([corner(a), corner(b), corner(c)], [0.0, 0.0]);
            map.add([corner(a), corner(c), corner(d)], [0.0, 0.0]);
        }
    }

    /// 5 cm thick, and thinner than any cell: every cell along it is as high as it is, and none beside it.
    #[test]
    fn thin_walls_stand_without_a_gap() {
        for (angle, thick) in
            [(0.0_f64, 0.05), (0.3, 0.05), (1.0, 0.05), (0.7, 0.0), (std::f64::consts::FRAC_PI_2, 0.05)]
        {
            let mut map = TopDown::new(1.0);
            map.pass([0.0, 0.0]);
            square(&mut map, [0.0; 3], 100.0, [0.0, 0.0]);
            wall(&mut map, [0.13, 1.5, 0.27], [12.0, 3.0, thick], angle);
            let map = map.finish([0.0; 3]).unwrap();
            let (sin, cos) = angle.sin_cos();
            for step in -59..=59 {
                let along = f64::from(step) / 10.0;
                let place = |aside: f64| (0.13 + along * cos - aside * sin, 0.27 + along * sin + aside * cos);
                let (x, z) = place(0.0);
                assert_eq!(map.at(x, z), Some(3.0), "{angle}: {along} m along");
                // A cell's diagonal away.
                for aside in [-0.75, 0.75] {
                    let (x, z) = place(aside);
                    assert_eq!(map.at(x, z), Some(0.0), "{angle}: {along} m along, {aside} m aside");
                }
            }
            // It ends where it ends.
            let (x, z) = (0.13 + 6.8 * cos, 0.27 + 6.8 * sin);
            assert_eq!(map.at(x, z), Some(0.0), "{angle}");
        }
    }

    #[test]
    fn upright_poles_show_and_slopes_of_small_triangles_are_not_raised_much() {
        let mut map = TopDown::new(1.0);
        map.pass([0.0, 0.0]);
        map.add([[3.1, 0.0, 3.1], [3.1, 4.0, 3.1], [3.12, 4.0, 3.1]], [0.0, 0.0]);
        // A slope of 1 in 5 from strips of a tenth of a cell.
        for strip in 0..400 {
            let z = f64::from(strip) * 0.05 - 20.0;
            let at = |x: f64, z: f64| [x, 0.2 * z + 10.0, z];
            map.add([at(-9.0, z), at(-5.0, z), at(-5.0, z + 0.05)], [0.0, 0.0]);
            map.add([at(-9.0, z), at(-5.0, z + 0.05), at(-9.0, z + 0.05)], [0.0, 0.0]);
        }
        let map = map.finish([0.0; 3]).unwrap();
        assert_eq!(map.at(3.1, 3.1), Some(4.0));
        // Half a cell, of a slope of 1 in 5.
        let found = f64::from(map.at(-7.25, -2.25).unwrap());
        assert!((found - (10.0 - 0.2 * 2.25)).abs() <= 0.05 + 1e-5, "{found}");
    }

    #[test]
    fn slopes_are_interpolated() {
        let mut map = TopDown::new(1.0);
        map.pass([0.0, 0.0]);
        map.add([[-40.0, 0.0, -40.0], [40.0, 80.0, -40.0], [-40.0, 0.0, 200.0]], [0.0, 0.0]);
        let map = map.finish([0.0; 3]).unwrap();
        // y = x + 40 at the cell's centre.
        assert!((map.at(-10.25, 3.0).unwrap() - 29.75).abs() < 1e-4);
    }

    #[test]
    fn long_flights_become_coarse_rather_than_large() {
        let mut map = TopDown::new(1.0);
        for step in 0..24 {
            let x = f64::from(step) * 1000.0;
            map.pass([x, 0.0]);
            square(&mut map, [x, f64::from(step), 0.0], 1e5, [x, 0.0]);
            assert!(map.tiles.len() <= MOST_TILES);
        }
        let map = map.finish([0.0; 3]).unwrap();
        assert!(map.width <= MOST_SIDE && map.cell >= 16.0, "{} cells of {}", map.width, map.cell);
        assert!(map.at(23_000.0, 0.0).unwrap() >= 23.0 - 1e-3);
    }

    /// However the flight goes on, all within 300 m of it is taken, and most of the time nothing has to be taken again.
    #[test]
    fn what_reaches_far_is_taken_again_where_the_flight_goes_on() {
        let mut map = TopDown::new(1.0);
        let (mut mapped, mut times) = (Mapped::No, 0);
        for step in 0..100 {
            let eye = [f64::from(step) * 7.0, 0.0];
            map.pass(eye);
            if !map.knows(mapped, eye) {
                square(&mut map, [0.0; 3], 2000.0, eye);
                mapped = map.taken([[-2000.0; 2], [2000.0; 2]], eye);
                times += 1;
            }
            for x in [-299.0, 299.0] {
                let cell = ((eye[0] + x) * 2.0).floor() as i32;
                assert_eq!(map.height(cell, 0), Some(0.0), "{x} m from {eye:?}");
            }
        }
        // 693 m, at most 50 at a time.
        assert_eq!(times, 13);
        assert_eq!(map.taken([[400.0, -350.0], [1000.0, 350.0]], [693.0, 0.0]), Mapped::All);
    }

    #[test]
    fn nothing_odd_is_taken() {
        let mut map = TopDown::new(1.0);
        map.add([[f64::NAN; 3], [0.0; 3], [1.0; 3]], [0.0, 0.0]);
        map.add([[1e300, 0.0, 0.0], [0.0, 0.0, 1e300], [0.0; 3]], [1e300, 0.0]);
        map.add([[0.0, f64::INFINITY, 0.0], [1.0, 5.0, 0.0], [2.0, 9.0, 0.0]], [0.0, 0.0]);
        map.add([[1e8, 0.0, 0.0], [1e8, 5.0, 1e-3], [1e8, 9.0, 1.0]], [0.0, 0.0]);
        map.pass([f64::INFINITY, 0.0]);
        assert!(map.tiles.is_empty() && map.path.is_none());
        assert_eq!(map.finish([0.0; 3]), None);
    }

    #[test]
    fn the_picture_holds_the_heights() {
        let heights = vec![f32::NAN, -2.0, 0.5, 14.0, 3.0, f32::NAN];
        let map = HeightMap { width: 3, height: 2, cell: 0.5, origin: [-1.0, 4.0], heights };
        let (png, about) = map.to_png().unwrap();
        assert_eq!(about.bounds, [-1.0, 4.0, 0.5, 5.0]);
        let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
        let told = serde_json::to_value(about).unwrap();
        let names = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&told), names(&schema["properties"]));
        let back = HeightMap::from_png(&png, &about).unwrap();
        assert_eq!((back.width, back.height, back.cell, back.origin), (3, 2, 0.5, [-1.0, 4.0]));
        for (a, b) in back.heights.iter().zip(&map.heights) {
            assert!(a.is_nan() == b.is_nan() && (a.is_nan() || (a - b).abs() < 16.0 / 65_534.0), "{a} {b}");
        }
        assert!(HeightMap::from_png(b"no picture", &about).is_none());
    }
}
