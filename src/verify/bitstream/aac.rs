//! AudioSpecificConfig (ISO/IEC 14496-3 §1.6.2.1), with both ways to announce SBR and PS.

use super::Bits;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AudioConfig {
    /// Audio object type of the core: 2 = AAC LC.
    pub object_type: u32,
    /// Hz of the core.
    pub rate: u32,
    /// Channels of the core; `None` where only the stream tells.
    pub channels: Option<u32>,
    /// Spectral band replication: the output has twice the core's rate, or this one.
    pub sbr: bool,
    pub output_rate: u32,
    /// Parametric stereo: a mono core gives two channels.
    pub ps: bool,
    /// Values per channel that an access unit of the core decodes to.
    pub frame_length: u32,
}

/// samplingFrequencyIndex.
const RATES: [u32; 13] =
    [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

impl AudioConfig {
    /// `None` for what is no AudioSpecificConfig of an AAC family.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..bytes.len().min(256))?;
        let total = bytes.len() as u32 * 8;
        let r = &mut Counted { bits: Bits::new(bytes), used: 0 };
        let mut object_type = object_type(r)?;
        let rate = rate(r)?;
        let configuration = r.u(4)?;
        let (mut sbr, mut ps, mut output_rate) = (false, false, rate);
        if object_type == 5 || object_type == 29 {
            sbr = true;
            ps = object_type == 29;
            output_rate = self::rate(r)?;
            object_type = self::object_type(r)?;
        }
        if !matches!(object_type, 1..=4 | 6 | 7 | 17 | 19 | 20 | 22 | 23 | 39) {
            let channels = channels(configuration);
            return Some(Self { object_type, rate, channels, sbr, output_rate, ps, frame_length: 1024 });
        }
        // GASpecificConfig (§4.4.1).
        let short = r.u(1)? == 1;
        if r.u(1)? == 1 {
            r.u(14)?;
        }
        let extension = r.u(1)? == 1;
        let mut channels = channels(configuration);
        if configuration == 0 {
            channels = program_channels(r);
        }
        if matches!(object_type, 6 | 20) {
            r.u(3)?;
        }
        if extension {
            if object_type == 22 {
                r.u(16)?;
            }
            if matches!(object_type, 17 | 19 | 20 | 23) {
                r.u(3)?;
            }
            r.u(1)?;
        }
        let mut config =
            Self { object_type, rate, channels, sbr, output_rate, ps, frame_length: if short { 960 } else { 1024 } };
        // A core decoder stops here; what follows announces SBR in a way that old ones don't see.
        if !sbr && total.saturating_sub(r.used) >= 16 && matches!(object_type, 1..=4 | 6) {
            let _ = config.hidden_extension(r, total);
        }
        Some(config)
    }

    fn hidden_extension(&mut self, r: &mut Counted<'_>, total: u32) -> Option<()> {
        if r.u(11)? == 0x2b7 && object_type(r)? == 5 && r.u(1)? == 1 {
            self.output_rate = rate(r)?;
            self.sbr = true;
            if total.saturating_sub(r.used) >= 12 && r.u(11)? == 0x548 {
                self.ps = r.u(1)? == 1;
            }
        }
        Some(())
    }

    /// As ffprobe and MediaInfo call it.
    pub fn profile(&self) -> String {
        match (self.object_type, self.sbr, self.ps) {
            (2, true, true) => "HE-AACv2".to_owned(),
            (2, true, false) => "HE-AAC".to_owned(),
            (1, ..) => "Main".to_owned(),
            (2, ..) => "LC".to_owned(),
            (3, ..) => "SSR".to_owned(),
            (4, ..) => "LTP".to_owned(),
            (23, ..) => "LD".to_owned(),
            (39, ..) => "ELD".to_owned(),
            (42, ..) => "xHE-AAC".to_owned(),
            (other, ..) => format!("object type {other}"),
        }
    }

    /// Channels that come out.
    pub fn output_channels(&self) -> Option<u32> {
        if self.ps { Some(2) } else { self.channels }
    }
}

struct Counted<'a> {
    bits: Bits<'a>,
    used: u32,
}

impl Counted<'_> {
    fn u(&mut self, count: u32) -> Option<u32> {
        self.used += count;
        self.bits.u(count)
    }
}

fn object_type(r: &mut Counted<'_>) -> Option<u32> {
    match r.u(5)? {
        31 => Some(32 + r.u(6)?),
        other => Some(other),
    }
}

fn rate(r: &mut Counted<'_>) -> Option<u32> {
    match r.u(4)? {
        15 => r.u(24),
        index => RATES.get(index as usize).copied(),
    }
}

/// channelConfiguration (§1.6.3.5).
fn channels(configuration: u32) -> Option<u32> {
    match configuration {
        1..=6 => Some(configuration),
        7 | 12 | 14 => Some(8),
        11 => Some(7),
        _ => None,
    }
}

/// Channels of a program_config_element (§4.4.1.1), which is read up to there.
fn program_channels(r: &mut Counted<'_>) -> Option<u32> {
    r.u(10)?; // element_instance_tag, object_type, sampling_frequency_index
    let counts = [r.u(4)?, r.u(4)?, r.u(4)?];
    let lfe = r.u(2)?;
    r.u(3)?;
    r.u(4)?;
    for (width, present) in [(4, 1), (4, 1), (3, 1)] {
        if r.u(1)? == present {
            r.u(width)?;
        }
    }
    let mut channels = lfe;
    for _ in 0..counts.iter().sum() {
        channels += 1 + r.u(1)?;
        r.u(4)?;
    }
    Some(channels)
}
