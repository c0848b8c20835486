//! Contact sheets: chosen frames of an output in a grid, numbers and times under them.

pub mod blind;
mod choice;
mod layout;
#[cfg(test)]
mod tests;

pub use choice::Choice;
pub use layout::{Grid, Layout};

use super::paint::{Painter, rgb};
use super::{ReportError, shrink};
use crate::canvas2d::TextAlign;
use crate::verify::{Display, FrameTimes, Picture, Source};

const PAPER: u32 = 0x16_181b;
const EMPTY: u32 = 0x1f_2226;
const BRIGHT: u32 = 0xe9_eaec;
const DIM: u32 = 0x9a_a0a8;

/// What stands under each picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Time and frame number.
    Times,
    /// 1, 2, 3, … only: times would tell films of different length apart.
    Places,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub choice: Choice,
    /// Chosen to fit if absent.
    pub grid: Option<Grid>,
    /// Pixels; chosen if absent.
    pub cell_width: Option<u32>,
    /// When the frames are shown, where known.
    pub times: Option<FrameTimes>,
    pub labels: Labels,
    /// A line above the pictures.
    pub title: Option<String>,
}

impl Default for Settings {
    /// 4×4, evenly spaced from the first frame on: of 58 s, a picture every 3.625 s.
    fn default() -> Self {
        Self { choice: Choice::Even, grid: None, cell_width: None, times: None, labels: Labels::Times, title: None }
    }
}

/// A sheet and what is on it.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub picture: Picture,
    pub layout: Layout,
    /// Frame numbers, row by row.
    pub frames: Vec<u64>,
    /// Seconds at which they begin, where known.
    pub times: Vec<Option<f64>>,
}

/// One of the chosen frames.
#[derive(Clone, Debug)]
pub struct Shown {
    pub frame: u64,
    /// Seconds at which it begins, where known.
    pub time: Option<f64>,
    /// Of the film's shape, made smaller.
    pub picture: Picture,
    /// Width and height of the film as a player shows it: turned, and its pixels made square.
    pub size: (u32, u32),
}

/// The chosen frames at the size of the cells, one after the other, and what `make` makes of them.
///
/// # Errors
/// Frames cannot be read or are not there, or `make` failed.
pub fn pictures<T>(
    source: &mut Source,
    settings: &Settings,
    mut make: impl FnMut(Shown) -> Result<T, ReportError>,
) -> Result<Vec<T>, ReportError> {
    let chosen = Chosen::of(source, settings)?;
    let mut out = Vec::with_capacity(chosen.frames.len());
    for &frame in &chosen.frames {
        let picture = chosen.read(source, frame)?;
        let size = source.display().size((picture.width, picture.height));
        let shown = layout::fit(size, layout::cell_size(&[size], settings.cell_width));
        let picture = shown_as(&picture, source.display(), shown);
        out.push(make(Shown { frame, time: chosen.time(frame), picture, size })?);
    }
    Ok(out)
}

/// A stored picture as it is shown, in `size`.
fn shown_as(picture: &Picture, display: Display, size: (u32, u32)) -> Picture {
    let (width, height) = display.unturned(size);
    display.turn(shrink::resize(picture, width, height))
}

/// The frames of a sheet and when they are shown.
struct Chosen {
    frames: Vec<u64>,
    times: Option<FrameTimes>,
    last: u64,
}

impl Chosen {
    fn of(source: &Source, settings: &Settings) -> Result<Self, ReportError> {
        let len = source.len();
        let times = settings.times.clone();
        let frames = settings.choice.frames(len, times.as_ref(), settings.grid)?;
        Ok(Self { frames, times, last: len.saturating_sub(1) })
    }

    fn read(&self, source: &mut Source, frame: u64) -> Result<Picture, ReportError> {
        source.picture_at(frame)?.ok_or(ReportError::FrameOutOfRange { frame, last: self.last })
    }

    fn time(&self, frame: u64) -> Option<f64> {
        self.times.as_ref()?.seconds(frame)
    }
}

