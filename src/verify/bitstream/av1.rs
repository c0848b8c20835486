//! AV1: the configuration record (AV1 in ISO Base Media §2.3) and the sequence header (AV1 §5.5).

use super::{Bits, Color, Sequence};

/// Reads the body of `av1C`: four bytes and the sequence header OBU behind them.
pub fn parse(config: &[u8]) -> Option<Sequence> {
    let (&[_, _, _, _], mut obus) = config.split_first_chunk::<4>()?;
    while let Some((&header, rest)) = obus.split_first() {
        let extension = usize::from(header >> 2 & 1);
        let rest = rest.get(extension..)?;
        let (size, rest) = if header & 2 != 0 { leb128(rest)? } else { (rest.len(), rest) };
        let (obu, rest) = rest.split_at_checked(size)?;
        if header >> 3 & 15 == 1 {
            return sequence_header(obu);
        }
        obus = rest;
    }
    None
}

fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().take(8).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte & 0x80 == 0 {
            return Some((usize::try_from(value).ok()?, bytes.get(i + 1..)?));
        }
    }
    None
}

fn sequence_header(obu: &[u8]) -> Option<Sequence> {
    let r = &mut Bits::new(obu);
    let profile = r.u(3)?;
    let mut sequence = Sequence { progressive: true, profile_number: profile, ..Sequence::default() };
    sequence.profile = match profile {
        0 => "Main".to_owned(),
        1 => "High".to_owned(),
        2 => "Professional".to_owned(),
        other => format!("profile {other}"),
    };
    r.flag()?; // still_picture
    let (mut level, mut tier) = (0, false);
    if r.flag()? {
        level = r.u(5)?;
    } else {
        let mut decoder_model = None;
        if r.flag()? {
            sequence.timing = Some((r.u(32)?, r.u(32)?));
            if r.flag()? {
                r.ue()?; // uvlc
            }
            if r.flag()? {
                let bits = r.u(5)? + 1;
                r.u(32)?;
                r.u(10)?;
                decoder_model = Some(bits);
            }
        }
        let initial_delay = r.flag()?;
        for point in 0..=r.u(5)? {
            r.u(12)?;
            let this = r.u(5)?;
            let high = this > 7 && r.flag()?;
            if point == 0 {
                (level, tier) = (this, high);
            }
            if let Some(bits) = decoder_model
                && r.flag()?
            {
                r.u(bits)?;
                r.u(bits)?;
                r.flag()?;
            }
            if initial_delay && r.flag()? {
                r.u(4)?;
            }
        }
    }
    sequence.level = format!("{}.{}", 2 + (level >> 2), level & 3);
    sequence.tier = Some(if tier { "High" } else { "Main" });
    let (width_bits, height_bits) = (r.u(4)? + 1, r.u(4)? + 1);
    sequence.coded = (r.u(width_bits)? + 1, r.u(height_bits)? + 1);
    sequence.size = sequence.coded;
    // Only now is it known whether the header was reduced: level_idc came at once then.
    let reduced = obu.first().is_some_and(|b| b & 0x08 != 0);
    if !reduced && r.flag()? {
        r.u(4)?;
        r.u(3)?;
    }
    r.u(3)?; // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
    if !reduced {
        r.u(4)?; // enable_interintra_compound .. enable_dual_filter
        let order_hint = r.flag()?;
        if order_hint {
            r.u(2)?;
        }
        let screen_tools = if r.flag()? { 2 } else { r.u(1)? };
        if screen_tools > 0 && !r.flag()? {
            r.u(1)?;
        }
        if order_hint {
            r.u(3)?;
        }
    }
    r.u(3)?; // enable_superres, enable_cdef, enable_restoration
    color_config(r, &mut sequence)?;
    Some(sequence)
}

fn color_config(r: &mut Bits<'_>, sequence: &mut Sequence) -> Option<()> {
    let high = r.flag()?;
    let depth = if sequence.profile_number == 2 && high {
        if r.flag()? { 12 } else { 10 }
    } else if high {
        10
    } else {
        8
    };
    (sequence.bit_depth, sequence.bit_depth_chroma) = (depth, depth);
    let mono = sequence.profile_number != 1 && r.flag()?;
    let mut color = Color::default();
    if r.flag()? {
        color.primaries = r.u(8)? as u16;
        color.transfer = r.u(8)? as u16;
        color.matrix = r.u(8)? as u16;
    }
    let rgb = (color.primaries, color.transfer, color.matrix) == (1, 13, 0);
    sequence.chroma_format = match sequence.profile_number {
        _ if mono => 0,
        _ if rgb => 3,
        0 => 1,
        1 => 3,
        _ => 2,
    };
    color.full_range = if rgb { Some(true) } else { Some(r.flag()?) };
    if !mono && !rgb && sequence.profile_number == 2 && depth == 12 {
        let x = r.flag()?;
        let y = x && r.flag()?;
        sequence.chroma_format = match (x, y) {
            (true, true) => 1,
            (true, false) => 2,
            _ => 3,
        };
    }
    sequence.color = color;
    Some(())
}
