//! The whole file: the boxes at its top, `ftyp` and `moov`.

use super::atom::{Atom, find};
use super::entry::{self, SampleEntry};
use super::fragment::{self, Defaults};
use super::input::Input;
use super::table;
use super::{FourCc, Mp4Error, limits};

/// A box at the top of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopBox {
    pub kind: FourCc,
    pub at: u64,
    /// Bytes, the header included.
    pub size: u64,
}

/// `ftyp`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileType {
    pub major: Option<FourCc>,
    pub compatible: Vec<FourCc>,
}

#[derive(Clone, Debug)]
pub struct Movie {
    /// Bytes of the file.
    pub size: u64,
    pub boxes: Vec<TopBox>,
    pub file_type: FileType,
    /// Ticks a second of `mvhd`, `tkhd` and edit durations.
    pub timescale: u32,
    /// Of `mvhd`, in those ticks; `None` where it is said to be unknown.
    pub duration: Option<u64>,
    pub tracks: Vec<Track>,
    /// Does `mvex` announce fragments?
    pub fragmented: bool,
    /// `moof` boxes.
    pub fragments: usize,
    /// Bytes after the last box that are no box.
    pub stray: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Video,
    Audio,
    Other(FourCc),
}

/// One line of `elst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Ticks of the movie; 0 in a fragmented file: to the end.
    pub duration: u64,
    /// Ticks of the media; −1: nothing is shown.
    pub media_time: i64,
    /// 16.16; 0 holds a picture.
    pub rate: i32,
}

#[derive(Clone, Debug)]
pub struct Track {
    pub id: u32,
    /// Of `tkhd`: a track that is not counts as not there.
    pub enabled: bool,
    pub kind: Kind,
    /// Of `tkhd`, in the movie's ticks.
    pub duration: Option<u64>,
    /// Of `tkhd`, 16.16.
    pub width: u32,
    pub height: u32,
    /// Of `tkhd`: a, b, c, d as 16.16, the part that turns and mirrors.
    pub matrix: [i32; 4],
    /// Ticks a second of `mdhd` and all samples.
    pub timescale: u32,
    /// Of `mdhd`.
    pub media_duration: Option<u64>,
    pub edits: Vec<Edit>,
    pub entries: Vec<SampleEntry>,
    /// In decoding order.
    pub samples: Vec<Sample>,
    /// Sample sizes are the sizes of whole chunks: PCM, whose samples are single values.
    pub whole_chunks: bool,
    /// Where the tables contradict each other.
    pub defects: Vec<String>,
}

/// One access unit. Times are in the track's ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub at: u64,
    pub size: u32,
    pub duration: u32,
    pub decode_time: u64,
    /// Composition time less decode time.
    pub offset: i32,
    /// Decoding can start here.
    pub sync: bool,
    /// Index of its sample entry.
    pub entry: u32,
}

impl Sample {
    pub fn composition_time(&self) -> i128 {
        i128::from(self.decode_time) + i128::from(self.offset)
    }

    pub fn end(&self) -> u64 {
        self.at.saturating_add(u64::from(self.size))
    }
}

impl Movie {
    /// # Errors
    /// The file is no MP4, cut off, damaged, or asks for more than [`limits`] allows.
    pub fn read(input: &(impl Input + ?Sized)) -> Result<Self, Mp4Error> {
        let (boxes, stray) = top_boxes(input)?;
        let known = |b: &&TopBox| matches!(&b.kind.0, b"ftyp" | b"moov" | b"mdat" | b"moof" | b"styp" | b"wide");
        if boxes.iter().find(known).is_none() {
            return Err(Mp4Error::NotMp4("it has none of the boxes of one".to_owned()));
        }
        let mut movie = Self {
            size: input.len(),
            file_type: FileType::default(),
            timescale: 1,
            duration: None,
            tracks: Vec::new(),
            fragmented: false,
            fragments: boxes.iter().filter(|b| b.kind.0 == *b"moof").count(),
            stray,
            boxes: Vec::new(),
        };
        if let Some(ftyp) = boxes.iter().find(|b| b.kind.0 == *b"ftyp") {
            let bytes = load(input, ftyp, 1 << 16)?;
            let mut fields = atom(ftyp, &bytes).fields();
            movie.file_type.major = Some(fields.fourcc()?);
            fields.u32()?;
            let (codes, _) = fields.rest().as_chunks::<4>();
            movie.file_type.compatible = codes.iter().map(|c| FourCc(*c)).collect();
        }
        let moov = boxes.iter().find(|b| b.kind.0 == *b"moov").ok_or(Mp4Error::NoMoov)?;
        let bytes = load(input, moov, limits::MOOV)?;
        let defaults = movie.read_moov(&atom(moov, &bytes))?;
        if movie.fragmented {
            fragment::read(input, &boxes, &defaults, &mut movie.tracks)?;
        }
        movie.boxes = boxes;
        Ok(movie)
    }