/// Makes the sheet of one output, its cells `cell` pixels large if given, else as large as its pictures suggest.
///
/// # Errors
/// Frames cannot be read or are not there, or the sheet would be too large.
pub fn make(source: &mut Source, settings: &Settings, cell: Option<(u32, u32)>) -> Result<Sheet, ReportError> {
    let chosen = Chosen::of(source, settings)?;
    let grid = Grid::for_frames(chosen.frames.len(), &settings.choice, settings.grid)?;
    let mut started: Option<(Painter, Layout)> = None;
    for (place, &frame) in chosen.frames.iter().enumerate() {
        let picture = chosen.read(source, frame)?;
        let (painter, layout) = match &mut started {
            Some(started) => started,
            None => {
                let size = source.display().size((picture.width, picture.height));
                let cell = cell.unwrap_or_else(|| layout::cell_size(&[size], settings.cell_width));
                let layout = Layout::new(grid, cell, settings.title.is_some());
                let (width, height) = layout.size()?;
                let painter = Painter::new(width, height, rgb(PAPER)).ok_or_else(|| layout.too_large())?;
                started.insert((painter, layout))
            }
        };
        let label = label(settings.labels, place, frame, chosen.time(frame));
        draw_cell(painter, layout, place, (&picture, source.display()), &label);
    }
    let (mut painter, layout) = started.ok_or(ReportError::NoFrames)?;
    for place in chosen.frames.len()..grid.cells() {
        let (x, y) = layout.cell_at(place);
        let (width, height) = layout.cell;
        painter.rect([x, y, width, height].map(f64::from), rgb(EMPTY));
    }
    if let Some(title) = &settings.title {
        let (at, size) = layout.title_at();
        painter.text(title, at, size, TextAlign::Left, rgb(BRIGHT));
    }
    let times = chosen.frames.iter().map(|&frame| chosen.time(frame)).collect();
    Ok(Sheet { picture: painter.finish(), layout, frames: chosen.frames, times })
}

/// Left and right text under a cell.
fn label(labels: Labels, place: usize, frame: u64, time: Option<f64>) -> [String; 2] {
    match labels {
        Labels::Places => [(place + 1).to_string(), String::new()],
        Labels::Times => [time.map_or_else(String::new, clock), format!("frame {frame}")],
    }
}

/// `3.600 s`, from a minute on `1:02.067`.
pub fn clock(seconds: f64) -> String {
    let milliseconds = (seconds * 1000.0).round().max(0.0) as u64;
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000);
    let (whole, thousandths) = (rest / 1000, rest % 1000);
    if minutes == 0 { format!("{whole}.{thousandths:03} s") } else { format!("{minutes}:{whole:02}.{thousandths:03}") }
}

fn draw_cell(
    painter: &mut Painter,
    layout: &Layout,
    place: usize,
    (picture, display): (&Picture, Display),
    [left, right]: &[String; 2],
) {
    let (x, y) = layout.cell_at(place);
    let (cell_width, cell_height) = layout.cell;
    let (width, height) = layout::fit(display.size((picture.width, picture.height)), layout.cell);
    if (width, height) != layout.cell {
        painter.rect([x, y, cell_width, cell_height].map(f64::from), rgb(0));
    }
    let small = shown_as(picture, display, (width, height));
    painter.paste(&small, x + (cell_width - width) / 2, y + (cell_height - height) / 2);
    let (baseline, size) = layout.label_at(place);
    let (begin, end) = (f64::from(x), f64::from(x + cell_width));
    // A narrow cell has room for one text only.
    let room = cell_width >= 150;
    if room || left.is_empty() || right.is_empty() {
        painter.text(left, [begin, baseline], size, TextAlign::Left, rgb(BRIGHT));
    }
    let (at, align) = if room { (end, TextAlign::Right) } else { (begin, TextAlign::Left) };
    painter.text(right, [at, baseline], size, align, rgb(DIM));
}
