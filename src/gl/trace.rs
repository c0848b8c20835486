//! Trace files: every stream a context submitted, replayable without scripts.
//!
//! Layout: magic, version (u32 LE), then length-prefixed (u64 LE) postcard records: the header, then streams in order.
//! In: a `GlBackend` to record, or a file to play. A damaged or hostile file is an error, never a panic, and never
//! more memory than the file is long.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::backend::{BackendCaps, BackendError, GlBackend};
use super::command::{BufferId, Command, CommandStream, DataRange, ImageId, ImageRegion, QueryId};
use super::context::ContextSettings;

const MAGIC: &[u8; 8] = b"RPLTRACE";
/// Goes up with any change to `command.rs`, `format.rs` or `shader::ProgramCode`.
const VERSION: u32 = 5;
/// Longest record taken.
const MAX_RECORD: u64 = 1 << 31;

/// What stands before the streams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceHeader {
    /// The engine that wrote the file.
    pub engine: String,
    pub caps: BackendCaps,
    pub settings: ContextSettings,
}

/// Why a trace cannot be written, read or played.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error("cannot read or write the trace: {0}")]
    Io(#[from] io::Error),
    #[error("this is not a replay trace")]
    NotATrace,
    #[error("the trace is of version {found}; this engine reads version {VERSION}")]
    Version { found: u32 },
    #[error("record {record} of the trace is damaged: {reason}")]
    Damaged { record: u64, reason: String },
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Writes a trace.
pub struct TraceWriter<W: Write> {
    out: W,
}

impl<W: Write> TraceWriter<W> {
    pub fn new(mut out: W, header: &TraceHeader) -> Result<Self, TraceError> {
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        let mut writer = Self { out };
        writer.record(header)?;
        Ok(writer)
    }

    fn record(&mut self, value: &impl Serialize) -> Result<(), TraceError> {
        let bytes = postcard::to_stdvec(value).map_err(|error| io::Error::other(error.to_string()))?;
        self.out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        self.out.write_all(&bytes)?;
        Ok(())
    }

    pub fn stream(&mut self, stream: &CommandStream) -> Result<(), TraceError> {
        self.record(stream)
    }

    pub fn flush(&mut self) -> Result<(), TraceError> {
        Ok(self.out.flush()?)
    }
}

/// Reads a trace, stream by stream.
pub struct TraceReader<R: Read> {
    input: R,
    records: u64,
    pub header: TraceHeader,
}

impl TraceReader<BufReader<std::fs::File>> {
    #[allow(clippy::disallowed_methods, reason = "a trace is a file the user named, not part of the program")]
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        Self::new(BufReader::new(std::fs::File::open(path)?))
    }
}

impl<R: Read> TraceReader<R> {
    pub fn new(mut input: R) -> Result<Self, TraceError> {
        let mut start = [0; 12];
        input.read_exact(&mut start).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => TraceError::NotATrace,
            _ => TraceError::Io(error),
        })?;
        let (magic, version) = start.split_at(8);
        if magic != MAGIC {
            return Err(TraceError::NotATrace);
        }
        let found = version.try_into().map_or(0, u32::from_le_bytes);
        if found != VERSION {
            return Err(TraceError::Version { found });
        }
        let mut records = 0;
        let header = read_record(&mut input, &mut records)?
            .ok_or(TraceError::Damaged { record: 0, reason: "the header is missing".into() })?;
        Ok(Self { input, records, header })
    }

    /// The next stream, checked to be self-consistent; `None` at the end.
    pub fn next_stream(&mut self) -> Result<Option<CommandStream>, TraceError> {
        let record = self.records;
        let Some(stream) = read_record::<CommandStream>(&mut self.input, &mut self.records)? else { return Ok(None) };
        let len = stream.data.len() as u64;
        let fits = |range: &DataRange| u64::from(range.offset) + u64::from(range.len) <= len;
        if let Some(at) = stream.commands.iter().position(|command| data_range(command).is_some_and(|r| !fits(r))) {
            let reason = format!("command {at} refers to bytes that are not there");
            return Err(TraceError::Damaged { record, reason });
        }
        Ok(Some(stream))
    }

    /// Plays the rest of the trace. Returns the number of streams.
    pub fn play(&mut self, backend: &mut dyn GlBackend) -> Result<u64, TraceError> {
        let mut streams = 0;
        while let Some(stream) = self.next_stream()? {
            backend.submit(stream)?;
            streams += 1;
        }
        backend.finish()?;
        Ok(streams)
    }
}

fn read_record<T: for<'a> Deserialize<'a>>(input: &mut impl Read, records: &mut u64) -> Result<Option<T>, TraceError> {
    let record = *records;
    let damaged = |reason: String| TraceError::Damaged { record, reason };
    let mut length = [0; 8];
    let mut have = 0;
    while have < length.len() {
        match input.read(length.get_mut(have..).unwrap_or_default())? {
            0 if have == 0 => return Ok(None),
            0 => return Err(damaged("the file ends in the middle of a record".into())),
            n => have += n,
        }
    }
    let length = u64::from_le_bytes(length);
    if length > MAX_RECORD {
        return Err(damaged(format!("its length of {length} bytes is out of bounds")));
    }
    // Grows as bytes come in: a false length costs nothing.
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(damaged("the file ends in the middle of a record".into()));
    }
    *records += 1;
    postcard::from_bytes(&bytes).map(Some).map_err(|error| damaged(error.to_string()))
}