    fn read_moov(&mut self, moov: &Atom<'_>) -> Result<Defaults, Mp4Error> {
        let children = moov.children()?;
        let mvhd = find(&children, b"mvhd").ok_or_else(|| moov.damaged("no `mvhd` in it"))?;
        (self.timescale, self.duration) = times(&mvhd)?;
        let mut defaults = Defaults::default();
        if let Some(mvex) = find(&children, b"mvex") {
            self.fragmented = true;
            defaults = Defaults::read(&mvex)?;
        }
        let tracks: Vec<_> = children.iter().filter(|a| a.kind.0 == *b"trak").collect();
        if tracks.len() > limits::TRACKS {
            return Err(Mp4Error::TooLarge(format!("{} tracks", tracks.len())));
        }
        let mut budget = limits::SAMPLES;
        for trak in tracks {
            let track = read_track(trak, &mut budget, self.size)?;
            if self.tracks.iter().any(|t| t.id == track.id) {
                return Err(trak.damaged(format!("there is another track {}", track.id)));
            }
            self.tracks.push(track);
        }
        Ok(defaults)
    }

    /// Is everything that describes the samples in front of the first of them?
    pub fn is_fast_start(&self) -> bool {
        let first = |kind: &[u8; 4]| self.boxes.iter().position(|b| b.kind.0 == *kind);
        match (first(b"moov"), first(b"mdat")) {
            (Some(moov), Some(mdat)) => moov < mdat,
            (moov, _) => moov.is_some(),
        }
    }

    /// The first track of a kind that is enabled: "a disabled track … is treated as if it were not present"
    /// (ISO/IEC 14496-12 §8.3.2.3).
    pub fn track(&self, kind: Kind) -> Option<&Track> {
        self.tracks.iter().find(|t| t.kind == kind && t.enabled)
    }

    /// Is there a track of this kind, and none that is enabled?
    pub fn is_disabled(&self, kind: Kind) -> bool {
        self.track(kind).is_none() && self.tracks.iter().any(|t| t.kind == kind)
    }
}

/// Boxes that stand at the top of files (ISO/IEC 14496-12 table 1, and QuickTime's): cut short, one of them is a cut file.
const TOP: [&[u8; 4]; 20] = [
    b"ftyp", b"moov", b"mdat", b"moof", b"mfra", b"free", b"skip", b"wide", b"styp", b"sidx", b"ssix", b"prft",
    b"emsg", b"meta", b"meco", b"uuid", b"udta", b"pdin", b"pnot", b"PICT",
];

/// All boxes at the top, in order, and the number of bytes after them that are no box.
fn top_boxes(input: &(impl Input + ?Sized)) -> Result<(Vec<TopBox>, u64), Mp4Error> {
    let len = input.len();
    let mut boxes = Vec::new();
    let mut has_film = false;
    let mut at = 0u64;
    while at < len {
        let there = len - at;
        let mut head = [0; 16];
        let head_len = there.min(16) as usize;
        let read = head.get_mut(..head_len).map(|head| input.read_at(at, head));
        if let Some(Err(e)) = read {
            return Err(Mp4Error::Read { at, why: e.to_string() });
        }
        let [a, b, c, d, kind @ .., l0, l1, l2, l3, l4, l5, l6, l7] = head;
        let short = u32::from_be_bytes([a, b, c, d]);
        let kind = FourCc(kind);
        let printable = kind.0.iter().all(|b| (0x20..0x7f).contains(b) || *b == 0xa9);
        if there < 8 || !printable || (2..8).contains(&short) {
            if boxes.is_empty() {
                return Err(Mp4Error::NotMp4("it does not begin with a box".to_owned()));
            }
            // Zeros and the like after the last box harm nobody, unless the boxes after them are missed.
            return Ok((boxes, there));
        }
        let (header, size) = match short {
            0 => (8, there),
            1 => (16, u64::from_be_bytes([l0, l1, l2, l3, l4, l5, l6, l7])),
            size => (8, u64::from(size)),
        };
        // Behind a film, what only looks like a box that is larger than the rest of the file is none.
        if has_film && !TOP.contains(&&kind.0) && (size < header || size > there) {
            return Ok((boxes, there));
        }
        if size < header {
            return Err(Mp4Error::Damaged { kind, at, why: format!("it says {size} bytes, less than its header") });
        }
        if size > there {
            if boxes.is_empty() && kind.0 != *b"ftyp" && kind.0 != *b"moov" && kind.0 != *b"mdat" {
                return Err(Mp4Error::NotMp4("it does not begin with a box of one".to_owned()));
            }
            return Err(Mp4Error::Truncated { kind, at, size, there });
        }
        if boxes.len() == limits::BOXES {
            return Err(Mp4Error::TooLarge(format!("more than {} boxes", limits::BOXES)));
        }
        has_film |= kind.0 == *b"moov";
        boxes.push(TopBox { kind, at, size });
        at += size;
    }
    if boxes.is_empty() {
        return Err(Mp4Error::NotMp4("it is empty".to_owned()));
    }
    Ok((boxes, 0))
}

