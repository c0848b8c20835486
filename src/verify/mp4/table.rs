//! The sample tables of `stbl` become one list of samples.

use super::atom::{Atom, Fields, be32, find};
use super::movie::{Kind, Sample, Track};
use super::{Mp4Error, limits};

/// Where sizes come from.
enum Sizes<'a> {
    /// All the same.
    One(u32),
    Each(&'a [[u8; 4]]),
    /// `stz2` with 4, 8 or 16 bits each.
    Compact(u8, &'a [u8]),
}

impl Sizes<'_> {
    fn get(&self, index: usize) -> u32 {
        match self {
            Self::One(size) => *size,
            Self::Each(sizes) => sizes.get(index).map_or(0, |b| u32::from_be_bytes(*b)),
            Self::Compact(4, bytes) => {
                let byte = bytes.get(index / 2).copied().unwrap_or_default();
                u32::from(if index.is_multiple_of(2) { byte >> 4 } else { byte & 15 })
            }
            Self::Compact(8, bytes) => bytes.get(index).copied().unwrap_or_default().into(),
            Self::Compact(_, bytes) => {
                let pair = bytes.as_chunks::<2>().0.get(index);
                pair.map_or(0, |b| u16::from_be_bytes(*b)).into()
            }
        }
    }
}

/// Runs of equal values, read one by one: `stts` and `ctts`.
struct Runs<'a> {
    entries: std::slice::Iter<'a, [u8; 8]>,
    left: u32,
    value: u32,
}

impl<'a> Runs<'a> {
    fn new(entries: &'a [[u8; 8]]) -> Self {
        Self { entries: entries.iter(), left: 0, value: 0 }
    }

    /// How many values the entries say there are.
    fn total(entries: &[[u8; 8]]) -> u64 {
        entries.iter().map(|e| u64::from(be32(e, 0))).sum()
    }

    /// The next value; the last one again after the end.
    fn next(&mut self) -> u32 {
        while self.left == 0 {
            let Some(entry) = self.entries.next() else { return self.value };
            self.left = be32(entry, 0);
            if self.left > 0 {
                self.value = be32(entry, 4);
            }
        }
        self.left -= 1;
        self.value
    }

    /// The sum of the next `count` values.
    fn sum(&mut self, count: u32) -> u64 {
        let mut todo = count;
        let mut sum = 0u64;
        while todo > 0 {
            sum = sum.saturating_add(self.next().into());
            todo -= 1;
            let run = self.left.min(todo);
            sum = sum.saturating_add(u64::from(run).saturating_mul(self.value.into()));
            self.left -= run;
            todo -= run;
            if self.left == 0 && self.entries.len() == 0 {
                return sum.saturating_add(u64::from(todo).saturating_mul(self.value.into()));
            }
        }
        sum
    }
}

/// A table of 8-byte entries, empty if absent.
fn pairs<'a>(tables: &[Atom<'a>], kind: &[u8; 4]) -> Result<&'a [[u8; 8]], Mp4Error> {
    let Some(atom) = find(tables, kind) else { return Ok(&[]) };
    let (_, _, mut f) = atom.full()?;
    let count = f.u32()?;
    f.table::<8>(count)
}

fn sizes<'a>(stbl: &Atom<'_>, tables: &[Atom<'a>]) -> Result<(Sizes<'a>, u32), Mp4Error> {
    if let Some(stsz) = find(tables, b"stsz") {
        let (_, _, mut f) = stsz.full()?;
        let (one, count) = (f.u32()?, f.u32()?);
        return Ok((if one != 0 { Sizes::One(one) } else { Sizes::Each(f.table::<4>(count)?) }, count));
    }
    let stz2 = find(tables, b"stz2").ok_or_else(|| stbl.damaged("no `stsz` in it"))?;
    let (_, _, mut f) = stz2.full()?;
    let bits = (f.u32()? & 0xff) as u8;
    let count = f.u32()?;
    if !matches!(bits, 4 | 8 | 16) {
        return Err(stz2.damaged(format!("sizes of {bits} bits")));
    }
    let bytes = (u64::from(count) * u64::from(bits)).div_ceil(8);
    Ok((Sizes::Compact(bits, f.take(usize::try_from(bytes).unwrap_or(usize::MAX))?), count))
}

/// Where the chunks are: 4 or 8 bytes each.
enum Chunks<'a> {
    Short(&'a [[u8; 4]]),
    Long(&'a [[u8; 8]]),
}

impl Chunks<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Short(all) => all.len(),
            Self::Long(all) => all.len(),
        }
    }

    fn get(&self, index: usize) -> u64 {
        match self {
            Self::Short(all) => all.get(index).map_or(0, |b| u32::from_be_bytes(*b).into()),
            Self::Long(all) => all.get(index).map_or(0, |b| u64::from_be_bytes(*b)),
        }
    }
}

fn chunks<'a>(stbl: &Atom<'_>, tables: &[Atom<'a>]) -> Result<Chunks<'a>, Mp4Error> {
    let counted = |atom: &Atom<'a>| -> Result<(u32, Fields<'a>), Mp4Error> {
        let (_, _, mut f) = atom.full()?;
        Ok((f.u32()?, f))
    };
    if let Some(stco) = find(tables, b"stco") {
        let (count, mut f) = counted(&stco)?;
        return Ok(Chunks::Short(f.table::<4>(count)?));
    }
    let co64 = find(tables, b"co64").ok_or_else(|| stbl.damaged("no `stco` and no `co64` in it"))?;
    let (count, mut f) = counted(&co64)?;
    Ok(Chunks::Long(f.table::<8>(count)?))
}

