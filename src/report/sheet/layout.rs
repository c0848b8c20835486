//! Where everything stands on a sheet, in whole pixels.

use super::{Choice, ReportError};
use crate::canvas2d::MAX_SIDE;

/// Columns and rows; at least 1 and at most 100 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    pub columns: u32,
    pub rows: u32,
}

impl Default for Grid {
    fn default() -> Self {
        Self { columns: 4, rows: 4 }
    }
}

impl std::str::FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.trim().parse().ok().filter(|n| (1..=100).contains(n));
        text.split_once(['x', 'X', '×'])
            .and_then(|(columns, rows)| Some(Self { columns: side(columns)?, rows: side(rows)? }))
            .ok_or_else(|| format!("`{text}` is no grid; write COLUMNSxROWS, 1 to 100 each, e.g. 4x4"))
    }
}

impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

impl Grid {
    pub fn cells(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// `asked`, or the default, or for a free number of frames the squarest grid that holds them.
    ///
    /// # Errors
    /// `asked` is too small.
    pub(super) fn for_frames(frames: usize, choice: &Choice, asked: Option<Self>) -> Result<Self, ReportError> {
        let Some(Self { columns, rows }) = asked.or((*choice == Choice::Even).then(Self::default)) else {
            let columns = (1..=frames.max(1)).find(|n| n * n >= frames).unwrap_or(1);
            return Ok(Self { columns: columns as u32, rows: frames.div_ceil(columns).max(1) as u32 });
        };
        if frames > columns as usize * rows as usize {
            return Err(ReportError::GridTooSmall { frames, columns, rows });
        }
        Ok(Self { columns, rows })
    }
}

/// Longest side of a cell unless a width is given.
const SIDE: u32 = 480;
/// Narrower cells have no room for a label.
const LEAST_SIDE: u32 = 120;
/// Most pixels of a sheet: a gigabyte while it is drawn.
const MOST_PIXELS: u64 = 1 << 27;

/// The cell for pictures of these sizes: as wide as asked, as high as the highest of them needs.
pub(super) fn cell_size(pictures: &[(u32, u32)], width: Option<u32>) -> (u32, u32) {
    let scaled = |side: u32, by: u32, of: u32| {
        let of = u64::from(of.max(1));
        ((u64::from(side) * u64::from(by) + of / 2) / of).clamp(1, u64::from(MAX_SIDE)) as u32
    };
    let width = width.unwrap_or_else(|| {
        let widest = |&(w, h): &(u32, u32)| scaled(w, w.max(h).clamp(LEAST_SIDE, SIDE), w.max(h));
        pictures.iter().map(widest).max().unwrap_or(SIDE)
    });
    let height = pictures.iter().map(|&(w, h)| scaled(width, h, w)).max().unwrap_or(width);
    (width, height)
}

/// The largest size of `picture`'s shape inside `cell`; at least one pixel a side.
pub(super) fn fit(picture: (u32, u32), cell: (u32, u32)) -> (u32, u32) {
    let (w, h) = (u64::from(picture.0.max(1)), u64::from(picture.1.max(1)));
    let (cw, ch) = (u64::from(cell.0), u64::from(cell.1));
    let (fw, fh) = if w * ch >= h * cw { (cw, (h * cw + w / 2) / w) } else { ((w * ch + h / 2) / h, ch) };
    (fw.clamp(1, cw) as u32, fh.clamp(1, ch) as u32)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub grid: Grid,
    /// Width and height of a cell.
    pub cell: (u32, u32),
    margin: u32,
    gap: u32,
    /// Height of the strip under a cell.
    label: u32,
    /// Height of the line above all cells.
    header: u32,
}

impl Layout {
    pub(super) fn new(grid: Grid, cell: (u32, u32), title: bool) -> Self {
        let text = (cell.0 / 20).clamp(11, 24);
        let label = text * 2;
        Self { grid, cell, margin: 12, gap: 8, label, header: if title { text * 2 + 8 } else { 0 } }
    }

    fn extent(&self) -> (u64, u64) {
        let along = |count: u32, side: u32, gap: u32| {
            u64::from(count) * u64::from(side) + u64::from(count - 1) * u64::from(gap) + 2 * u64::from(self.margin)
        };
        let height = along(self.grid.rows, self.cell.1.saturating_add(self.label), self.gap);
        (along(self.grid.columns, self.cell.0, self.gap), height + u64::from(self.header))
    }

    pub(super) fn too_large(&self) -> ReportError {
        let (width, height) = self.extent();
        ReportError::TooLarge { width, height, limit: MAX_SIDE, pixels: MOST_PIXELS }
    }

    /// Width and height of the sheet.
    ///
    /// # Errors
    /// It would be too large.
    pub fn size(&self) -> Result<(u32, u32), ReportError> {
        let (width, height) = self.extent();
        let fits = width.max(height) <= u64::from(MAX_SIDE) && width * height <= MOST_PIXELS;
        if fits { Ok((width as u32, height as u32)) } else { Err(self.too_large()) }
    }

    /// Left and top of a cell; the sheet's [`Layout::size`] is known to be good.
    pub fn cell_at(&self, place: usize) -> (u32, u32) {
        let (column, row) = (place as u32 % self.grid.columns, place as u32 / self.grid.columns);
        let x = self.margin + column * (self.cell.0 + self.gap);
        let y = self.margin + self.header + row * (self.cell.1 + self.label + self.gap);
        (x, y)
    }

    /// Baseline and text size of a cell's label.
    pub(super) fn label_at(&self, place: usize) -> (f64, f64) {
        let (_, y) = self.cell_at(place);
        let size = f64::from(self.label) / 2.0;
        (f64::from(y + self.cell.1) + size * 1.45, size)
    }

    /// Where the line above the cells begins, and its text size.
    pub(super) fn title_at(&self) -> ([f64; 2], f64) {
        let size = f64::from(self.header.saturating_sub(8)) * 0.6;
        ([f64::from(self.margin), f64::from(self.margin) + size], size)
    }
}
