//! Coders behind `CompressionStream` and `DecompressionStream` (Compression Standard; RFC 1950, 1951, 1952).

use std::cell::RefCell;
use std::io::Write as _;

use deno_core::{GarbageCollected, OpState, op2, v8};
use deno_error::JsErrorBox;
use flate2::write::{DeflateEncoder, GzDecoder, GzEncoder, ZlibEncoder};
use flate2::{Compression, Decompress, FlushDecompress, Status};

use crate::runtime::memory::admit;

/// One stream's coder.
pub struct Codec(RefCell<Coder>);

// SAFETY: holds no V8 handles, so there is nothing to trace.
unsafe impl GarbageCollected for Codec {
    fn trace(&self, _visitor: &mut v8::cppgc::Visitor) {}

    fn get_name(&self) -> &'static std::ffi::CStr {
        c"Codec"
    }
}

enum Coder {
    Zlib(ZlibEncoder<Vec<u8>>),
    Deflate(DeflateEncoder<Vec<u8>>),
    Gzip(GzEncoder<Vec<u8>>),
    Inflate { state: Decompress, ended: bool },
    Gunzip(Box<GzDecoder<Vec<u8>>>),
}

/// Room made in the output at a time.
const ROOM: usize = 64 * 1024;

impl Coder {
    fn new(format: &str, compress: bool) -> Option<Self> {
        let level = Compression::default();
        Some(match (format, compress) {
            ("deflate", true) => Self::Zlib(ZlibEncoder::new(Vec::new(), level)),
            ("deflate-raw", true) => Self::Deflate(DeflateEncoder::new(Vec::new(), level)),
            ("gzip", true) => Self::Gzip(GzEncoder::new(Vec::new(), level)),
            ("deflate", false) => Self::Inflate { state: Decompress::new(true), ended: false },
            ("deflate-raw", false) => Self::Inflate { state: Decompress::new(false), ended: false },
            ("gzip", false) => Self::Gunzip(Box::new(GzDecoder::new(Vec::new()))),
            _ => return None,
        })
    }

    /// Takes `bytes`, gives what is ready. Errs on data that is not of the format, and on data behind its end.
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Zlib(coder) => coder.write_all(bytes).map(|()| std::mem::take(coder.get_mut())),
            Self::Deflate(coder) => coder.write_all(bytes).map(|()| std::mem::take(coder.get_mut())),
            Self::Gzip(coder) => coder.write_all(bytes).map(|()| std::mem::take(coder.get_mut())),
            Self::Gunzip(coder) => coder.write_all(bytes).map(|()| std::mem::take(coder.get_mut())),
            Self::Inflate { state, ended } => inflate(state, ended, bytes),
        }
    }

    /// The rest. Errs when the data is not complete.
    fn end(&mut self) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Zlib(coder) => coder.try_finish().map(|()| std::mem::take(coder.get_mut())),
            Self::Deflate(coder) => coder.try_finish().map(|()| std::mem::take(coder.get_mut())),
            Self::Gzip(coder) => coder.try_finish().map(|()| std::mem::take(coder.get_mut())),
            Self::Gunzip(coder) => coder.try_finish().map(|()| std::mem::take(coder.get_mut())),
            Self::Inflate { ended: true, .. } => Ok(Vec::new()),
            Self::Inflate { .. } => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

fn inflate(state: &mut Decompress, ended: &mut bool, mut bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    while !*ended {
        out.reserve(ROOM);
        let (read, written) = (state.total_in(), out.len());
        let status = state.decompress_vec(bytes, &mut out, FlushDecompress::None)?;
        let read = usize::try_from(state.total_in() - read).unwrap_or(bytes.len());
        bytes = bytes.get(read..).unwrap_or(&[]);
        *ended = status == Status::StreamEnd;
        if read == 0 && out.len() == written {
            break;
        }
    }
    if bytes.is_empty() { Ok(out) } else { Err(std::io::ErrorKind::InvalidData.into()) }
}

/// Null for an unknown format.
#[op2]
#[cppgc]
pub fn op_codec(#[string] format: &str, compress: bool) -> Option<Codec> {
    Coder::new(format, compress).map(|coder| Codec(RefCell::new(coder)))
}

#[op2]
#[buffer]
pub fn op_codec_write(
    scope: &mut v8::PinScope<'_, '_>,
    state: &mut OpState,
    #[cppgc] codec: &Codec,
    #[buffer] bytes: &[u8],
) -> Result<Vec<u8>, JsErrorBox> {
    let out = codec.0.borrow_mut().write(bytes);
    let out = out.map_err(|_| JsErrorBox::type_error("The compressed data was not valid."))?;
    Ok(if admit(scope, state, out.len()) { out } else { Vec::new() })
}

#[op2]
#[buffer]
pub fn op_codec_end(#[cppgc] codec: &Codec) -> Result<Vec<u8>, JsErrorBox> {
    codec.0.borrow_mut().end().map_err(|_| JsErrorBox::type_error("Compressed input was truncated."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpack(format: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut coder = Coder::new(format, false)?;
        let mut out = Vec::new();
        for byte in bytes {
            out.extend(coder.write(&[*byte]).ok()?);
        }
        out.extend(coder.end().ok()?);
        Some(out)
    }

    /// What Python's zlib and gzip (zlib 1.2.13) make of `expected output`, and of what web-platform tests call corrupt.
    #[test]
    fn reads_what_zlib_writes() {
        let deflate = [120, 156, 75, 173, 40, 72, 77, 46, 73, 77, 81, 200, 47, 45, 41, 40, 45, 1, 0, 48, 173, 6, 36];
        let gzip: Vec<u8> = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3]
            .into_iter()
            .chain(deflate[2..19].iter().copied())
            .chain([176, 1, 57, 179, 15, 0, 0, 0])
            .collect();
        let expected = Some(b"expected output".to_vec());
        assert_eq!(unpack("deflate", &deflate), expected);
        assert_eq!(unpack("deflate-raw", &deflate[2..19]), expected);
        assert_eq!(unpack("gzip", &gzip), expected);
        for (format, bytes) in [("deflate", &deflate[..]), ("gzip", &gzip[..]), ("deflate-raw", &deflate[2..19])] {
            assert_eq!(unpack(format, &bytes[..bytes.len() - 1]), None, "{format} cut short");
            assert_eq!(unpack(format, &[bytes, &[0]].concat()), None, "{format} with more behind");
        }
        let mut wrong = deflate;
        wrong[20] ^= 1;
        assert_eq!(unpack("deflate", &wrong), None, "a wrong checksum");
        let mut coder = Coder::new("gzip", true).unwrap();
        let packed = [coder.write(&[7; 100_000]).unwrap(), coder.end().unwrap()].concat();
        assert!(packed.len() < 1000);
        assert_eq!(unpack("gzip", &packed), Some(vec![7; 100_000]));
        assert!(Coder::new("brotli", false).is_none());
    }
}
