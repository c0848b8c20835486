//! The headers inside the coded streams, bit by bit: what a decoder will do, whatever the container says.

pub mod aac;
pub mod av1;
pub mod avc;
pub mod hevc;

#[cfg(test)]
mod tests;

/// What every video codec's sequence header tells of the picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// As the codec's specification names it, e.g. `High 4:2:2`.
    pub profile: String,
    pub profile_number: u32,
    /// As written: `4.1`, `1b`.
    pub level: String,
    pub tier: Option<&'static str>,
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    pub chroma_format: u32,
    pub bit_depth: u32,
    pub bit_depth_chroma: u32,
    /// Samples that are coded, and those left after cropping.
    pub coded: (u32, u32),
    pub size: (u32, u32),
    /// Width to height of a sample, where told.
    pub sample_aspect: Option<(u32, u32)>,
    pub color: Color,
    /// Frames only, no fields.
    pub progressive: bool,
    /// num_units_in_tick and time_scale, where told.
    pub timing: Option<(u32, u32)>,
    /// Pictures that may be held back for reordering, where told.
    pub reorder: Option<u32>,
}

/// Code points of ISO/IEC 23091-2; 2 = unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    pub primaries: u16,
    pub transfer: u16,
    pub matrix: u16,
    /// `None` where the stream does not say.
    pub full_range: Option<bool>,
}

impl Default for Color {
    fn default() -> Self {
        Self { primaries: 2, transfer: 2, matrix: 2, full_range: None }
    }
}

/// aspect_ratio_idc of H.264 table E-1 and HEVC table E.1; 255 is written out.
const SAMPLE_ASPECTS: [(u32, u32); 17] = [
    (0, 0),
    (1, 1),
    (12, 11),
    (10, 11),
    (16, 11),
    (40, 33),
    (24, 11),
    (20, 11),
    (32, 11),
    (80, 33),
    (18, 11),
    (15, 11),
    (64, 33),
    (160, 99),
    (4, 3),
    (3, 2),
    (2, 1),
];

/// Bits with signed Exp-Golomb codes (H.264 §9.1.1), after `encode`'s reader.
pub struct Bits<'a>(crate::encode::bits::BitReader<'a>);

impl<'a> Bits<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(crate::encode::bits::BitReader::new(bytes))
    }

    pub fn flag(&mut self) -> Option<bool> {
        self.0.bit()
    }

    /// u(n), 32 bits at most.
    pub fn u(&mut self, count: u32) -> Option<u32> {
        self.0.bits(count)
    }

    pub fn skip(&mut self, count: u32) -> Option<()> {
        (0..count).try_for_each(|_| self.0.bit().map(|_| ()))
    }

    pub fn ue(&mut self) -> Option<u32> {
        self.0.ue()
    }

    /// ue(v) that may be `most` at most.
    pub fn ue_to(&mut self, most: u32) -> Option<u32> {
        self.0.ue().filter(|&v| v <= most)
    }

    pub fn se(&mut self) -> Option<i64> {
        let code = i64::from(self.0.ue()?);
        Some(if code % 2 == 1 { (code + 1) / 2 } else { -code / 2 })
    }

    /// The field if its flag says so.
    pub fn when<T>(&mut self, present: bool, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if present { read(self).map(Some) } else { Some(None) }
    }
}

/// The sample aspect ratio of a VUI.
fn sample_aspect(r: &mut Bits<'_>) -> Option<Option<(u32, u32)>> {
    let index = r.u(8)?;
    let ratio = if index == 255 {
        (r.u(16)?, r.u(16)?)
    } else {
        SAMPLE_ASPECTS.get(index as usize).copied().unwrap_or_default()
    };
    Some((ratio.0 > 0 && ratio.1 > 0).then_some(ratio))
}

/// video_signal_type of a VUI, from its presence flag on.
fn signal_type(r: &mut Bits<'_>) -> Option<Color> {
    let mut color = Color::default();
    if r.flag()? {
        r.u(3)?;
        color.full_range = Some(r.flag()?);
        if r.flag()? {
            color.primaries = r.u(8)? as u16;
            color.transfer = r.u(8)? as u16;
            color.matrix = r.u(8)? as u16;
        }
    }
    Some(color)
}
