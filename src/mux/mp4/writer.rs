//! Writes packets as they come, and the header over its reserved space.

#![expect(clippy::disallowed_methods, reason = "the output folder")]

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use mp4_atom::Encode as _;

use super::super::{Layout, MuxError, Muxer};
use super::boxes;
use super::table::SampleTable;
use crate::encode::{Packet, VideoConfig};

/// `ftyp` with four compatible brands.
const FTYP: u64 = 32;
/// `mdat` with a 64-bit size.
const MDAT_HEADER: u64 = 16;
/// All boxes of two tracks beside their tables, parameter sets included, generously.
const BOXES: u64 = 4096;

pub struct Mp4Writer {
    file: File,
    path: PathBuf,
    layout: Layout,
    config: Option<VideoConfig>,
    video: SampleTable,
    audio: SampleTable,
    /// Bytes between `ftyp` and `mdat`, for `moov` and padding.
    room: u64,
    end: u64,
}

impl Mp4Writer {
    /// Creates the file; an existing one is replaced.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path, layout: Layout) -> Result<Self, MuxError> {
        let io = |source| MuxError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path).map_err(io)?;
        let room = header_room(&layout);
        let end = FTYP + room + MDAT_HEADER;
        let mut writer = Self {
            file,
            path: path.to_owned(),
            layout,
            config: None,
            video: SampleTable::default(),
            audio: SampleTable::default(),
            room,
            end,
        };
        writer.reserve()?;
        Ok(writer)
    }

    /// Writes the header's space for real, as padding: a disk that fills up later cannot take it away.
    fn reserve(&mut self) -> Result<(), MuxError> {
        let mut space = vec![0; self.end as usize];
        space[..4].copy_from_slice(&(self.end as u32).to_be_bytes());
        space[4..8].copy_from_slice(b"free");
        self.file.write_all(&space).map_err(|source| self.io(source))
    }

    /// Frames written so far.
    pub fn frames(&self) -> u64 {
        self.video.len()
    }

    /// Most bits of both tracks within any second, checked over windows that start with a video frame.
    pub fn peak_bits_per_second(&self) -> u64 {
        let video = self.video.peak(self.layout.fps.frames_in_a_second());
        let audio = self
            .layout
            .audio
            .as_ref()
            .map_or(0, |a| self.audio.peak((a.sample_rate as usize).div_ceil(a.frame_len.max(1) as usize)));
        (video + audio) * 8
    }

    /// Writes the header for the last time and waits until the disk has the file; gives its size.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<u64, MuxError> {
        self.checkpoint()?;
        self.file.sync_all().map_err(|source| self.io(source))?;
        Ok(self.end)
    }

    fn io(&self, source: std::io::Error) -> MuxError {
        MuxError::Io { path: self.path.clone(), source }
    }

    fn seek_to_end(&mut self) -> Result<(), MuxError> {
        self.file.seek(SeekFrom::Start(self.end)).map(drop).map_err(|source| self.io(source))
    }

    fn append(&mut self, packet: &Packet) -> Result<(u64, u32), MuxError> {
        let size = u32::try_from(packet.data.len()).map_err(|_| MuxError::Box("a packet exceeds 4 GiB".into()))?;
        self.file.write_all(&packet.data).map_err(|source| self.io(source))?;
        let offset = self.end;
        self.end += u64::from(size);
        Ok((offset, size))
    }

    /// `ftyp`, `moov`, padding and the head of `mdat`: exactly what stands before the media.
    fn header(&self) -> Result<Vec<u8>, MuxError> {
        let config = self.config.as_ref().ok_or(MuxError::NoConfig)?;
        let fail = |e: mp4_atom::Error| MuxError::Box(e.to_string());
        let mut out = Vec::new();
        boxes::ftyp(config).encode(&mut out).map_err(fail)?;
        if out.len() as u64 != FTYP {
            return Err(MuxError::Box("ftyp has an unexpected size".into()));
        }
        boxes::moov(&self.layout, config, &self.video, &self.audio)?.encode(&mut out).map_err(fail)?;
        let needed = out.len() as u64 - FTYP;
        // What is left becomes a `free` box, which takes eight bytes at least.
        let free = self.room.checked_sub(needed).filter(|free| *free >= 8);
        let free = free.ok_or(MuxError::HeaderRoom { room: self.room, needed: needed + 8 })?;
        out.extend((free as u32).to_be_bytes());
        out.extend(b"free");
        out.resize((FTYP + self.room) as usize, 0);
        out.extend(1u32.to_be_bytes());
        out.extend(b"mdat");
        out.extend((self.end - FTYP - self.room).to_be_bytes());
        Ok(out)
    }
}

impl Muxer for Mp4Writer {
    fn set_video_config(&mut self, config: VideoConfig) {
        self.config = Some(config);
    }

    fn video(&mut self, packet: &Packet) -> Result<(), MuxError> {
        let (offset, size) = self.append(packet)?;
        self.video.push(offset, size, packet.key);
        Ok(())
    }

    fn audio(&mut self, packet: &Packet) -> Result<(), MuxError> {
        let (offset, size) = self.append(packet)?;
        // Every AAC frame is a key; a table of them all would say nothing.
        self.audio.push(offset, size, false);
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), MuxError> {
        let header = self.header()?;
        self.file.seek(SeekFrom::Start(0)).map_err(|source| self.io(source))?;
        self.file.write_all(&header).map_err(|source| self.io(source))?;
        self.seek_to_end()
    }
}

/// Room for `moov` when every packet of the layout has come, with the longest tables they can need.
fn header_room(layout: &Layout) -> u64 {
    let frames = layout.max_frames;
    let packets = layout.audio_packets_for(frames) + 2;
    let groups = frames.div_ceil(layout.group.max(1)) + 2;
    // A frame: size, key number. A chunk of either track: 64-bit offset, run of 12 bytes.
    BOXES + frames * 8 + packets * 4 + groups * 2 * (8 + 12)
}
