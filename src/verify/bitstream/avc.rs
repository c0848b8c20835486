//! H.264 sequence parameter sets (ITU-T H.264 §7.3.2.1.1, Annexes A and E) and slice headers' first fields.

use super::{Bits, Sequence, sample_aspect, signal_type};
use crate::encode::bits::unescape;

/// The fields of a sequence parameter set that say what is in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sps {
    pub id: u32,
    /// constraint_set0_flag (most significant) to constraint_set5_flag and two reserved bits.
    pub constraints: u8,
    pub level: u8,
    pub max_ref_frames: u32,
    pub sequence: Sequence,
}

/// Profiles whose parameter sets tell the chroma format (§7.3.2.1.1.1).
const WITH_CHROMA: [u32; 13] = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

impl Sps {
    /// Reads a NAL unit (header byte included, no start code); `None` if it is none, or damaged.
    pub fn parse(nal: &[u8]) -> Option<Self> {
        let (&header, payload) = nal.split_first()?;
        if header & 0x1f != 7 {
            return None;
        }
        // The largest legal one, with all scaling lists, stays below this.
        let rbsp = unescape(payload.get(..payload.len().min(4096))?);
        let r = &mut Bits::new(&rbsp);
        let profile = r.u(8)?;
        let constraints = r.u(8)? as u8;
        let level = r.u(8)? as u8;
        let id = r.ue_to(31)?;
        let mut sequence = Sequence { chroma_format: 1, bit_depth: 8, bit_depth_chroma: 8, ..Sequence::default() };
        let mut separate = false;
        if WITH_CHROMA.contains(&profile) {
            sequence.chroma_format = r.ue_to(3)?;
            separate = sequence.chroma_format == 3 && r.flag()?;
            sequence.bit_depth = 8 + r.ue_to(6)?;
            sequence.bit_depth_chroma = 8 + r.ue_to(6)?;
            r.flag()?; // qpprime_y_zero_transform_bypass_flag
            if r.flag()? {
                for list in 0..if sequence.chroma_format == 3 { 12 } else { 8 } {
                    if r.flag()? {
                        scaling_list(r, if list < 6 { 16 } else { 64 })?;
                    }
                }
            }
        }
        r.ue_to(12)?; // log2_max_frame_num_minus4
        match r.ue_to(2)? {
            0 => {
                r.ue_to(12)?;
            }
            1 => {
                r.flag()?;
                r.se()?;
                r.se()?;
                for _ in 0..r.ue_to(255)? {
                    r.se()?;
                }
            }
            _ => {}
        }
        let max_ref_frames = r.ue()?;
        r.flag()?; // gaps_in_frame_num_value_allowed_flag
        let width_mbs = r.ue_to(16_383)? + 1;
        let height_units = r.ue_to(16_383)? + 1;
        sequence.progressive = r.flag()?;
        let fields = if sequence.progressive { 1 } else { 2 };
        if !sequence.progressive {
            r.flag()?; // mb_adaptive_frame_field_flag
        }
        r.flag()?; // direct_8x8_inference_flag
        sequence.coded = (width_mbs * 16, height_units * fields * 16);
        sequence.size = sequence.coded;
        if r.flag()? {
            let crop = [r.ue_to(1 << 18)?, r.ue_to(1 << 18)?, r.ue_to(1 << 18)?, r.ue_to(1 << 18)?];
            // ChromaArrayType is 0 for separate planes, as for monochrome.
            let (x, y) = match (sequence.chroma_format, separate) {
                (1, _) => (2, 2),
                (2, _) => (2, 1),
                _ => (1, 1),
            };
            let [left, right, top, bottom] = crop;
            sequence.size.0 = sequence.size.0.checked_sub(x * (left + right))?;
            sequence.size.1 = sequence.size.1.checked_sub(y * fields * (top + bottom))?;
        }
        if r.flag()? {
            // A VUI that is cut off leaves what came before it standing.
            let _ = video_usability(r, &mut sequence);
        }
        sequence.profile = profile_name(profile, constraints);
        sequence.profile_number = profile;
        sequence.level = level_name(profile, constraints, level);
        Some(Self { id, constraints, level, max_ref_frames, sequence })
    }
}

fn scaling_list(r: &mut Bits<'_>, size: usize) -> Option<()> {
    let (mut last, mut next) = (8i64, 8i64);
    for _ in 0..size {
        if next != 0 {
            next = (last + r.se()?).rem_euclid(256);
        }
        last = if next == 0 { last } else { next };
    }
    Some(())
}

fn video_usability(r: &mut Bits<'_>, sequence: &mut Sequence) -> Option<()> {
    if r.flag()? {
        sequence.sample_aspect = sample_aspect(r)?;
    }
    if r.flag()? {
        r.flag()?; // overscan_appropriate_flag
    }
    sequence.color = signal_type(r)?;
    if r.flag()? {
        r.ue()?;
        r.ue()?;
    }
    if r.flag()? {
        sequence.timing = Some((r.u(32)?, r.u(32)?));
        r.flag()?; // fixed_frame_rate_flag
    }
    let nal_hrd = r.flag()?;
    if nal_hrd {
        reference_decoder(r)?;
    }
    let vcl_hrd = r.flag()?;
    if vcl_hrd {
        reference_decoder(r)?;
    }
    if nal_hrd || vcl_hrd {
        r.flag()?; // low_delay_hrd_flag
    }
    r.flag()?; // pic_struct_present_flag
    if r.flag()? {
        r.flag()?;
        r.ue()?;
        r.ue()?;
        r.ue()?;
        r.ue()?;
        sequence.reorder = Some(r.ue()?);
    }
    Some(())
}

/// hrd_parameters (§E.1.2).
fn reference_decoder(r: &mut Bits<'_>) -> Option<()> {
    let count = r.ue_to(31)? + 1;
    r.u(8)?;
    for _ in 0..count {
        r.ue()?;
        r.ue()?;
        r.flag()?;
    }
    r.u(20).map(|_| ())
}

/// Names of Annex A, as profile_idc and the constraint flags select them; the subsets of High that constraint_set4 and 5
/// mark are High.
pub fn profile_name(profile: u32, constraints: u8) -> String {
    let set = |n: u8| constraints & (0x80 >> n) != 0;
    let name = match profile {
        66 if set(1) => "Constrained Baseline",
        66 => "Baseline",
        77 => "Main",
        88 => "Extended",
        100 => "High",
        110 if set(3) => "High 10 Intra",
        110 => "High 10",
        122 if set(3) => "High 4:2:2 Intra",
        122 => "High 4:2:2",
        244 if set(3) => "High 4:4:4 Intra",
        244 => "High 4:4:4 Predictive",
        44 => "CAVLC 4:4:4 Intra",
        83 => "Scalable Baseline",
        86 => "Scalable High",
        118 => "Multiview High",
        128 => "Stereo High",
        other => return format!("profile {other}"),
    };
    name.to_owned()
}

fn level_name(profile: u32, constraints: u8, level: u8) -> String {
    let one_b = level == 9 || (level == 11 && constraints & 0x10 != 0 && matches!(profile, 66 | 77 | 88));
    if one_b { "1b".to_owned() } else { format!("{}.{}", level / 10, level % 10) }
}

/// Does this NAL unit begin a picture: a slice whose first macroblock is the first one?
pub fn begins_picture(start: &[u8]) -> Option<bool> {
    let (&header, rest) = start.split_first()?;
    match header & 0x1f {
        1 | 2 | 5 => Some(Bits::new(rest).ue() == Some(0)),
        _ => Some(false),
    }
}