/// The arena range a command refers to.
fn data_range(command: &Command) -> Option<&DataRange> {
    match command {
        Command::WriteBuffer { data, .. }
        | Command::WriteImage { data, .. }
        | Command::SetUniforms { data, .. }
        | Command::SetDriverUniforms(data) => Some(data),
        _ => None,
    }
}

/// A back end that writes down what passes through it.
pub struct TracingBackend<B, W: Write> {
    backend: B,
    writer: TraceWriter<W>,
    /// A trace that cannot be written must not stop the render; it is reported at the end.
    failure: Option<TraceError>,
}

impl<B: GlBackend, W: Write + Send> TracingBackend<B, W> {
    pub fn new(backend: B, out: W, settings: &ContextSettings) -> Result<Self, TraceError> {
        let header = TraceHeader {
            engine: concat!("replay ", env!("CARGO_PKG_VERSION")).into(),
            caps: backend.caps().clone(),
            settings: settings.clone(),
        };
        Ok(Self { backend, writer: TraceWriter::new(out, &header)?, failure: None })
    }

    /// Ends the trace. Errors if any part of it could not be written.
    pub fn finish_trace(&mut self) -> Result<(), TraceError> {
        self.failure.take().map_or(Ok(()), Err)?;
        self.writer.flush()
    }
}

impl<B: GlBackend, W: Write + Send> GlBackend for TracingBackend<B, W> {
    fn caps(&self) -> &BackendCaps {
        self.backend.caps()
    }

    fn submit(&mut self, stream: CommandStream) -> Result<(), BackendError> {
        if self.failure.is_none() {
            self.failure = self.writer.stream(&stream).err();
        }
        self.backend.submit(stream)
    }

    fn read_image(&mut self, image: ImageId, region: ImageRegion) -> Result<Vec<u8>, BackendError> {
        self.backend.read_image(image, region)
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, size: u64) -> Result<Vec<u8>, BackendError> {
        self.backend.read_buffer(buffer, offset, size)
    }

    fn query_result(&mut self, query: QueryId) -> Result<bool, BackendError> {
        self.backend.query_result(query)
    }

    fn finish(&mut self) -> Result<(), BackendError> {
        if self.failure.is_none() {
            self.failure = self.writer.flush().err();
        }
        self.backend.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::null::{NullBackend, full_caps};

    fn header() -> TraceHeader {
        TraceHeader { engine: "test".into(), caps: full_caps(), settings: ContextSettings::default() }
    }

    fn trace(streams: &[CommandStream]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = TraceWriter::new(&mut bytes, &header()).expect("memory takes all");
        for stream in streams {
            writer.stream(stream).expect("memory takes all");
        }
        bytes
    }

    fn write_stream() -> CommandStream {
        let mut stream = CommandStream::default();
        let data = stream.push_data(&[1, 2, 3, 4]);
        stream.commands.push(Command::CreateBuffer { id: BufferId(1), size: 4 });
        stream.commands.push(Command::WriteBuffer { id: BufferId(1), offset: 0, data });
        stream
    }

    #[test]
    fn what_was_recorded_is_played() {
        let mut bytes = Vec::new();
        let (null, _) = NullBackend::recording();
        let mut tracing = TracingBackend::new(null, &mut bytes, &ContextSettings::default()).expect("memory");
        tracing.submit(write_stream()).expect("null takes all");
        tracing.finish_trace().expect("memory takes all");
        let mut reader = TraceReader::new(&bytes[..]).expect("the trace is sound");
        assert_eq!(reader.header.caps, full_caps());
        let (mut null, record) = NullBackend::recording();
        assert_eq!(reader.play(&mut null).expect("the trace is sound"), 1);
        let record = record.lock().expect("no panic held it");
        assert_eq!(record.commands, 2);
        assert_eq!(record.streams[0].data, [1, 2, 3, 4]);
    }

    #[test]
    fn other_files_are_named_as_such() {
        assert!(matches!(TraceReader::new(&b"\x7fELF"[..]), Err(TraceError::NotATrace)));
        assert!(matches!(TraceReader::new(&[0u8; 64][..]), Err(TraceError::NotATrace)));
        let mut newer = trace(&[]);
        newer[8] = 200;
        assert!(matches!(TraceReader::new(&newer[..]), Err(TraceError::Version { found: 200 })));
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_an_error_or_a_trace() {
        let whole = trace(&[write_stream()]);
        let read = |bytes: &[u8]| -> Result<u64, TraceError> { TraceReader::new(bytes)?.play(&mut NullBackend::new()) };
        for cut in 0..whole.len() {
            if let Ok(streams) = read(&whole[..cut]) {
                // Only the cut between two records is a whole trace.
                assert_eq!(streams, 0, "cut at {cut}");
            }
        }
        for at in 12..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            let _ = read(&bytes);
        }
    }

    #[test]
    fn ranges_outside_the_arena_are_refused() {
        let mut stream = write_stream();
        stream.commands[1] =
            Command::WriteBuffer { id: BufferId(1), offset: 0, data: DataRange { offset: u32::MAX, len: u32::MAX } };
        let bytes = trace(&[stream]);
        let result = TraceReader::new(&bytes[..]).expect("the header is sound").next_stream();
        assert!(matches!(result, Err(TraceError::Damaged { .. })));
    }
}