/// Uncompressed and sample-by-sample codings, whose "samples" are single values of the waveform.
fn is_pcm(code: [u8; 4]) -> bool {
    matches!(
        &code,
        b"sowt"
            | b"twos"
            | b"lpcm"
            | b"ipcm"
            | b"fpcm"
            | b"in24"
            | b"in32"
            | b"fl32"
            | b"fl64"
            | b"raw "
            | b"NONE"
            | b"alaw"
            | b"ulaw"
    )
}

/// Fills `track.samples`, and takes their number from `budget`. `file_size`: what they can't exceed.
pub fn read(
    stbl: &Atom<'_>,
    tables: &[Atom<'_>],
    track: &mut Track,
    budget: &mut usize,
    file_size: u64,
) -> Result<(), Mp4Error> {
    let times = pairs(tables, b"stts")?;
    let offsets = pairs(tables, b"ctts")?;
    let (sizes, count) = sizes(stbl, tables)?;
    let stsc = match find(tables, b"stsc") {
        Some(stsc) => {
            let (_, _, mut f) = stsc.full()?;
            let count = f.u32()?;
            f.table::<12>(count)?
        }
        None => return Err(stbl.damaged("no `stsc` in it")),
    };
    let chunks = chunks(stbl, tables)?;
    let sync = match find(tables, b"stss") {
        Some(stss) => {
            let (_, _, mut f) = stss.full()?;
            let count = f.u32()?;
            Some(f.table::<4>(count)?)
        }
        None => None,
    };
    track.whole_chunks = track.kind == Kind::Audio
        && matches!(sizes, Sizes::One(_))
        && track.entries.first().is_some_and(|e| is_pcm(e.format.0));
    let items = if track.whole_chunks { chunks.len() } else { count as usize };
    if items > *budget {
        return Err(Mp4Error::TooLarge(format!("more than {} samples", limits::SAMPLES)));
    }
    // Sizes that are not written one by one cost nothing to claim: a small file is not to become many samples.
    if let Sizes::One(size) = sizes
        && u64::from(size).saturating_mul(count.into()) > file_size
    {
        return Err(stbl.damaged(format!("its {count} samples of {size} bytes are larger than the file")));
    }
    for (name, total) in [("stts", Runs::total(times)), ("ctts", Runs::total(offsets))] {
        if total != u64::from(count) && !(name == "ctts" && offsets.is_empty()) {
            track.defects.push(format!("`{name}` is about {total} samples, `stsz` about {count}"));
        }
    }
    let mut times = Runs::new(times);
    let mut offsets = Runs::new(offsets);
    let mut sync_next = sync.map(|s| s.iter().map(|b| u32::from_be_bytes(*b)).peekable());
    let mut samples = Vec::with_capacity(items);
    let mut next = 0u32;
    let mut decode_time = 0u64;
    let mut run = 0;
    if stsc.first().is_some_and(|e| be32(e, 0) != 1) {
        track.defects.push("`stsc` does not begin with the first chunk".to_owned());
    }
    'chunks: for index in 0..chunks.len() {
        let number = index as u64 + 1;
        while stsc.get(run + 1).is_some_and(|e| u64::from(be32(e, 0)) <= number) {
            run += 1;
        }
        let Some(entry) = stsc.get(run) else { break };
        let (per_chunk, description) = (be32(entry, 4), be32(entry, 8).saturating_sub(1));
        let mut at = chunks.get(index);
        if track.whole_chunks {
            let values = per_chunk.min(count - next);
            let size = u64::from(values) * u64::from(sizes.get(0));
            let size = u32::try_from(size).map_err(|_| stbl.damaged("a chunk of more than 4 GiB"))?;
            let duration = u32::try_from(times.sum(values)).map_err(|_| stbl.damaged("a chunk that lasts too long"))?;
            samples.push(Sample { at, size, duration, decode_time, offset: 0, sync: true, entry: description });
            decode_time = decode_time.saturating_add(duration.into());
            next += values;
            continue;
        }
        for _ in 0..per_chunk {
            if next >= count {
                break 'chunks;
            }
            let size = sizes.get(next as usize);
            let duration = times.next();
            let offset = if offsets.entries.len() == 0 && offsets.left == 0 { 0 } else { offsets.next() };
            next += 1;
            let sync = match &mut sync_next {
                None => true,
                Some(numbers) => {
                    while numbers.peek().is_some_and(|&n| n < next) {
                        numbers.next();
                    }
                    numbers.peek() == Some(&next)
                }
            };
            let offset = offset.cast_signed();
            samples.push(Sample { at, size, duration, decode_time, offset, sync, entry: description });
            decode_time = decode_time.saturating_add(duration.into());
            at = at.saturating_add(size.into());
        }
    }
    if next < count {
        track.defects.push(format!("`stsc` and `stco` place {next} of {count} samples"));
    }
    *budget -= samples.len();
    track.samples = samples;
    Ok(())
}
