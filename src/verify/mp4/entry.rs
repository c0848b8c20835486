//! Sample entries of `stsd`, and the codec configuration in them (ISO/IEC 14496-12 §8.5.2, -14, -15).

use super::atom::{Atom, Fields, find};
use super::movie::Kind;
use super::{FourCc, Mp4Error, limits};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleEntry {
    pub format: FourCc,
    /// What a protected entry (`encv`, `enca`) was before.
    pub original: Option<FourCc>,
    pub streams: Streams,
    pub codec: Codec,
    /// Mean and highest rate of `btrt`, bits a second.
    pub bit_rate: Option<(u32, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Streams {
    Video(VisualEntry),
    Audio(AudioEntry),
    Other,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisualEntry {
    pub width: u16,
    pub height: u16,
    /// `pasp`: width to height of a pixel.
    pub pixel_aspect: Option<(u32, u32)>,
    pub color: Option<ColorTag>,
    /// Has `clap`, which crops once more.
    pub clean_aperture: bool,
}

/// `colr` of type `nclx` or `nclc`: code points of ISO/IEC 23091-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorTag {
    pub primaries: u16,
    pub transfer: u16,
    pub matrix: u16,
    /// `None` in QuickTime's `nclc`.
    pub full_range: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AudioEntry {
    pub channels: u32,
    pub bits: u32,
    /// Hz, the whole part.
    pub rate: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codec {
    Avc(AvcConfig),
    Hevc(HevcConfig),
    /// `av1C` and the sequence header in it.
    Av1(Vec<u8>),
    /// `esds`: what it says the stream is (object type indication) and its own configuration.
    Mpeg4 {
        object_type: u8,
        config: Vec<u8>,
        max_rate: u32,
        mean_rate: u32,
    },
    /// Known by its name alone.
    Unknown,
}

/// `avcC` (ISO/IEC 14496-15 §5.3.3.1). Parameter sets are NAL units without start codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AvcConfig {
    pub profile: u8,
    pub constraints: u8,
    pub level: u8,
    /// Bytes of the length in front of each NAL unit: 1, 2 or 4.
    pub length_size: u8,
    pub sps: Vec<Vec<u8>>,
    pub pps: Vec<Vec<u8>>,
}

/// `hvcC` (ISO/IEC 14496-15 §8.3.3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HevcConfig {
    pub profile: u8,
    pub tier: bool,
    pub level: u8,
    pub chroma_format: u8,
    pub bit_depth: u8,
    pub length_size: u8,
    pub sps: Vec<Vec<u8>>,
}

/// All entries of `stsd`.
pub fn read(stsd: &Atom<'_>, kind: Kind) -> Result<Vec<SampleEntry>, Mp4Error> {
    let (_, _, mut f) = stsd.full()?;
    let count = f.u32()?;
    if count > limits::ENTRIES {
        return Err(stsd.damaged(format!("{count} sample descriptions")));
    }
    let entries = stsd.children_from(8)?;
    if entries.len() < count as usize {
        return Err(stsd.damaged(format!("it says {count} sample descriptions and has {}", entries.len())));
    }
    entries.iter().take(count as usize).map(|entry| read_entry(entry, kind)).collect()
}

fn read_entry(entry: &Atom<'_>, kind: Kind) -> Result<SampleEntry, Mp4Error> {
    let mut f = entry.fields();
    f.take(8)?;
    let (streams, children) = match kind {
        Kind::Video => {
            f.take(16)?;
            let (width, height) = (f.u16()?, f.u16()?);
            f.take(50)?;
            let children = entry.children_from(78)?;
            let pixel_aspect = match find(&children, b"pasp") {
                Some(pasp) => {
                    let mut f = pasp.fields();
                    Some((f.u32()?, f.u32()?))
                }
                None => None,
            };
            let color = children.iter().filter(|a| a.kind.0 == *b"colr").find_map(color);
            let clean_aperture = find(&children, b"clap").is_some();
            (Streams::Video(VisualEntry { width, height, pixel_aspect, color, clean_aperture }), children)
        }
        Kind::Audio => {
            let (audio, skip) = read_audio(&mut f)?;
            (Streams::Audio(audio), entry.children_from(skip)?)
        }
        Kind::Other(_) => {
            let (format, streams, codec) = (entry.kind, Streams::Other, Codec::Unknown);
            return Ok(SampleEntry { format, original: None, streams, codec, bit_rate: None });
        }
    };
    let original = match find(&children, b"sinf") {
        Some(sinf) => find(&sinf.children()?, b"frma").map(|frma| frma.fields().fourcc()).transpose()?,
        None => None,
    };
    let bit_rate = match find(&children, b"btrt") {
        Some(btrt) => {
            let mut f = btrt.fields();
            f.u32()?;
            let highest = f.u32()?;
            Some((f.u32()?, highest))
        }
        None => None,
    };
    Ok(SampleEntry { format: entry.kind, original, streams, codec: read_codec(&children)?, bit_rate })
}

/// An audio entry from its version on, and where the boxes in it begin.
fn read_audio(f: &mut Fields<'_>) -> Result<(AudioEntry, usize), Mp4Error> {
    let version = f.u16()?;
    f.take(6)?;
    let (channels, bits) = (f.u16()?.into(), f.u16()?.into());
    f.take(4)?;
    let rate = f.u32()? >> 16;
    Ok(match version {
        // QuickTime: four more numbers.
        1 => (AudioEntry { channels, bits, rate }, 28 + 16),
        // QuickTime: the true ones follow.
        2 => {
            f.take(4)?;
            let rate = f64::from_bits(f.u64()?);
            let channels = f.u32()?;
            f.take(4)?;
            (AudioEntry { channels, bits: f.u32()?, rate: rate as u32 }, 28 + 36)
        }
        _ => (AudioEntry { channels, bits, rate }, 28),
    })
}

fn color(colr: &Atom<'_>) -> Option<ColorTag> {
    let mut f = colr.fields();
    let kind = f.fourcc().ok()?;
    if kind.0 != *b"nclx" && kind.0 != *b"nclc" {
        return None;
    }
    let (primaries, transfer, matrix) = (f.u16().ok()?, f.u16().ok()?, f.u16().ok()?);
    let full_range = if kind.0 == *b"nclx" { Some(f.u8().ok()? & 0x80 != 0) } else { None };
    Some(ColorTag { primaries, transfer, matrix, full_range })
}

fn read_codec(children: &[Atom<'_>]) -> Result<Codec, Mp4Error> {
    if let Some(avcc) = find(children, b"avcC") {
        return read_avc(&avcc).map(Codec::Avc);
    }
    if let Some(hvcc) = find(children, b"hvcC") {
        return read_hevc(&hvcc).map(Codec::Hevc);
    }
    if let Some(av1c) = find(children, b"av1C") {
        return Ok(Codec::Av1(av1c.body.to_vec()));
    }
    if let Some(esds) = find(children, b"esds") {
        return read_esds(&esds);
    }
    // QuickTime keeps it one level further down.
    if let Some(wave) = find(children, b"wave")
        && let Some(esds) = find(&wave.children()?, b"esds")
    {
        return read_esds(&esds);
    }
    Ok(Codec::Unknown)
}

/// NAL units, each with a 16-bit length in front.
fn units(f: &mut Fields<'_>, count: u16) -> Result<Vec<Vec<u8>>, Mp4Error> {
    (0..count)
        .map(|_| {
            let len = f.u16()?;
            f.take(len.into()).map(<[u8]>::to_vec)
        })
        .collect()
}

fn read_avc(avcc: &Atom<'_>) -> Result<AvcConfig, Mp4Error> {
    let mut f = avcc.fields();
    f.u8()?;
    let (profile, constraints, level) = (f.u8()?, f.u8()?, f.u8()?);
    let length_size = (f.u8()? & 3) + 1;
    let count = f.u8()? & 31;
    let sps = units(&mut f, count.into())?;
    let count = f.u8()?;
    let pps = units(&mut f, count.into())?;
    Ok(AvcConfig { profile, constraints, level, length_size, sps, pps })
}

fn read_hevc(hvcc: &Atom<'_>) -> Result<HevcConfig, Mp4Error> {
    let mut f = hvcc.fields();
    f.u8()?;
    let profile = f.u8()?;
    f.take(10)?;
    let level = f.u8()?;
    f.take(3)?;
    let chroma_format = f.u8()? & 3;
    let bit_depth = (f.u8()? & 7) + 8;
    f.take(3)?;
    let length_size = (f.u8()? & 3) + 1;
    let mut sps = Vec::new();
    for _ in 0..f.u8()? {
        let kind = f.u8()? & 63;
        let count = f.u16()?;
        let found = units(&mut f, count)?;
        if kind == 33 {
            sps.extend(found);
        }
    }
    let (tier, profile) = (profile & 0x20 != 0, profile & 31);
    Ok(HevcConfig { profile, tier, level, chroma_format, bit_depth, length_size, sps })
}

/// A descriptor's tag and body (ISO/IEC 14496-1 §8.3.3).
fn descriptor<'a>(atom: &Atom<'a>, f: &mut Fields<'a>) -> Result<(u8, Atom<'a>), Mp4Error> {
    let tag = f.u8()?;
    let mut len = 0usize;
    for _ in 0..4 {
        let byte = f.u8()?;
        len = len << 7 | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    // Some writers claim more than there is for the outermost one.
    let body = f.take(len.min(f.left()))?;
    Ok((tag, Atom { body, ..*atom }))
}

fn read_esds(esds: &Atom<'_>) -> Result<Codec, Mp4Error> {
    let (_, _, mut f) = esds.full()?;
    let (tag, es) = descriptor(esds, &mut f)?;
    if tag != 3 {
        return Err(esds.damaged(format!("descriptor {tag} in place of an ES descriptor")));
    }
    let mut f = es.fields();
    f.u16()?;
    let flags = f.u8()?;
    if flags & 0x80 != 0 {
        f.u16()?;
    }
    if flags & 0x40 != 0 {
        let len = f.u8()?;
        f.take(len.into())?;
    }
    if flags & 0x20 != 0 {
        f.u16()?;
    }
    let (tag, decoder) = descriptor(esds, &mut f)?;
    if tag != 4 {
        return Err(esds.damaged(format!("descriptor {tag} in place of a decoder configuration")));
    }
    let mut f = decoder.fields();
    let object_type = f.u8()?;
    f.take(4)?;
    let (max_rate, mean_rate) = (f.u32()?, f.u32()?);
    let mut config = Vec::new();
    while f.left() >= 2 {
        let (tag, own) = descriptor(esds, &mut f)?;
        if tag == 5 {
            config = own.body.to_vec();
        }
    }
    Ok(Codec::Mpeg4 { object_type, config, max_rate, mean_rate })
}
