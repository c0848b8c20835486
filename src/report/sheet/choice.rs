//! Which frames a sheet shows.

use super::{Grid, ReportError};
use crate::verify::FrameTimes;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// As many as the grid holds, at k/n of the duration for k = 0 … n − 1.
    Even,
    /// The frames on screen at 0, s, 2s, …, s = num/den seconds: as many as there are, or as the grid holds.
    Every {
        num: u64,
        den: u64,
    },
    Frames(Vec<u64>),
}

/// Most frames that `Every` gives without a grid.
const MOST: usize = 400;

impl Choice {
    /// Frame numbers in the order shown; a film shorter than the grid shows each frame once.
    ///
    /// # Errors
    /// There is no such frame, or times are asked for and not known.
    pub(super) fn frames(
        &self,
        len: u64,
        line: Option<&FrameTimes>,
        grid: Option<Grid>,
    ) -> Result<Vec<u64>, ReportError> {
        let last = len.checked_sub(1).ok_or(ReportError::NoFrames)?;
        match self {
            Self::Even => {
                let count = grid.unwrap_or_default().cells() as u64;
                // Rounding down finds the same frame: frames begin on whole ticks.
                let part = |k: u64, of: u64| (u128::from(k) * u128::from(of) / u128::from(count.max(1))) as u64;
                let at = |k| match line.filter(|line| line.end > 0) {
                    Some(line) => line.frame_at_tick(part(k, line.end)).unwrap_or(last).min(last),
                    None => part(k, len),
                };
                let mut frames: Vec<u64> = (0..count).map(at).collect();
                frames.dedup();
                Ok(frames)
            }
            Self::Every { num, den } => {
                let line = line.ok_or(ReportError::NoRate)?;
                let most = grid.map_or(MOST, Grid::cells) as u64;
                let at = |k: u64| k.checked_mul(*num).and_then(|time| line.frame_at(time, *den));
                Ok((0..most).map_while(at).take_while(|&frame| frame <= last).collect())
            }
            Self::Frames(frames) => match frames.iter().find(|&&frame| frame > last) {
                Some(&frame) => Err(ReportError::FrameOutOfRange { frame, last }),
                None => Ok(frames.clone()),
            },
        }
    }
}
