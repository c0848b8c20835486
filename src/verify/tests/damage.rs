//! Files that were cut, flipped and made to lie: always an error or numbers, never a panic, never much time or memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::*;
use crate::verify::facts::Facts;
use crate::verify::mp4::Movie;

/// SplitMix64: the same damage on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// A few small files that use every box and every codec header that is read.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let dir = tempfile::tempdir().unwrap();
    let pictures = "-f lavfi -i testsrc2=size=64x48:rate=30:duration=0.4";
    let tone = "-f lavfi -i sine=sample_rate=48000:duration=0.4";
    let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p";
    let all = [
        (
            "h264.mp4",
            format!("{pictures} {tone} {x264} -bf 2 -vf setsar=4/3 -colorspace bt709 -c:a aac -movflags +faststart"),
        ),
        ("fragments.mp4", format!("{pictures} {tone} {x264} -g 4 -c:a aac -movflags frag_keyframe+empty_moov")),
        (
            "hevc.mp4",
            format!("{pictures} {tone} -c:v libx265 -preset ultrafast -x265-params log-level=error -c:a libmp3lame"),
        ),
        (
            "av1.mov",
            format!("{pictures} {tone} -c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p -f mp4 -c:a aac -ac 1 -ar 24000"),
        ),
        ("pcm.mov", format!("{pictures} {tone} -c:v mpeg4 -c:a pcm_s16le")),
    ];
    all.iter().map(|(name, command)| (*name, std::fs::read(ffmpeg(dir.path(), name, command)).unwrap())).collect()
}

/// Places of the boxes that describe: everything that is no `mdat`.
fn described(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let movie = Movie::read(bytes).unwrap();
    let boxes = movie.boxes.iter().filter(|b| b.kind.0 != *b"mdat");
    boxes.map(|b| b.at as usize..(b.at + b.size) as usize).collect()
}

/// Measures `bytes`; says what went wrong beyond an error.
fn survive(what: &str, bytes: &[u8]) -> Option<String> {
    let began = Instant::now();
    if catch_unwind(AssertUnwindSafe(|| Facts::of(bytes).is_ok())).is_err() {
        return Some(format!("{what}: panicked"));
    }
    // Generous: a machine that tests may be busy with others.
    (began.elapsed() > Duration::from_secs(20)).then(|| format!("{what}: took {:?}", began.elapsed()))
}

fn none_of(cases: impl ParallelIterator<Item = Option<String>>) {
    let wrong: Vec<String> = cases.flatten().collect();
    assert!(wrong.is_empty(), "{} of them, first: {}", wrong.len(), wrong[0]);
}

#[test]
fn cut_anywhere_a_file_is_an_error_or_says_what_is_left() {
    for (name, bytes) in files() {
        let head = described(&bytes).iter().map(|r| r.end).filter(|&end| end < bytes.len()).max().unwrap_or(0);
        assert!(Facts::of(&bytes[..]).is_ok(), "{name}");
        // Every length in the headers would be many; every third, and every 211th beyond.
        let lengths: Vec<usize> = (0..head.min(6000)).step_by(3).chain((0..bytes.len()).step_by(211)).collect();
        none_of(lengths.par_iter().map(|&len| {
            let cut = &bytes[..len];
            let whole_boxes = Movie::read(cut);
            if whole_boxes.is_ok() && len < head {
                // Only where a box ends may a file end.
                let ends: u64 = whole_boxes.iter().flat_map(|m| &m.boxes).map(|b| b.size).sum();
                if ends + 8 <= len as u64 {
                    return Some(format!("{name} cut at {len} passes"));
                }
            }
            survive(&format!("{name} cut at {len}"), cut)
        }));
    }
}

#[test]
fn flipped_bits_never_panic() {
    for (name, bytes) in files() {
        let ranges = described(&bytes);
        let seeds: Vec<u64> = (0..1500).collect();
        none_of(seeds.par_iter().map(|&seed| {
            let mut random = Random(seed);
            let mut damaged = bytes.clone();
            for _ in 0..1 + random.below(4) {
                // Three of four in the headers, the rest anywhere.
                let at = if random.below(4) > 0 {
                    let range = ranges[random.below(ranges.len())].clone();
                    range.start + random.below(range.len())
                } else {
                    random.below(bytes.len())
                };
                damaged[at] ^= 1 << random.below(8);
            }
            survive(&format!("{name}, seed {seed}"), &damaged)
        }));
    }
}

#[test]
fn numbers_that_lie_never_panic() {
    for (name, bytes) in files() {
        let mut places: Vec<usize> = described(&bytes).into_iter().flat_map(|r| r.start..r.end - 3).collect();
        places.retain(|p| p.is_multiple_of(2));
        none_of(places.par_iter().flat_map_iter(|&at| {
            let bytes = &bytes;
            [u32::MAX, 0, 0x7fff_ffff, 0x8000_0001].into_iter().map(move |lie| {
                let mut damaged = bytes.clone();
                damaged[at..at + 4].copy_from_slice(&lie.to_be_bytes());
                survive(&format!("{name}, {lie:#x} at {at}"), &damaged)
            })
        }));
    }
}

#[test]
fn parts_put_together_wrongly_never_panic() {
    let files = files();
    let seeds: Vec<u64> = (0..800).collect();
    none_of(seeds.par_iter().map(|&seed| {
        let mut random = Random(seed ^ 0xabcd);
        let (name, first) = &files[random.below(files.len())];
        let (_, second) = &files[random.below(files.len())];
        let mut damaged = first.clone();
        let (at, from) = (random.below(first.len()), random.below(second.len()));
        let len = random.below(200).min(first.len() - at).min(second.len() - from);
        match random.below(3) {
            0 => damaged[at..at + len].copy_from_slice(&second[from..from + len]),
            1 => drop(damaged.splice(at..at, second[from..from + len].iter().copied())),
            _ => drop(damaged.drain(at..at + len)),
        }
        survive(&format!("{name}, seed {seed}"), &damaged)
    }));
}
