//! Walks over the NAL units of every sample: how many pictures there are, and which parameter sets come with them.

use crate::verify::bitstream::avc;
use crate::verify::mp4::{Codec, Input, Movie, Track};

/// NAL units that are looked at; eight hours at 30 frames a second have fewer.
const MOST_UNITS: u64 = 1_000_000;
/// Bytes of a parameter set that are read.
const LARGEST_SET: u64 = 4096;
/// Different parameter sets that are kept.
const MOST_SETS: usize = 16;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Samples whose NAL units were looked at.
    pub samples: u64,
    /// Samples in which a picture begins, and pictures in all of them.
    pub with_picture: u64,
    pub pictures: u64,
    /// Samples that their NAL units do not fill exactly, and the first of them.
    pub broken: u64,
    pub first_broken: Option<u64>,
    /// Sequence parameter sets in the samples, each once.
    pub sps: Vec<Vec<u8>>,
    /// Sync samples without an IDR picture (open groups of pictures), and the first sample's kind.
    pub sync_without_idr: u64,
    pub starts_with_idr: Option<bool>,
}

/// `None` for codecs without NAL units.
pub fn walk(input: &(impl Input + ?Sized), movie: &Movie, track: &Track) -> Option<Walked> {
    let mut out = Walked::default();
    let mut seen = 0u64;
    for (index, sample) in track.samples.iter().enumerate() {
        let (length_size, hevc) = match &track.entries.get(sample.entry as usize)?.codec {
            Codec::Avc(config) => (u64::from(config.length_size), false),
            Codec::Hevc(config) => (u64::from(config.length_size), true),
            _ => return None,
        };
        let (mut at, end) = (sample.at, sample.end());
        let (mut picture, mut idr, mut whole) = (0u64, false, end <= movie.size);
        while whole && at < end {
            if seen == MOST_UNITS {
                return Some(out);
            }
            seen += 1;
            // The length and the first bytes of the unit.
            let mut head = [0u8; 16];
            let there = (end - at).min(16) as usize;
            whole = head.get_mut(..there).is_some_and(|head| input.read_at(at, head).is_ok());
            let Some((length, start)) = head.get(..there).and_then(|head| head.split_at_checked(length_size as usize))
            else {
                whole = false;
                break;
            };
            let length = length.iter().fold(0u64, |n, &b| n << 8 | u64::from(b));
            let unit_at = at + length_size;
            if length > end - unit_at {
                whole = false;
                break;
            }
            let start = start.get(..start.len().min(length as usize)).unwrap_or_default();
            let kind = start.first().map_or(0, |b| if hevc { b >> 1 & 63 } else { b & 31 });
            let (is_set, begins, is_idr) = if hevc {
                // first_slice_segment_in_pic_flag; IDR_W_RADL to CRA_NUT can begin a stream.
                (kind == 33, kind < 32 && start.get(2).is_some_and(|b| b & 0x80 != 0), (16..=21).contains(&kind))
            } else {
                (kind == 7, avc::begins_picture(start) == Some(true), kind == 5)
            };
            picture += u64::from(begins);
            idr |= is_idr;
            if is_set && out.sps.len() < MOST_SETS {
                let set = input.bytes(unit_at, length.min(LARGEST_SET)).unwrap_or_default();
                if !out.sps.contains(&set) {
                    out.sps.push(set);
                }
            }
            at = unit_at + length;
        }
        out.samples += 1;
        out.with_picture += u64::from(picture > 0);
        out.pictures += picture;
        if !whole {
            out.broken += 1;
            out.first_broken.get_or_insert(index as u64);
        }
        out.sync_without_idr += u64::from(sample.sync && !idr);
        out.starts_with_idr.get_or_insert(idr);
    }
    Some(out)
}
