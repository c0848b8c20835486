//! Movie fragments: `moof` boxes add samples to the tracks (ISO/IEC 14496-12 §8.8).

use super::atom::{Atom, find};
use super::input::Input;
use super::movie::{self, Sample, TopBox, Track};
use super::{Mp4Error, limits};

/// What `trex` and `tfhd` say of samples that say nothing themselves.
#[derive(Clone, Copy, Debug, Default)]
struct SampleDefaults {
    entry: u32,
    duration: u32,
    size: u32,
    flags: u32,
}

/// `trex` boxes by track.
#[derive(Default)]
pub struct Defaults(Vec<(u32, SampleDefaults)>);

impl Defaults {
    pub fn read(mvex: &Atom<'_>) -> Result<Self, Mp4Error> {
        let mut all = Vec::new();
        for trex in mvex.children()?.iter().filter(|a| a.kind.0 == *b"trex").take(limits::TRACKS) {
            let (_, _, mut f) = trex.full()?;
            let track = f.u32()?;
            let entry = f.u32()?;
            all.push((track, SampleDefaults { entry, duration: f.u32()?, size: f.u32()?, flags: f.u32()? }));
        }
        Ok(Self(all))
    }

    fn of(&self, track: u32) -> SampleDefaults {
        self.0.iter().find(|(id, _)| *id == track).map_or_else(SampleDefaults::default, |(_, d)| *d)
    }
}

/// `sample_is_non_sync_sample` of the sample flags.
const NON_SYNC: u32 = 0x1_0000;

/// What is left for samples: their number, and the bytes of those whose sizes nobody writes down.
struct Budget {
    samples: usize,
    bytes: u64,
}

/// Adds the samples of all fragments.
pub fn read(
    input: &(impl Input + ?Sized),
    boxes: &[TopBox],
    defaults: &Defaults,
    tracks: &mut [Track],
) -> Result<(), Mp4Error> {
    let room = limits::SAMPLES.saturating_sub(tracks.iter().map(|t| t.samples.len()).sum());
    let mut budget = Budget { samples: room, bytes: input.len() };
    for top in boxes.iter().filter(|b| b.kind.0 == *b"moof") {
        let bytes = movie::load(input, top, limits::MOOF)?;
        let moof = movie::atom(top, &bytes);
        // Data of a track fragment that says nothing follows that of the one before it.
        let mut data_end = moof.at;
        for traf in moof.children()?.iter().filter(|a| a.kind.0 == *b"traf") {
            read_traf(traf, moof.at, &mut data_end, defaults, tracks, &mut budget)?;
        }
    }
    Ok(())
}

fn read_traf(
    traf: &Atom<'_>,
    moof_at: u64,
    data_end: &mut u64,
    defaults: &Defaults,
    tracks: &mut [Track],
    budget: &mut Budget,
) -> Result<(), Mp4Error> {
    let children = traf.children()?;
    let tfhd = find(&children, b"tfhd").ok_or_else(|| traf.damaged("no `tfhd` in it"))?;
    let (_, flags, mut f) = tfhd.full()?;
    let id = f.u32()?;
    let Some(track) = tracks.iter_mut().find(|t| t.id == id) else {
        return Err(traf.damaged(format!("there is no track {id}")));
    };
    let mut common = defaults.of(id);
    let base = if flags & 0x1 != 0 {
        f.u64()?
    } else if flags & 0x2_0000 != 0 {
        moof_at
    } else {
        *data_end
    };
    for (flag, field) in
        [(0x2, &mut common.entry), (0x8, &mut common.duration), (0x10, &mut common.size), (0x20, &mut common.flags)]
    {
        if flags & flag != 0 {
            *field = f.u32()?;
        }
    }
    let mut time = track.samples.last().map_or(0, |s| s.decode_time.saturating_add(s.duration.into()));
    if let Some(tfdt) = find(&children, b"tfdt") {
        let (version, _, mut f) = tfdt.full()?;
        let start = f.word(version)?;
        if start < time {
            track.defects.push(format!("a fragment starts at {start}, before the one before it ends ({time})"));
            track.defects.truncate(16);
        }
        time = start;
    }
    let mut at = base;
    for trun in children.iter().filter(|a| a.kind.0 == *b"trun") {
        read_trun(trun, base, &mut at, &mut time, common, track, budget)?;
    }
    *data_end = at;
    Ok(())
}

fn read_trun(
    trun: &Atom<'_>,
    base: u64,
    at: &mut u64,
    time: &mut u64,
    common: SampleDefaults,
    track: &mut Track,
    budget: &mut Budget,
) -> Result<(), Mp4Error> {
    let (_, flags, mut f) = trun.full()?;
    let count = f.u32()?;
    if flags & 0x1 != 0 {
        *at = base.saturating_add_signed(f.i32()?.into());
    }
    let first_flags = if flags & 0x4 != 0 { Some(f.u32()?) } else { None };
    let fields = [0x100, 0x200, 0x400, 0x800].iter().filter(|&&flag| flags & flag != 0).count();
    if (f.left() as u64) < u64::from(count) * fields as u64 * 4 {
        return Err(
            trun.damaged(format!("it says {count} samples and has room for {}", f.left() / (fields * 4).max(1)))
        );
    }
    budget.samples = budget
        .samples
        .checked_sub(count as usize)
        .ok_or_else(|| Mp4Error::TooLarge(format!("more than {} samples", limits::SAMPLES)))?;
    // A run that writes nothing of its samples costs nothing to claim: they must at least have room in the file.
    if fields == 0 {
        let claimed = u64::from(common.size.max(1)).saturating_mul(count.into());
        let why = || trun.damaged(format!("its {count} samples of {} bytes are larger than the file", common.size));
        budget.bytes = budget.bytes.checked_sub(claimed).ok_or_else(why)?;
    }
    track.samples.reserve(count as usize);
    for index in 0..count {
        let mut field = |flag: u32, default: u32| if flags & flag != 0 { f.u32() } else { Ok(default) };
        let duration = field(0x100, common.duration)?;
        let size = field(0x200, common.size)?;
        let own = field(0x400, common.flags)?;
        let offset = field(0x800, 0)?.cast_signed();
        let sample_flags = if index == 0 { first_flags.unwrap_or(own) } else { own };
        let sync = sample_flags & NON_SYNC == 0;
        let entry = common.entry.saturating_sub(1);
        track.samples.push(Sample { at: *at, size, duration, decode_time: *time, offset, sync, entry });
        *at = at.saturating_add(size.into());
        *time = time.saturating_add(duration.into());
    }
    Ok(())
}
