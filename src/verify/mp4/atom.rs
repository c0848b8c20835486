//! One box in memory, and the numbers in it (ISO/IEC 14496-12 §4.2).

use super::{FourCc, Mp4Error};

/// Boxes that may lie in one.
const CHILDREN: usize = 1 << 16;

/// A box whose bytes are in memory.
#[derive(Clone, Copy)]
pub struct Atom<'a> {
    pub kind: FourCc,
    /// Its first byte's place in the file.
    pub at: u64,
    /// What follows the header.
    pub body: &'a [u8],
    /// The body's place in the file.
    pub body_at: u64,
}

impl<'a> Atom<'a> {
    pub fn damaged(&self, why: impl Into<String>) -> Mp4Error {
        Mp4Error::Damaged { kind: self.kind, at: self.at, why: why.into() }
    }

    pub fn fields(&self) -> Fields<'a> {
        Fields { kind: self.kind, at: self.at, rest: self.body }
    }

    /// Version and flags of a full box, and its fields.
    pub fn full(&self) -> Result<(u8, u32, Fields<'a>), Mp4Error> {
        let mut fields = self.fields();
        let word = fields.u32()?;
        Ok(((word >> 24) as u8, word & 0x00ff_ffff, fields))
    }

    pub fn children(&self) -> Result<Vec<Atom<'a>>, Mp4Error> {
        self.children_from(0)
    }

    /// The boxes in the body from byte `skip` on. Fewer than eight bytes at the end are padding (QuickTime writes four).
    pub fn children_from(&self, skip: usize) -> Result<Vec<Atom<'a>>, Mp4Error> {
        let mut out = Vec::new();
        let mut pos = skip;
        while let Some(rest) = self.body.get(pos..).filter(|rest| rest.len() >= 8) {
            if out.len() == CHILDREN {
                return Err(self.damaged(format!("more than {CHILDREN} boxes in it")));
            }
            let at = self.body_at.saturating_add(pos as u64);
            let inside = |why: &str| self.damaged(format!("the box in it at byte {at} {why}"));
            let mut header = Fields { kind: self.kind, at: self.at, rest };
            let short = header.u32()?;
            let kind = header.fourcc()?;
            let size = match short {
                0 => rest.len() as u64,
                1 => header.u64()?,
                size => u64::from(size),
            };
            let header_len = rest.len() - header.rest.len();
            if size < header_len as u64 {
                return Err(inside(&format!("says {size} bytes, less than its header")));
            }
            let size = usize::try_from(size).ok().filter(|&size| size <= rest.len());
            let Some(body) = size.and_then(|size| rest.get(header_len..size)) else {
                return Err(inside(&format!("(`{kind}`) says more bytes than there are")));
            };
            out.push(Atom { kind, at, body, body_at: at.saturating_add(header_len as u64) });
            pos += header_len + body.len();
        }
        Ok(out)
    }
}

/// The first child of this kind.
pub fn find<'a>(atoms: &[Atom<'a>], kind: &[u8; 4]) -> Option<Atom<'a>> {
    atoms.iter().find(|a| a.kind.0 == *kind).copied()
}

/// Big-endian numbers, one after the other.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    kind: FourCc,
    at: u64,
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn damaged(&self, why: impl Into<String>) -> Mp4Error {
        Mp4Error::Damaged { kind: self.kind, at: self.at, why: why.into() }
    }

    pub fn left(&self) -> usize {
        self.rest.len()
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Mp4Error> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or_else(|| self.damaged("it ends too early"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Mp4Error> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or_else(|| self.damaged("it ends too early"))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub fn u8(&mut self) -> Result<u8, Mp4Error> {
        self.array::<1>().map(|[b]| b)
    }

    pub fn u16(&mut self) -> Result<u16, Mp4Error> {
        self.array().map(u16::from_be_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Mp4Error> {
        self.array().map(u32::from_be_bytes)
    }

    pub fn i32(&mut self) -> Result<i32, Mp4Error> {
        self.array().map(i32::from_be_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Mp4Error> {
        self.array().map(u64::from_be_bytes)
    }

    pub fn fourcc(&mut self) -> Result<FourCc, Mp4Error> {
        self.array().map(FourCc)
    }

    /// 64 bits in version 1, 32 in version 0.
    pub fn word(&mut self, version: u8) -> Result<u64, Mp4Error> {
        if version == 1 { self.u64() } else { self.u32().map(u64::from) }
    }

    /// A duration: all ones mean that it is not known.
    pub fn duration(&mut self, version: u8) -> Result<Option<u64>, Mp4Error> {
        let unknown = if version == 1 { u64::MAX } else { u64::from(u32::MAX) };
        self.word(version).map(|d| (d != unknown).then_some(d))
    }

    /// `count` entries of `N` bytes, if they are all there.
    pub fn table<const N: usize>(&mut self, count: u32) -> Result<&'a [[u8; N]], Mp4Error> {
        let room = self.rest.len() / N;
        let entries = self.rest.as_chunks::<N>().0.get(..count as usize);
        let entries =
            entries.ok_or_else(|| self.damaged(format!("it says {count} entries and has room for {room}")))?;
        self.rest = self.rest.get(entries.len() * N..).unwrap_or_default();
        Ok(entries)
    }
}

/// A big-endian number at the front of a table's entry.
pub fn be32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_be_bytes(*b))
}
