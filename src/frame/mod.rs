//! A finished picture on its way from the GPU to the encoder: pixels, index, hash.

use std::sync::Arc;

/// RGBA8, sRGB-encoded, not premultiplied, row 0 = top, tightly packed.
#[derive(Clone, Debug)]
pub struct Frame {
    pub index: u64,
    pub width: u32,
    pub height: u32,
    pub rgba: Arc<[u8]>,
}