/// The bytes of a box, at most `most`.
pub fn load(input: &(impl Input + ?Sized), top: &TopBox, most: u64) -> Result<Vec<u8>, Mp4Error> {
    if top.size > most {
        return Err(Mp4Error::TooLarge(format!("a `{}` box of {} bytes", top.kind, top.size)));
    }
    input.bytes(top.at, top.size)
}

/// A loaded box without its header.
pub fn atom<'a>(top: &TopBox, bytes: &'a [u8]) -> Atom<'a> {
    let header = if bytes.starts_with(&[0, 0, 0, 1]) { 16 } else { 8 };
    let body = bytes.get(header..).unwrap_or_default();
    Atom { kind: top.kind, at: top.at, body, body_at: top.at.saturating_add(header as u64) }
}

/// Timescale and duration of `mvhd` and `mdhd`.
fn times(header: &Atom<'_>) -> Result<(u32, Option<u64>), Mp4Error> {
    let (version, _, mut f) = header.full()?;
    f.word(version)?;
    f.word(version)?;
    let timescale = f.u32()?;
    if timescale == 0 {
        return Err(header.damaged("its timescale is 0"));
    }
    Ok((timescale, f.duration(version)?))
}

fn read_track(trak: &Atom<'_>, budget: &mut usize, file_size: u64) -> Result<Track, Mp4Error> {
    let children = trak.children()?;
    let tkhd = pick(trak, &children, b"tkhd")?;
    let (version, flags, mut f) = tkhd.full()?;
    f.word(version)?;
    f.word(version)?;
    let id = f.u32()?;
    f.u32()?;
    let duration = f.duration(version)?;
    f.take(16)?;
    let (a, b, _, c, d) = (f.i32()?, f.i32()?, f.i32()?, f.i32()?, f.i32()?);
    f.take(16)?;
    let (width, height) = (f.u32()?, f.u32()?);

    let mdia = pick(trak, &children, b"mdia")?;
    let media = mdia.children()?;
    let (timescale, media_duration) = times(&pick(&mdia, &media, b"mdhd")?)?;
    let (_, _, mut f) = pick(&mdia, &media, b"hdlr")?.full()?;
    f.u32()?;
    let kind = match f.fourcc()? {
        FourCc(code) if code == *b"vide" => Kind::Video,
        FourCc(code) if code == *b"soun" => Kind::Audio,
        other => Kind::Other(other),
    };
    let edits = match find(&children, b"edts") {
        Some(edts) => find(&edts.children()?, b"elst").map(|elst| read_edits(&elst)).transpose()?.unwrap_or_default(),
        None => Vec::new(),
    };
    let minf = pick(&mdia, &media, b"minf")?;
    let stbl = pick(&minf, &minf.children()?, b"stbl")?;
    let tables = stbl.children()?;
    let entries = entry::read(&pick(&stbl, &tables, b"stsd")?, kind)?;
    let mut track = Track {
        id,
        enabled: flags & 1 != 0,
        kind,
        duration,
        width,
        height,
        matrix: [a, b, c, d],
        timescale,
        media_duration,
        edits,
        entries,
        samples: Vec::new(),
        whole_chunks: false,
        defects: Vec::new(),
    };
    table::read(&stbl, &tables, &mut track, budget, file_size)?;
    Ok(track)
}

fn pick<'a>(parent: &Atom<'_>, among: &[Atom<'a>], kind: &[u8; 4]) -> Result<Atom<'a>, Mp4Error> {
    find(among, kind).ok_or_else(|| parent.damaged(format!("no `{}` in it", FourCc(*kind))))
}

fn read_edits(elst: &Atom<'_>) -> Result<Vec<Edit>, Mp4Error> {
    let (version, _, mut f) = elst.full()?;
    let count = f.u32()?;
    if count > limits::EDITS {
        return Err(elst.damaged(format!("{count} edits")));
    }
    (0..count)
        .map(|_| {
            let duration = f.word(version)?;
            let media_time = if version == 1 { f.u64()?.cast_signed() } else { i64::from(f.i32()?) };
            Ok(Edit { duration, media_time, rate: f.i32()? })
        })
        .collect()
}
