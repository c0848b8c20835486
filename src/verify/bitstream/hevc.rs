//! HEVC sequence parameter sets (ITU-T H.265 §7.3.2.2, §7.3.3, §7.3.7, Annex E), as far as to the VUI's timing.

use super::{Bits, Sequence, sample_aspect, signal_type};
use crate::encode::bits::unescape;

/// Reads a NAL unit (two header bytes included); `None` if it is none, or damaged.
pub fn parse(nal: &[u8]) -> Option<Sequence> {
    let (&[header, _], payload) = nal.split_first_chunk::<2>()?;
    if header >> 1 & 0x3f != 33 {
        return None;
    }
    let rbsp = unescape(payload.get(..payload.len().min(8192))?);
    let r = &mut Bits::new(&rbsp);
    r.u(4)?; // sps_video_parameter_set_id
    let sub_layers = r.u(3)?;
    r.flag()?; // sps_temporal_id_nesting_flag
    let mut sequence = Sequence::default();
    let general = profile_tier_level(r, sub_layers)?;
    sequence.profile_number = general.profile;
    sequence.profile = profile_name(general.profile);
    sequence.tier = Some(if general.high_tier { "High" } else { "Main" });
    sequence.level = level_name(general.level);
    sequence.progressive = general.progressive;
    r.ue_to(15)?; // sps_seq_parameter_set_id
    sequence.chroma_format = r.ue_to(3)?;
    let separate = sequence.chroma_format == 3 && r.flag()?;
    sequence.coded = (r.ue_to(1 << 20)?, r.ue_to(1 << 20)?);
    sequence.size = sequence.coded;
    if r.flag()? {
        let [left, right, top, bottom] = [r.ue_to(1 << 20)?, r.ue_to(1 << 20)?, r.ue_to(1 << 20)?, r.ue_to(1 << 20)?];
        let (x, y) = match (sequence.chroma_format, separate) {
            (1, _) => (2, 2),
            (2, _) => (2, 1),
            _ => (1, 1),
        };
        sequence.size.0 = sequence.size.0.checked_sub(x * (left + right))?;
        sequence.size.1 = sequence.size.1.checked_sub(y * (top + bottom))?;
    }
    sequence.bit_depth = 8 + r.ue_to(8)?;
    sequence.bit_depth_chroma = 8 + r.ue_to(8)?;
    let poc_bits = r.ue_to(12)? + 4;
    let each = r.flag()?;
    for _ in if each { 0 } else { sub_layers }..=sub_layers {
        r.ue()?;
        sequence.reorder = Some(r.ue()?);
        r.ue()?;
    }
    // What follows only matters for the VUI behind it.
    let _ = tail(r, &mut sequence, poc_bits);
    Some(sequence)
}

struct General {
    profile: u32,
    high_tier: bool,
    level: u32,
    progressive: bool,
}

fn profile_tier_level(r: &mut Bits<'_>, sub_layers: u32) -> Option<General> {
    r.u(2)?;
    let high_tier = r.flag()?;
    let profile = r.u(5)?;
    r.u(32)?; // general_profile_compatibility_flags
    let progressive = r.flag()?;
    let interlaced = r.flag()?;
    r.skip(46)?;
    let level = r.u(8)?;
    let mut present = Vec::new();
    for _ in 0..sub_layers {
        present.push((r.flag()?, r.flag()?));
    }
    if sub_layers > 0 {
        r.skip(2 * (8 - sub_layers))?;
    }
    for (profile, level) in present {
        r.skip(if profile { 88 } else { 0 } + if level { 8 } else { 0 })?;
    }
    Some(General { profile, high_tier, level, progressive: progressive || !interlaced })
}

fn tail(r: &mut Bits<'_>, sequence: &mut Sequence, poc_bits: u32) -> Option<()> {
    for _ in 0..6 {
        r.ue()?; // block sizes and transform depths
    }
    if r.flag()? && r.flag()? {
        scaling_lists(r)?;
    }
    r.u(2)?; // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    if r.flag()? {
        r.u(8)?;
        r.ue()?;
        r.ue()?;
        r.flag()?;
    }
    let sets = r.ue_to(64)?;
    let mut deltas = 0;
    for index in 0..sets {
        deltas = short_term_set(r, index, deltas)?;
    }
    if r.flag()? {
        for _ in 0..r.ue_to(32)? {
            r.u(poc_bits)?;
            r.flag()?;
        }
    }
    r.u(2)?; // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
    if !r.flag()? {
        return Some(());
    }
    if r.flag()? {
        sequence.sample_aspect = sample_aspect(r)?;
    }
    if r.flag()? {
        r.flag()?;
    }
    sequence.color = signal_type(r)?;
    if r.flag()? {
        r.ue()?;
        r.ue()?;
    }
    r.flag()?; // neutral_chroma_indication_flag
    let fields = r.flag()?;
    sequence.progressive &= !fields;
    r.flag()?; // frame_field_info_present_flag
    if r.flag()? {
        for _ in 0..4 {
            r.ue()?; // default display window
        }
    }
    if r.flag()? {
        sequence.timing = Some((r.u(32)?, r.u(32)?));
    }
    Some(())
}

fn scaling_lists(r: &mut Bits<'_>) -> Option<()> {
    for size in 0..4u32 {
        for _ in (0..6).step_by(if size == 3 { 3 } else { 1 }) {
            if r.flag()? {
                if size > 1 {
                    r.se()?;
                }
                for _ in 0..64.min(1 << (4 + 2 * size)) {
                    r.se()?;
                }
            } else {
                r.ue()?;
            }
        }
    }
    Some(())
}

/// st_ref_pic_set; takes and gives the number of pictures in the set before and in this one.
fn short_term_set(r: &mut Bits<'_>, index: u32, before: u32) -> Option<u32> {
    if index > 0 && r.flag()? {
        r.flag()?;
        r.ue()?;
        let mut count = 0;
        for _ in 0..=before {
            let used = r.flag()?;
            if used || r.flag()? {
                count += 1;
            }
        }
        return Some(count);
    }
    let (negative, positive) = (r.ue_to(16)?, r.ue_to(16)?);
    for _ in 0..negative + positive {
        r.ue()?;
        r.flag()?;
    }
    Some(negative + positive)
}

/// Names of Annex A.
pub fn profile_name(profile: u32) -> String {
    match profile {
        1 => "Main".to_owned(),
        2 => "Main 10".to_owned(),
        3 => "Main Still Picture".to_owned(),
        4 => "Rext".to_owned(),
        other => format!("profile {other}"),
    }
}

/// general_level_idc is thirty times the level.
pub fn level_name(level: u32) -> String {
    format!("{}.{}", level / 30, level % 30 / 3)
}
