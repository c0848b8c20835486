//! Any bytes as an MP4 file: `replay verify` measures them or says why not. Seeds: small files of any encoder.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = replay::verify::facts::Facts::of(bytes);
});
